// Requests to disks, their answers and their times: enough to check afterwards whether one correct disk could
// have given these answers.
//
// The caller begins an operation, puts the write's id into its blocks (block_ids.h), and ends it with the
// result. An operation that never ends may have taken effect or not.
#pragma once

#include <vector>

#include "history/block_ids.h"
#include "history/judgement.h"
#include "sim/units.h"
#include "workload/operation.h"

namespace headroom {

struct RegisterViolation;

class History {
 public:
  /// `address` and `bytes` refer to a disk; both are below 2^63. Returns the operation's number.
  uint32_t Begin(OperationKind kind, uint32_t disk, uint64_t address, uint32_t bytes, Time now);
  /// The id at the beginning of each whole block of this write.
  static WriteId IdOf(uint32_t operation) { return WriteId{operation} + 1; }

  /// The write has been acknowledged.
  void EndWrite(uint32_t operation, Time now);
  /// The read returned these ids: one for each whole block in it (WriteIdsIn). Another number of ids is a
  /// wrong answer.
  void EndRead(uint32_t operation, Time now, std::span<const WriteId> ids);
  /// The operation has not taken effect and never will. If that is unknown, the caller calls nothing.
  void Fail(uint32_t operation);

  size_t size() const { return operations_.size(); }
  bool IsAcknowledgedWrite(uint32_t operation) const {
    return operations_[operation].kind == OperationKind::write && operations_[operation].ended != kNever;
  }

  /// Judges whether each block of each disk was a register: all operations have an order in which every read
  /// returns the last write. In this order, an operation that ended before another began precedes it.
  HistoryJudgement Judge(const HistoryNames& names) const;

  struct Operation {
    uint64_t address = 0;
    Time begun, ended = kNever;
    uint64_t seen = 0;  ///< for a read that has ended: the index of its first id in seen_
    uint32_t disk = 0, bytes = 0;
    OperationKind kind = OperationKind::read;
    bool failed = false;
  };
  const Operation& operator[](uint32_t operation) const { return operations_[operation]; }

 private:
  static constexpr WriteId kNoWrite = UINT64_MAX;
  /// A number of consecutive blocks with the same id.
  struct Run {
    WriteId id = 0;
    uint64_t blocks = 0;
  };
  /// The effect of an operation on one block.
  struct Touch {
    uint64_t block = 0;
    WriteId value = 0;
    uint32_t operation = 0;
  };
  std::vector<Touch> TouchesOf(const std::vector<uint32_t>& numbers, std::vector<uint64_t>& in_part) const;
  std::string WordsOf(const RegisterViolation& violation) const;

  std::vector<Operation> operations_;
  std::vector<Run> seen_;
};

}  // namespace headroom
