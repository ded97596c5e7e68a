// Placement, erasure coding and background work of a service in scenarios: read, written, refused.
#include <gtest/gtest.h>

#include <string>

#include "protocol/storage/storage_parameters.h"
#include "scenario/read/load.h"
#include "scenario/write/write.h"

namespace headroom::extent_keys_test {
namespace {

/// `more` is in line 4, from column 1.
std::string Text(const std::string& more, const std::string& back = ", back: {protocol: su_rdma}") {
  return "duration: 10ms\n"
         "topology: {type: star, hosts: 18, link: {rate: 80Gbps, length: 3m}}\n"
         "services: [{name: store, type: storage, compute: h0, extent_nodes: \"h[1-9]*\", front: {protocol: "
         "sk_rdma}" +
         back + ",\n" + more +
         "}]\nworkloads: [{name: disks, type: io, service: store, blocks: [{size: 8KiB}], depth: 4}]\n";
}
StorageParameters Read(const std::string& more) {
  return LoadScenarioText(Text(more), "s.yaml", ".").services[0].As<StorageParameters>();
}

TEST(ExtentKeys, are_read_with_their_defaults) {
  const StorageParameters p = Read("erasure: {}, background: {}");
  EXPECT_EQ(p.across, FailureDomain::rack);
  EXPECT_EQ(p.erasure, ErasureParameters{});
  EXPECT_EQ(p.erasure->fragments(), 16);
  EXPECT_EQ(p.background, BackgroundParameters{});
  EXPECT_FALSE(Read("replicas: 3").erasure);
  EXPECT_FALSE(Read("replicas: 3").background);
}

TEST(ExtentKeys, are_read_as_written) {
  const StorageParameters p = Read(
      "placement: {across: datacenter}, erasure: {data: 6, local: 0, global: 3, coded: 50%}, "
      "background: {gc: 1Gbps, reencode: 2Gbps, piece: 64KiB}");
  EXPECT_EQ(p.across, FailureDomain::datacenter);
  EXPECT_EQ(p.erasure, (ErasureParameters{6, 0, 3, 0.5, kReedSolomonCycles}));
  EXPECT_EQ(p.background,
            (BackgroundParameters{GigabitsPerSecond(1), GigabitsPerSecond(2), Bytes(64 * 1024)}));
  EXPECT_EQ(Read("erasure: {local: 0, cycles_per_byte: 1}").erasure->cycles_per_byte, 1);
}

TEST(ExtentKeys, what_is_written_is_read_as_the_same) {
  for (const char* more :
       {"replicas: 3", "erasure: {local: 0}", "placement: {across: host}, background: {gc: 1Gbps}",
        "erasure: {coded: 0}, background: {reencode: 1Gbps}"}) {
    const std::string yaml = WriteResolved(LoadScenarioFileText(Text(more), "s.yaml", ".")).yaml;
    EXPECT_EQ(LoadScenarioText(yaml, "resolved.yaml", ".").services[0].As<StorageParameters>(), Read(more))
        << yaml;
  }
}

TEST(ExtentKeys, what_cannot_be_is_refused) {
  struct Refused {
    std::string text, message;
  };
  const Refused all[] = {
      {Text("placement: {across: racks}"),
       R"(s.yaml:4:21: "racks" is not an allowed value; allowed: host, rack, cluster, datacenter; did you mean "rack"?)"},
      {Text("erasure: {data: 12, local: 5}"),
       "s.yaml:4:10: 12 data fragments do not divide into 5 groups of the same size; give data as a "
       "multiple of local"},
      {Text("erasure: {local: 0, global: 0}"),
       "s.yaml:4:10: the code has no parity; give local or "
       "global of 1 or more"},
      {Text("erasure: {data: 30, global: 10}"), "s.yaml:4:10: 42 fragments are too many; allowed: up to 32"},
      {Text("erasure: {data: 14}"),
       "s.yaml:4:10: 18 fragments need as many extent nodes, but the service has 17; give more extent "
       "nodes, or fewer fragments"},
      {Text("erasure: {coded: 120%}"), R"(s.yaml:4:18: "120%" is out of range; allowed: 0 to 100%)"},
      {Text("background: {reencode: 1Gbps}"),
       R"(s.yaml:4:13: "reencode" needs erasure coding; give erasure: {} beside background)"},
      {Text("background: {gc: 1Gbps, pieces: 1MiB}"),
       R"(s.yaml:4:25: unknown key "pieces"; allowed: gc, reencode, piece; did you mean "piece"?)"},
      {Text("background: {piece: 1KiB}"), R"(s.yaml:4:21: "1KiB" is out of range; allowed: 4KiB to 64MiB)"},
      {Text("erasure: {}", ""),
       R"(s.yaml:4:10: "erasure" needs a back leg, which is missing; back: {protocol: su_rdma})"},
  };
  for (const Refused& r : all) {
    try {
      LoadScenarioText(r.text, "s.yaml", ".");
      ADD_FAILURE() << r.text;
    } catch (const ScenarioError& error) {
      EXPECT_EQ(std::string(error.what()), r.message) << r.text;
    }
  }
}

/// Messages carry numbers of extents.
TEST(ExtentKeys, disks_of_more_extents_than_there_are_numbers_are_refused) {
  const auto load = [](const std::string& of_service) {
    LoadScenarioText(
        "duration: 10ms\ntopology: {type: star, hosts: 18, link: {rate: 80Gbps, length: 3m}}\n"
        "services: [{name: store, type: storage, compute: \"h?\", extent_nodes: \"h1?\", front: {protocol: "
        "sk_rdma}, back: {protocol: su_rdma},\n" +
            of_service +
            "}]\nworkloads: [{name: disks, type: io, service: store, blocks: [{size: 8KiB}], depth: 4}]\n",
        "s.yaml", ".");
  };
  load("extent: 4MiB");
  try {
    load("extent: 1MiB");
    ADD_FAILURE();
  } catch (const ScenarioError& error) {
    EXPECT_STREQ(error.what(),
                 "s.yaml:4:9: 10 disks of 1TiB need 10485760 extents of 1MiB, but a service has at most "
                 "4194304; give extent: 3MiB or more, or a smaller disk_size");
  }
}

}  // namespace
}  // namespace headroom::extent_keys_test
