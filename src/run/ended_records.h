// Messages, operations and pauses that leave memory when they end (`results: stream`), and functions that
// visit the records of a run wherever they are.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "protocol/messages/traffic.h"
#include "run/records.h"
#include "scenario/scenario.h"
#include "sim/exchange.h"
#include "workload/log_buckets.h"

namespace headroom {

/// A message in a record.
struct MessageView {
  const MessageRecord& record;
  const MessageParts* parts;  ///< null if times were not split
  std::span<const WaitRecord> waits;
};
/// An operation with a line.
struct OperationView {
  const OperationRecord& record;  ///< of its participants only the last
  std::span<const WaitRecord> waits;
};

/// Takes records during the run and returns them after it. With several ranks (sim/parts.h), rank 0 also
/// takes those of the others, after each window. Calls throw if the records cannot be stored.
class EndedRecords : public Freight {
 public:
  virtual ~EndedRecords() = default;

  // During the run, and once for each that has not ended, after it:
  virtual void Add(const MessageView& message, const Traffic::Begun& begun) = 0;
  virtual void Add(const OperationView& operation) = 0;
  /// `order`: pauses of a port begin in this order.
  virtual void Add(const PauseRecord& pause, uint64_t order) = 0;
  /// The message need not be known yet.
  virtual void Add(const Traffic::Apart& apart) = 0;

  // After the run, in the order of the rows of the CSV files; may be called again. A view is valid in the
  // call. Ranks other than 0 have no records.
  virtual void ForEachMessage(const std::function<void(const MessageView&)>& /*use*/) {}
  virtual void ForEachOperation(const std::function<void(const OperationView&)>& /*use*/) {}
  virtual void ForEachPause(const std::function<void(const PauseRecord&)>& /*use*/) {}
  virtual uint64_t messages() const { return 0; }
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
