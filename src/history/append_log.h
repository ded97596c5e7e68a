// The events at partition servers and extent nodes of a store, as an observer of all of them sees them: the
// places of writes in extents, their executions with times, and their acknowledgements.
#pragma once

#include <vector>

#include "history/history.h"
#include "history/judgement.h"
#include "net/identifiers.h"

namespace headroom {

class AppendLog {
 public:
  /// A partition server assigns bytes of an extent to the part of write `id` that lies at `address` of its
  /// disk. `id` 0: a copy, or a write without whole blocks. The part is answered when `replicas` nodes have
  /// executed it. Returns the number of this place.
  uint32_t Place(uint32_t extent, uint64_t offset, uint32_t length, int replicas, WriteId id,
                 uint64_t address, Time now);
  /// The partition server reports that all replicas have the part. From now on reads find it. The write is
  /// answered once its other parts are acknowledged.
  void Acknowledge(uint32_t placed, Time now);
  /// The place has been given up; if the write continues, its part gets a new place. Some replicas may have
  /// it.
  void Abandon(uint32_t placed);
  /// An extent node has put bytes into an extent that it did not have before. (A repeated append that changes
  /// nothing does not count.)
  void Execute(NodeId node, uint32_t extent, uint64_t offset, uint32_t length, Time now);

  /// Judges whether
  /// - places in an extent are disjoint and without gaps;
  /// - the first append lies first if it was acknowledged before the second was placed;
  /// - an append, when acknowledged, had been executed by as many nodes as the extent has replicas: the same
  ///   nodes throughout an extent, each once;
  /// - each part of a write went to one place, except parts that were given up;
  /// - each acknowledged write of `history` was acknowledged in all its parts before.
  HistoryJudgement Judge(const History& history, const HistoryNames& names) const;

 private:
  struct Append {
    uint64_t offset = 0, address = 0;
    WriteId id = 0;
    Time placed, acknowledged = kNever;
    uint32_t extent = 0, length = 0;
    uint16_t replicas = 0;
    bool abandoned = false;
    uint64_t end() const { return offset + length; }
  };
  struct Execution {
    uint64_t offset = 0;
    Time at;
    uint32_t extent = 0, length = 0;
    NodeId node = 0;
  };
  void JudgeExtents(HistoryJudgement& judgement) const;
  void JudgeExecutions(const HistoryNames& names, HistoryJudgement& judgement) const;
  void JudgeWrites(const History& history, const HistoryNames& names, HistoryJudgement& judgement) const;

  std::vector<Append> appends_;
  std::vector<Execution> executions_;
};

}  // namespace headroom
