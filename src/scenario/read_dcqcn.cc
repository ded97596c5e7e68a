#include "scenario/read_dcqcn.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "scenario/read_traffic_classes.h"
#include "scenario/vendor_names.h"

namespace headroom {
namespace {

constexpr int64_t kOne = 1024;             ///< of the adapters' fractions
constexpr int64_t kLongest = 131'071;      ///< of their times, us
constexpr int64_t kHighest = 100'000'000;  ///< of their rates, Mb/s

/// A mask of priorities, as mlxconfig takes it: decimal, or hexadecimal with 0x.
ControlledPriorities ParsePriorities(const Node& node) {
  constexpr int64_t kAll = 0xFF;
  ControlledPriorities priorities;
  const std::string& text = node.text;
  if (node.IsScalar() && (text.starts_with("0x") || text.starts_with("0X"))) {
    const char* const end = text.data() + text.size();
    const auto [parsed, error] = std::from_chars(text.data() + 2, end, priorities.mask, 16);
    if (error == std::errc() && parsed == end) return priorities;
    throw ScenarioError(node.where, Quote(text) + " is no mask of eight priorities",
                        "allowed: 0 to 255 or 0x00 to 0xff; bit n is priority n");
  }
  priorities.mask = static_cast<uint8_t>(ParseInteger(node, 0, kAll));
  return priorities;
}

/// sysfs has a switch for each priority.
void ReadEnabled(const Node& node, ControlledPriorities& priorities, Errors& errors) {
  MapReader map(node, errors);
  for (int p = 0; p < kPriorities; ++p) {
    map.Read(std::to_string(p), [&](const Node& value) {
      const auto bit = static_cast<uint8_t>(1u << p);
      priorities.mask =
          static_cast<uint8_t>(ParseVendorsBit(value) ? priorities.mask | bit : priorities.mask & ~bit);
    });
  }
  map.Finish();
}

/// The priorities of a point, or of both: a mask or sysfs's switches. True: they are there.
bool ReadPriorities(MapReader& map, ControlledPriorities& priorities, bool switches = true) {
  bool there =
      ReadVendors(map, switches ? "enable" : nullptr, "roce_cc_prio_mask",
                  [&](const Node& value, const std::string&) { priorities = ParsePriorities(value); });
  if (switches) {
    there |= map.Read("enable", [&](const Node& value) { ReadEnabled(value, priorities, map.errors()); });
  }
  return there;
}

/// The kernel's switch between cnp_802p_prio and other sources of a CNP's priority.
void ReadPriorityMode(MapReader& map) {
  constexpr const char* kName = "np_cnp_prio_mode";
  if (!map.Has(kName)) return;
  map.Read(kName, [&](const Node& value) {
    if (ParseInteger(value, 0, 1) == 0) return;
    throw ScenarioError(
        value.where,
        "with np_cnp_prio_mode 1 CNPs do not have the priority np_cnp_prio; here they travel in the "
        "traffic class \"cnp\"",
        "allowed: 0");
  });
}

/// The class that CNPs travel in has one code point and priority for all NICs.
void CheckCnpClass(MapReader& map, const char* sysfs, const char* of_class, std::optional<int> is, int most) {
  ReadVendors(map, nullptr, sysfs, [&](const Node& value, const std::string& key) {
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
  ReadVendors(map, "min_cnp_interval", "min_time_between_cnps", np.min_cnp_interval, Microseconds(1), 0,
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
  ReadPriorityMode(map);
  ReadPriorities(map, np.priorities);
  map.Finish();
}

/// Those that only the vendor's machine has; of another one they may be written at their defaults.
void ReadVendorOnly(MapReader& map, RpParameters& rp) {
  const RpParameters defaults;
  const auto read = [&](const char* sysfs, auto RpParameters::*field, auto&& parse) {
    ReadVendors(map, nullptr, sysfs, [&](const Node& value, const std::string& key) {
      rp.*field = parse(value);
      if (rp.machine != RpParameters::Machine::vendor && rp.*field != defaults.*field)
        throw ScenarioError(value.where, fmt::format("{} goes with machine: vendor", key));
    });
  };
  const auto integer = [](int64_t least, int64_t most) {
    return [=](const Node& node) { return static_cast<int>(ParseInteger(node, least, most)); };
  };
  read("clamp_tgt_rate_after_time_inc", &RpParameters::clamp_after_time_increase, ParseVendorsBit);
  read("rpg_gd", &RpParameters::cut_shift, integer(0, 15));
  read("rpg_min_dec_fac", &RpParameters::least_kept, integer(0, 100));
  read("initial_alpha_value", &RpParameters::initial_alpha, integer(1, kOne - 1));
  read("rate_to_set_on_first_cnp", &RpParameters::rate_on_first_cnp,
       [](const Node& node) { return MegabitsPerSecond(ParseInteger(node, 0, kHighest)); });
}

void CheckClamp(const Node& value, const std::string& key, const RpParameters& rp) {
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

/// That simulator has no byte counter; with one the machine would be half of it and half the paper's.
void CheckHpccMachine(const Node& node, const RpParameters& rp) {
  if (rp.byte_counter.v == 0) return;
  const Node* own = node.Find("byte_counter");
  const Node* machine = node.Find("machine");
  throw ScenarioError(
      (own       ? own
       : machine ? machine
                 : &node)
          ->where,
      fmt::format("machine hpcc has no byte counter, this one counts {}", FormatSize(rp.byte_counter)),
      "byte_counter: 0B, as generation: hpcc-sim has it");
}

void ReadRp(const Node& node, RpParameters& rp, Errors& errors) {
  using Machine = RpParameters::Machine;
  constexpr Time kShortestTimer = Nanoseconds(1);
  constexpr Rate kMegabit = MegabitsPerSecond(1);
  MapReader map(node, errors);
  map.Choice<Machine>("machine", rp.machine,
                      {{"paper", Machine::paper}, {"hpcc", Machine::hpcc}, {"vendor", Machine::vendor}});
  map.Field("reduce_window", rp.reduce_window, Time(0), Seconds(10));
  ReadVendors(map, "reduce_window", "rate_reduce_monitor_period", rp.reduce_window, Microseconds(1), 1,
              kLongest);
  map.Fraction("g", rp.g, false, 1);
  ReadVendors(map, "g", "dce_tcp_g", [&](const Node& value, const std::string&) {
    rp.g = static_cast<double>(kOne - ParseInteger(value, 0, kOne - 1)) / kOne;
  });
  map.Field("alpha_timer", rp.alpha_timer, kShortestTimer, Seconds(10));
  ReadVendors(map, "alpha_timer", "dce_tcp_rtt", rp.alpha_timer, Microseconds(1), 1, kLongest);
  map.Field("increase_timer", rp.increase_timer, kShortestTimer, Seconds(10));
  ReadVendors(map, "increase_timer", "rpg_time_reset", rp.increase_timer, Microseconds(1), 1, kLongest);
  map.Field("byte_counter", rp.byte_counter);
  ReadVendors(map, "byte_counter", "rpg_byte_reset", rp.byte_counter, Bytes(64), 0, 32'767);
  map.Integer("fast_recovery", rp.fast_recovery, 0, 1'000'000);
  ReadVendors(map, "fast_recovery", "rpg_threshold", [&](const Node& value, const std::string&) {
    rp.fast_recovery = static_cast<int>(ParseInteger(value, 1, 31));
  });
  map.Field("rate_ai", rp.rate_ai, Rate(0));
  ReadVendors(map, "rate_ai", "rpg_ai_rate", rp.rate_ai, kMegabit, 1, kHighest);
  map.Field("rate_hai", rp.rate_hai, Rate(0));
  ReadVendors(map, "rate_hai", "rpg_hai_rate", rp.rate_hai, kMegabit, 1, kHighest);
  map.Field("min_rate", rp.min_rate, BitsPerSecond(1'000));
  ReadVendors(map, "min_rate", "rpg_min_rate", rp.min_rate, kMegabit, 1, kHighest);
  map.Field("max_rate", rp.max_rate, Rate(0));
  ReadVendors(map, "max_rate", "rpg_max_rate", rp.max_rate, kMegabit, 0, kHighest);
  const auto clamp = [&](const Node& value, const std::string& key) {
    rp.clamp_target = ParseVendorsBit(value);
    CheckClamp(value, key, rp);
  };
  map.Read("clamp_target", [&](const Node& value) { clamp(value, "clamp_target"); });
  ReadVendors(map, "clamp_target", "clamp_tgt_rate", clamp);
  ReadVendorOnly(map, rp);
  ReadPriorities(map, rp.priorities);
  map.Finish();
  if (rp.machine == Machine::vendor) CheckVendorMachine(node, rp);
  if (rp.machine == Machine::hpcc) CheckHpccMachine(node, rp);
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
  ControlledPriorities of_both;
  if (ReadPriorities(map, of_both, false)) dcqcn.np.priorities = dcqcn.rp.priorities = of_both;
  map.Read("np", [&](const Node& value) { ReadNp(value, dcqcn.np, classes, errors); });
  map.Read("rp", [&](const Node& value) { ReadRp(value, dcqcn.rp, errors); });
  map.Read("limiter", [&](const Node& value) { ReadLimiter(value, dcqcn.limiter, errors); });
  map.Finish();
}

}  // namespace headroom
