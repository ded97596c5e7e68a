#include "scenario/read_clock.h"

#include <fmt/format.h>

namespace headroom {

namespace {

constexpr Time kLargestOffset = Seconds(1);
constexpr int64_t kLargestDrift = 1'000'000;  // parts in 10^9

/// A scalar without its sign; whether that was a minus.
bool TakeSign(Node& node) {
  if (!node.IsScalar() || node.text.empty() || (node.text[0] != '-' && node.text[0] != '+')) return false;
  const bool minus = node.text[0] == '-';
  node.text.erase(0, 1);
  return minus;
}

Time ReadOffset(Node node) {
  const std::string text = node.text;
  const bool minus = TakeSign(node);
  const Time offset = ParseTime(node);
  if (offset > kLargestOffset)
    throw ScenarioError(node.where, Quote(text) + " is out of range", "allowed: -1s to 1s");
  return minus ? offset * -1 : offset;
}

/// "20ppm", in parts in 10^9.
int64_t ReadDrift(Node node) {
  constexpr const char* kRule = "a drift is written as 20ppm or -0.5ppm, with three decimals at most";
  const auto wrong = [&, text = node.text](const std::string& why) {
    return ScenarioError(node.where, Quote(text) + why, kRule);
  };
  if (!node.IsScalar()) throw ScenarioError(node.where, Describe(node) + " is not a drift", kRule);
  const bool minus = TakeSign(node);
  if (!node.text.ends_with("ppm")) throw wrong(" is not a drift");
  // A thousandth of a part per million to the picosecond: the same digits.
  node.text.replace(node.text.size() - 3, 3, "ns");
  int64_t drift = 0;
  try {
    drift = ParseTime(node).v;
  } catch (const ScenarioError&) {
    throw wrong(" is not a drift");
  }
  if (drift > kLargestDrift) throw wrong(" is more than 1000ppm");
  return minus ? -drift : drift;
}

}  // namespace

ClockParameters ReadClock(const Node& node, Errors& errors) {
  ClockParameters clock;
  MapReader map(node, errors);
  map.Read("offset", [&](const Node& value) { clock.offset = ReadOffset(value); });
  map.Read("drift", [&](const Node& value) { clock.drift_ppb = ReadDrift(value); });
  const Node* sync = map.Find("sync");
  if (!sync || !sync->IsScalar() || sync->text != "never") map.Field("sync", clock.sync, Microseconds(1));
  map.Finish();
  return clock;
}

std::string WriteClock(const ClockParameters& clock) {
  const bool behind = clock.offset < Time{};
  return fmt::format("{{offset: {}{}, drift: {}ppm, sync: {}}}", behind ? "-" : "",
                     FormatTime(behind ? clock.offset * -1 : clock.offset),
                     FormatNumber(static_cast<double>(clock.drift_ppb) / 1000),
                     clock.sync == kNever ? "never" : FormatTime(clock.sync));
}

}  // namespace headroom
