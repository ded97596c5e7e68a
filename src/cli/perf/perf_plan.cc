// Part of perf.h: checks the options and turns them into tests.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "cli/perf/perf.h"
#include "scenario/read/load.h"
#include "scenario/yaml/nearest.h"

namespace headroom {

namespace {

struct NamedTest {
  const char* name;
  PerfVerb verb;
  bool latency;
};
constexpr NamedTest kTests[] = {
    {"ib_write_bw", PerfVerb::write, false}, {"ib_read_bw", PerfVerb::read, false},
    {"ib_send_bw", PerfVerb::send, false},   {"ib_write_lat", PerfVerb::write, true},
    {"ib_read_lat", PerfVerb::read, true},   {"ib_send_lat", PerfVerb::send, true}};
constexpr uint32_t kLargest = 1u << 23;

[[noreturn]] void Refuse(const std::string& what) { throw std::invalid_argument(what); }

const NamedTest& FindTest(const std::string& name) {
  std::vector<std::string> names;
  for (const NamedTest& t : kTests) {
    if (name == t.name) return t;
    names.emplace_back(t.name);
  }
  const std::string near = Nearest(name, names);
  Refuse(fmt::format("there is no test \"{}\"; {}", name,
                     near.empty() ? "there are: " + Join(names) : "did you mean " + near + "?"));
}

NodeId FindHost(const Topology& topology, const std::string& name) {
  std::vector<std::string> names;
  for (NodeId h = 0; h < topology.hosts; ++h) {
    if (topology.nodes[h].name == name) return h;
    names.push_back(topology.nodes[h].name);
  }
  const std::string near = Nearest(name, names);
  Refuse(fmt::format("there is no host \"{}\"{}", name, near.empty() ? "" : "; did you mean " + near + "?"));
}

QpType FindConnection(const std::string& name, const NamedTest& test) {
  constexpr const char* kNames[] = {"RC", "UC", "UD"};
  const auto at = std::find(std::begin(kNames), std::end(kNames), name);
  if (at == std::end(kNames))
    Refuse(fmt::format("there is no connection \"{}\"; there are: RC, UC, UD", name));
  const auto type = static_cast<QpType>(at - std::begin(kNames));
  const bool has = type == QpType::rc || test.verb == PerfVerb::send ||
                   (type == QpType::uc && test.verb == PerfVerb::write);
  if (!has) Refuse(fmt::format("{} has no {}", name, test.verb == PerfVerb::read ? "READ" : "WRITE"));
  return type;
}

const TrafficClass& FindTrafficClass(const Scenario& s, const std::optional<std::string>& name) {
  std::vector<std::string> names;
  const TrafficClass* first = nullptr;
  for (const TrafficClass& c : s.classes) {
    if (c.name.empty()) continue;
    if (name && c.name == *name) return c;
    names.push_back(c.name);
    const bool better = first == nullptr || (c.lossless && !first->lossless);
    if (better && (c.priority != s.cnp_priority || names.size() == 1)) first = &c;
  }
  if (name) Refuse(fmt::format("there is no traffic class \"{}\"; there are: {}", *name, Join(names)));
  return *first;
}

/// perftest's number of messages, but at most 1 GiB of messages per queue pair.
int Iterations(const PerfTest& test) {
  const int usual = test.verb == PerfVerb::write && !test.latency ? 5000 : 1000;
  constexpr int64_t kMostBytes = int64_t{1} << 30;
  return static_cast<int>(std::min<int64_t>(usual, kMostBytes / test.size));
}

int CqModeration(const PerfTest& test) {
  constexpr uint32_t kLarge = 8192;
  return test.size > kLarge ? 1 : std::min(100, test.tx_depth);
}

uint32_t Inline(const PerfTest& test) {
  if (!test.latency || test.verb == PerfVerb::read) return 0;
  if (test.verb == PerfVerb::write) return 220;
  return test.connection == QpType::ud ? 188 : 236;
}

std::vector<uint32_t> Sizes(const PerfOptions& options, const PerfTest& test, int64_t mtu) {
  const uint32_t most = test.connection == QpType::ud ? static_cast<uint32_t>(mtu) : kLargest;
  std::vector<uint32_t> sizes;
  for (uint32_t size = 2; options.all && size <= most; size *= 2) sizes.push_back(size);
  if (options.all) return sizes;
  const int64_t usual = test.latency ? 2 : std::min<int64_t>(65536, most);
  const int64_t size = options.size.value_or(usual);
  if (size < 1 || size > most) {
    Refuse(fmt::format("--size {} is out of range; allowed: 1 to {}{}", size, most,
                       test.connection == QpType::ud ? ", because a UD message fits into one mtu" : ""));
  }
  return {static_cast<uint32_t>(size)};
}

/// A NIC that reports marks by flags on its ACKs cannot report them without ACKs.
void RequireAcks(const Scenario& s, const PerfTest& test, const PerfOptions& options) {
  const bool reads = test.verb == PerfVerb::read;
  if (test.connection == QpType::rc && !reads) return;
  for (const auto& [host, name] : {std::pair(test.to, options.to), std::pair(test.from, options.from)}) {
    const bool takes = host == (reads ? test.from : test.to) || (test.latency && !reads);
    if (!takes || !s.nics[host].FlagsAcks(test.priority)) continue;
    Refuse(fmt::format(
        "the NIC of \"{}\" reports ECN marks only in a flag on ACKs (coalescing: ack_flag), but {} has "
        "no ACKs; choose another generation than hpcc-sim, because other NICs send CNPs",
        name, reads ? "a READ" : options.connection));
  }
}

void RequireRange(const char* option, int64_t value, int64_t least, int64_t most) {
  if (value < least || value > most)
    Refuse(fmt::format("{} {} is out of range; allowed: {} to {}", option, value, least, most));
}

}  // namespace

PerfPlan PlanPerf(const std::filesystem::path& file, const std::vector<std::string>& sets,
                  const PerfOptions& options) {
  PerfPlan plan;
  plan.scenario = LoadScenario(file, sets);
  Scenario& s = plan.scenario;
  s.workloads.clear();
  const NamedTest& named = FindTest(options.test);
  PerfTest test;
  test.verb = named.verb;
  test.latency = named.latency;
  test.from = FindHost(s.topology, options.from);
  test.to = FindHost(s.topology, options.to);
  if (test.from == test.to) Refuse("--from and --to are the same host; give two");
  test.connection = FindConnection(options.connection, named);
  const TrafficClass& traffic_class = FindTrafficClass(s, options.traffic_class);
  test.priority = traffic_class.priority;
  RequireAcks(s, test, options);

  if (options.all && options.size) Refuse("--all and --size exclude each other");
  RequireRange("--qp", options.queue_pairs, 1, 16384);
  RequireRange("--tx-depth", options.tx_depth, 1, 15000);
  if (test.latency && options.queue_pairs > 1) Refuse("--qp needs a bandwidth test, such as ib_write_bw");
  test.queue_pairs = options.queue_pairs;
  test.tx_depth = options.tx_depth;
  if (options.iterations) RequireRange("--iters", *options.iterations, 5, 100'000'000);
  if (options.cq_mod) RequireRange("--cq-mod", *options.cq_mod, 1, test.tx_depth);
  if (options.inline_size) RequireRange("--inline_size", *options.inline_size, 0, 256);
  for (const uint32_t size : Sizes(options, test, s.mtu)) {
    test.size = size;
    test.iterations = options.iterations.value_or(Iterations(test));
    test.cq_mod = options.cq_mod.value_or(CqModeration(test));
    test.inline_size = options.inline_size ? static_cast<uint32_t>(*options.inline_size) : Inline(test);
    plan.sizes.push_back(test);
  }
  plan.test = options.test;
  plan.from = options.from;
  plan.to = options.to;
  plan.connection = options.connection;
  plan.traffic_class = traffic_class.name;
  return plan;
}

}  // namespace headroom
