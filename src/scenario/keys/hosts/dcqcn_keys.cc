// DCQCN in a NIC: notification point, reaction point, rate limiter.
#include <fmt/format.h>

#include <charconv>
#include <map>

#include "dcqcn/machines.h"
#include "dcqcn/parameter_table.h"
#include "scenario/keys/hosts/nic_keys.h"
#include "scenario/keys/network/class_keys.h"
#include "scenario/keys/vendor_names.h"

namespace headroom::keys {

namespace {

constexpr int64_t kOne = 1024;             ///< unit of the adapters' fractions
constexpr int64_t kLongest = 131'071;      ///< maximum of their times, us
constexpr int64_t kHighest = 100'000'000;  ///< maximum of their rates, Mb/s
constexpr Time kMicrosecond = Microseconds(1);
constexpr Rate kMegabit = MegabitsPerSecond(1);

/// A mask of priorities as in mlxconfig: decimal, or hexadecimal with 0x.
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

/// sysfs has one switch per priority.
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
                            "whether this priority has DCQCN", Traits{.standard = "1"});
        }
        return bits;
      }());
  return keys;
}

/// The kind of a parameter's value in scenarios.
template <class P>
struct AsKey {
  const Parameter<P>& parameter;
  Traits traits;

  KeyOf<P> operator()(const TimeParameter<P>& k) const { return Of(k.field, Times(k.least, k.most)); }
  KeyOf<P> operator()(const RateParameter<P>& k) const {
    const Rate unit = parameter.unit;
    return Of(k.field, unit.v == 0 ? Rates(k.least) : Counts(unit, 0, kHighest));
  }
  KeyOf<P> operator()(const BytesParameter<P>& k) const { return Of(k.field, Sizes(k.least)); }
  KeyOf<P> operator()(const CountParameter<P>& k) const {
    return Of(k.field, KindOf<int>(Integers{k.least, k.most}));
  }
  KeyOf<P> operator()(const FractionParameter<P>& k) const { return Of(k.field, Fractions()); }
  KeyOf<P> operator()(const FlagParameter<P>& k) const { return Of(k.field, Bit()); }
  KeyOf<P> operator()(const PrioritiesParameter<P>& k) const { return Of(k.field, PriorityMask()); }
  KeyOf<P> operator()(const ChoiceParameter<P>& k) const {
    const std::vector<std::string> names(k.names.begin(), k.names.end());
    const auto read = [names, set = k.set](const Node& node, P& p, Reading&) {
      set(p, static_cast<int>(ParseChoice(node, names)));
    };
    const auto write = [names, get = k.get](const P& p, const Writing&) {
      return names[static_cast<size_t>(get(p))];
    };
    return KeyOf<P>(parameter.key, KindOf<P>{ShapeOfChoice(names), read, write}, parameter.help, traits);
  }

 private:
  template <class F>
  KeyOf<P> Of(F P::*field, const KindOf<F>& kind) const {
    return KeyOf<P>(parameter.key, field, kind, parameter.help, traits);
  }
};

/// For a machine without this parameter, the key may only have its default.
void RefuseOfOthers(KeyOf<RpParameters>& key, MachineSet machines) {
  std::string having;
  for (size_t i = 0; i < std::size(kMachineNames); ++i) {
    if ((machines >> i & 1) != 0) having += (having.empty() ? "" : " or ") + std::string(kMachineNames[i]);
  }
  key.read = [read = key.read, write = key.write, machines, having](const Node& node, void* object,
                                                                    Reading& reading) {
    read(node, object, reading);
    const RpParameters standard;
    const auto machine = static_cast<const RpParameters*>(object)->machine;
    if ((machines & SetOf(machine)) == 0 && write(object, {}) != write(&standard, {}))
      throw ScenarioError(node.where, fmt::format("{} needs machine: {}", reading.key, having));
  };
}

/// The keys of a table, with the additional traits of a few.
template <class P, size_t N>
std::vector<KeyOf<P>> KeysOfTable(const std::array<Parameter<P>, N>& table,
                                  const std::map<std::string, Traits>& traits) {
  std::vector<KeyOf<P>> keys;
  for (const Parameter<P>& parameter : table) {
    const auto own = traits.find(parameter.key);
    KeyOf<P> key =
        std::visit(AsKey<P>{parameter, own == traits.end() ? Traits{} : own->second}, parameter.kind);
    if constexpr (std::is_same_v<P, RpParameters>) {
      if (parameter.machines != kAllMachines) RefuseOfOthers(key, parameter.machines);
    }
    keys.push_back(parameter.of_adapters ? OfAdapter(key) : key);
  }
  return keys;
}

/// sysfs has one switch per priority instead of a mask.
template <class Point>
Traits SwitchesOf(ControlledPriorities Point::*field) {
  KindOf<ControlledPriorities> switches = Mapping(PrioritySwitchKeys());
  switches.write = {};
  return {.also = {KeyOf<Point>("enable", field, switches,
                                "roce_cc_prio_mask in the form of sysfs: true or false for each priority")}};
}

/// A parameter of adapters, as another spelling of a key.
template <class S, class Q>
KeyOf<S> Adapters(const char* sysfs, Q S::*field, Q unit, int64_t least, int64_t most, const char* help) {
  return OfAdapter(KeyOf<S>(sysfs, field, Counts(unit, least, most), help));
}

/// The class of CNPs has one code point and priority for all NICs.
KeyOf<NpParameters> OfCnpClass(const char* sysfs, const char* of_class, int most, const char* help,
                               int (*of)(const TrafficClass&)) {
  const auto read = [=](const Node& node, NpParameters&, Reading& reading) {
    const int64_t wanted = ParseInteger(node, 0, most);
    const auto cnp = FindClass(*reading.classes, "cnp");
    if (!cnp) throw ScenarioError(node.where, "priorities has no traffic class \"cnp\"");
    const int is = of((*reading.classes)[*cnp]);
    if (wanted == is) return;
    throw ScenarioError(node.where,
                        fmt::format("{} is {}, but the {} of the traffic class \"cnp\" is {}", reading.key,
                                    wanted, of_class, is),
                        fmt::format("priorities: cnp: {{{}: {}}}", of_class, wanted));
  };
  return OfAdapter(KeyOf<NpParameters>(sysfs, {ShapeOfIntegers(0, most), read, {}}, help));
}

/// The kernel's key np_cnp_prio_mode: whether CNPs take their priority from cnp_802p_prio or from elsewhere.
KindOf<NpParameters> PriorityMode() {
  return {ShapeOfIntegers(0, 0),
          [](const Node& node, NpParameters&, Reading&) {
            if (ParseInteger(node, 0, 1) != 0)
              throw ScenarioError(node.where,
                                  "np_cnp_prio_mode 1 gives CNPs another priority than np_cnp_prio, but "
                                  "in Headroom CNPs have the priority of the traffic class \"cnp\"",
                                  "allowed: 0");
          },
          {}};
}

const KeysOf<NpParameters>& NotificationPointKeys() {
  using Np = NpParameters;
  static const KeysOf<Np> keys({.name = "np", .page = "models/dcqcn.md"}, [] {
    std::vector<KeyOf<Np>> all = KeysOfTable(
        kNpTable, {{"min_cnp_interval",
                    {.also = {Adapters("min_time_between_cnps", &Np::min_cnp_interval, kMicrosecond, 0,
                                       kLongest, "min_cnp_interval in ConnectX's form, in us")}}},
                   {"roce_cc_prio_mask", SwitchesOf(&Np::priorities)}});
    const KeyOf<Np> of_class[] = {
        OfCnpClass("cnp_802p_prio", "priority", 7,
                   "only checked: it must equal the priority of the "
                   "class cnp",
                   [](const TrafficClass& c) -> int { return c.priority; }),
        OfCnpClass("cnp_dscp", "dscp", 63, "only checked: it must equal the dscp of the class cnp",
                   [](const TrafficClass& c) -> int { return c.dscp; }),
        {"np_cnp_prio_mode",
         PriorityMode(),
         "from debugfs; only checked: CNPs must have the priority np_cnp_prio",
         {.unlisted = true}}};
    all.insert(all.end() - 1, std::begin(of_class), std::end(of_class));
    return all;
  }());
  return keys;
}

/// g in the adapters' form: 1 - g, in 1/1024.
KindOf<double> Kept() {
  return {ShapeOfIntegers(0, kOne - 1),
          [](const Node& node, double& g, Reading&) {
            g = static_cast<double>(kOne - ParseInteger(node, 0, kOne - 1)) / kOne;
          },
          {}};
}

/// Traits that few of the reaction point's keys have, mainly adapters' spellings.
std::map<std::string, Traits> ReactionPointTraits() {
  using Rp = RpParameters;
  const auto also = [](KeyOf<Rp> key) { return Traits{.also = {std::move(key)}}; };
  std::map<std::string, Traits> traits;
  traits["reduce_window"] = also(Adapters("rate_reduce_monitor_period", &Rp::reduce_window, kMicrosecond, 1,
                                          kLongest, "reduce_window in ConnectX's form, in us"));
  traits["g"] =
      also(OfAdapter(KeyOf<Rp>("dce_tcp_g", &Rp::g, Kept(), "1 - g in ConnectX's form, in 1/1024")));
  traits["g"].standard = "1/256";
  traits["alpha_timer"] = also(Adapters("dce_tcp_rtt", &Rp::alpha_timer, kMicrosecond, 1, kLongest,
                                        "alpha_timer in ConnectX's form, in us"));
  traits["increase_timer"] = also(Adapters("rpg_time_reset", &Rp::increase_timer, kMicrosecond, 1, kLongest,
                                           "increase_timer in ConnectX's form, in us"));
  traits["byte_counter"] = also(Adapters("rpg_byte_reset", &Rp::byte_counter, Bytes(64), 0, 32'767,
                                         "byte_counter in ConnectX's form, in 64 bytes; 0: none"));
  traits["fast_recovery"] = also(OfAdapter(
      KeyOf<Rp>("rpg_threshold", &Rp::fast_recovery, Integers(1, 31), "fast_recovery in ConnectX's form")));
  traits["fast_recovery"].breaks = true;
  traits["rate_ai"] = also(
      Adapters("rpg_ai_rate", &Rp::rate_ai, kMegabit, 1, kHighest, "rate_ai in ConnectX's form, in Mb/s"));
  traits["rate_hai"] = also(
      Adapters("rpg_hai_rate", &Rp::rate_hai, kMegabit, 1, kHighest, "rate_hai in ConnectX's form, in Mb/s"));
  traits["min_rate"] = also(
      Adapters("rpg_min_rate", &Rp::min_rate, kMegabit, 1, kHighest, "min_rate in ConnectX's form, in Mb/s"));
  traits["max_rate"] = also(Adapters("rpg_max_rate", &Rp::max_rate, kMegabit, 0, kHighest,
                                     "max_rate in ConnectX's form, in Mb/s; 0: line rate"));
  traits["max_rate"].standard = "line rate";
  traits["max_rate"].tried = {"0bps", "*4", "/4"};
  traits["machine"].cost = Cost::fixed;  // a model
  KeyOf<Rp> clamp =
      OfAdapter(KeyOf<Rp>("clamp_tgt_rate", &Rp::clamp_target, Bit(), "clamp_target in ConnectX's form"));
  RefuseOfOthers(clamp, kNotThePaper);
  traits["clamp_target"] = also(clamp);
  for (const char* key : {"clamp_tgt_rate_after_time_inc", "rate_to_set_on_first_cnp"})
    traits[key].breaks = true;
  traits["roce_cc_prio_mask"] = SwitchesOf(&Rp::priorities);
  return traits;
}

const KeysOf<RpParameters>& ReactionPointKeys() {
  using Rp = RpParameters;
  static const KeysOf<Rp> keys(
      {.name = "rp", .page = "models/dcqcn.md"}, KeysOfTable(kRpTable, ReactionPointTraits()),
      [](const Node& node, Rp& rp, Reading&) {
        const auto unmet = WithMachine(rp, [&rp](const auto& machine) { return machine.UnmetBy(rp); });
        if (!unmet) return;
        const Node* const own = node.Find(unmet->key);
        const Node* const machine = node.Find("machine");
        const auto& all = keys.keys();
        const auto key = std::ranges::find(all, unmet->key, &Key::name);
        throw ScenarioError((own       ? own
                             : machine ? machine
                                       : &node)
                                ->where,
                            fmt::format(fmt::runtime(unmet->what), key->write(&rp, {})), unmet->change);
      });
  return keys;
}

const KeysOf<LimiterParameters>& LimiterKeys() {
  static const KeysOf<LimiterParameters> keys(
      {.name = "limiter", .page = "models/dcqcn.md", .cost = Cost::fixed}, KeysOfTable(kLimiterTable, {}));
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
                            "priorities with DCQCN; bit n is priority n; np and rp may differ",
                            {.standard = "255"})),
       {"np", &Nic::dcqcn, &Dcqcn::np, Mapping(NotificationPointKeys()), "notification point"},
       {"rp", &Nic::dcqcn, &Dcqcn::rp, Mapping(ReactionPointKeys()), "reaction point"},
       {"limiter", &Nic::dcqcn, &Dcqcn::limiter, Mapping(LimiterKeys()), "rate limiter"}});
  return keys;
}

}  // namespace headroom::keys
