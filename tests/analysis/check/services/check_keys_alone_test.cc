// Results of `check` for a lone operation on keys, and for the most throughput, against runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/check/services/check_services.h"
#include "analysis/scenario_of.h"
#include "protocol/keyvalue/key_value_record.h"
#include "run/run.h"
#include "support/dice.h"
#include "support/in_child.h"

namespace headroom::check_keys_alone_test {
namespace {

struct Service {
  const char* type;
  const char* more;
  bool puts;  ///< the service knows that it puts keys
};
const Service kServices[] = {
    {"herd", "", true},
    {"herd", ", prefetch: false", true},
    {"pilaf", "", true},
    {"pilaf", ", tables: true", true},
    {"farm", "", true},
    {"farm", ", tables: true", true},
    {"farm_var", "", true},
    {"farm_var", ", tables: true", true},
    {"echo", "", false},
    {"echo", ", accesses: 3", false},
    {"echo", ", accesses: 3, prefetch: false", false},
    {"echo", ", request: {verb: send, transport: rc}, reply: {verb: send, transport: rc}", false},
    {"echo", ", request: {verb: write, transport: rc}, reply: {verb: send, transport: ud}", false},
    {"echo", ", request: {verb: send, transport: ud}, reply: {verb: write, transport: rc}", false}};

KeysCheck CheckOf(const Scenario& s, Findings& findings) {
  const Fabric fabric(s);
  return CheckServices(fabric, ClassifySwitches(fabric), findings).keys.workloads.at(0);
}

/// One client's process, whose next operation begins when the previous one ends.
Scenario Alone(const Service& of, const char* value, const char* puts, const char* more, const char* nic) {
  const std::string shares = of.puts ? std::string(", puts: ") + puts : "";
  return ScenarioOf(std::string("duration: 300us\nmtu: 1024\ntopology: {type: star, hosts: [s, c], link: ") +
                    more + "}\nnics: [{match: \"*\"" + nic + "}]\nservices: [{name: k, type: " + of.type +
                    ", servers: s, clients: c, window: 1" + of.more +
                    "}]\nworkloads: [{name: w, type: kv, service: k, keys: 1000, value: " + value + shares +
                    "}]\n");
}

/// Mean latency in picoseconds, and READs of an operation; the first operation finds no traces of an earlier
/// one.
struct Ran {
  double latency = 0, reads = 0, operations = 0;
};
Ran Measure(const Scenario& s) {
  const RunRecord r = headroom::Run(s, {});
  Ran ran;
  for (size_t i = 1; i < r.operations.size(); ++i) {
    if (!r.operations[i].Finished()) continue;
    ran.latency += static_cast<double>((r.operations[i].completed - r.operations[i].start).v);
    ++ran.operations;
  }
  ran.latency /= ran.operations;
  ran.reads = static_cast<double>(r.Service<KeyValueRecord>(0).reads) / (ran.operations + 1);
  return ran;
}

/// If a server's process looks in one place, only the READs of Pilaf's GETs are random: 1.6 READs of buckets,
/// with a deviation of 0.75, and the run may draw more or fewer.
TEST(CheckKeysAlone, is_what_a_run_of_one_client_takes) {
  for (const Service& of : kServices) {
    for (const auto& [value, link] :
         {std::pair("1B", "{rate: 100Gbps, length: 5m}"), std::pair("900B", "{rate: 10Gbps, delay: 10ns}"),
          std::pair("200B", "{rate: 1Gbps, delay: 3us}")}) {
      for (const char* puts : {"0%", "100%"}) {
        if (!of.puts && puts[0] == '1') continue;
        SCOPED_TRACE(std::string(of.type) + of.more + " " + value + " " + puts + " " + link);
        InChild([&] {
          const Scenario s = Alone(of, value, puts, link, "");
          Findings findings;
          const KeysCheck w = CheckOf(s, findings);
          const Ran ran = Measure(s);
          const auto alone = static_cast<double>(w.alone.v);
          const bool draws = std::string(of.type) == "pilaf" && puts[0] == '0';
          if (!w.exact) {
            EXPECT_LE(alone, ran.latency);
          } else if (draws) {
            // For n operations: 1.6 ± 4 · 0.75 / √n READs of buckets, and each takes at most a third of the
            // latency.
            EXPECT_NEAR(ran.latency / alone, 1, 4 * 0.75 / std::sqrt(ran.operations) / 2);
          } else {
            EXPECT_NEAR(ran.latency, alone, 1);
          }
        });
      }
    }
  }
}

TEST(CheckKeysAlone, counts_the_fabric_of_a_chassis) {
  for (const Service& of : kServices) {
    InChild([&] {
      Scenario s = Alone(of, "200B", "100%", "{rate: 100Gbps, length: 5m}", "");
      s.switches[0].chassis.emplace();
      Findings findings;
      EXPECT_EQ(s.switches[0].transit(), s.switches[0].latency + s.switches[0].chassis->fabric_latency * 3);
      EXPECT_NEAR(Measure(s).latency, static_cast<double>(CheckOf(s, findings).alone.v), 1) << of.type;
    });
  }
}

/// A NIC's stations take more time, and `check` states that it does not know how much.
TEST(CheckKeysAlone, is_at_least_so_much_where_nics_have_costs) {
  for (const Service& of : kServices) {
    InChild([&] {
      const Scenario s =
          Alone(of, "200B", "30%", "{rate: 40Gbps, length: 5m}", ", resources: connectx3-pcie3-x8");
      Findings findings;
      const KeysCheck w = CheckOf(s, findings);
      EXPECT_FALSE(w.exact) << of.type;
      EXPECT_LT(static_cast<double>(w.alone.v), Measure(s).latency) << of.type << of.more;
    });
  }
}

/// Services of every kind between racks, in closed loops and at rates beyond their capacity.
Scenario Loaded(Dice& dice) {
  const Service& of = kServices[dice.Between(0, static_cast<int64_t>(std::size(kServices)) - 1)];
  const bool racks = dice.OneIn(2), costly = dice.OneIn(3);
  std::string yaml = "duration: 100us\nmtu: 1024\ntopology: ";
  yaml +=
      racks ? "{type: leaf_spine, leaves: 2, spines: 2, hosts_per_leaf: 3, host_link: {rate: 25Gbps, length: "
              "5m}, fabric_link: {rate: 100Gbps, length: 100m}}"
            : "{type: star, hosts: 6, link: {rate: 10Gbps, length: 5m}}";
  yaml += std::string("\nnics: [{match: \"*\"") + (costly ? ", resources: connectx3-pcie3-x8" : "") + "}]\n";
  yaml += std::string("services: [{name: k, type: ") + of.type +
          ", servers: \"h[0-1]\", clients: \"h[2-5]\"" + of.more +
          ", processes: " + std::to_string(dice.Between(1, 3)) +
          ", client_processes: " + std::to_string(dice.Between(1, 3)) +
          ", window: " + std::to_string(dice.Between(1, 6)) + "}]\n";
  yaml += "workloads: [{name: w, type: kv, service: k, keys: 500, value: " +
          std::to_string(dice.Between(1, 900)) + "B";
  if (of.puts) yaml += ", puts: " + std::to_string(dice.Between(0, 60)) + "%, read_modify_writes: 20%";
  if (dice.OneIn(2)) yaml += ", rate: " + std::to_string(dice.Between(100'000, 3'000'000));
  return ScenarioOf(yaml + "}]\n");
}

/// Bounds hold for a mean operation. The mean of n drawn operations deviates by √n operations; the test
/// allows four times that. Operations open before the end are added.
TEST(CheckKeysAlone, no_run_beats_the_bounds_of_any_kind) {
  for (int seed = 1; seed <= 40; ++seed) {
    InChild([&] {
      Dice dice(static_cast<uint64_t>(seed));
      const Scenario s = Loaded(dice);
      Findings findings;
      const KeysCheck w = CheckOf(s, findings);
      const RunRecord r = headroom::Run(s, {});
      double ended = 0, in_all = 0;
      for (const OperationRecord& o : r.operations) ended += o.completed <= s.duration, ++in_all;
      const double most = w.Least().a_second * InSeconds(s.duration);
      EXPECT_GT(ended, 0);
      EXPECT_LE(ended, most + 4 * std::sqrt(most) + static_cast<double>(w.open))
          << "seed " << seed << ": " << w.system << ", " << LimitName(w.Least().limit);
      // Only settings without effect are reported.
      const double granted = w.rate > 0 ? std::min(w.granted, w.Least().a_second) : w.rate;
      EXPECT_EQ(granted < w.rate,
                std::ranges::any_of(
                    findings, [](const Finding& f) { return f.what.starts_with("the rate is "); }))
          << seed;
    });
  }
}

}  // namespace
}  // namespace headroom::check_keys_alone_test
