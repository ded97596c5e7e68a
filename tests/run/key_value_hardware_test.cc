// HERD on the cluster Apt: a change of one hardware parameter has the right effect, and no other.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "protocol/keyvalue/key_value_record.h"
#include "run/run.h"
#include "scenario/read/load.h"
#include "support/in_child.h"

namespace headroom::key_value_hardware_test {
namespace {

struct Herd {
  int processes = 6, hosts = 17;  ///< processes with three clients each
  int value = 32;
  int microseconds = 70;         ///< after a warm-up of 60 us
  std::string costs = "{}";      ///< costs of processes
  std::string resources = "{}";  ///< resources of NICs, instead of the set's
};

/// Throughput in millions of operations a second.
double Mops(const Herd& h) {
  std::string clients;
  for (int i = 0; i < h.hosts; ++i) clients += fmt::format(", c{}", i);
  const std::string changed = h.resources == "{}" ? "" : "set: connectx3-pcie3-x8, " + h.resources;
  const std::string yaml = fmt::format(
      R"(name: herd
duration: {}us
warmup: 60us
include: [herd-apt.yaml]
topology: {{type: star, link: {{rate: 54.32Gbps, length: 2m}}, hosts: [s{}]}}
services:
  - {{name: cache, type: herd, servers: s, clients: "c*", processes: {}, client_processes: 3, window: 4, costs: {},
     log: 4MiB, index_keys: 65536}}
workloads: [{{name: keys, type: kv, service: cache, keys: 10000, puts: 0%, value: {}B}}]
{})",
      60 + h.microseconds, clients, h.processes, h.costs, h.value,
      changed.empty()
          ? ""
          : fmt::format("nics: [{{match: \"*\", congestion_control: none, resources: {{{}, rx_buffer: "
                        "{{size: 64KiB, xoff: 8KiB, xon: 4KiB}}}}}}]\n",
                        changed));
  SCOPED_TRACE(yaml);
  return std::stod(TextFromChild([&] {
    const RunRecord record = headroom::Run(
        LoadScenarioText(yaml, "test.yaml", HEADROOM_SOURCE_DIR "/scenarios/papers/common"), {});
    uint64_t ended = 0;
    for (const OperationTotals& of_kind : record.operation_totals[0]) ended += of_kind.steady;
    EXPECT_EQ(record.Service<KeyValueRecord>(0).wrong + record.Service<KeyValueRecord>(0).retried, 0u);
    return std::to_string(static_cast<double>(ended) / h.microseconds);
  }));
}

Herd OneCore() {
  Herd h;
  h.processes = 1;
  return h;
}
double With(Herd h, const std::string& resources) {
  h.resources = resources;
  return Mops(h);
}

/// The tolerance of 3 % is for the ends of a short run.
void ExpectClose(double got, double expected) { EXPECT_NEAR(got, expected, 0.03 * expected); }

TEST(KeyValueHardware, what_a_core_takes_to_post_is_the_rate_of_one_core) {
  Herd h = OneCore();
  ExpectClose(Mops(h), 1000 / 158.7);  // 6.3
  h.costs = "{post: 300ns}";
  ExpectClose(Mops(h), 1000 / 308.7);
  h.costs = "{request: 100ns}";
  ExpectClose(Mops(h), 1000 / 250.0);
  // Six cores have time to spare.
  Herd six;
  const double before = Mops(six);
  six.costs = "{post: 160ns}";
  ExpectClose(Mops(six), before);
}

TEST(KeyValueHardware, the_engine_that_both_pipelines_share_is_the_rate_of_six_cores) {
  ExpectClose(Mops({}), 26);
  // A request and its answer take 9.6 ns more each.
  ExpectClose(With({}, "engine: {message: 26.3ns}"), 1000 / (1000 / 26.0 + 2 * 9.6));
  ExpectClose(With(OneCore(), "engine: {message: 26.3ns}"), Mops(OneCore()));
}

TEST(KeyValueHardware, a_line_of_programmed_io_is_the_height_of_a_step) {
  // Two lines and three, if these are slower than all else.
  const auto value = [](int bytes, const std::string& line) {
    Herd h;
    h.value = bytes;
    h.microseconds = 400;
    return With(h, "pio: {line: " + line + "}");
  };
  ExpectClose(value(60, "40ns"), 1000 / 80.0);
  ExpectClose(value(61, "40ns"), 1000 / 120.0);
  ExpectClose(value(124, "40ns"), 1000 / 120.0);
  ExpectClose(value(125, "40ns"), 1000 / 160.0);
  // Data that the NIC fetches have one line of header and its pointer.
  ExpectClose(value(144, "40ns"), value(1, "40ns"));
  ExpectClose(With(OneCore(), "pio: {line: 40ns}"), Mops(OneCore()));
}

TEST(KeyValueHardware, the_context_cache_is_how_many_clients_have_full_rate) {
  // There are 51 connections, whose contexts weigh 5 each, and the six processes' datagrams.
  const double before = Mops({});
  ExpectClose(With({}, "context_cache: {entries: 261}"), before);
  EXPECT_LT(With({}, "context_cache: {entries: 180}"), 0.9 * before);
  Herd few;
  few.hosts = 10;
  const double of_few = Mops(few);
  ExpectClose(With(few, "context_cache: {entries: 180}"), of_few);
  ExpectClose(With(OneCore(), "context_cache: {entries: 240}"), Mops(OneCore()));
}

TEST(KeyValueHardware, the_header_of_datagrams_is_where_the_knee_is) {
  const auto value = [](int bytes, const std::string& header) {
    Herd h;
    h.value = bytes;
    return header.empty() ? Mops(h) : With(h, "wqe: {datagram: " + header + "}");
  };
  const double before = Mops({});
  ExpectClose(value(60, ""), before);
  EXPECT_LT(value(61, ""), 0.85 * before);
  ExpectClose(value(92, "36B"), before);
  EXPECT_LT(value(93, "36B"), 0.85 * before);
}

}  // namespace
}  // namespace headroom::key_value_hardware_test
