// Checks whether reads and writes of one register, with all written values different, have an order with two
// properties. Each read returns the last written value, and an operation that ended before another began
// precedes it.
//
// Gibbons and Korach, "Testing shared memories" (SIAM J. Comput. 1997): operations of one value form a group.
// Let f be the earliest end of a value's operations and s the latest start. Operations of value X must come
// before those of Y if f(X) < s(Y). There is an order unless two values must each come before the other. If f
// < s the value has a forward zone [f, s], else a backward zone [s, f]. So two forward zones may not overlap,
// and no backward zone may lie inside a forward one. For n operations the check takes n log n steps.
#pragma once

#include <optional>
#include <span>

#include "history/block_ids.h"
#include "sim/units.h"

namespace headroom {

struct RegisterOperation {
  WriteId value = 0;         ///< the written or read value; 0: the initial value
  Time start, end = kNever;  ///< kNever: pending; a pending read has no value and is skipped
  uint32_t operation = 0;    ///< the caller's number for it
  bool write = false;
};

struct RegisterViolation {
  enum class Rule {
    unknown_value,  ///< `first` read a value that no operation wrote
    too_early,      ///< `first` ended before `second` wrote the value that `first` read
    order  ///< `first` ended before `second` began, and `third` before `fourth`; but `first` and `fourth`
           ///< have one value, `second` and `third` another
  };
  Rule rule = Rule::order;
  RegisterOperation first, second, third, fourth;
};

/// Sorts its argument. REQUIRES: no two writes have the same value, and no value is 0.
std::optional<RegisterViolation> FindViolation(std::span<RegisterOperation> operations);

}  // namespace headroom
