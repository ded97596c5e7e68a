// DCTCP: switches mark above one threshold, ACKs echo each mark, and the share of marks shrinks the window.
//
// Source: RFC 8257 (Bensley et al.), sections 3.2 and 3.3. Growth is TCP Reno's (RFC 5681), in full packets.
// `simulator`: the HPCC simulator's mode 8, from line rate, paced at W / T. It grows once a round trip.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "scenario/keys/hosts/control_keys.h"

namespace headroom {
namespace {

struct DctcpParameters {
  static constexpr bool kNeedsMarks = true;
  enum class Variant : uint8_t { rfc, simulator };
  Variant variant = Variant::rfc;
  double g = 1.0 / 16;
  int initial_window = 10;
  std::optional<keys::WindowStep> additive;
  std::optional<Time> round_trip;
  Rate min_rate;
  bool operator==(const DctcpParameters&) const = default;

  bool of_network() const { return round_trip == Time(); }
};

class Dctcp final : public Control {
 public:
  explicit Dctcp(const DctcpParameters& p) : Control(kAcks | kLosses), p_(p) {}

  void Begin(const ControlPath& path) override {
    path_ = path;
    trip_ = InSeconds(p_.round_trip.value_or(path.round_trip));
    packet_ = static_cast<double>(path.mtu);
    fills_ = trip_ * static_cast<double>(path.line.v) / 8 / packet_;
    if (p_.of_network()) {
      fills_ = static_cast<double>(path.largest.product.v) / packet_;
      trip_ = fills_ * packet_ * 8 / static_cast<double>(path.line.v);
    }
    step_ = p_.additive ? p_.additive->Over(trip_) / packet_ : 1;
    packets_ = Paces() ? fills_ : p_.initial_window;
    threshold_ = Paces() ? 0 : std::numeric_limits<double>::infinity();
    alpha_ = 1;
    acked_ = marked_ = 0;
    observed_to_ = cut_to_ = una_ = next_ = lost_to_ = 0;
    Set();
  }

  void OnAck(const Acknowledgement& ack) override {
    acked_ += static_cast<double>(ack.packets);
    marked_ += static_cast<double>(ack.marked);
    const bool over = ack.una > observed_to_;
    if (over) Estimate(ack.next);
    una_ = ack.una;
    next_ = ack.next;
    const bool reduced = ack.una <= cut_to_;  // the packet lies in the window of the last cut
    if (ack.marked > 0 && !reduced) {
      packets_ = threshold_ = std::max(Least(), packets_ * (1 - alpha_ / 2));
      cut_to_ = ack.next;
    } else if (!reduced) {
      Grow(static_cast<double>(ack.packets), over);
    }
    Set();
  }

  /// Several losses within one window halve it once (RFC 6675, section 5).
  void OnLoss(Time, Loss loss) override {
    if (loss == Loss::refused && una_ < lost_to_) return;
    threshold_ = std::max(Least(), packets_ / 2);
    packets_ = loss == Loss::timeout ? 1 : threshold_;
    lost_to_ = next_;
    Set();
  }

 private:
  bool Paces() const { return p_.variant == DctcpParameters::Variant::simulator; }
  double Least() const {
    constexpr double kLeast = 2;  // RFC 5681, equation 4
    return Paces() ? trip_ * static_cast<double>(p_.min_rate.v) / 8 / packet_ : kLeast;
  }

  /// The observation window is over; the next one ends with the frames sent so far.
  void Estimate(uint64_t next) {
    if (observed_to_ > 0 && acked_ > 0) {
      alpha_ = (1 - p_.g) * alpha_ + p_.g * std::min(1.0, marked_ / acked_);
      acked_ = marked_ = 0;
    }
    observed_to_ = next;
  }

  void Grow(double acked, bool round_trip) {
    if (Paces()) {
      if (round_trip) packets_ += step_;
    } else if (packets_ < threshold_) {
      packets_ += acked;
    } else {
      packets_ += step_ * acked / packets_;
    }
  }

  void Set() {
    if (Paces()) packets_ = std::clamp(packets_, std::min(Least(), fills_), fills_);
    const double whole = p_.of_network() ? std::floor(packets_ * packet_) / packet_ : packets_;  // bytes
    const double least = Paces() ? std::ceil(whole) : std::floor(packets_);
    window_ = std::max<uint64_t>(1, static_cast<uint64_t>(std::min(least, 1e15)));
    rate_ = path_.line;
    if (Paces()) rate_ = std::clamp(Rate(std::llround(packets_ * packet_ * 8 / trip_)), Rate(1), path_.line);
  }

  const DctcpParameters& p_;
  ControlPath path_;
  double trip_ = 0;       ///< seconds in which the flow sends a window at its rate
  double packet_ = 0;     ///< payload of a full packet
  double fills_ = 0;      ///< number of packets that fill the path
  double step_ = 1;       ///< growth per round trip, in packets
  double packets_ = 0;    ///< the window
  double threshold_ = 0;  ///< the slow-start threshold
  double alpha_ = 1;
  double acked_ = 0, marked_ = 0;  ///< counts in this observation window
  uint64_t observed_to_ = 0, cut_to_ = 0;
  uint64_t una_ = 0, next_ = 0;  ///< of the last ACK
  uint64_t lost_to_ = 0;         ///< packets below were sent before the last reaction to a loss
};

const keys::KeysOf<DctcpParameters>& DctcpKeys() {
  using P = DctcpParameters;
  using Variant = P::Variant;
  static const keys::KeysOf<P> keys = keys::ControlKeys<P>(
      "dctcp", "models/congestion-control.md",
      {{"variant",
        &P::variant,
        keys::OneOf<Variant>({{"rfc", Variant::rfc}, {"simulator", Variant::simulator}}),
        "simulator: as in the HPCC simulator, a queue pair starts at line rate, is paced at window / T, "
        "and changes its window once per round trip",
        {.cost = keys::Cost::fixed}},
       {"g",
        &P::g,
        keys::Fractions(),
        "weight of the newest share of marked packets in alpha",
        {.tried = {"*4", "/4"}}},
       {"initial_window",
        &P::initial_window,
        keys::Integers(1, 65535),
        "first window of variant rfc, in packets",
        {.tried = {"*4", "/4"}}},
       {"additive",
        &P::additive,
        keys::Maybe(keys::WindowSteps(Bytes(1))),
        "payload by which the window grows per round trip; a rate counts times T",
        {.standard = "mtu"}},
       {"round_trip",
        &P::round_trip,
        keys::BaseTrips(),
        "T of variant simulator; network: as in that simulator, the largest base RTT in the network, and "
        "its largest bandwidth-delay product as the first window",
        {.standard = "base RTT of the queue pair's path"}},
       {"min_rate", &P::min_rate, keys::Rates(Rate(0)), "lowest rate of variant simulator"}});
  return keys;
}

const auto kDctcp = keys::RegisteredControl::Of<Dctcp>(2, DctcpKeys);

}  // namespace
}  // namespace headroom
