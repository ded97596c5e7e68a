// `failover` of a service and the fault of its extent nodes: how they are read and written, and refusals.
#include <gtest/gtest.h>

#include <string>

#include "protocol/storage/storage_parameters.h"
#include "scenario/read/load.h"
#include "scenario/write/write.h"

namespace headroom::failover_keys_test {
namespace {

/// The service is in line 3, its failover from column 114.
std::string Text(const std::string& failover, const std::string& more = "") {
  return "duration: 10ms\n"
         "topology: {type: star, hosts: [c0, c1, e0, e1, e2], link: {rate: 80Gbps, length: 3m}}\n"
         "services: [{name: store, type: storage, compute: \"c*\", extent_nodes: \"e*\", front: {protocol: "
         "sk_rdma}, " +
         failover +
         "}]\n"
         "workloads: [{name: disks, type: io, service: store, blocks: [{size: 8KiB}], depth: 4}]\n" +
         more;
}
Scenario Load(const std::string& text) { return LoadScenarioText(text, "s.yaml", "."); }
std::string MessageOf(const std::string& text) {
  try {
    Load(text);
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "";
}

/// The written form is read back as the same scenario.
void ExpectSameWritten(const std::string& text) {
  const ScenarioFile file = LoadScenarioFileText(text, "s.yaml", ".");
  const std::string written = WriteResolved(file).yaml;
  const ScenarioFile again = LoadScenarioFileText(written, "resolved.yaml", ".");
  EXPECT_EQ(again.scenario.services, file.scenario.services);
  EXPECT_EQ(again.scenario.faults, file.scenario.faults);
  EXPECT_EQ(WriteResolved(again).yaml, written);
}

TEST(Failover, is_read_with_its_defaults_and_as_it_is_written) {
  const Scenario plain = Load(Text("failover: {to: {protocol: su_rdma}}"));
  ASSERT_TRUE(plain.services[0].As<StorageParameters>().failover.has_value());
  EXPECT_EQ(plain.services[0].As<StorageParameters>().failover->to.protocol, StorageProtocol::su_rdma);
  EXPECT_EQ(plain.services[0].As<StorageParameters>().failover->when, FailoverParameters{});
  EXPECT_FALSE(Load(Text("extent: 1GiB")).services[0].As<StorageParameters>().failover.has_value());

  const std::string full_text = Text(
      "failover: {to: {protocol: su_rdma, chunk: 16KiB}, every: 200us, fraction: 25%, detect: never, back: "
      "0us,"
      " schedule: [{at: 2ms, share: 100%}, {at: 6ms, share: 0}]}");
  const Scenario full = Load(full_text);
  const StorageFailover& failover = *full.services[0].As<StorageParameters>().failover;
  EXPECT_EQ(failover.to.chunk, Bytes(16 * 1024));
  EXPECT_EQ(failover.when,
            (FailoverParameters{
                0.25, Microseconds(200), kNever, Time(0), {{Milliseconds(2), 1}, {Milliseconds(6), 0}}}));
  ExpectSameWritten(full_text);
}

TEST(Failover, is_refused_for_what_is_wrong_with_it) {
  const auto refused = [](const std::string& failover, const std::string& message) {
    EXPECT_EQ(MessageOf(Text("failover: " + failover)), message) << failover;
  };
  refused("{}", R"(s.yaml:3:114: the key "to" is missing)");
  refused(
      "{to: {protocol: sk_rdma}}",
      R"(s.yaml:3:130: the standby has protocol "sk_rdma", which front or back already has; give a protocol other than those of front and back)");
  refused("{to: tcp}", R"(s.yaml:3:119: "tcp" is not a mapping of keys to values)");
  refused("{to: {protocol: su_rdma}, fraction: 0}",
          R"(s.yaml:3:150: "0" is out of range; allowed: above 0 to 100%)");
  refused("{to: {protocol: su_rdma}, fraction: 200%}",
          R"(s.yaml:3:150: "200%" is out of range; allowed: above 0 to 100%)");
  refused("{to: {protocol: su_rdma}, every: 0us}",
          R"(s.yaml:3:147: "0us" is out of range; allowed: 1us to 100s)");
  refused("{to: {protocol: su_rdma}, detect: 0us}",
          R"(s.yaml:3:148: "0us" is out of range; allowed: 1us to 100s)");
  refused(
      "{to: {protocol: su_rdma}, dtect: 1ms}",
      R"(s.yaml:3:140: unknown key "dtect"; allowed: to, every, fraction, detect, back, schedule; did you mean "detect"?)");
  refused("{to: {protocol: su_rdma}, schedule: []}", R"(s.yaml:3:150: the list is empty)");
  refused("{to: {protocol: su_rdma}, schedule: [{at: 2ms}]}", R"(s.yaml:3:151: the key "share" is missing)");
  refused("{to: {protocol: su_rdma}, schedule: [{at: 2ms, share: 100%}, {at: 2ms, share: 0}]}",
          R"(s.yaml:3:175: at 2ms is not after the previous step, at 2ms)");
}

TEST(ExtentNodeDown, is_read_and_refused) {
  const std::string back = "back: {protocol: su_rdma}";
  const auto fault = [](const std::string& keys) {
    return "faults: [{type: extent_node_down, " + keys + ", start: 1ms, stop: 2ms}]\n";
  };
  const std::string text = Text(back, fault("service: store, node: e1"));
  const Scenario s = Load(text);
  const auto& down = std::get<ExtentNodeDownFault>(s.faults[0]);
  EXPECT_EQ(down.service, 0u);
  EXPECT_EQ(down.node, 3u);
  ExpectSameWritten(text);
  EXPECT_EQ(MessageOf(Text(back, fault("service: stor, node: e1"))),
            R"(s.yaml:5:44: there is no service "stor"; allowed: store; did you mean "store"?)");
  EXPECT_EQ(MessageOf(Text(back, fault("service: store, node: c1"))),
            R"(s.yaml:5:57: "c1" is not an extent node of "store")");
  EXPECT_EQ(MessageOf(Text(back, fault("service: store"))), R"(s.yaml:5:10: the key "node" is missing)");
  EXPECT_EQ(
      MessageOf(Text("extent: 1GiB", fault("service: store, node: e1"))),
      R"(s.yaml:5:44: "store" has no back leg, so no host could ask another node; give it one: back: {protocol: su_rdma})");
}

}  // namespace
}  // namespace headroom::failover_keys_test
