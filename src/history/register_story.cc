#include "history/register_story.h"

#include <fmt/format.h>

namespace headroom {

namespace {

std::string Before(const RegisterOperation& a, const RegisterOperation& b, const RegisterWords& words) {
  return fmt::format("{} must come before {}, because {} ended before {} began", words.value(a.value),
                     words.value(b.value), Words(a, words), Words(b, words));
}

}  // namespace

std::string SpanText(Time begun, Time ended) {
  if (ended == kNever) return fmt::format("from {} us, without end", InMicroseconds(begun));
  return fmt::format("{} to {} us", InMicroseconds(begun), InMicroseconds(ended));
}

std::string Words(const RegisterOperation& o, const RegisterWords& words) {
  if (o.write && o.value == 0) return "the beginning";
  if (o.write) return fmt::format("{} ({})", words.write(o.value), SpanText(o.start, o.end));
  return fmt::format("{} ({}) that gave {}", words.read, SpanText(o.start, o.end), words.value(o.value));
}

std::string Words(const RegisterViolation& v, const RegisterWords& words) {
  if (v.rule == RegisterViolation::Rule::too_early)
    return Words(v.first, words) + " ended before the other began: " + Words(v.second, words);
  return Before(v.first, v.second, words) + "; yet " + Before(v.third, v.fourth, words);
}

}  // namespace headroom
