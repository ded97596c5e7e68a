// Hosts, services and workloads of type io: how they are read, and the messages of refusals.
#include <gtest/gtest.h>

#include <string>

#include "nic/transport/requester.h"
#include "nic/transport/responder.h"
#include "nic/verbs/work_request.h"
#include "protocol/storage/storage_parameters.h"
#include "protocol/storage/wire/sk_message.h"
#include "scenario/expected_traffic.h"
#include "scenario/memory/memory.h"
#include "scenario/read/load.h"
#include "scenario/write/write.h"
#include "workload/io_arrivals.h"
#include "workload/operation.h"

namespace headroom::services_test {
namespace {

const std::string kStart = "duration: 10ms\n";
const std::string kTopology =
    "topology: {type: star, hosts: [c0, c1, c2, e0, e1], link: {rate: 80Gbps, length: 3m}}\n";
const std::string kFront = "front: {protocol: sk_rdma}";
const std::string kIo = "{name: disks, type: io, service: store, blocks: [{size: 8KiB}], depth: 4}";

std::string Store(const std::string& more = kFront) {
  return "{name: store, type: storage, compute: \"c*\", extent_nodes: \"e*\", " + more + "}";
}
/// The services are in line 3, from column 12, the workloads in line 4, from column 13.
std::string Text(const std::string& services, const std::string& workloads = kIo,
                 const std::string& more = "") {
  return kStart + kTopology + "services: [" + services + "]\nworkloads: [" + workloads + "]\n" + more;
}
std::string Io(const std::string& keys) {
  return Text(Store(), "{name: disks, type: io, service: store, " + keys + "}");
}
Scenario Load(const std::string& text) { return LoadScenarioText(text, "s.yaml", "."); }
const IoArrivals& IoOf(const Scenario& s) { return s.workloads[0].arrivals.As<IoArrivals>(); }

std::string MessageOf(const std::string& text) {
  try {
    Load(text);
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "";
}

TEST(Services, are_read_with_their_defaults) {
  const Scenario s = Load(Text(Store()));
  ASSERT_EQ(s.services.size(), 1u);
  const StorageParameters& store = s.services[0].As<StorageParameters>();
  EXPECT_EQ(store.name, "store");
  EXPECT_EQ(store.compute, (std::vector<NodeId>{0, 1, 2}));
  EXPECT_EQ(store.extent_nodes, (std::vector<NodeId>{3, 4}));
  EXPECT_EQ(store.front, StorageLeg{});
  EXPECT_EQ(store.disk, DiskParameters{});
  EXPECT_EQ(s.hosts, std::vector<HostParameters>(5));
  EXPECT_EQ(IoOf(s).from, store.compute);
  EXPECT_EQ(IoOf(s).to, store.extent_nodes);
  EXPECT_EQ(IoOf(s).depth, 4);
  EXPECT_EQ(IoOf(s).rate, 0);
  EXPECT_EQ(IoOf(s).blocks, (std::vector<IoArrivals::Block>{{Bytes(8192), 1}}));
  EXPECT_EQ(s.observe.operations.one_in, 1u);
}

TEST(Services, are_read_as_written) {
  const Scenario s = Load(kStart + kTopology + R"(
priorities: {fast: {priority: 2}, storage: {priority: 3}, cnp: {priority: 6}}
hosts:
  - {match: "*", cores: 2, clock: 2.5GHz, rdma: {cycles_per_message: 1500, cycles_per_byte: 0.1}}
  - match: "*"
    tcp: {cycles_per_message: 5450, cycles_per_byte_sent: 0.22, cycles_per_byte_received: 0.57, cycles_per_byte_crc: 0.32}
    operation: {cycles_per_request: 1300}
  - {match: e1, cores: 8, rdma: {cycles_per_byte: 1}, operation: {cycles_per_request: 900}}
services:
  - {name: far, type: storage, compute: c2, extent_nodes: e1, front: {protocol: sk_rdma, credits: 7, crc: false}}
  - {name: near, type: storage, compute: [c0, c1], extent_nodes: e0, disk_size: 2GiB, extent: 64MiB,
     front: {protocol: su_rdma, priority: fast, credits: 1, small: 1KiB, large: 32KiB, chunk: 256KiB, landings: 2,
             pool: 64MiB, reopen: 2ms},
     disk: {read: 90us, write: 20us, iops: 500000}}
workloads:
  - {name: open, type: io, service: near, blocks: [{size: 8KiB, share: 70%}, {size: 1MiB, share: 30%}], reads: 70%,
     rate: 0.5, arrival: even, ramp: 1ms, start: 2ms, stop: 9ms, from: c1}
  - {name: closed, type: io, service: far, blocks: [{size: 1B}], depth: 32, think: 5us}
faults: [{type: corrupt, node: e0, probability: 1/1000, start: 1ms, stop: 2ms}]
observe: {operations: 1/100}
)");
  const StorageParameters& near = s.services[1].As<StorageParameters>();
  EXPECT_EQ(near.front, (StorageLeg{StorageProtocol::su_rdma, 2, 1, true, Bytes(1024), Bytes(32 * 1024),
                                    Bytes(256 * 1024), 2, Bytes(64 << 20), Milliseconds(2)}));
  EXPECT_EQ(near.disk, (DiskParameters{Microseconds(90), Microseconds(20), 500'000}));
  EXPECT_EQ(near.disk_size, Bytes(int64_t{2} << 30));
  EXPECT_EQ(near.extent, Bytes(64 << 20));
  EXPECT_EQ(s.services[0].As<StorageParameters>().front.credits, 7);
  EXPECT_FALSE(s.services[0].As<StorageParameters>().front.crc);
  EXPECT_EQ(s.services[0].As<StorageParameters>().front.priority, 3);  // the class "storage"
  // for each key the last match counts
  EXPECT_EQ(s.hosts[0], (HostParameters{2, {2.5e9, {1500, 0.1}, {5450, 0.22, 0.57, 0.32}, {1300}}}));
  EXPECT_EQ(s.hosts[4], (HostParameters{8, {2.5e9, {1500, 1}, {5450, 0.22, 0.57, 0.32}, {900}}}));
  const IoArrivals& open = IoOf(s);
  EXPECT_EQ(open.service, 1u);
  EXPECT_EQ(open.from, std::vector<NodeId>{1});
  EXPECT_EQ(open.to, std::vector<NodeId>{3});
  EXPECT_DOUBLE_EQ(open.blocks[0].share, 0.7);
  EXPECT_DOUBLE_EQ(open.reads, 0.7);
  EXPECT_DOUBLE_EQ(open.rate, 0.5);
  EXPECT_TRUE(open.even);
  EXPECT_EQ(open.ramp, Milliseconds(1));
  EXPECT_EQ(open.start, Milliseconds(2));
  EXPECT_EQ(open.stop, Milliseconds(9));
  EXPECT_EQ(s.workloads[0].priority, 2);  // its service's priority
  const auto& closed = s.workloads[1].arrivals.As<IoArrivals>();
  EXPECT_EQ(closed.think, Microseconds(5));
  const auto& corrupt = std::get<CorruptFault>(s.faults[0]);
  EXPECT_EQ(corrupt.host, 3u);
  EXPECT_DOUBLE_EQ(corrupt.probability, 0.001);
  EXPECT_EQ(corrupt.times.start, Milliseconds(1));
  EXPECT_EQ(corrupt.times.stop, Milliseconds(2));
  EXPECT_EQ(s.observe.operations.one_in, 100u);
}

TEST(Services, of_messages_too_lines_are_kept_of_some) {
  EXPECT_EQ(Load(Text(Store(), kIo)).observe.messages.one_in, 1u);
  EXPECT_EQ(Load(Text(Store(), kIo, "observe: {messages: 1/100}\n")).observe.messages.one_in, 100u);
  EXPECT_EQ(Load(Text(Store(), kIo, "observe: {messages: none}\n")).observe.messages.one_in, 0u);
}

TEST(Services, of_operations_all_are_kept_or_none) {
  EXPECT_EQ(Load(Text(Store(), kIo, "observe: {operations: none}\n")).observe.operations.one_in, 0u);
  EXPECT_EQ(Load(Text(Store(), kIo, "observe: {operations: all}\n")).observe.operations.one_in, 1u);
}

TEST(Services, are_not_written_where_there_are_none) {
  const std::string yaml =
      WriteResolved(
          LoadScenarioFileText(kStart + kTopology + "workloads: [{name: w, type: permutation, size: 1KB}]\n",
                               "s.yaml", "."))
          .yaml;
  for (const char* key : {"hosts:\n", "services:", "operations"})
    EXPECT_EQ(yaml.find(key), std::string::npos) << key;
}

TEST(Services, are_laid_on_those_of_included_files_by_name_and_hosts_joined) {
  const Scenario s = LoadScenarioText(
      "include: services.yaml\nservices: [{name: store, front: {credits: 7}}]\nhosts: [{match: e0, cores: "
      "3}]\n",
      "s.yaml", std::string(HEADROOM_SOURCE_DIR) + "/tests/scenario/good");
  ASSERT_EQ(s.services.size(), 2u);
  EXPECT_EQ(s.services[0].As<StorageParameters>().front.credits, 7);
  EXPECT_EQ(s.services[0].As<StorageParameters>().disk.iops, 500'000);
  EXPECT_EQ(s.hosts[3], (HostParameters{3, {2.5e9, {1500, 0.1}, {}, {}}}));
}

TEST(Services, are_reached_by_paths_of_set) {
  const auto set = [](const std::string& sets) {
    return LoadScenarioText(Text(Store()), "s.yaml", ".", {sets});
  };
  EXPECT_EQ(set("services.store.front.credits=5").services[0].As<StorageParameters>().front.credits, 5);
  EXPECT_EQ(set("hosts.e0.cores=5").hosts[3].cores, 5);
  EXPECT_EQ(set("hosts.e0.cores=5").hosts[4].cores, 1);
}

struct Refused {
  std::string text, message;
};

TEST(Services, a_leg_over_tcp_is_in_a_lossy_class_where_there_is_one) {
  const auto front = [](const std::string& priorities, const std::string& more = "") {
    return Load(kStart + kTopology + priorities + "services: [" +
                Store("front: {protocol: tcp" + more + "}") + "]\nworkloads: [" + kIo + "]\n")
        .services[0]
        .As<StorageParameters>()
        .front;
  };
  StorageLeg leg = front("");
  EXPECT_EQ(leg.protocol, StorageProtocol::tcp);
  EXPECT_EQ(leg.priority, 3);  // storage
  EXPECT_EQ(leg.congestion, TcpParameters::Congestion::cubic);
  EXPECT_EQ(leg.connections, 1);
  leg = front("", ", congestion: dctcp, connections: 4, crc: false, reopen: 3ms");
  EXPECT_EQ(leg.congestion, TcpParameters::Congestion::dctcp);
  EXPECT_EQ(leg.connections, 4);
  EXPECT_FALSE(leg.crc);
  EXPECT_EQ(leg.reopen, Milliseconds(3));
  const std::string two =
      "priorities: {storage: {priority: 3, lossless: true}, cnp: {priority: 6}, bulk: {priority: 1}";
  EXPECT_EQ(front(two + "}\n").priority, 1);
  EXPECT_EQ(front(two + "}\n", ", priority: storage").priority, 3);
  EXPECT_EQ(front(two + ", other: {priority: 2}, tcp: {priority: 5}}\n").priority, 5);
}

TEST(Services, each_refusal_has_its_exact_message) {
  const std::string hosts =
      kStart + kTopology + "services: [" + Store() + "]\nworkloads: [" + kIo + "]\nhosts: ";
  const Refused all[] = {
      // hosts
      {hosts + "[{match: \"*\", clock: 1GHz, tcp: {cycles_per_byte: 1}}]",
       R"(s.yaml:5:41: unknown key "cycles_per_byte"; allowed: cycles_per_message, cycles_per_byte_sent, cycles_per_byte_received, cycles_per_byte_crc)"},
      {hosts + "[{match: \"*\", tcp: {cycles_per_byte_sent: 1}}]",
       "s.yaml:5:27: cycles of a core need its clock, which is missing; beside tcp: clock: 2.5GHz"},
      {hosts + "[{match: \"*\", operation: {cycles_per_request: 1}}]",
       "s.yaml:5:33: cycles of a core need its clock, which is missing; beside operation: clock: 2.5GHz"},
      {hosts + "[{match: \"*\", clock: 1GHz, operation: {cycles_per_request: 2e9}}]",
       R"(s.yaml:5:67: "2e9" is out of range; allowed: 0 to 1000000000)"},
      {hosts + "[{match: \"*\", clock: 2.5}]",
       R"(s.yaml:5:29: "2.5" has no unit; write a clock rate as a number and one of the units Hz, kHz, MHz, GHz; did you mean "2.5GHz"?)"},
      {hosts + "[{match: \"*\", clock: 2Mhz}]",
       R"(s.yaml:5:29: "2Mhz" is not a clock rate; write a clock rate as a number and one of the units Hz, kHz, MHz, GHz; did you mean "2MHz"?)"},
      {hosts + "[{match: \"*\", clock: 1THz}]",
       R"(s.yaml:5:29: "1THz" is not a clock rate; write a clock rate as a number and one of the units Hz, kHz, MHz, GHz; did you mean "1Hz"?)"},
      {hosts + "[{match: \"*\", clock: 200GHz}]",
       R"(s.yaml:5:29: "200GHz" is out of range; allowed: 1MHz to 100GHz)"},
      {hosts + "[{match: \"*\", rdma: {cycles_per_message: 1500}}]",
       "s.yaml:5:28: cycles of a core need its clock, which is missing; beside rdma: clock: 2.5GHz"},
      {hosts + "[{match: \"*\", clock: 1GHz, rdma: {cycles_per_byte: -1}}]",
       R"(s.yaml:5:59: "-1" is out of range; allowed: 0 to 1000000)"},
      {hosts + "[{match: \"*\", clock: 1GHz, rdma: {cycles_per_byte: 1us}}]",
       R"(s.yaml:5:59: "1us" is not a number; allowed: 0 to 1000000)"},
      {hosts + "[{match: x, cores: 2}]", R"(s.yaml:5:17: "x" matches nothing here)"},
      {hosts + "[{match: \"*\", cores: 0}]", R"(s.yaml:5:29: "0" is out of range; allowed: 1 to 1024)"},
      // services
      {Text("{name: a, type: herd}"), R"(s.yaml:3:12: the key "servers" is missing)"},
      {Text("{name: a, type: storge}"),
       R"(s.yaml:3:28: "storge" is not an allowed value; allowed: storage, herd, pilaf, farm, farm_var, echo, redis, rdmavisor, queue_pairs, locked, brpc, tensorflow, nccl; did you mean "storage"?)"},
      {Text("{type: storage}"), R"(s.yaml:3:12: the key "name" is missing)"},
      {Text("{name: a}"), R"(s.yaml:3:12: the key "type" is missing)"},
      {Text(Store(kFront + ", replicas: 3")),
       R"(s.yaml:3:114: "replicas" needs a back leg, which is missing; back: {protocol: su_rdma})"},
      {Text(Store("front: {}")), R"(s.yaml:3:83: the key "protocol" is missing)"},
      {Text(Store("front: {protocol: quic}")),
       R"(s.yaml:3:94: "quic" is not an allowed value; allowed: sk_rdma, su_rdma, tcp)"},
      {Text(Store("front: {protocol: sk_rdma, chunk: 64KiB}")),
       R"(s.yaml:3:110: "chunk" is a key of protocol su_rdma, but the protocol is sk_rdma; leave the key out, or give protocol: su_rdma)"},
      {Text(Store("front: {protocol: sk_rdma, connections: 2}")),
       R"(s.yaml:3:116: "connections" is a key of protocol tcp, but the protocol is sk_rdma; leave the key out, or give protocol: tcp)"},
      {Text(Store("front: {protocol: su_rdma, congestion: dctcp}")),
       R"(s.yaml:3:115: "congestion" is a key of protocol tcp, but the protocol is su_rdma; leave the key out, or give protocol: tcp)"},
      {Text(Store("front: {protocol: tcp, credits: 5}")),
       R"(s.yaml:3:108: "credits" is a key of protocol sk_rdma or su_rdma, but the protocol is tcp; leave the key out, or give protocol: sk_rdma or su_rdma)"},
      {Text(Store("front: {protocol: tcp, landings: 5}")),
       R"(s.yaml:3:109: "landings" is a key of protocol su_rdma, but the protocol is tcp; leave the key out, or give protocol: su_rdma)"},
      {Text(Store("front: {protocol: tcp, congestion: cubc}")),
       R"(s.yaml:3:111: "cubc" is not an allowed value; allowed: cubic, dctcp; did you mean "cubic"?)"},
      {Text(Store("front: {protocol: tcp, connections: 0}")),
       R"(s.yaml:3:112: "0" is out of range; allowed: 1 to 64)"},
      {Text(Store("front: {protocol: tcp, conections: 2}")),
       R"(s.yaml:3:99: unknown key "conections"; allowed: protocol, priority, crc, reopen, congestion, connections; did you mean "connections"?)"},
      {Text(Store("front: {protocol: sk_rdma, credit: 5}")),
       R"(s.yaml:3:103: unknown key "credit"; allowed: protocol, priority, credits, crc, pool, reopen; did you mean "credits"?)"},
      {Text(Store("front: {protocol: sk_rdma, credits: 0}")),
       R"(s.yaml:3:112: "0" is out of range; allowed: 1 to 4096)"},
      {Text(Store("front: {protocol: su_rdma, priority: storge}")),
       R"(s.yaml:3:113: there is no traffic class "storge"; allowed: storage, cnp; did you mean "storage"?)"},
      {Text(Store("front: {protocol: su_rdma, small: 128KiB}")),
       "s.yaml:3:83: small 128KiB is larger than large 64KiB"},
      {Text(Store("front: {protocol: su_rdma, chunk: 4MiB, pool: 4MiB}")),
       "s.yaml:3:83: a pool of 4MiB is smaller than a chunk; allowed: from 4194392B"},
      {Text(Store("front: {protocol: su_rdma, large: 8MiB, landings: 1000}")),
       "s.yaml:3:83: 1000 landings of 8MiB need more memory than 4GiB; give a smaller large, or fewer "
       "landings"},
      {Text("{name: store, type: storage, compute: \"*\", extent_nodes: [e0], " + kFront + "}"),
       R"(s.yaml:3:69: "e0" is both compute host and extent node, so I/Os would go from it to itself; compute and extent_nodes must have no host in common)"},
      {Text("{name: store, type: storage, compute: \"d*\", extent_nodes: e0, " + kFront + "}"),
       R"(s.yaml:3:50: "d*" matches no host; there are c0, c1, c2, e0, e1)"},
      {Text(Store() + ", " + Store()), R"(s.yaml:3:112: a service "store" exists already)"},
      {Text(""), "s.yaml:3:11: the scenario has no service"},
      {Text(Store(), kIo, "nics: [{match: e1, generation: hpcc-sim}]\n"),
       R"(s.yaml:3:12: the NIC of "e1" reports ECN marks only in a flag on ACKs (coalescing: ack_flag), but READ responses of services have no ACKs; give dcqcn: {np: {coalescing: per_qp}} or per_packet, or another generation than hpcc-sim)"},
      // workloads
      {Text(Store(), "{name: w, type: io, service: stor, blocks: [{size: 1B}], depth: 1}"),
       R"(s.yaml:4:42: there is no service "stor"; allowed: store; did you mean "store"?)"},
      {kStart + kTopology + "workloads: [" + kIo + "]\n",
       R"(s.yaml:3:46: there is no service "store"; services: [{name: …, type: storage, …}])"},
      {Text(Store(), "{name: w, type: kv, service: store}"),
       R"(s.yaml:4:42: service "store" is of type storage; the name of a service of type herd, pilaf, farm, )"
       R"(farm_var, echo, redis)"},
      {Io("blocks: [{size: 1B}]"), "s.yaml:4:13: a key is missing; one of depth, rate"},
      {Io("blocks: [{size: 1B}], depth: 1, rate: 5"), R"(s.yaml:4:13: "depth" beside "rate")"},
      {Io("blocks: [], depth: 1"), "s.yaml:4:61: the list is empty"},
      {Io("blocks: [{size: 1B, share: 60%}, {size: 2B, share: 30%}], depth: 1"),
       "s.yaml:4:61: the shares sum to 90%; give shares that sum to 100%"},
      {Io("blocks: [{size: 1B, share: 60%}, {size: 2B}], depth: 1"),
       R"(s.yaml:4:86: the key "share" is missing; with several sizes, give each its share)"},
      {Io("blocks: [{size: 1B, share: 60%}], depth: 1"),
       "s.yaml:4:61: the shares sum to 60%; give shares that sum to 100%"},
      {Io("blocks: [{size: 2GiB}], depth: 1"), R"(s.yaml:4:69: "2GiB" is out of range; allowed: 1B to 1GiB)"},
      {Text(Store(kFront + ", extent: 1MiB"),
            "{name: w, type: io, service: store, blocks: [{size: 2MiB}], depth: 1}"),
       R"(s.yaml:4:57: a block of 2MiB is larger than an extent, the limit of service "store"; allowed: up to 1MiB)"},
      {Text(Store("front: {protocol: sk_rdma, pool: 2MiB}"),
            "{name: w, type: io, service: store, blocks: [{size: 4MiB}], depth: 1}"),
       R"(s.yaml:4:57: a block of 4MiB is larger than the pool, the limit of service "store"; allowed: up to 2MiB)"},
      {Io("blocks: [{size: 1B}], depth: 1, arrival: even"), R"(s.yaml:4:94: "arrival" needs rate)"},
      {Io("blocks: [{size: 1B}], rate: 1, think: 1us"), R"(s.yaml:4:91: "think" needs depth)"},
      {Io("blocks: [{size: 1B}], depth: 1, from: e0"),
       R"(s.yaml:4:91: "e0" is not a compute host of service "store")"},
      {Io("blocks: [{size: 1B}], depth: 1, priority: storage"),
       "s.yaml:4:95: operations of I/Os have the traffic class of their service; services: [{front: "
       "{priority: …}}]"},
      {Io("blocks: [{size: 1B}], depth: 1, start: 2ms, stop: 1ms"),
       "s.yaml:4:103: stop 1ms is not after start 2ms"},
      {Io("blocks: [{size: 1B}], depth: 1, start: 10ms"),
       R"(s.yaml:4:13: workload "disks" has an arrival at 10ms, but arrivals stop at duration 10ms)"},
      {Io("blocks: [{size: 1B}], depth: 1, ramp: 4ms, stop: 4ms"),
       R"(s.yaml:4:91: ramp 4ms leaves no time of workload "disks", which ends at 4ms)"},
      {kTopology + "services: [" + Store() + "]\nworkloads: [" + kIo + "]\n",
       R"(s.yaml:1:1: the key "duration" is missing; give it, because workload "disks" continues until duration)"},
      // settings that belong to them
      {Text(Store(), kIo, "observe: {operations: 5%}\n"),
       R"(s.yaml:5:23: "5%" is not a share of the operations; allowed: all, none, or 1/N with N up to 1000000000)"},
      {Text(Store(), kIo, "observe: {operations: 1/0}\n"),
       R"(s.yaml:5:23: "1/0" is not a share of the operations; allowed: all, none, or 1/N with N up to 1000000000)"},
      {kStart + kTopology + "workloads: [{name: w, type: permutation, size: 1KB}]\n" +
           "faults: [{type: corrupt, node: c0, probability: 1%}]\n",
       R"(s.yaml:4:32: no service of storage or keys runs at "c0", so there is nothing to damage)"},
      {Text(Store(), kIo, "faults: [{type: corrupt, node: e0}]\n"),
       R"(s.yaml:5:10: the key "probability" is missing)"},
  };
  for (const Refused& refused : all) EXPECT_EQ(MessageOf(refused.text), refused.message) << refused.text;
}

/// The first error concerns the service; there is none about workloads that then lack one.
TEST(Services, that_are_wrong_are_told_of_before_workloads_that_name_them) {
  EXPECT_EQ(MessageOf(kStart + kTopology + "workloads: [" + kIo + "]\nservices: [" +
                      Store("front: {protocol: quic}") + "]\n"),
            R"(s.yaml:4:94: "quic" is not an allowed value; allowed: sk_rdma, su_rdma, tcp)");
}

double Ios(const std::string& keys, const std::string& disk = "") {
  const Scenario s = Load(Text(Store(kFront + disk), "{name: w, type: io, service: store, " + keys + "}"));
  return s.workloads[0].arrivals->Expected(s);
}

TEST(Services, ios_are_expected_as_many_as_rate_line_disk_or_depth_let_through) {
  // 3 hosts, 10 ms
  EXPECT_DOUBLE_EQ(Ios("blocks: [{size: 1KB}], rate: 20000"), 3 * 200);
  EXPECT_DOUBLE_EQ(Ios("blocks: [{size: 1KB}], rate: 20000, start: 4ms, stop: 9ms, from: c0"), 100);
  // 4 are open at each host, and the lines of two extent nodes carry 20 GB/s of 10 KB, all in one direction
  EXPECT_DOUBLE_EQ(Ios("blocks: [{size: 10KB}], depth: 4"), 3 * 4 + 20'000);
  // or three quarters of them in one direction
  EXPECT_DOUBLE_EQ(Ios("blocks: [{size: 10KB}], depth: 4, reads: 25%"), 3 * 4 + 20'000 / 0.75);
  EXPECT_DOUBLE_EQ(Ios("blocks: [{size: 10KB}], depth: 4", ", disk: {iops: 1000}"), 3 * 4 + 2 * 10);
  // each place of the depth is free again after disk and think time: 100 us
  EXPECT_DOUBLE_EQ(Ios("blocks: [{size: 10KB}], depth: 4, think: 10us", ", disk: {read: 90us}"),
                   3 * 4 + 3 * 4 * 100);
}

TEST(Services, connections_and_operations_are_part_of_the_memory) {
  const auto whole = [](const std::string& front, const std::string& more = "") {
    return EstimateMemory(Load(Text(Store(front), kIo, more))).expected;
  };
  // 3 × 2 connections, with a RECV at each end for each credit
  const double sk = whole("front: {protocol: sk_rdma, credits: 65}") - whole(kFront);
  EXPECT_GE(sk, 6 * 2 * SkMessage::kBytes);
  EXPECT_LT(sk, 6 * 2 * 2 * SkMessage::kBytes + 6 * 2 * 100);
  // two at each end, for data and answers: only RECVs that hold a message have memory for its header
  const double su = whole("front: {protocol: su_rdma, credits: 65}") - whole("front: {protocol: su_rdma}");
  EXPECT_GE(su, 6 * 2 * 2 * sizeof(ReceiveWork));
  EXPECT_LT(su, 6 * 2 * 2 * 2 * sizeof(ReceiveWork));
  const Scenario s = Load(Text(Store()));
  const double half = s.workloads[0].arrivals->Expected(s) * sizeof(OperationRecord) / 2;
  const double less = whole(kFront) - whole(kFront, "observe: {operations: 1/2}\n");
  EXPECT_GT(less, half);
  EXPECT_LT(less, 3 * half);
}

}  // namespace
}  // namespace headroom::services_test
