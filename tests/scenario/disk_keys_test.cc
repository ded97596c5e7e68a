// The disks of extent nodes in scenarios: how they are read and written, and refusals.
#include <gtest/gtest.h>

#include <string>

#include "protocol/storage/storage_parameters.h"
#include "scenario/read/load.h"
#include "scenario/write/write.h"

namespace headroom::disk_keys_test {
namespace {

/// `disk` is in line 3, from column 97.
std::string Text(const std::string& disk) {
  return "duration: 10ms\ntopology: {type: star, hosts: [c0, e0], link: {rate: 80Gbps, length: 3m}}\n"
         "services: [{name: store, type: storage, compute: c0, extent_nodes: e0, front: {protocol: sk_rdma}, "
         "disk: " +
         disk +
         "}]\nworkloads: [{name: disks, type: io, service: store, blocks: [{size: 8KiB}], depth: 4}]\n";
}
DiskParameters Read(const std::string& disk) {
  return LoadScenarioText(Text(disk), "s.yaml", ".").services[0].As<StorageParameters>().disk;
}

TEST(DiskKeys, a_time_is_one_for_all_or_a_law) {
  const DiskParameters p = Read(
      "{read: {median: 85us, p99: 106us, tail: {share: 1/100000, from: 300us, to: 3ms}}, write: 20us, "
      "iops: 500000, bandwidth: {read: 25.6Gbps, write: 12Gbps}, cache: 8MiB}");
  EXPECT_EQ(p.read, TimeLaw(Microseconds(85), Microseconds(106), 1e-5, Microseconds(300), Milliseconds(3)));
  EXPECT_EQ(p.write, TimeLaw(Microseconds(20)));
  EXPECT_EQ(p.iops, 500'000);
  EXPECT_EQ(p.read_bandwidth, MegabitsPerSecond(25'600));
  EXPECT_EQ(p.write_bandwidth, GigabitsPerSecond(12));
  EXPECT_EQ(p.cache, Bytes(8 << 20));
  EXPECT_EQ(Read("{read: {median: 1us, p99: 1us}}").read, TimeLaw(Microseconds(1), Microseconds(1)));
}

TEST(DiskKeys, a_named_device_is_what_is_not_said_otherwise) {
  EXPECT_EQ(Read("{device: optane}"), FindDevice("optane"));
  EXPECT_EQ(Read("{}"), FindDevice("none"));
  DiskParameters p = FindDevice("nvme-tlc");
  p.read = Microseconds(90);  // the device has no tail
  p.iops = 0;
  p.write_bandwidth = Rate(0);
  EXPECT_EQ(Read("{read: 90us, iops: unlimited, bandwidth: {write: unlimited}, device: nvme-tlc}"), p);
}

TEST(DiskKeys, what_is_written_is_read_as_the_same) {
  for (const char* disk :
       {"{}", "{device: nvme-mlc}", "{device: nvme-tlc, write: {median: 10us, p99: 30us}, cache: 0B}",
        "{read: 90us, write: 20us, iops: 500000}", "{device: optane, read: 0us, iops: unlimited}"}) {
    const std::string yaml = WriteResolved(LoadScenarioFileText(Text(disk), "s.yaml", ".")).yaml;
    const Scenario again = LoadScenarioText(yaml, "resolved.yaml", ".");
    EXPECT_EQ(again.services[0].As<StorageParameters>().disk, Read(disk)) << yaml;
    EXPECT_EQ(WriteResolved(LoadScenarioFileText(yaml, "resolved.yaml", ".")).yaml, yaml);
  }
}

std::string MessageOf(const std::string& disk) {
  try {
    Read(disk);
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "";
}

TEST(DiskKeys, what_cannot_be_is_refused) {
  struct Refused {
    const char *disk, *message;
  };
  const Refused all[] = {
      {"{device: nvme}",
       R"(s.yaml:3:115: there is no device "nvme"; allowed: none, nvme-tlc, nvme-mlc, optane)"},
      {"{read: {median: 85us}}", R"(s.yaml:3:113: the key "p99" is missing)"},
      {"{read: {median: 85us, p99: 80us}}", "s.yaml:3:113: p99 80us is below the median 85us"},
      {"{read: {median: 0us, p99: 80us}}", R"(s.yaml:3:122: "0us" is out of range; allowed: 1ns to 100s)"},
      {"{read: {median: 1us, p99: 2us, tail: {share: 2, from: 1us, to: 2us}}}",
       R"(s.yaml:3:151: "2" is out of range; allowed: 0 to 100%; did you mean "2%"?)"},
      {"{read: {median: 1us, p99: 2us, tail: {share: 1%, from: 3us, to: 2us}}}",
       "s.yaml:3:143: from 3us is above to 2us"},
      {"{read: {median: 1us, p99: 2us, tail: {share: 1%, from: 3us}}}",
       R"(s.yaml:3:143: the key "to" is missing)"},
      {"{read: [1us]}", R"(s.yaml:3:113: a list is not a mapping of keys to values)"},
      {"{bandwidth: {reads: 1Gbps}}",
       R"(s.yaml:3:119: unknown key "reads"; allowed: read, write; did you mean "read"?)"},
      {"{bandwidth: {read: 1Mbps}}", R"(s.yaml:3:125: "1Mbps" is out of range; allowed: 100Mbps to 100Tbps)"},
      {"{cache: 2TiB}", R"(s.yaml:3:114: "2TiB" is out of range; allowed: 0B to 1TiB)"},
  };
  for (const Refused& r : all) EXPECT_EQ(MessageOf(r.disk), r.message) << r.disk;
}

}  // namespace
}  // namespace headroom::disk_keys_test
