// Listens to a run and collects its record.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "nic/estats.h"
#include "protocol/messages/traffic.h"
#include "run/network.h"
#include "run/pause_causes.h"
#include "run/recording/ended_records.h"
#include "run/recording/records.h"
#include "run/services.h"
#include "sim/lazy.h"
#include "sim/number_table.h"
#include "sim/parts.h"

namespace headroom {

class Recorder final : public EventTarget, public MessageLog {
 public:
  /// Connects to the network's trace sources and schedules the samples that the scenario requests. Messages,
  /// operations and pauses go to `ended` when they end. `times`: null if times are not split. All must
  /// outlive the recorder. REQUIRES: this is before the run.
  Recorder(const Scenario& scenario, Network& network, Traffic& traffic, std::shared_ptr<EndedRecords> ended,
           MessageTimes* times);

  /// Records the operations of services. REQUIRES: `services` outlives this object.
  void Watch(Services& services);
  /// Adds an event to the time line.
  void Note(EventRecord event) {
    if (!Parts::Get().Reports()) return;
    record_.events_log.push_back(std::move(event));
    noted_.Note();
  }
  /// Queues wait for each other for ever.
  void OnDeadlock(const std::vector<PausedQueue>& cycle) {
    if (causes_) causes_->OnDeadlock(cycle);
  }
  /// Returns the complete record, once the run is over, with those of traffic and services. With several
  /// ranks (sim/parts.h), rank 0 returns the record of all, and the others nothing.
  RunRecord Collect(RunStatus status);

  void OnEvent(uint64_t arg) override;
  // Messages of the traffic:
  void Add(const Begun& begun, const MessageRecord& message) override;
  void Add(const MessageApart& apart) override { ended_->Add(apart); }
  void Add(const ArrivedPackets& arrived) override { ended_->Add(arrived); }

 private:
  enum Sample : uint64_t { kWarmup, kQueues, kGroups, kRates, kGoodput };
  struct Place {
    NodeId node;
    uint16_t port;
  };
  struct Baseline {
    std::array<PriorityCounters, kPriorities> counters;
    std::array<PriorityDrops, kPriorities> drops;
    std::array<uint64_t, kPriorities> pause_frames, resume_frames, pfc_frames_received;
  };
  void OnPause(const Port& port, const PauseChange& change);
  void AddSplit(const Begun& begun, const MessageRecord& message);
  std::span<const WaitRecord> InRecords(const std::vector<Itinerary::Wait>& waits);
  void AddOpen();
  void OnNotification(const Nic& nic, uint32_t qp, bool cut);
  void OnDrop(const Port& port, const Frame& frame, const DropCause& cause);
  void Schedule(Sample sample, Time at);
  bool Matches(const std::vector<std::string>& patterns, NodeId node, const std::string& port) const;
  void EndWarmup();
  uint8_t QueuesInUse(NodeId node) const;
  void SampleQueues();
  void SampleGroups();
  void SampleRates();
  void SampleGoodput(Time at);
  void EndGoodput();
  PortPriorityCounters CountersOf(NodeId n, uint16_t port, int priority) const;
  /// Values of the record that are ordered only when all are there.
  struct Unordered {
    std::vector<EventRecord> faults, firsts, watchdogs;  ///< parts of the log of events
    LogOrder faults_order;
    template <class P>
    void Pack(P& pack) {
      pack(faults, firsts, watchdogs, faults_order);
    }
  };
  void CollectNodes();
  std::vector<Packet> JoinRanks();
  template <class P>
  static void PackNodes(P& pack, RunRecord& record);
  void Join(RunRecord& other);
  void OrderNodes();
  void OrderEvents();
  void OrderLogs();
  void CollectPorts();
  void CollectPauses();
  void CollectSwitches();
  void CollectNics();
  void CollectFirsts();
  void CollectFaults();
  void CollectWatchdogs();
  void CollectEstats();
  void AddToEstats(const MessageRecord& message, Time at, WcStatus status);
  void AddFailures();
  void AddOperation(const OperationRecord& ended);
  void CollectOperationEstats();
  void NoteQueuePairsOfServices();
  void PackEstats(Packer& pack);
  void JoinEstats(Unpacker& share);
  Time EndOf(int64_t interval) const;
  Nic::Counters NicTotals() const;

  const Scenario& scenario_;
  Network& network_;
  Traffic& traffic_;
  RunRecord record_;
  LogOrder noted_, cnps_, drops_;  ///< of the record's logs
  Unordered unordered_;
  std::vector<Place> place_of_;  ///< indexed by the port's event entity
  /// A pause that has not ended. Several storms at one port may pause the same priority.
  struct OpenPause {
    static constexpr uint32_t kNone = UINT32_MAX;
    uint32_t number = kNone;
    uint32_t causes = 0;  ///< number of those that keep it open
  };
  struct BegunPause {
    PauseRecord record;
    Parts::Place place{};
  };
  /// By direction and priority.
  using OpenPauses = std::array<std::array<OpenPause, kPriorities>, 2>;
  std::vector<Lazy<OpenPauses>> open_pauses_;  ///< indexed by the port's event entity
  NumberTable<BegunPause> pauses_;             ///< open ones, by their numbers
  BegunCount begun_pauses_;
  std::shared_ptr<EndedRecords> ended_;
  MessageTimes* times_;
  struct Ended {
    Begun begun;
    MessageRecord message;
  };
  std::deque<Ended> waiting_;  ///< messages that have ended, and whose times are not complete
  std::vector<Itinerary::Wait> taken_waits_;
  std::vector<WaitRecord> wait_records_;
  std::optional<PauseCauses> causes_;  ///< present if pause causes are observed
  std::vector<std::vector<Baseline>>
      baseline_;  ///< counters at the end of the warm-up, indexed by node and port
  Nic::Counters nic_baseline_;
  std::vector<Place> queue_places_, group_places_;
  std::vector<NodeId> rate_hosts_;
  std::vector<std::vector<int64_t>> sent_seen_;  ///< wire bytes, indexed by rate host and queue pair
  std::vector<uint64_t> goodput_seen_;
  std::optional<Estats> estats_;
  Services* services_ = nullptr;
  /// Keyed by kind, status and workload; the operation and status in the entry's key are unused.
  std::map<std::tuple<OperationKind, OperationStatus, uint32_t>, Estats> operation_estats_;
  struct QueuePairOfService {
    int service = 0;
    NodeId host = 0;
    uint32_t qp = 0;
  };
  std::vector<QueuePairOfService> qps_of_services_;  ///< with Estats, after the run
};

}  // namespace headroom
