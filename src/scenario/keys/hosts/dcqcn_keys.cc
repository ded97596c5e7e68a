// DCQCN in a NIC: notification point, reaction point, rate limiter.
#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "scenario/keys/hosts/nic_keys.h"
#include "scenario/keys/network/class_keys.h"
#include "scenario/keys/vendor_names.h"

namespace headroom::keys {

namespace {

constexpr int64_t kOne = 1024;             ///< of the adapters' fractions
constexpr int64_t kLongest = 131'071;      ///< of their times, us
constexpr int64_t kHighest = 100'000'000;  ///< of their rates, Mb/s
constexpr Time kMicrosecond = Microseconds(1);
constexpr Rate kMegabit = MegabitsPerSecond(1);

/// A mask of priorities, as mlxconfig takes it: decimal, or hexadecimal with 0x.
KindOf<ControlledPriorities> PriorityMask() {
  const auto read = [](const Node& node, ControlledPriorities& priorities, Reading&) {
    const std::string& text = node.text;
    if (node.IsScalar() && (text.starts_with("0x") || text.starts_with("0X"))) {
      const char* const end = text.data() + text.size();
      uint8_t mask = 0;
      const auto [parsed, error] = std::from_chars(text.data() + 2, end, mask, 16);
      if (error != std::errc() || parsed != end)
        throw ScenarioError(node.where, Quote(text) + " is not a mask of eight priorities",
                            "allowed: 0 to 255 or 0x00 to 0xff; bit n is priority n");
      priorities.mask = mask;
    } else {
      priorities.mask = static_cast<uint8_t>(ParseInteger(node, 0, 0xFF));
    }
  };
  return {{"mask", "0 to 255 or 0x00 to 0xff", R"({"$ref": "#/definitions/priority_mask"})"},
          read,
          [](const ControlledPriorities& p, const Writing&) { return std::to_string(p.mask); }};
}

/// sysfs has a switch for each priority.
const KeysOf<ControlledPriorities>& PrioritySwitchKeys() {
  static const KeysOf<ControlledPriorities> keys(
      {.name = "priority_switches", .page = "models/dcqcn.md"}, [] {
        std::vector<KeyOf<ControlledPriorities>> bits;
        for (int p = 0; p < kPriorities; ++p) {
          const auto read = [p](const Node& node, ControlledPriorities& priorities, Reading& reading) {
            const auto bit = static_cast<uint8_t>(1u << p);
            bool on = false;
            Bit().read(node, on, reading);
            priorities.mask = static_cast<uint8_t>(on ? priorities.mask | bit : priorities.mask & ~bit);
          };
          bits.emplace_back(std::to_string(p).c_str(), KindOf<ControlledPriorities>{Bit().shape, read, {}},
                            "whether this priority has congestion control", Traits{.standard = "1"});
        }
        return bits;
      }());
  return keys;
}

/// The priorities of a point: a mask, or sysfs's switches.
template <class Point>
KeyOf<Point> PrioritiesOf(const char* help) {
  KindOf<ControlledPriorities> switches = Mapping(PrioritySwitchKeys());
  switches.write = {};
  return OfAdapter(KeyOf<Point>(
      "roce_cc_prio_mask", &Point::priorities, PriorityMask(), help,
      {.also = {KeyOf<Point>("enable", &Point::priorities, switches,
                             "roce_cc_prio_mask in sysfs's form, a switch for each priority")}}));
}

/// A parameter of the adapters' as another spelling of a key.
template <class S, class Q>
KeyOf<S> Adapters(const char* sysfs, Q S::*field, Q unit, int64_t least, int64_t most, const char* help) {
  return OfAdapter(KeyOf<S>(sysfs, field, Counts(unit, least, most), help));
}

/// The class that CNPs travel in has one code point and priority for all NICs.
KeyOf<NpParameters> OfCnpClass(const char* sysfs, const char* of_class, int most, const char* help,
                               int (*of)(const TrafficClass&)) {
  const auto read = [=](const Node& node, NpParameters&, Reading& reading) {
    const int64_t wanted = ParseInteger(node, 0, most);
    const auto cnp = FindClass(*reading.classes, "cnp");
    if (!cnp) throw ScenarioError(node.where, "there is no traffic class \"cnp\" in priorities");
    const int is = of((*reading.classes)[*cnp]);
    if (wanted == is) return;
    throw ScenarioError(
        node.where,
        fmt::format("{} is {}, the {} of the traffic class \"cnp\" is {}", reading.key, wanted, of_class, is),
        fmt::format("priorities: cnp: {{{}: {}}}", of_class, wanted));
  };
  return OfAdapter(KeyOf<NpParameters>(sysfs, {ShapeOfIntegers(0, most), read, {}}, help));
}

/// The kernel's switch between cnp_802p_prio and other sources of a CNP's priority.
KindOf<NpParameters> PriorityMode() {
  return {ShapeOfIntegers(0, 0),
          [](const Node& node, NpParameters&, Reading&) {
            if (ParseInteger(node, 0, 1) != 0)
              throw ScenarioError(node.where,
                                  "with np_cnp_prio_mode 1 CNPs do not have the priority np_cnp_prio; here "
                                  "they travel in the traffic class \"cnp\"",
                                  "allowed: 0");
          },
          {}};
}

const KeysOf<NpParameters>& NotificationPointKeys() {
  using Np = NpParameters;
  using Coalescing = Np::Coalescing;
  static const KeysOf<Np> keys(
      {.name = "np", .page = "models/dcqcn.md"},
      {{"coalescing", &Np::coalescing,
        OneOf<Coalescing>({{"per_packet", Coalescing::per_packet},
                           {"per_qp", Coalescing::per_qp},
                           {"ack_flag", Coalescing::ack_flag}}),
        "a CNP per marked packet, at most one per QP in min_cnp_interval, or a flag on its ACK"},
       {"min_cnp_interval",
        &Np::min_cnp_interval,
        Times(Time(0), Seconds(10)),
        "minimum time between CNPs of a queue pair, with per_qp",
        {.also = {Adapters("min_time_between_cnps", &Np::min_cnp_interval, kMicrosecond, 0, kLongest,
                           "min_cnp_interval in ConnectX's form, in us")}}},
       {"nic_interval", &Np::nic_interval, Times(Time(0), Seconds(10)),
        "minimum time between CNPs of the NIC, with per_qp and per_packet; 0ns: no limit"},
       {"cnp_delay", &Np::cnp_delay, Times(Time(0), Seconds(10)),
        "from the marked packet's effect to its CNP at the port"},
       OfCnpClass("cnp_802p_prio", "priority", 7, "checked: the priority of the class cnp",
                  [](const TrafficClass& c) -> int { return c.priority; }),
       OfCnpClass("cnp_dscp", "dscp", 63, "checked: the dscp of the class cnp",
                  [](const TrafficClass& c) -> int { return c.dscp; }),
       {"np_cnp_prio_mode",
        PriorityMode(),
        "only in debugfs; checked: CNPs have the priority np_cnp_prio",
        {.unlisted = true}},
       PrioritiesOf<Np>("priorities in which marks cause CNPs, bit n for priority n")});
  return keys;
}

/// What only the vendor's machine has; of another one it may be written at its default.
template <class F>
KeyOf<RpParameters> OfVendorMachine(const char* sysfs, F RpParameters::*field, const KindOf<F>& kind,
                                    const char* help, bool breaks = false) {
  KeyOf<RpParameters> key(sysfs, field, kind, help, {.breaks = breaks});
  key.read = [read = key.read, field](const Node& node, void* object, Reading& reading) {
    read(node, object, reading);
    const auto& rp = *static_cast<const RpParameters*>(object);
    if (rp.machine != RpParameters::Machine::vendor && rp.*field != RpParameters{}.*field)
      throw ScenarioError(node.where, fmt::format("{} goes with machine: vendor", reading.key));
  };
  return OfAdapter(key);
}

/// Whether a cut that follows a cut lowers the target.
KindOf<RpParameters> ClampTarget() {
  return {
      Bit().shape,
      [](const Node& node, RpParameters& rp, Reading& reading) {
        Bit().read(node, rp.clamp_target, reading);
        if (!rp.clamp_target || rp.machine != RpParameters::Machine::paper) return;
        throw ScenarioError(
            node.where,
            fmt::format("machine paper lowers the target at every cut, with and without {}", reading.key),
            fmt::format("{}: true goes with machine: hpcc or vendor", reading.key));
      },
      [](const RpParameters& rp, const Writing&) { return std::string(rp.clamp_target ? "true" : "false"); }};
}

/// g as what is kept, in 1/1024.
KindOf<double> Kept() {
  return {ShapeOfIntegers(0, kOne - 1),
          [](const Node& node, double& g, Reading&) {
            g = static_cast<double>(kOne - ParseInteger(node, 0, kOne - 1)) / kOne;
          },
          {}};
}

/// What the vendor's machine counts in whole numbers must be some.
void CheckVendorMachine(const Node& node, const RpParameters& rp) {
  const double kept = (1 - rp.g) * kOne;
  if (kept != std::round(kept)) {
    const Node* g = node.Find("g");
    throw ScenarioError(
        (g ? g : &node)->where,
        fmt::format("machine vendor counts g in 1/1024; {} is not a multiple", FormatNumber(rp.g)),
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
  const Node* at = own ? own : machine ? machine : &node;
  throw ScenarioError(
      at->where,
      fmt::format("machine hpcc has no byte counter, but this one counts {}", FormatSize(rp.byte_counter)),
      "byte_counter: 0B, as generation: hpcc-sim has it");
}

const KeysOf<RpParameters>& ReactionPointKeys() {
  using Rp = RpParameters;
  using Machine = Rp::Machine;
  const KindOf<Time> timer = Times(Nanoseconds(1), Seconds(10));
  static const KeysOf<Rp> keys(
      {.name = "rp", .page = "models/dcqcn.md"},
      {{"machine", &Rp::machine,
        OneOf<Machine>({{"paper", Machine::paper}, {"hpcc", Machine::hpcc}, {"vendor", Machine::vendor}}),
        "the published machine, the HPCC simulator's, or that of ConnectX adapters"},
       {"reduce_window",
        &Rp::reduce_window,
        Times(Time(0), Seconds(10)),
        "minimum time between cuts; 0ns: every CNP cuts",
        {.also = {Adapters("rate_reduce_monitor_period", &Rp::reduce_window, kMicrosecond, 1, kLongest,
                           "reduce_window in ConnectX's form, in us")}}},
       {"g",
        &Rp::g,
        Fractions(),
        "weight of a CNP in alpha",
        {.standard = "1/256",
         .also = {OfAdapter(KeyOf<Rp>("dce_tcp_g", &Rp::g, Kept(), "1 - g in ConnectX's form, in 1/1024"))}}},
       {"alpha_timer",
        &Rp::alpha_timer,
        timer,
        "K: time without a CNP until alpha decreases",
        {.also = {Adapters("dce_tcp_rtt", &Rp::alpha_timer, kMicrosecond, 1, kLongest,
                           "alpha_timer in ConnectX's form, in us")}}},
       {"increase_timer",
        &Rp::increase_timer,
        timer,
        "T: time between rate increases",
        {.also = {Adapters("rpg_time_reset", &Rp::increase_timer, kMicrosecond, 1, kLongest,
                           "increase_timer in ConnectX's form, in us")}}},
       {"byte_counter",
        &Rp::byte_counter,
        Sizes(),
        "B: bytes sent between rate increases; 0B: none",
        {.also = {Adapters("rpg_byte_reset", &Rp::byte_counter, Bytes(64), 0, 32'767,
                           "byte_counter in ConnectX's form, in 64 bytes; 0: none")}}},
       {"fast_recovery",
        &Rp::fast_recovery,
        Integers(0, 1'000'000),
        "F: increases that halve the distance to the target",
        {.breaks = true,
         .also = {OfAdapter(KeyOf<Rp>("rpg_threshold", &Rp::fast_recovery, Integers(1, 31),
                                      "fast_recovery in ConnectX's form"))}}},
       {"rate_ai",
        &Rp::rate_ai,
        Rates(Rate(0)),
        "step of the target rate after fast recovery",
        {.also = {Adapters("rpg_ai_rate", &Rp::rate_ai, kMegabit, 1, kHighest,
                           "rate_ai in ConnectX's form, in Mb/s")}}},
       {"rate_hai",
        &Rp::rate_hai,
        Rates(Rate(0)),
        "step of the target rate after F increases by the timer and F by the byte counter",
        {.also = {Adapters("rpg_hai_rate", &Rp::rate_hai, kMegabit, 1, kHighest,
                           "rate_hai in ConnectX's form, in Mb/s")}}},
       {"min_rate",
        &Rp::min_rate,
        Rates(BitsPerSecond(1'000)),
        "lowest rate after a cut",
        {.also = {Adapters("rpg_min_rate", &Rp::min_rate, kMegabit, 1, kHighest,
                           "min_rate in ConnectX's form, in Mb/s")}}},
       {"max_rate",
        &Rp::max_rate,
        Rates(Rate(0)),
        "first and highest rate of a queue pair",
        {.standard = "line rate",
         .also = {Adapters("rpg_max_rate", &Rp::max_rate, kMegabit, 0, kHighest,
                           "max_rate in ConnectX's form, in Mb/s; 0: line rate")}}},
       {"clamp_target",
        ClampTarget(),
        "machines hpcc and vendor: every cut lowers the target, as machine paper always does",
        {.also = {OfAdapter(KeyOf<Rp>("clamp_tgt_rate", ClampTarget(), "clamp_target in ConnectX's form"))}}},
       OfVendorMachine("clamp_tgt_rate_after_time_inc", &Rp::clamp_after_time_increase, Bit(),
                       "machine vendor: a cut lowers the target after the timer raised the rate", true),
       OfVendorMachine<int>("rpg_gd", &Rp::cut_shift, Integers(0, 15),
                            "machine vendor: a cut lowers the rate by alpha / 2^this, alpha in 1/1024"),
       OfVendorMachine<int>("rpg_min_dec_fac", &Rp::least_kept, Integers(0, 100),
                            "machine vendor: minimum per cent of the rate after a cut"),
       OfVendorMachine<int>("initial_alpha_value", &Rp::initial_alpha, Integers(1, kOne - 1),
                            "machine vendor: alpha at the first CNP, in 1/1024"),
       OfVendorMachine("rate_to_set_on_first_cnp", &Rp::rate_on_first_cnp, Counts(kMegabit, 0, kHighest),
                       "machine vendor: rate after the first CNP, in Mb/s; 0: an ordinary cut", true),
       PrioritiesOf<Rp>(
           "priorities in which queue pairs slow down, bit n for priority n; others stay at line rate")},
      [](const Node& node, Rp& rp, Reading&) {
        if (rp.machine == Machine::vendor) CheckVendorMachine(node, rp);
        if (rp.machine == Machine::hpcc) CheckHpccMachine(node, rp);
      });
  return keys;
}

const KeysOf<LimiterParameters>& LimiterKeys() {
  using Limiter = LimiterParameters;
  using Granularity = Limiter::Granularity;
  static const KeysOf<Limiter> keys(
      {.name = "limiter", .page = "models/dcqcn.md"},
      {{"granularity", &Limiter::granularity,
        OneOf<Granularity>({{"packet", Granularity::packet}, {"burst", Granularity::burst}}),
        "unit of sending: a packet or a burst"},
       {"burst", &Limiter::burst, Sizes(Bytes(1)),
        "bytes sent back to back at line rate; then the queue pair waits until its average is the rate"}});
  return keys;
}

/// The priorities of both points.
KindOf<NicParameters> PrioritiesOfBoth() {
  const KindOf<ControlledPriorities> mask = PriorityMask();
  return {mask.shape,
          [mask](const Node& node, NicParameters& nic, Reading& reading) {
            mask.read(node, nic.dcqcn.np.priorities, reading);
            nic.dcqcn.rp.priorities = nic.dcqcn.np.priorities;
          },
          {}};
}

}  // namespace

KeysOf<NicParameters>& DcqcnKeys() {
  using Nic = NicParameters;
  using Dcqcn = DcqcnParameters;
  static KeysOf<Nic> keys(
      {.name = "dcqcn", .page = "models/dcqcn.md", .block = true},
      {OfAdapter(KeyOf<Nic>("roce_cc_prio_mask", PrioritiesOfBoth(),
                            "priorities with congestion control, bit n for priority n; np and rp may differ",
                            {.standard = "255"})),
       {"np", &Nic::dcqcn, &Dcqcn::np, Mapping(NotificationPointKeys()), "notification point"},
       {"rp", &Nic::dcqcn, &Dcqcn::rp, Mapping(ReactionPointKeys()), "reaction point"},
       {"limiter", &Nic::dcqcn, &Dcqcn::limiter, Mapping(LimiterKeys()), "rate limiter"}});
  return keys;
}

}  // namespace headroom::keys
