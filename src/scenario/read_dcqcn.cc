#include "scenario/read_dcqcn.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "scenario/read_traffic_classes.h"

namespace headroom {
namespace {

constexpr int64_t kOne = 1024;             ///< of the adapters' fractions
constexpr int64_t kLongest = 131'071;      ///< of their times, us
constexpr int64_t kHighest = 100'000'000;  ///< of their rates, Mb/s

/// A parameter has two names; both at once are an error at the second.
void RefuseBoth(MapReader& map, const char* name, const char* vendors) {
  const Node* first = map.node().Find(name);
  const Node* second = map.node().Find(vendors);
  if (first == nullptr || second == nullptr) return;
  const bool in_order = first->where.Before(second->where);
  map.errors().Add(ScenarioError((in_order ? second : first)->where,
                                 fmt::format("{} and {} are the same parameter", name, vendors),
                                 "give one of them"));
}

/// The same parameter under the name of ConnectX adapters: a whole number of `unit`. True: it is there.
template <class Q>
bool Vendors(MapReader& map, const char* name, const char* vendors, Q& out, Q unit, int64_t least,
             int64_t most) {
  RefuseBoth(map, name, vendors);
  return map.Read(vendors, [&](const Node& value) { out = unit * ParseInteger(value, least, most); });
}

/// 0 or 1 as the adapters have it, or true or false.
bool ParseBit(const Node& node) {
  if (node.IsScalar() && (node.text == "0" || node.text == "1")) return node.text == "1";
  return ParseFlag(node);
}

/// The class that CNPs travel in has one code point and priority for all NICs.
void CheckCnpClass(MapReader& map, const char* key, const char* of_class, std::optional<int> is, int most) {
  map.Read(key, [&](const Node& value) {
    const int64_t wanted = ParseInteger(value, 0, most);
    if (!is) throw ScenarioError(value.where, "there is no traffic class \"cnp\" in priorities");
    if (wanted == *is) return;
    throw ScenarioError(
        value.where,
        fmt::format("{} is {}, the {} of the traffic class \"cnp\" is {}", key, wanted, of_class, *is),
        fmt::format("priorities: cnp: {{{}: {}}}", of_class, wanted));
  });
}

void ReadNp(const Node& node, NpParameters& np, const TrafficClasses& classes, Errors& errors) {
  using Coalescing = NpParameters::Coalescing;
  MapReader map(node, errors);
  map.Choice<Coalescing>("coalescing", np.coalescing,
                         {{"per_packet", Coalescing::per_packet},
                          {"per_qp", Coalescing::per_qp},
                          {"ack_flag", Coalescing::ack_flag}});
  map.Field("min_cnp_interval", np.min_cnp_interval, Time(0), Seconds(10));
  Vendors(map, "min_cnp_interval", "min_time_between_cnps", np.min_cnp_interval, Microseconds(1), 0,
          kLongest);
  map.Field("nic_interval", np.nic_interval, Time(0), Seconds(10));
  map.Field("cnp_delay", np.cnp_delay, Time(0), Seconds(10));
  std::optional<int> priority, dscp;
  if (const auto cnp = FindClass(classes, "cnp")) {
    priority = *cnp;
    dscp = classes[*cnp].dscp;
  }
  CheckCnpClass(map, "cnp_802p_prio", "priority", priority, 7);
  CheckCnpClass(map, "cnp_dscp", "dscp", dscp, 63);
  map.Finish();
}

/// Those that only the vendor's machine has; of another one they may be written at their defaults.
void ReadVendorOnly(MapReader& map, RpParameters& rp) {
  const RpParameters defaults;
  const auto read = [&](const char* key, auto RpParameters::*field, auto&& parse) {
    map.Read(key, [&](const Node& value) {
      rp.*field = parse(value);
      if (rp.machine != RpParameters::Machine::vendor && rp.*field != defaults.*field)
        throw ScenarioError(value.where, fmt::format("{} goes with machine: vendor", key));
    });
  };
  const auto integer = [](int64_t least, int64_t most) {
    return [=](const Node& node) { return static_cast<int>(ParseInteger(node, least, most)); };
  };
  read("clamp_tgt_rate_after_time_inc", &RpParameters::clamp_after_time_increase, ParseBit);
  read("rpg_gd", &RpParameters::cut_shift, integer(0, 15));
  read("rpg_min_dec_fac", &RpParameters::least_kept, integer(0, 100));
  read("initial_alpha_value", &RpParameters::initial_alpha, integer(1, kOne - 1));
  read("rate_to_set_on_first_cnp", &RpParameters::rate_on_first_cnp,
       [](const Node& node) { return MegabitsPerSecond(ParseInteger(node, 0, kHighest)); });
}

void CheckClamp(const Node& value, const char* key, const RpParameters& rp) {
  if (!rp.clamp_target || rp.machine != RpParameters::Machine::paper) return;
  throw ScenarioError(value.where,
                      fmt::format("machine paper lowers the target at every cut, with and without {}", key),
                      fmt::format("{}: true goes with machine: hpcc or vendor", key));
}

/// What the vendor's machine counts in whole numbers must be some.
void CheckVendorMachine(const Node& node, const RpParameters& rp) {
  const double kept = (1 - rp.g) * kOne;
  if (kept != std::round(kept)) {
    const Node* g = node.Find("g");
    throw ScenarioError(
        (g ? g : &node)->where,
        fmt::format("machine vendor counts g in 1/1024; {} is none of them", FormatNumber(rp.g)),
        fmt::format("the nearest is {}/1024", std::max<int64_t>(1, std::llround(rp.g * kOne))));
  }
  if (rp.reduce_window.v == 0) {
    const Node* window = node.Find("reduce_window");
    throw ScenarioError((window ? window : &node)->where,
                        "machine vendor needs a time between rate reductions",
                        "reduce_window: 4us or rate_reduce_monitor_period: 4 is the adapters' default");
  }
}

void ReadRp(const Node& node, RpParameters& rp, Errors& errors) {
  using Machine = RpParameters::Machine;
  constexpr Time kShortestTimer = Nanoseconds(1);
  constexpr Rate kMegabit = MegabitsPerSecond(1);
  MapReader map(node, errors);
  map.Choice<Machine>("machine", rp.machine,
                      {{"paper", Machine::paper}, {"hpcc", Machine::hpcc}, {"vendor", Machine::vendor}});
  map.Field("reduce_window", rp.reduce_window, Time(0), Seconds(10));
  Vendors(map, "reduce_window", "rate_reduce_monitor_period", rp.reduce_window, Microseconds(1), 1, kLongest);
  map.Fraction("g", rp.g, false, 1);
  RefuseBoth(map, "g", "dce_tcp_g");
  map.Read("dce_tcp_g", [&](const Node& value) {
    rp.g = static_cast<double>(kOne - ParseInteger(value, 0, kOne - 1)) / kOne;
  });
  map.Field("alpha_timer", rp.alpha_timer, kShortestTimer, Seconds(10));
  Vendors(map, "alpha_timer", "dce_tcp_rtt", rp.alpha_timer, Microseconds(1), 1, kLongest);
  map.Field("increase_timer", rp.increase_timer, kShortestTimer, Seconds(10));
  Vendors(map, "increase_timer", "rpg_time_reset", rp.increase_timer, Microseconds(1), 1, kLongest);
  map.Field("byte_counter", rp.byte_counter);
  Vendors(map, "byte_counter", "rpg_byte_reset", rp.byte_counter, Bytes(64), 0, 32'767);
  map.Integer("fast_recovery", rp.fast_recovery, 0, 1'000'000);
  RefuseBoth(map, "fast_recovery", "rpg_threshold");
  map.Integer("rpg_threshold", rp.fast_recovery, 1, 31);
  map.Field("rate_ai", rp.rate_ai, Rate(0));
  Vendors(map, "rate_ai", "rpg_ai_rate", rp.rate_ai, kMegabit, 1, kHighest);
  map.Field("rate_hai", rp.rate_hai, Rate(0));
  Vendors(map, "rate_hai", "rpg_hai_rate", rp.rate_hai, kMegabit, 1, kHighest);
  map.Field("min_rate", rp.min_rate, BitsPerSecond(1'000));
  Vendors(map, "min_rate", "rpg_min_rate", rp.min_rate, kMegabit, 1, kHighest);
  map.Field("max_rate", rp.max_rate, Rate(0));
  Vendors(map, "max_rate", "rpg_max_rate", rp.max_rate, kMegabit, 0, kHighest);
  RefuseBoth(map, "clamp_target", "clamp_tgt_rate");
  for (const char* key : {"clamp_target", "clamp_tgt_rate"}) {
    map.Read(key, [&](const Node& value) {
      rp.clamp_target = ParseBit(value);
      CheckClamp(value, key, rp);
    });
  }
  ReadVendorOnly(map, rp);
  map.Finish();
  if (rp.machine == Machine::vendor) CheckVendorMachine(node, rp);
}

void ReadLimiter(const Node& node, LimiterParameters& limiter, Errors& errors) {
  using Granularity = LimiterParameters::Granularity;
  MapReader map(node, errors);
  map.Choice<Granularity>("granularity", limiter.granularity,
                          {{"packet", Granularity::packet}, {"burst", Granularity::burst}});
  map.Field("burst", limiter.burst, Bytes(1));
  map.Finish();
}

}  // namespace

void ReadDcqcn(const Node& node, DcqcnParameters& dcqcn, const TrafficClasses& classes, Errors& errors) {
  MapReader map(node, errors);
  map.Read("np", [&](const Node& value) { ReadNp(value, dcqcn.np, classes, errors); });
  map.Read("rp", [&](const Node& value) { ReadRp(value, dcqcn.rp, errors); });
  map.Read("limiter", [&](const Node& value) { ReadLimiter(value, dcqcn.limiter, errors); });
  map.Finish();
}

}  // namespace headroom
