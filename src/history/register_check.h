// Whether reads and writes of one register, with all written values different, have an order with two
// properties. Each read gives the last written value, and none comes before another that had ended when it
// began.
//
// Gibbons and Korach, "Testing shared memories" (SIAM J. Comput. 1997): operations of one value go together.
// Let f be the earliest end of a value's operations and s the latest start. Operations of value X must come
// before those of Y if f(X) < s(Y). There is an order unless two values must each come before the other.
// Where f < s the value has a forward zone [f, s], else a backward one [s, f]; so two forward zones may not
// overlap, and no backward one may lie inside a forward one. Of n operations that takes n log n steps.
#pragma once

#include <optional>
#include <span>

#include "history/block_ids.h"
#include "sim/units.h"

namespace headroom {

struct RegisterOperation {
  WriteId value = 0;         ///< written or read; 0: as it was at first
  Time start, end = kNever;  ///< kNever: pending; a read then has no value and is passed over
  uint32_t operation = 0;    ///< its name for the caller
  bool write = false;
};

struct RegisterViolation {
  enum class Rule {
    unknown_value,  ///< `first` read a value that nobody wrote
    too_early,      ///< `first` had ended before `second` wrote what it read
    order  ///< `first` ended before `second`, of another value, began; and `third`, of second's value, ended
           ///< before `fourth`, of first's, began
  };
  Rule rule = Rule::order;
  RegisterOperation first, second, third, fourth;
};

/// Sorts what it is given. REQUIRES: no two writes have the same value, and none has 0.
std::optional<RegisterViolation> FindViolation(std::span<RegisterOperation> operations);

}  // namespace headroom
