// Where records of messages, operations and pauses go when they end: to one object, which keeps them in
// memory (KeptRecords), on disk (run/stream/streamed_records.h), or sends them to rank 0 (SentRecords). And
// functions that visit the records of a run wherever they are.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "protocol/messages/traffic.h"
#include "run/recording/records.h"
#include "scenario/scenario.h"
#include "sim/exchange.h"
#include "workload/distributions/log_buckets.h"

namespace headroom {

/// A message in a record.
struct MessageView {
  const MessageRecord& record;
  const MessageParts* parts;  ///< null if times were not split
  std::span<const WaitRecord> waits;
};
/// An operation with a line.
struct OperationView {
  const OperationRecord& record;  ///< on disk, of its participants only the last
  std::span<const WaitRecord> waits;
};

/// Takes records during the run and returns them after it. With several ranks (sim/parts.h), rank 0 also
/// takes those of the others, after each window. Calls throw if the records cannot be stored.
class EndedRecords : public Freight {
 public:
  virtual ~EndedRecords() = default;

  // During the run, and once for each that has not ended, after it:
  virtual void Add(const MessageView& message, const Begun& begun) = 0;
  virtual void Add(const OperationView& operation) = 0;
  virtual void Add(const PauseRecord& pause, const Begun& begun) = 0;
  /// The message need not be known yet.
  virtual void Add(const MessageApart& apart) = 0;
  virtual void Add(const ArrivedPackets& arrived) = 0;

  // Freight: takes what SentRecords of other ranks have sent.
  void Pack(int to_rank, Packer& to) override;
  void Unpack(int from_rank, Unpacker& from) override;

  // After the run, on rank 0:
  using OnArrived = std::function<void(const ArrivedPackets&, const MessageRecord&)>;
  /// Records in memory move to the lists of `record`, whose drops then name messages by their place there;
  /// `arrived` is called with packets and their message.
  /// Returns the numbers of the pauses there. Records elsewhere stay. Call it once.
  virtual std::vector<uint32_t> MoveTo(RunRecord& /*record*/, const OnArrived& /*arrived*/) { return {}; }
  // Visit records on disk, in the order of the rows of the CSV files; may be called again. A view is valid in
  // the call.
  virtual void ForEachMessage(const std::function<void(const MessageView&)>& /*use*/) {}
  virtual void ForEachOperation(const std::function<void(const OperationView&)>& /*use*/) {}
  virtual void ForEachPause(const std::function<void(const PauseRecord&)>& /*use*/) {}
  virtual uint64_t messages() const { return 0; }
};

/// In memory. Messages and pauses get the order in which they begin, operations that of their rows.
class KeptRecords final : public EndedRecords {
 public:
  void Add(const MessageView& message, const Begun& begun) override;
  void Add(const OperationView& operation) override;
  void Add(const PauseRecord& pause, const Begun& begun) override;
  void Add(const MessageApart& apart) override { apart_.push_back(apart); }
  void Add(const ArrivedPackets& arrived) override { arrived_.push_back(arrived); }
  std::vector<uint32_t> MoveTo(RunRecord& record, const OnArrived& arrived) override;

 private:
  /// The numbers of records, and their places if the network is cut.
  struct Beginnings {
    std::vector<uint32_t> numbers;
    std::vector<Parts::Place> places;
    void Add(const Begun& begun);
    std::vector<uint32_t> ByNumber() const;
    /// The records in the order in which they begin.
    std::vector<uint32_t> Order() const;
  };
  void JoinApart(const OnArrived& arrived);
  /// Sets the indices of messages in `drops`; `order`: of the messages.
  void FindMessages(std::vector<DropRecord>& drops, const std::vector<uint32_t>& order) const;

  std::vector<MessageRecord> messages_;
  std::vector<MessageParts> parts_;  ///< indexed like `messages_`, or empty
  std::vector<OperationRecord> operations_;
  std::vector<PauseRecord> pauses_;
  Beginnings begun_messages_, begun_pauses_;
  std::vector<WaitRecord> message_waits_, operation_waits_;
  std::vector<MessageApart> apart_;
  std::vector<ArrivedPackets> arrived_;
};

/// On a rank other than 0: rank 0 gets the records after each window.
class SentRecords final : public EndedRecords {
 public:
  void Add(const MessageView& message, const Begun& begun) override;
  void Add(const OperationView& operation) override;
  void Add(const PauseRecord& pause, const Begun& begun) override;
  void Add(const MessageApart& apart) override;
  void Add(const ArrivedPackets& arrived) override;
  void Pack(int to_rank, Packer& to) override;
  void Sent() override { unsent_.clear(); }

 private:
  Packet unsent_;
};

/// Calls `use` with each message as a MessageView, in no particular order.
template <class Use>
void ForEachMessage(const RunRecord& record, const Use& use) {
  if (record.ended) return record.ended->ForEachMessage(use);
  const bool split = !record.message_parts.empty();
  for (size_t i = 0; i < record.messages.size(); ++i) {
    const MessageRecord& m = record.messages[i];
    if (split) {
      use(MessageView{m, &record.message_parts[i], record.WaitsOf(m)});
    } else {
      use(MessageView{m, nullptr, {}});
    }
  }
}

/// The same for operations with a line.
template <class Use>
void ForEachOperation(const RunRecord& record, const Use& use) {
  if (record.ended) return record.ended->ForEachOperation(use);
  for (const OperationRecord& o : record.operations) use(OperationView{o, record.WaitsOf(o)});
}

/// The same for pauses.
template <class Use>
void ForEachPause(const RunRecord& record, const Use& use) {
  if (record.ended) return record.ended->ForEachPause(use);
  for (const PauseRecord& pause : record.pauses) use(pause);
}

/// Whether messages have the parts of their times.
inline bool HasParts(const RunRecord& record, const Scenario& scenario) {
  return record.ended ? scenario.observe.parts && record.ended->messages() > 0
                      : !record.message_parts.empty();
}

}  // namespace headroom
