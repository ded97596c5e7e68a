// Describes a register's fault.
#pragma once

#include <functional>
#include <string>

#include "history/register_check.h"

namespace headroom {

/// Terms for the contents of a register and for the operations on it.
struct RegisterWords {
  std::function<std::string(WriteId)> value;  ///< 0: the initial value
  std::function<std::string(WriteId)> write;
  std::string read;  ///< the word with its article
};

/// A span of time, in microseconds.
std::string SpanText(Time begun, Time ended);
/// Describes the operation and its use of the value.
std::string Words(const RegisterOperation& operation, const RegisterWords& words);
/// A violation of the rules too_early and order.
std::string Words(const RegisterViolation& violation, const RegisterWords& words);

}  // namespace headroom
