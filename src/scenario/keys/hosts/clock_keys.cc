// A NIC's clock: {offset: -5us, drift: 20ppm, sync: 10ms}.
#include "scenario/keys/hosts/nic_keys.h"

namespace headroom::keys {

namespace {

constexpr Time kLargestOffset = Seconds(1);
constexpr int64_t kLargestDrift = 1'000'000;  // in parts in 10^9

/// Removes the sign of a scalar; returns whether it was a minus.
bool TakeSign(Node& node) {
  if (!node.IsScalar() || node.text.empty() || (node.text[0] != '-' && node.text[0] != '+')) return false;
  const bool minus = node.text[0] == '-';
  node.text.erase(0, 1);
  return minus;
}

Time ParseOffset(Node node) {
  const std::string text = node.text;
  const bool minus = TakeSign(node);
  const Time offset = ParseTime(node);
  if (offset > kLargestOffset)
    throw ScenarioError(node.where, Quote(text) + " is out of range", "allowed: -1s to 1s");
  return minus ? offset * -1 : offset;
}

/// Parses "20ppm", in parts in 10^9.
int64_t ParseDrift(Node node) {
  constexpr const char* kRule = "write a drift as 20ppm or -0.5ppm, with at most three decimals";
  const auto wrong = [&, text = node.text](const std::string& why) {
    return ScenarioError(node.where, Quote(text) + why, kRule);
  };
  if (!node.IsScalar()) throw ScenarioError(node.where, Describe(node) + " is not a drift", kRule);
  const bool minus = TakeSign(node);
  if (!node.text.ends_with("ppm")) throw wrong(" is not a drift");
  // The drift in thousandths of ppm is parsed like a time in picoseconds, with the same digits.
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

KindOf<Time> Offset() {
  return {
      {"time", "-1s to 1s", R"({"type": "string", "pattern": "^[+-]?[0-9]+(\\.[0-9]+)?(ps|ns|us|ms|s)$"})"},
      [](const Node& node, Time& out, Reading&) { out = ParseOffset(node); },
      [](const Time& offset, const Writing&) {
        return offset < Time{} ? "-" + FormatTime(offset * -1) : FormatTime(offset);
      }};
}

KindOf<int64_t> Drift() {
  return {{"drift", "-1000ppm to 1000ppm, at most three decimals",
           R"({"type": "string", "pattern": "^[+-]?[0-9]+(\\.[0-9]+)?ppm$"})"},
          [](const Node& node, int64_t& out, Reading&) { out = ParseDrift(node); },
          [](const int64_t& drift, const Writing&) {
            return FormatNumber(static_cast<double>(drift) / 1000) + "ppm";
          }};
}

}  // namespace

const KeysOf<ClockParameters>& ClockKeys() {
  using Clock = ClockParameters;
  static const KeysOf<Clock> keys(
      {.name = "clock", .page = "models/estats.md", .cost = Cost::fixed},
      {{"offset", &Clock::offset, Offset(), "offset of the clock after a synchronisation"},
       {"drift", &Clock::drift_ppb, Drift(), "relative excess of the clock's frequency"},
       {"sync", &Clock::sync, OrWord("never", kNever, Times(Microseconds(1))),
        "interval between synchronisations; they happen at its multiples from the start of the run"}});
  return keys;
}

}  // namespace headroom::keys
