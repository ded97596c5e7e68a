// All messages of a run: offers them to the NICs as the workloads require, and keeps the record of each.
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
#include "sim/parts.h"
#include "workload/generator.h"
#include "workload/message_record.h"

namespace headroom {

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

  /// A message in the order in which messages begin: its place is the same for any cut of the network, and of
  /// several with one place the numbers of Traffic rise.
  struct Begun {
    uint32_t message = 0;
    Parts::Place place{};
  };
  using OnEnded = std::function<void(const Begun&, const MessageRecord&)>;
  /// What is learnt of a message apart from its record. It happens after its end: its last packets were sent
  /// twice, or its receiver takes it later than its sender has the completion. Or it happens on another rank
  /// (sim/parts.h) than its poster's. Counts add up.
  struct Apart {
    uint32_t message = 0, marked_packets = 0, retransmitted_packets = 0;
    Time delivered = kNever;
  };
  /// From now on a message that is completed goes to `ended` with its number, and its memory serves others;
  /// messages() and PutInOrder are not used then. REQUIRES: nothing was offered yet.
  void LetGo(OnEnded ended, std::function<void(const Apart&)> apart);
  /// With LetGo: gives also the unfinished messages to `ended`. Call it once, after the run.
  void LetGoOfOpen();

  /// Whether all messages are finished, and none will be offered. In an event of a network that is cut, this
  /// concerns the hosts of the current part.
  bool Done() const { return generating_ == 0 && unfinished_ == 0; }
  const std::vector<MessageRecord>& messages() const { return messages_; }
  std::vector<MessageRecord>& messages() { return messages_; }
  /// The number of a message by its count on this rank, which without LetGo is its place in `messages`. With
  /// several ranks (sim/parts.h), a rank numbers its own messages, and all numbers are different.
  uint32_t NumberOf(uint32_t count) const { return count * ranks_ + rank_; }
  /// The failures of messages that will not finish, in the order of time.
  const std::vector<MessageFailure>& failures() const { return failures_; }
  uint64_t unfinished() const { return Parts::Get().Sum(unfinished_); }
  uint64_t begun() const { return on_ended_ ? begun_count_ : messages_.size(); }
  uint64_t finished() const { return begun() - unfinished(); }
  /// REQUIRES: the message has not ended, or LetGo was not called.
  MessageRecord& At(uint32_t message) { return messages_[PlaceOf(message)]; }

  // With several ranks:
  /// Packets of a message of another rank that arrived in one interval since CountDelivered, besides the
  /// last.
  struct Arrived {
    uint32_t message = 0;
    uint32_t interval = 0;
    uint32_t packets = 0;
    bool last = false;
  };
  /// An interval of CountDelivered is over.
  void EndInterval();
  /// The messages of this rank, unless LetGo was called, and what it learned of others'. Call it once, after
  /// the run.
  void Pack(Packer& pack);
  /// Adds the messages of the other ranks, by rank; the own entry is unused. Calls delivered(interval,
  /// workload, bytes) for payload that one rank received from another. REQUIRES: this is rank 0.
  void Join(std::vector<Packet>& shares,
            const std::function<void(uint32_t interval, uint32_t workload, uint64_t bytes)>& delivered);
  /// Gives messages and failures the order and the numbers that they would have in a run in one part. Call it
  /// once, after the run. Returns each message's former place.
  std::vector<uint32_t> PutInOrder();
  /// From now on counts delivered payload. `mtu`: size of all packets of a message except the last.
  void CountDelivered(Bytes mtu);
  /// Adds the working times of generators' processes. Call it after the run.
  void AddCores(std::vector<CoreRecord>& all) const;
  /// Payload bytes delivered in order since CountDelivered, by workload.
  const std::vector<uint64_t>& delivered_bytes() const { return delivered_bytes_; }

  void Offer(uint32_t workload, NodeId src, NodeId dst, Bytes size, uint8_t priority,
             std::optional<uint16_t> source_port) override;
  uint32_t Begin(uint32_t workload, NodeId src, NodeId dst, Bytes size, uint8_t priority) override;
  void OnExhausted() override;
  void OnDelivered(uint32_t message, Time at) override {
    if (IsOver(message)) return on_apart_({message, 0, 0, at});
    IsHere(message) ? At(message).delivered = at : Elsewhere(message).delivered = at;
  }
  void OnCompleted(uint32_t message, Time at) override;
  void OnFailed(uint32_t message, Time at, WcStatus status) override {
    failures_.push_back({message, at, status});
    failed_.Note();
  }
  void OnMarkedPacket(uint32_t message) override {
    if (IsOver(message)) return on_apart_({message, 1, 0, kNever});
    ++(IsHere(message) ? At(message).marked_packets : Elsewhere(message).marked_packets);
  }
  void OnRetransmittedPacket(uint32_t message) override {
    if (IsOver(message)) return on_apart_({message, 0, 1, kNever});
    ++(IsHere(message) ? At(message).retransmitted_packets : Elsewhere(message).retransmitted_packets);
  }
  void OnPacket(uint32_t message, bool last) override;
  void OnQueuePairError(NodeId host, uint32_t qp, const std::string& why) override;

 private:
  /// The end at the host that posts: the source of the data, or, for READs, their destination. The other end
  /// is made when the first frame arrives.
  struct QueuePair {
    uint32_t requester = 0;
    uint16_t source_port = 0;
  };
  struct Pair {
    std::vector<QueuePair> queue_pairs;
    std::vector<uint32_t> free;  ///< per_message: indices of idle queue pairs
    uint32_t turn = 0;           ///< persistent: the next queue pair; per_message: number of messages so far
  };
  struct PairKey {
    uint32_t workload, src, dst;
    uint8_t priority;
    bool operator==(const PairKey&) const = default;
  };
  struct PairHash {
    size_t operator()(const PairKey& k) const;
  };
  void Connect(Pair& pair, const PairKey& key, std::optional<uint16_t> source_port);
  void Renew(QueuePair& qp, const PairKey& key, uint16_t source_port);
  uint16_t SourcePortOf(const PairKey& key, uint32_t number) const;
  bool Reads(uint32_t workload) const { return workloads_[workload].verb == Operation::read_request; }
  NodeId PosterOf(const PairKey& key) const { return Reads(key.workload) ? key.dst : key.src; }
  void CheckDone();
  // With LetGo (traffic_ended.cc):
  bool IsOver(uint32_t message) const {
    return !ids_.empty() && IsHere(message) && ids_[PlaceOf(message)] != message;
  }
  uint32_t NewId();
  void End(uint32_t message, const MessageRecord& record);
  Begun BegunOf(uint32_t message) const;
  void LetGoOfApart();
  /// Of a message of this rank: its place in messages_.
  uint32_t PlaceOf(uint32_t message) const { return (ranks_ == 1 ? message : message / ranks_) & mask_; }
  bool IsHere(uint32_t message) const { return ranks_ == 1 || message % ranks_ == rank_; }
  Apart& Elsewhere(uint32_t message);
  void JoinCores(Unpacker& share, int rank);
  int64_t PayloadOf(const MessageRecord& message, bool last) const;

  const std::vector<WorkloadParameters>& workloads_;
  const HostView& hosts_;
  std::vector<Nic*> nics_;
  std::vector<std::unique_ptr<Generator>> generators_;
  std::vector<MessageRecord> messages_;  ///< by the bits `mask_` of its number
  uint32_t mask_ = UINT32_MAX;           ///< with LetGo: a power of two, less one
  std::vector<uint32_t> ids_;            ///< with LetGo: the message at each place, or kNoMessage
  std::vector<Parts::Place> begun_at_;   ///< the same, if the network is cut
  uint32_t next_count_ = 0;
  uint64_t begun_count_ = 0, open_count_ = 0;
  OnEnded on_ended_;
  std::function<void(const Apart&)> on_apart_;
  std::vector<MessageFailure> failures_;
  std::vector<uint32_t>
      queue_pair_of_;  ///< indexed like messages: index within its pair; per_message workloads need it
  int64_t mtu_ = 0;
  std::vector<uint64_t> delivered_bytes_;
  std::vector<std::vector<uint32_t>> numbers_;  ///< next message number, indexed by workload and source
  std::unordered_map<PairKey, Pair, PairHash> pairs_;  ///< looked up, never iterated
  std::function<void()> on_done_;
  std::function<void(NodeId, uint32_t, const std::string&)> on_error_;
  LogOrder begun_, failed_;
  std::vector<CoreRecord> cores_;  ///< with several ranks, after Join: of all ranks
  uint32_t rank_ = 0, ranks_ = 1;
  std::vector<Apart> apart_;                        ///< of other ranks' messages, one entry a message
  std::unordered_map<uint32_t, size_t> apart_at_;   ///< index in apart_, by message
  std::vector<Arrived> arrived_;                    ///< of earlier intervals
  std::unordered_map<uint32_t, Arrived> arriving_;  ///< of this interval, by message
  uint32_t interval_ = 0;
  uint64_t generating_ = 0, unfinished_ = 0;  ///< of the part that runs
};

}  // namespace headroom
