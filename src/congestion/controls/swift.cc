// Swift: two windows, for the fabric and for the end hosts, each with a target delay.
//
// Source: Kumar et al., Swift, SIGCOMM 2020, algorithm 1 and sections 3.2 to 3.5. The paper does not print
// its constants; those here come from Broadcom/csg-htsim. In the printed algorithm, an ACK that comes too
// early for a cut restarts the wait for the next cut. So a congested flow would never cut twice. Here the
// wait restarts only if the window fell.
//
// The fabric's delay is the round trip less the times of packet and ACK in both hosts. The hosts' delay is
// smoothed.
#include <algorithm>
#include <cmath>
#include <optional>

#include "scenario/keys/hosts/control_keys.h"

namespace headroom {
namespace {

struct SwiftParameters {
  Time base = Microseconds(20), hop = Nanoseconds(3053), scaling = Microseconds(100);
  double scaling_least = 0.1, scaling_most = 100;
  Time endpoint = Microseconds(20);
  double ai = 1, beta = 0.8, most_cut = 0.5, smoothing = 0.125;
  double least_window = 0.001, most_window = 10'000;
  std::optional<double> initial_window;
  int timeouts = 5;
  int64_t header = 0;
  bool operator==(const SwiftParameters&) const = default;

  int64_t header_bytes() const { return header; }

  /// The fabric's target is base + switches × hop + slope / √window + offset, the last two from 0 to scaling.
  struct Scale {
    double slope = 0, offset = 0;
  };
  Scale FlowScaling() const {
    if (scaling.v == 0) return {};
    const double range = static_cast<double>(scaling.v), last = 1 / std::sqrt(scaling_most);
    const double slope = range / (1 / std::sqrt(scaling_least) - last);
    return {slope, -slope * last};
  }
  double FabricTarget(const Scale& scale, double window, int switches) const {
    const double scaled = scale.slope / std::sqrt(window) + scale.offset;
    return static_cast<double>(base.v) + switches * static_cast<double>(hop.v) +
           std::clamp(scaled, 0.0, static_cast<double>(scaling.v));
  }
  double FillsPath(const ControlPath& path) const {
    return InSeconds(path.round_trip) * static_cast<double>(path.line.v) / 8 / static_cast<double>(path.mtu);
  }
  /// The larger excess of the fabric's and the hosts' delays.
  DelayTarget target(const ControlPath& path, const IdleTrip& trip) const {
    const double fabric = FabricTarget(FlowScaling(), std::max(1.0, FillsPath(path)), trip.switches);
    const DelayTarget of_fabric{"base", base, Time(std::llround(fabric)), trip.whole - trip.in_hosts};
    const DelayTarget of_hosts{"endpoint", endpoint, endpoint, trip.in_hosts};
    return of_hosts.idle - of_hosts.target > of_fabric.idle - of_fabric.target ? of_hosts : of_fabric;
  }
};

class Swift final : public Control {
 public:
  explicit Swift(const SwiftParameters& p) : Control(kRoundTrips | kLosses), p_(p), scale_(p.FlowScaling()) {
    paces_from_start_ = true;
  }

  void Begin(const ControlPath& path) override {
    path_ = path;
    trip_ = path.round_trip;
    const double first = p_.initial_window.value_or(std::max(1.0, p_.FillsPath(path)));
    fabric_ = hosts_ = {first, Time(-1)};
    hosts_delay_ = -1;
    timeouts_ = 0;
    Set();
  }

  void OnAck(const Acknowledgement& ack) override {
    if (ack.feedback == nullptr) return;
    timeouts_ = 0;
    trip_ = ack.now - ack.feedback->sent;
    const Time in_hosts = ack.feedback->held + ack.in_host;
    const auto held = static_cast<double>(in_hosts.v);
    hosts_delay_ = hosts_delay_ < 0 ? held : (1 - p_.smoothing) * hosts_delay_ + p_.smoothing * held;
    const auto acked = static_cast<double>(ack.packets);
    React(fabric_, static_cast<double>((trip_ - in_hosts).v),
          p_.FabricTarget(scale_, fabric_.packets, ack.feedback->hops), acked, ack.now);
    React(hosts_, hosts_delay_, static_cast<double>(p_.endpoint.v), acked, ack.now);
    Set();
  }

  void OnLoss(Time now, Loss loss) override {
    timeouts_ = loss == Loss::timeout ? timeouts_ + 1 : 0;
    for (Window* w : {&fabric_, &hosts_}) {
      if (timeouts_ >= p_.timeouts) {
        w->packets = p_.least_window;
        w->cut_at = now;
      } else if (MayCut(*w, now)) {
        w->packets = std::max(p_.least_window, w->packets * (1 - p_.most_cut));
        w->cut_at = now;
      }
    }
    Set();
  }

 private:
  struct Window {
    double packets = 1;
    Time cut_at = Time(-1);  ///< −1: never
  };

  bool MayCut(const Window& w, Time now) const { return w.cut_at.v < 0 || now - w.cut_at >= trip_; }

  void React(Window& w, double delay, double target, double acked, Time now) const {
    const double before = w.packets;
    if (delay < target) {
      w.packets += w.packets >= 1 ? p_.ai * acked / w.packets : p_.ai * acked;
    } else if (MayCut(w, now)) {
      w.packets *= std::max(1 - p_.beta * (delay - target) / delay, 1 - p_.most_cut);
    }
    w.packets = std::clamp(w.packets, p_.least_window, p_.most_window);
    if (w.packets < before) w.cut_at = now;
  }

  /// A window below one packet becomes a pace.
  void Set() {
    const double packets = std::min(fabric_.packets, hosts_.packets);
    window_ = std::max<uint64_t>(1, static_cast<uint64_t>(packets));
    rate_ = path_.line;
    if (packets >= 1) return;
    const double bits = static_cast<double>(path_.full.v) * 8 * packets / InSeconds(trip_);
    rate_ = std::clamp(Rate(std::llround(bits)), Rate(1), path_.line);
  }

  const SwiftParameters& p_;
  const SwiftParameters::Scale scale_;
  ControlPath path_;
  Time trip_;
  Window fabric_, hosts_;
  double hosts_delay_ = -1;  ///< ps; −1: none yet
  int timeouts_ = 0;         ///< timeouts in a row
};

const keys::KeysOf<SwiftParameters>& SwiftKeys() {
  using P = SwiftParameters;
  using namespace keys;
  static const KeysOf<P> all = ControlKeys<P>(
      "swift", "models/congestion-control.md",
      {{"base", &P::base, Times(Nanoseconds(1), Seconds(1)),
        "base target of the fabric's delay, before the additions for hops and flow scaling"},
       {"hop", &P::hop, Times(Time(0), Seconds(1)), "time that each switch on the path adds to the target"},
       {"scaling", &P::scaling, Times(Time(0), Seconds(1)),
        "fs_range: maximum time that flow scaling adds to the target for small windows; 0: no flow scaling"},
       {"scaling_least", &P::scaling_least, Numbers(0.0001, 1e6),
        "fs_min: window up to which flow scaling adds its maximum, in packets"},
       {"scaling_most", &P::scaling_most, Numbers(0.0001, 1e6),
        "fs_max: window from which flow scaling adds nothing, in packets"},
       {"endpoint", &P::endpoint, Times(Nanoseconds(1), Seconds(1)), "target of the delay at hosts"},
       {"ai",
        &P::ai,
        Numbers(0, 1000),
        "packets by which a window grows per round trip",
        {.tried = {"*4", "/4"}}},
       {"beta", &P::beta, Fractions(),
        "factor from the relative excess of delay to a cut's share of the "
        "window"},
       {"most_cut", &P::most_cut, Fractions(), "max_mdf: maximum share of the window that a cut takes"},
       {"smoothing", &P::smoothing, Fractions(),
        "weight of the newest sample in the measured delay at "
        "hosts"},
       {"least_window", &P::least_window, Numbers(0.000001, 1e6),
        "lowest window, in packets; below 1 packet, frames are paced"},
       {"most_window", &P::most_window, Numbers(1, 1e9), "packets"},
       {"initial_window",
        &P::initial_window,
        Maybe(Numbers(0.000001, 1e6)),
        "packets",
        {.standard = "bandwidth-delay product of the path"}},
       {"timeouts", &P::timeouts, Integers(1, 1000),
        "number of consecutive timeouts that reset the "
        "window to least_window"},
       {"header", &P::header, Integers(0, 255), "size of the timestamps in data and ACKs"}},
      [](const Node& node, P& p, Reading&) {
        if (p.scaling_least < p.scaling_most) return;
        const Node* const at =
            node.Find("scaling_least") != nullptr ? node.Find("scaling_least") : node.Find("scaling_most");
        throw ScenarioError(at->where, "scaling_least is not below scaling_most", "a smaller scaling_least");
      });
  return all;
}

const auto kSwift = keys::RegisteredControl::Of<Swift>(4, SwiftKeys);

}  // namespace
}  // namespace headroom
