// All messages of a run: offers them to the NICs as the workloads require. It keeps the records of open
// messages, and gives a record to the MessageLog when its message ends.
//
// It owns the mapping from (workload, source, destination, priority) to queue pairs: persistent ones in
// round-robin order, or a new one per message. When its message is done, a queue pair is reused for the next
// message of its pair. All its visible state is renewed: rate, path, coalescing state.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "nic/nic.h"
#include "protocol/core_costs.h"
#include "protocol/messages/deliveries.h"
#include "sim/begun.h"
#include "sim/number_table.h"
#include "sim/parts.h"
#include "workload/generator.h"
#include "workload/message_record.h"

namespace headroom {

/// What is learnt of a message apart from its record: after its end, or on another rank than its poster's.
/// Counts add up.
struct MessageApart {
  uint32_t message = 0, marked_packets = 0, retransmitted_packets = 0;
  Time delivered = kNever;
  /// `sum`: a record, or what is known so far.
  template <class T>
  void AddTo(T& sum) const {
    sum.marked_packets += marked_packets;
    sum.retransmitted_packets += retransmitted_packets;
    if (delivered != kNever) sum.delivered = delivered;
  }
};

/// Packets of a message, besides the last, that arrived in one interval of Traffic::CountDelivered after its
/// end, or on another rank than its poster's.
struct ArrivedPackets {
  uint32_t message = 0, interval = 0, packets = 0;
  bool last = false;  ///< the last arrived, too
};

/// Takes the records of a run's messages: in the run of those that are completed, afterwards of the others.
class MessageLog {
 public:
  virtual void Add(const Begun& begun, const MessageRecord& message) = 0;
  /// The record may come later.
  virtual void Add(const MessageApart& apart) = 0;
  virtual void Add(const ArrivedPackets& arrived) = 0;

 protected:
  ~MessageLog() = default;
};

class Traffic final : public MessageSink, public Offers {
 public:
  /// REQUIRES: `nics` is indexed by host, and has at least those of this rank; `hosts` and `workloads`
  /// outlive this object.
  Traffic(const std::vector<WorkloadParameters>& workloads, const HostView& hosts, std::vector<Nic*> nics);

  void Start();
  /// Called when no workload will offer more and every message is finished. It is never called if a queue
  /// pair has failed with messages left: these stay unfinished, and the run goes on to its deadline.
  void SetOnDone(std::function<void()> f) { on_done_ = std::move(f); }
  void SetOnQueuePairError(std::function<void(NodeId, uint32_t, const std::string&)> f) {
    on_error_ = std::move(f);
  }

  /// Takes the records of messages. It must outlive the run. REQUIRES: called once, before Start.
  void SetLog(MessageLog& log) { log_ = &log; }
  /// Called with the number and the size of each message that begins.
  void SetOnBegun(std::function<void(uint32_t, Bytes)> f) { on_begun_ = std::move(f); }
  /// Gives the log all that it does not have: the records of open messages, and what is known of others. Call
  /// it once, after the run.
  void GiveOpen();

  /// Whether all messages are finished, and none will be offered. In an event of a network that is cut, this
  /// concerns the hosts of the current part.
  bool Done() const { return generating_ == 0 && unfinished_ == 0; }
  /// The failures of messages that will not finish, in the order of time; with several ranks (sim/parts.h),
  /// of the messages of this rank.
  const std::vector<MessageFailure>& failures() const { return failures_; }
  uint64_t unfinished() const { return Parts::Get().Sum(unfinished_); }
  uint64_t begun() const { return begun_.count(); }
  uint64_t finished() const { return begun() - unfinished(); }

  /// From now on counts delivered payload. `mtu`: size of all packets of a message except the last.
  void CountDelivered(Bytes mtu);
  /// Payload bytes delivered in order since CountDelivered, by workload, without those of ArrivedPackets.
  const std::vector<uint64_t>& delivered_bytes() const { return delivered_bytes_; }
  /// An interval of CountDelivered is over: gives the log its ArrivedPackets.
  void EndInterval();
  /// The payload of one packet of a message.
  static int64_t PayloadOf(const MessageRecord& message, int64_t mtu, bool last) {
    const int64_t size = message.size.v;
    return !last ? mtu : size == 0 ? 0 : size - (size - 1) / mtu * mtu;
  }

  /// Adds the working times of generators' processes. Call it after the run.
  void AddCores(std::vector<CoreRecord>& all) const;
  /// With several ranks, the same of this rank's hosts; then rank 0 joins those of the others, by rank.
  void PackCores(Packer& pack);
  void JoinCores(const std::vector<Packet>& shares);

  uint32_t Offer(uint32_t workload, NodeId src, NodeId dst, Bytes size, uint8_t priority, uint32_t number,
                 std::optional<uint16_t> source_port) override;
  uint32_t Begin(uint32_t workload, NodeId src, NodeId dst, Bytes size, uint8_t priority) override;
  void OnExhausted() override;
  void OnDelivered(uint32_t message, Time at) override {
    if (deliveries_) deliveries_->OnDelivered(message, at);
    Open* const open = open_.Find(message);
    (open != nullptr ? open->record.delivered : Apart(message).delivered) = at;
  }
  void OnCompleted(uint32_t message, Time at) override;
  void OnFailed(uint32_t message, Time at, WcStatus status) override {
    failures_.push_back({open_.Find(message)->record, at, status});
  }
  void OnMarkedPacket(uint32_t message) override {
    Open* const open = open_.Find(message);
    ++(open != nullptr ? open->record.marked_packets : Apart(message).marked_packets);
  }
  void OnRetransmittedPacket(uint32_t message) override {
    Open* const open = open_.Find(message);
    ++(open != nullptr ? open->record.retransmitted_packets : Apart(message).retransmitted_packets);
  }
  void OnPacket(uint32_t message, bool last) override;
  void OnQueuePairError(NodeId host, uint32_t qp, const std::string& why) override;

 private:
  /// The end at the host that posts: the source of the data, or, for READs, their destination. The other end
  /// is made when the first frame arrives.
  struct QueuePair {
    uint32_t requester = 0;
    uint16_t source_port = 0;
    NicEnds nics;
  };
  struct Pair {
    std::vector<QueuePair> queue_pairs;
    std::vector<uint32_t> free;  ///< per_message: indices of idle queue pairs
    uint32_t turn = 0;           ///< persistent: the next queue pair; per_message: number of messages so far
  };
  struct PairKey {
    uint32_t workload, src, dst;  ///< hosts, as the generator knows them
    uint8_t priority;
    bool operator==(const PairKey&) const = default;
  };
  struct PairHash {
    size_t operator()(const PairKey& k) const;
  };
  void Connect(Pair& pair, const PairKey& key, const NicEnds& nics, uint16_t source_port);
  /// Takes an idle queue pair between these NICs for the message with this number, or makes one. Returns its
  /// index.
  uint32_t Idle(Pair& pair, const PairKey& key, const NicEnds& nics, uint32_t number,
                std::optional<uint16_t> source_port);
  uint16_t SourcePortOf(uint32_t workload, const NicEnds& nics, uint32_t number) const;
  bool Reads(uint32_t workload) const { return workloads_[workload].verb == Operation::read_request; }
  NodeId PosterOf(uint32_t workload, const NicEnds& nics) const {
    return Reads(workload) ? nics.dst : nics.src;
  }
  /// The host that the generator knows.
  NodeId HostOf(uint32_t workload, NodeId nic) const {
    return SenderOf(*hosts_.topology, workloads_[workload].arrivals->nic, nic);
  }
  void CheckDone();
  /// A message that has begun on this rank and has not ended.
  struct Open {
    MessageRecord record;
    Parts::Place place{};
    uint32_t queue_pair = 0;  ///< index within its pair
    uint32_t number = 0;      ///< from Offer
  };
  MessageApart& Apart(uint32_t message);
  void GiveApart();

  const std::vector<WorkloadParameters>& workloads_;
  const HostView& hosts_;
  std::vector<Nic*> nics_;
  std::vector<std::unique_ptr<Generator>> generators_;
  std::unique_ptr<Deliveries> deliveries_;  ///< null: no generator hears of them
  NumberTable<Open> open_;
  BegunCount begun_;
  MessageLog* log_ = nullptr;
  std::unordered_map<uint32_t, MessageApart> apart_;  ///< of messages that are not open here
  std::vector<MessageFailure> failures_;
  int64_t mtu_ = 0;
  std::vector<uint64_t> delivered_bytes_;
  std::vector<std::vector<uint32_t>> numbers_;  ///< next message number, indexed by workload and source
  std::unordered_map<PairKey, Pair, PairHash> pairs_;  ///< looked up, never iterated
  std::function<void()> on_done_;
  std::function<void(NodeId, uint32_t, const std::string&)> on_error_;
  std::function<void(uint32_t, Bytes)> on_begun_;
  std::vector<CoreRecord> cores_;  ///< with several ranks, after JoinCores: of all ranks
  std::unordered_map<uint32_t, ArrivedPackets> arriving_;  ///< of this interval, by message
  uint32_t interval_ = 0;
  uint64_t generating_ = 0, unfinished_ = 0;  ///< of the part that runs
};

}  // namespace headroom
