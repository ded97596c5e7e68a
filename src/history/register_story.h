// A register's fault in words.
#pragma once

#include <functional>
#include <string>

#include "history/register_check.h"

namespace headroom {

/// How those who read a story call what a register holds and what is done to it.
struct RegisterWords {
  std::function<std::string(WriteId)> value;  ///< 0: as it was at first
  std::function<std::string(WriteId)> write;
  std::string read;  ///< with its article
};

/// From when to when, in microseconds.
std::string SpanText(Time begun, Time ended);
/// The operation, and how it has to do with its value.
std::string Words(const RegisterOperation& operation, const RegisterWords& words);
/// A violation of the rules too_early and order.
std::string Words(const RegisterViolation& violation, const RegisterWords& words);

}  // namespace headroom
