// TIMELY: the sender's rate follows the round-trip time and its slope.
//
// Source: Mittal et al., TIMELY, SIGCOMM 2015, algorithm 1. `patched`: Zhu et al., ECN or Delay, CoNEXT 2016,
// section 5, which prints all constants. `simulator`: the HPCC simulator's mode 7. It updates once a round
// trip. Its step is fivefold after five increases of any kind, in the lowest region too.
//
// The round-trip time of a segment is that of its last packet. It runs from the start of its transmission to
// the effect of its ACK, less its serialization on the sender's line.
#include <algorithm>
#include <cmath>

#include "scenario/keys/hosts/control_keys.h"

namespace headroom {
namespace {

struct TimelyParameters {
  enum class Variant : uint8_t { published, patched, simulator };
  Variant variant = Variant::published;
  Time low = Microseconds(50), high = Microseconds(500), least_trip = Microseconds(20);
  double alpha = 0.875, beta = 0.8;
  Rate additive = MegabitsPerSecond(10);
  Bytes segment = Kibibytes(16);
  Rate initial_rate, min_rate = MegabitsPerSecond(10);
  int64_t header = 0;
  bool operator==(const TimelyParameters&) const = default;

  int64_t header_bytes() const { return header; }
  /// Between `low` and `high` only `patched` slows down while the round trip is constant.
  DelayTarget target(const ControlPath& path, const IdleTrip& trip) const {
    const Time own = variant == Variant::simulator ? Time() : SerializationTime(path.full, path.line);
    const bool at_low = variant == Variant::patched;
    return {at_low ? "low" : "high", at_low ? low : high, at_low ? low : high, trip.whole - own};
  }
};

class Timely final : public Control {
 public:
  using Variant = TimelyParameters::Variant;
  explicit Timely(const TimelyParameters& p) : Control(kRoundTrips), p_(p) {}

  void Begin(const ControlPath& path) override {
    path_ = path;
    segment_ = std::max<uint64_t>(1, static_cast<uint64_t>(p_.segment.v / path.mtu));
    rate_ = p_.initial_rate.v > 0 ? std::min(p_.initial_rate, path.line) : path.line;
    next_ = p_.variant == Variant::simulator ? 0 : segment_;
    measured_ = false;
    slope_ = 0;
    increases_ = 0;
  }

  void OnAck(const Acknowledgement& ack) override {
    const bool over = p_.variant == Variant::simulator ? ack.una > next_ : ack.una >= next_;
    if (ack.feedback == nullptr || !over) return;
    Time trip = ack.now - ack.feedback->sent;
    if (p_.variant != Variant::simulator) trip -= SerializationTime(path_.full, path_.line);
    if (p_.variant == Variant::simulator) {
      next_ = ack.next;
    } else {
      while (next_ <= ack.una) next_ += segment_;
    }
    if (!measured_) {
      measured_ = true;
      last_ = trip;
      return;
    }
    Update(trip);
  }

 private:
  void Update(Time trip) {
    slope_ = (1 - p_.alpha) * slope_ + p_.alpha * static_cast<double>((trip - last_).v);
    last_ = trip;
    const double gradient = slope_ / static_cast<double>(p_.least_trip.v);
    const auto rate = static_cast<double>(rate_.v), step = static_cast<double>(p_.additive.v);
    const bool rises = trip < p_.low || (trip <= p_.high && gradient <= 0);
    if (p_.variant == Variant::simulator && rises) {
      Set(rate + step * Steps());
      ++increases_;
    } else if (trip < p_.low) {
      increases_ = 0;
      Set(rate + step);
    } else if (trip > p_.high) {
      increases_ = 0;
      Set(rate * (1 - p_.beta * (1 - static_cast<double>(p_.high.v) / static_cast<double>(trip.v))));
    } else if (p_.variant == Variant::patched) {
      const double w = std::clamp(2 * gradient + 0.5, 0.0, 1.0);
      const double error = static_cast<double>((trip - p_.low).v) / static_cast<double>(p_.low.v);
      Set(step * (1 - w) + rate * (1 - p_.beta * w * error));
    } else if (gradient <= 0) {
      ++increases_;
      Set(rate + step * Steps());
    } else {
      increases_ = 0;
      Set(rate * std::max(0.0, 1 - p_.beta * gradient));
    }
  }

  /// The number of steps of an increase: hyperactive after five completions in a row.
  int Steps() const { return increases_ >= 5 ? 5 : 1; }

  void Set(double rate) {
    const Rate least = std::min(p_.min_rate, path_.line);
    rate_ = std::clamp(Rate(std::llround(rate)), least, path_.line);
  }

  const TimelyParameters& p_;
  ControlPath path_;
  uint64_t segment_ = 1;  ///< packets
  uint64_t next_ = 0;     ///< the end of the segment or of the round trip
  bool measured_ = false;
  Time last_;
  double slope_ = 0;  ///< ps
  int increases_ = 0;
};

const keys::KeysOf<TimelyParameters>& TimelyKeys() {
  using P = TimelyParameters;
  using Variant = P::Variant;
  static const keys::KeysOf<P> keys = keys::ControlKeys<P>(
      "timely", "models/congestion-control.md",
      {{"variant",
        &P::variant,
        keys::OneOf<Variant>({{"published", Variant::published},
                              {"patched", Variant::patched},
                              {"simulator", Variant::simulator}}),
        "patched: the variant of Zhu et al. that has a fixed point; simulator: as in the HPCC simulator",
        {.cost = keys::Cost::fixed}},
       {"low", &P::low, keys::Times(Nanoseconds(1), Seconds(1)),
        "T_low: round-trip time below which the rate always rises"},
       {"high", &P::high, keys::Times(Nanoseconds(1), Seconds(1)),
        "T_high: round-trip time above which the rate always falls"},
       {"least_trip", &P::least_trip, keys::Times(Nanoseconds(1), Seconds(1)),
        "minRTT: gradients are divided by it"},
       {"alpha", &P::alpha, keys::Fractions(), "weight of the newest difference between round-trip times"},
       {"beta",
        &P::beta,
        keys::Fractions(),
        "factor of a decrease of the rate; patched: 0.008",
        {.tried = {"/2", "/4"}}},
       {"additive",
        &P::additive,
        keys::Rates(),
        "delta: additive increase of the rate",
        {.tried = {"*4", "/4"}}},
       {"segment", &P::segment, keys::Sizes(Bytes(1)),
        "payload between two measurements of the round-trip time"},
       {"initial_rate", &P::initial_rate, keys::OrWord("line", Rate(), keys::Rates()),
        "rate at which a queue pair starts"},
       {"min_rate", &P::min_rate, keys::Rates(), "lowest rate"},
       {"header",
        &P::header,
        keys::Integers(0, 255),
        "size of the timestamp in data and ACKs",
        {.cost = keys::Cost::fixed}}},
      [](const Node& node, P& p, keys::Reading&) {
        if (p.variant == Variant::patched && node.Find("beta") == nullptr) p.beta = 0.008;
        if (p.low <= p.high) return;
        const Node* const at = node.Find("low") != nullptr ? node.Find("low") : node.Find("high");
        throw ScenarioError(at->where, "low " + FormatTime(p.low) + " is above high " + FormatTime(p.high),
                            "a low of at most high");
      });
  return keys;
}

const auto kTimely = keys::RegisteredControl::Of<Timely>(3, TimelyKeys);

}  // namespace
}  // namespace headroom
