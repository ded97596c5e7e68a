// HPCC: switches write their load into each packet, ACKs bring it back, and the most loaded link sets the
// window.
//
// Source: Li et al., HPCC: High Precision Congestion Control, SIGCOMM 2019, algorithm 1; records of figure 7.
// W limits payload on its way, in whole packets. R = W / T paces. The paper leaves the first ACK open: here
// it is only stored, and U begins at 1, as in the authors' simulator. W never exceeds its initial value. A
// new R rescales the wait for the next packet, as in the authors' simulator, which produced the paper's
// figures.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "congestion/agents/int_records.h"
#include "scenario/keys/hosts/control_keys.h"

namespace headroom {
namespace {

struct HpccParameters {
  /// When the reference window is updated: once per round trip, as published, or as in the variants of
  /// figure 13.
  enum class Reaction : uint8_t { combined, per_ack, per_rtt };
  double eta = 0.95;
  int max_stage = 5;
  keys::WindowStep additive{Bytes(80), {}};
  std::optional<Time> round_trip;
  Reaction reaction = Reaction::combined;
  Rate min_rate;
  int hops = 5;
  Bytes sent_unit = Bytes(128), queue_unit = Bytes(80);
  bool rescale_wait = true;
  bool operator==(const HpccParameters&) const = default;

  int64_t header_bytes() const { return 2 + 8 * hops; }  // nHop and pathID; then 64 bits per switch
  std::unique_ptr<const Telemetry> telemetry() const {
    return std::make_unique<IntTelemetry>(hops, sent_unit.v, queue_unit.v);
  }
  bool of_network() const { return round_trip == Time(); }
};

class Hpcc final : public Control {
 public:
  explicit Hpcc(const HpccParameters& p) : Control(kAcks | kTelemetry), p_(p) { rescales_ = p.rescale_wait; }

  void Begin(const ControlPath& path) override {
    path_ = path;
    const auto line = static_cast<double>(path.line.v) / 8;
    if (p_.of_network()) {
      trip_ = InSeconds(path.largest.round_trip);
      initial_ = static_cast<double>(path.largest.product.v);
      fill_ = initial_ / line;
    } else {
      trip_ = fill_ = InSeconds(p_.round_trip.value_or(path.round_trip));
      initial_ = trip_ * static_cast<double>(path.line.v) / 8;
    }
    least_ = fill_ * static_cast<double>(p_.min_rate.v) / 8;
    reference_ = initial_;
    load_ = 1;
    stage_ = 0;
    updated_ = 0;
    known_ = 0;
    Set(initial_);
  }

  void OnAck(const Acknowledgement& ack) override {
    if (ack.feedback == nullptr || ack.feedback->count == 0) return;
    const bool follows = ack.una > updated_;
    const bool known = IsKnown(*ack.feedback);
    if (known && !follows && p_.reaction == HpccParameters::Reaction::per_rtt) return;
    if (Measure(*ack.feedback, known)) React(follows || p_.reaction == HpccParameters::Reaction::per_ack);
    if (follows) updated_ = ack.next;
  }

 private:
  /// A record as on the wire: whole nanoseconds and units, with these field widths.
  struct Record {
    EntityId port = 0;
    uint32_t ns = 0, sent = 0;
    double queued = 0;  ///< bytes
  };
  static constexpr uint32_t kTimeBits = 24, kSentBits = 20, kQueueBits = 16;
  static uint32_t Low(int64_t value, uint32_t bits) {
    return static_cast<uint32_t>(value) & ((1u << bits) - 1);
  }

  Record RecordOf(const IntRecord& hop) const {
    constexpr int64_t kFull = (int64_t{1} << kQueueBits) - 1;
    const int64_t queued = std::min(hop.queued / p_.queue_unit.v, kFull);
    return {hop.port, Low(hop.at.v / 1000, kTimeBits),
            Low(static_cast<int64_t>(hop.sent) / p_.sent_unit.v, kSentBits),
            static_cast<double>(queued * p_.queue_unit.v)};
  }

  /// Whether the records are of the same path as the previous ones.
  bool IsKnown(const Feedback& feedback) const {
    if (known_ != feedback.count) return false;
    for (int i = 0; i < known_; ++i) {
      if (last_[i].port != feedback.record<IntRecord>(i).port) return false;
    }
    return true;
  }

  /// Computes U from the most loaded link since the last records, and stores these records. Returns false if
  /// the last records are of another path, or if no time has passed since them.
  bool Measure(const Feedback& feedback, bool known) {
    double most = 0, span = 0;
    bool passed = false;
    known_ = feedback.count;
    for (int i = 0; i < known_; ++i) {
      const Record now = RecordOf(feedback.record<IntRecord>(i)), before = std::exchange(last_[i], now);
      if (!known) continue;
      const double tau = 1e-9 * Low(int64_t{now.ns} - before.ns, kTimeBits);
      if (tau <= 0) continue;
      passed = true;
      const double sent = static_cast<double>(Low(int64_t{now.sent} - before.sent, kSentBits)) *
                          static_cast<double>(p_.sent_unit.v);
      const double line = static_cast<double>(feedback.record<IntRecord>(i).rate.v) / 8;
      const double load = std::min(now.queued, before.queued) / (line * fill_) + sent / tau / line;
      if (load <= most) continue;
      most = load;
      span = tau;
    }
    const double weight = std::min(span, trip_) / trip_;
    load_ = (1 - weight) * load_ + weight * most;
    return passed;
  }

  /// `follows`: update the reference window.
  void React(bool follows) {
    const double additive = p_.additive.Over(fill_);
    const bool multiplies = load_ >= p_.eta || stage_ >= p_.max_stage;
    const double to = multiplies ? reference_ * p_.eta / load_ + additive : reference_ + additive;
    const double window = std::clamp(to, std::min(least_, initial_), initial_);
    if (follows) {
      reference_ = window;
      stage_ = multiplies ? 0 : stage_ + 1;
    }
    Set(window);
  }

  void Set(double window) {
    const double bytes = p_.of_network() ? std::floor(window) : window;
    const double packets = std::ceil(bytes / static_cast<double>(path_.mtu));
    window_ = std::max<uint64_t>(1, static_cast<uint64_t>(packets));
    rate_ = std::clamp(Rate(std::llround(window * 8 / fill_)), Rate(1), path_.line);
  }

  const HpccParameters& p_;
  ControlPath path_;
  double trip_ = 0;  ///< T, in seconds
  double fill_ =
      0;  ///< seconds to send a window at its rate: T, or the time for the network's largest product
  double initial_ = 0;  ///< B_NIC · T, bytes
  double least_ = 0;
  double reference_ = 0;  ///< Wc
  double load_ = 1;       ///< U
  int stage_ = 0;
  uint64_t updated_ = 0;  ///< lastUpdateSeq
  int known_ = 0;
  std::array<Record, IntRecord::kMost> last_;
};

using keys::KeysOf;
const KeysOf<HpccParameters>& HpccKeys() {
  using P = HpccParameters;
  using Reaction = P::Reaction;
  static const KeysOf<P> keys = keys::ControlKeys<P>(
      "hpcc", "models/congestion-control.md",
      {{"eta",
        &P::eta,
        keys::Fractions(),
        "target utilisation of the path's most loaded link",
        {.tried = {"0.9", "0.98"}}},
       {"max_stage",
        &P::max_stage,
        keys::Integers(0, 1000),
        "consecutive additive steps before the window follows the load again; the paper simulates with 0",
        {.tried = {"0", "5"}}},
       {"additive",
        &P::additive,
        keys::WindowSteps(Bytes(0)),
        "W_AI: payload added to the window in each step; a rate counts times T",
        {.tried = {"*4", "/4"}}},
       {"round_trip",
        &P::round_trip,
        keys::BaseTrips(),
        "T: base round-trip time; network: as in the HPCC simulator, the largest in the network, and its "
        "largest bandwidth-delay product as W",
        {.standard = "base RTT of the queue pair's path"}},
       {"reaction", &P::reaction,
        keys::OneOf<Reaction>({{"combined", Reaction::combined},
                               {"per_ack", Reaction::per_ack},
                               {"per_rtt", Reaction::per_rtt}}),
        "when the window reacts; combined: each ACK adjusts it relative to a reference window, which is "
        "updated once per round trip; the other values are for comparison"},
       {"min_rate", &P::min_rate, keys::Rates(Rate(0)), "lowest window"},
       {"hops", &P::hops, keys::Integers(1, IntRecord::kMost),
        "number of switches whose records fit into a packet; the header takes 2 B plus 8 B per switch"},
       {"sent_unit", &P::sent_unit, keys::Sizes(Bytes(1)),
        "unit of the bytes sent in a switch's record, a field of 20 bits"},
       {"queue_unit", &P::queue_unit, keys::Sizes(Bytes(1)),
        "unit of the bytes queued in a switch's record, a field of 16 bits"},
       {"rescale_wait", &P::rescale_wait, keys::Flag(),
        "true: a new rate also rescales the current wait between packets; false: it applies from the "
        "next packet on"}});
  return keys;
}

const auto kHpcc = keys::RegisteredControl::Of<Hpcc>(1, HpccKeys);

}  // namespace
}  // namespace headroom
