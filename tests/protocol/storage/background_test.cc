// Garbage collection and coding in the background: reads return the last write, whatever moves and whichever
// nodes are away, and both keep to their rates.
#include "protocol/storage/background.h"

#include <gtest/gtest.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "history/block_ids.h"
#include "protocol/storage/extent_node.h"
#include "protocol/storage/storage_parameters.h"
#include "protocol/storage/wire/su_lab.h"
#include "support/in_child.h"

namespace headroom::background_test {
namespace {

constexpr uint32_t kBlock = kHistoryBlock, kBlocks = 256;  // of the disk

StorageParameters Store() {
  StorageParameters p;
  p.name = "store";
  p.compute = {0};
  for (NodeId id = 1; id <= 10; ++id) p.extent_nodes.push_back(id);
  p.disk.read = Microseconds(9);
  p.disk.write = Microseconds(2);
  p.disk_size = Bytes(kBlocks * kBlock);
  p.extent = Bytes(64 * kBlock);
  p.erasure = ErasureParameters{4, 2, 2, 0};
  p.seal.takes = Microseconds(30);
  p.background = BackgroundParameters{Rate(0), Rate(0), Bytes(16 * kBlock)};
  return p;
}

/// A partition server with one disk and its extent nodes, without a network.
class System {
 public:
  explicit System(const StorageParameters& p)
      : parameters(p),
        lab_(StarScenario(11, {GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0})),
        topology_(lab_.scenario.topology),
        placement_(p.name, p.across, p.extent_nodes, topology_),
        extents(parameters, placement_, 1, 0, 1),
        delayed_calls(0, nullptr),
        server(parameters, extents, "store/h1", *lab_.hosts[1].process, delayed_calls, &log_, ask),
        background(parameters, {0}, "store/h1", server, extents, delayed_calls, ask, &log_, operations_) {
    for (const NodeId id : p.extent_nodes)
      nodes[id] =
          std::make_unique<ExtentNode>(parameters, id, "store/" + std::to_string(id), 0, nullptr, &log_);
  }

  void Write(uint32_t block, uint32_t count) {
    StorageCall call;
    call.kind = OperationKind::write;
    call.place = {0, uint64_t{block} * kBlock};
    call.length = count * kBlock;
    call.bytes.resize(call.length);
    call.request.number = ++last_;
    PutWriteIds(call.place.offset, call.bytes, last_);
    ++open;
    server.Execute(std::move(call),
                   [this, block, count, id = last_](OperationStatus status, std::vector<uint8_t>) {
                     --open;
                     EXPECT_EQ(status, OperationStatus::ok);
                     for (uint32_t i = block; i < block + count; ++i) written[i] = id;
                   });
  }

  /// Reads the entire disk. REQUIRES: no write is open.
  void ExpectWhole() {
    bool answered = false;
    StorageCall call;
    call.place = {0, 0};
    call.length = kBlocks * kBlock;
    server.Execute(std::move(call), [&](OperationStatus status, const std::vector<uint8_t>& bytes) {
      answered = true;
      ASSERT_EQ(status, OperationStatus::ok);
      const std::vector<WriteId> ids = WriteIdsIn(0, bytes);
      ASSERT_EQ(ids.size(), kBlocks);
      for (uint32_t i = 0; i < kBlocks; ++i) EXPECT_EQ(ids[i], written[i]) << "block " << i;
    });
    ns3::Simulator::Run();
    EXPECT_TRUE(answered);
  }

  /// Writes now and then to blocks of the first half for this span, during background work.
  void WriteFor(Time span, Time gap, uint32_t seed) {
    for (Time at; at < span; at += gap) {
      delayed_calls.After(at, [this, random = std::mt19937(seed++)]() mutable {
        const uint32_t count = 1 + random() % 4;
        Write(random() % (kBlocks / 2), count);
      });
    }
    delayed_calls.After(span, [this] { background.Stop(); });
    ns3::Simulator::Run();
    EXPECT_EQ(open, 0u);
  }

  const StorageParameters parameters;

 private:
  SuLab lab_;
  const Topology topology_;
  Placement placement_;
  AppendLog log_;
  Operations operations_{{{}}, 11, 0, Time(0)};
  uint32_t last_ = 0;

 public:
  ExtentMap extents;
  DelayedCalls delayed_calls;
  std::map<NodeId, std::unique_ptr<ExtentNode>> nodes;
  std::set<NodeId> away;
  const AskNode ask = [this](NodeId node, StorageCall call, StorageChannel::Done done) {
    if (away.contains(node)) return done({OperationStatus::failed, {}, {}, 0, 0});
    nodes.at(node)->Execute(std::move(call), [done](OperationStatus status, std::vector<uint8_t> bytes) {
      done({status, std::move(bytes), {}, 0, 0});
    });
  };
  PartitionServer server;
  Background background;
  std::map<uint32_t, WriteId> written;
  size_t open = 0;
};

uint64_t Conflicts(const System& system) {
  uint64_t all = 0;
  for (const auto& [id, node] : system.nodes) all += node->counters().conflicts;
  return all;
}

TEST(Background, what_was_written_last_is_read_while_garbage_is_collected) {
  for (const uint32_t seed : {1u, 100'000u}) {
    InChild([=] {
      StorageParameters p = Store();
      p.background->gc = GigabitsPerSecond(8);
      System system(p);
      system.background.Start();
      system.WriteFor(Milliseconds(4), Microseconds(10), seed);
      const BackgroundRecord& did = system.background.counters();
      EXPECT_GT(did.collected, 5u);
      EXPECT_GT(did.gc_moved, 0u);
      EXPECT_LT(did.gc_moved, did.gc_read);  // some blocks were written while they were copied
      EXPECT_EQ(did.failed, 0u);
      EXPECT_EQ(Conflicts(system), 0u);
      EXPECT_EQ(system.server.counters().seals, 0u);
      for (const PartitionServer::Sealed& left : system.server.sealed())
        EXPECT_FALSE(system.extents.coded(left.extent));
      system.ExpectWhole();
    });
  }
}

/// 4 data fragments and 4 parities: twice the bytes read are written, and any three nodes may be away.
TEST(Background, what_was_coded_is_read_without_any_three_nodes) {
  InChild([] {
    StorageParameters p = Store();
    p.background->reencode = GigabitsPerSecond(4);
    p.replicas = 4;  // one replica of uncoded extents also remains
    System system(p);
    system.background.Start();
    system.WriteFor(Milliseconds(5), Microseconds(10), 5);
    const BackgroundRecord& did = system.background.counters();
    ASSERT_GT(did.coded, 6u);  // more extents than the disk had at the start
    EXPECT_EQ(did.failed, 0u);
    EXPECT_GE(did.reencode_written, 2 * did.reencode_read);  // extents are not quite full
    EXPECT_LE(did.reencode_written, 2.3 * static_cast<double>(did.reencode_read));
    EXPECT_EQ(Conflicts(system), 0u);
    system.ExpectWhole();
    const uint64_t before = system.server.reads().reconstructed;
    const std::vector<NodeId>& all = p.extent_nodes;
    for (size_t first = 0; first + 2 < all.size(); ++first) {
      system.away = {all[first], all[first + 1], all[first + 2]};
      system.ExpectWhole();
    }
    EXPECT_GT(system.server.reads().reconstructed, before);
  });
}

TEST(Background, both_at_once_lose_nothing) {
  InChild([] {
    StorageParameters p = Store();
    p.background->gc = GigabitsPerSecond(4);
    p.background->reencode = GigabitsPerSecond(2);
    System system(p);
    system.background.Start();
    system.WriteFor(Milliseconds(5), Microseconds(10), 77);
    EXPECT_GT(system.background.counters().collected, 3u);
    EXPECT_GT(system.background.counters().coded, 3u);
    EXPECT_EQ(Conflicts(system), 0u);
    system.ExpectWhole();
  });
}

/// A node that refuses: appends are sealed and go elsewhere, fragments are written elsewhere; when it is back
/// all data are read.
TEST(Background, survives_a_node_that_refuses_for_a_while) {
  InChild([] {
    StorageParameters p = Store();
    p.background->gc = GigabitsPerSecond(4);
    p.background->reencode = GigabitsPerSecond(4);
    System system(p);
    system.background.Start();
    system.delayed_calls.After(Milliseconds(1), [&] { system.away = {3, 7}; });
    system.delayed_calls.After(Milliseconds(2), [&] { system.away.clear(); });
    system.WriteFor(Milliseconds(4), Microseconds(10), 9);
    EXPECT_GT(system.background.counters().failed, 0u);
    EXPECT_GT(system.server.counters().seals, 0u);
    EXPECT_EQ(Conflicts(system), 0u);
    system.ExpectWhole();
  });
}

/// 16 blocks at 1 Gbit/s are one piece every 524 us; the first comes at most that much later.
TEST(Background, collects_at_its_rate) {
  InChild([] {
    StorageParameters p = Store();
    p.background->gc = GigabitsPerSecond(1);
    System system(p);
    system.background.Start();
    system.delayed_calls.After(Milliseconds(10), [&] { system.background.Stop(); });
    ns3::Simulator::Run();
    const auto piece = static_cast<double>(p.background->piece.v);
    EXPECT_NEAR(static_cast<double>(system.background.counters().gc_read), 1e9 / 8 * 10e-3, 1.5 * piece);
    EXPECT_EQ(system.background.counters().gc_moved, system.background.counters().gc_read);
  });
}

/// The disk's initial MiB takes 4.2 ms at 2 Gbit/s; after that no more extents need coding.
TEST(Background, codes_at_its_rate_until_all_is) {
  InChild([] {
    StorageParameters p = Store();
    p.background->reencode = GigabitsPerSecond(2);
    System system(p);
    system.background.Start();
    uint64_t halfway = 0;
    system.delayed_calls.After(Microseconds(2'100),
                               [&] { halfway = system.background.counters().reencode_read; });
    system.delayed_calls.After(Milliseconds(10), [&] { system.background.Stop(); });
    ns3::Simulator::Run();
    EXPECT_NEAR(static_cast<double>(halfway), 0.5 * kBlocks * kBlock,
                1.5 * static_cast<double>(p.background->piece.v));
    EXPECT_EQ(system.background.counters().reencode_read, kBlocks * kBlock);
    EXPECT_EQ(system.background.counters().reencode_written, 2 * kBlocks * kBlock);
    EXPECT_EQ(system.background.counters().coded, 4u);
    system.ExpectWhole();
    system.away = {2, 5, 8};
    system.ExpectWhole();
  });
}

}  // namespace
}  // namespace headroom::background_test
