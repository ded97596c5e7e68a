// An extent node: it executes appends once despite repetitions, and reads existing data.
#include "protocol/storage/extent_node.h"

#include <gtest/gtest.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <random>

#include "history/block_ids.h"
#include "protocol/storage/extent_map.h"
#include "protocol/storage/storage_parameters.h"
#include "sim/simulator.h"
#include "support/in_child.h"

namespace headroom::extent_node_test {
namespace {

using Status = OperationStatus;

StorageParameters Store() {
  StorageParameters p;
  p.name = "store";
  p.compute = {0, 1};
  p.extent_nodes = {2};
  p.disk.read = Microseconds(90);
  p.disk.write = Microseconds(20);
  p.disk_size = Bytes(8 << 20);
  p.extent = Bytes(4 << 20);
  return p;
}

/// A node, and the answers that it has given.
struct Lab {
  explicit Lab(bool content = false) {
    StartSimulator(1);
    node.emplace(parameters, 2, "store/e0", 0, nullptr, content ? &log : nullptr);
  }
  void Append(uint64_t offset, uint32_t length, std::vector<uint8_t> bytes = {}) {
    node->Execute({OperationKind::write, {extent, offset}, length, {}, std::move(bytes)}, Keep());
  }
  void Read(uint64_t offset, uint32_t length, uint32_t of) {
    node->Execute({OperationKind::read, {of, offset}, length, {}, {}}, Keep());
  }
  StorageServer::Reply Keep() {
    return [this](Status status, std::vector<uint8_t> bytes) {
      statuses.push_back(status);
      at.push_back(EventQueue::Get().now());
      last = std::move(bytes);
    };
  }
  const StorageParameters parameters = Store();
  const uint32_t extent = FirstNewExtent(parameters);
  AppendLog log;
  std::optional<ExtentNode> node;
  std::vector<Status> statuses;
  std::vector<Time> at;
  std::vector<uint8_t> last;
};

std::vector<uint8_t> Blocks(std::initializer_list<uint64_t> ids) {
  std::vector<uint8_t> bytes(ids.size() * kHistoryBlock);
  uint64_t at = 0;
  for (const uint64_t id : ids) {
    PutWriteIds(at, {bytes.data() + at, kHistoryBlock}, id);
    at += kHistoryBlock;
  }
  return bytes;
}

TEST(ExtentNode, an_append_takes_the_devices_time_and_is_there_then) {
  InChild([] {
    Lab lab;
    lab.Append(0, 4096);
    lab.Read(0, 4096, lab.extent);  // the read comes too early
    ns3::Simulator::Run();
    lab.Read(0, 4096, lab.extent);
    lab.Read(1000, 3096, lab.extent);
    lab.Read(1000, 3097, lab.extent);
    lab.Read(0, 1, lab.extent + 1);
    ns3::Simulator::Run();
    EXPECT_EQ(lab.statuses, (std::vector<Status>{Status::failed, Status::ok, Status::failed, Status::failed,
                                                 Status::ok, Status::ok}));
    EXPECT_EQ(lab.at[1], Microseconds(20));
    EXPECT_EQ(lab.at[5], Microseconds(110));
    EXPECT_EQ(lab.node->counters().appends, 1u);
    EXPECT_EQ(lab.node->counters().missing, 3u);
    EXPECT_EQ(lab.node->executed(), 3u);
    EXPECT_TRUE(lab.last.empty());  // the node counts it
  });
}

TEST(ExtentNode, what_disks_are_made_of_is_there_from_the_beginning) {
  InChild([] {
    Lab lab(true);
    lab.Read((4 << 20) - 4096, 4096, kFirstExtent);
    lab.Read(0, 4096, lab.extent - 1);
    lab.Read((4 << 20) - 4095, 4096, kFirstExtent);
    ns3::Simulator::Run();
    EXPECT_EQ(lab.statuses, (std::vector<Status>{Status::failed, Status::ok, Status::ok}));
    EXPECT_EQ(lab.last, std::vector<uint8_t>(4096));
    EXPECT_EQ(lab.node->counters().missing, 1u);
  });
}

/// The same append arrives while the first is under way, and later: the device executes it once, and all
/// requests are answered afterwards.
TEST(ExtentNode, what_comes_again_is_executed_once) {
  InChild([] {
    Lab lab;
    lab.Append(0, 4096);
    lab.Append(0, 4096);
    ns3::Simulator::Run();
    lab.Append(0, 4096);
    ns3::Simulator::Run();
    EXPECT_EQ(lab.statuses, std::vector<Status>(3, Status::ok));
    EXPECT_EQ(lab.at, std::vector<Time>(3, Microseconds(20)));
    EXPECT_EQ(lab.node->counters().appends, 1u);
    EXPECT_EQ(lab.node->counters().repeated, 2u);
    EXPECT_EQ(lab.node->executed(), 1u);
  });
}

/// Two requests for one place are a partition server's error: the first one remains.
TEST(ExtentNode, an_append_over_another_one_is_refused) {
  InChild([] {
    Lab lab(true);
    lab.Append(0, 2 * kHistoryBlock, Blocks({5, 6}));
    lab.Append(kHistoryBlock, 2 * kHistoryBlock, Blocks({6, 7}));  // both are under way
    lab.Append(0, 2 * kHistoryBlock, Blocks({5, 8}));
    ns3::Simulator::Run();
    lab.Append(0, 2 * kHistoryBlock, Blocks({5, 8}));
    lab.Append(kHistoryBlock, kHistoryBlock, Blocks({9}));
    lab.Append(kHistoryBlock, kHistoryBlock, Blocks({6}));  // a part of the existing data, unchanged
    lab.Append(kHistoryBlock, 2 * kHistoryBlock, Blocks({6, 7}));
    lab.Read(0, 2 * kHistoryBlock, lab.extent);
    ns3::Simulator::Run();
    EXPECT_EQ(lab.statuses, (std::vector<Status>{Status::failed, Status::failed, Status::ok, Status::failed,
                                                 Status::failed, Status::ok, Status::failed, Status::ok}));
    EXPECT_EQ(lab.node->counters().conflicts, 5u);
    EXPECT_EQ(WriteIdsIn(0, lab.last), (std::vector<WriteId>{5, 6}));
  });
}

/// Appends come in a shuffled order, some of them twice; then each existing range is read, with its ids.
TEST(ExtentNode, has_what_was_appended_in_any_order) {
  InChild([] {
    Lab lab(true);
    std::mt19937 random(4);
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < 60; ++i) order.push_back(i);
    for (uint32_t i = 0; i < 20; ++i) order.push_back(random() % 60);
    std::ranges::shuffle(order, random);
    std::erase(order, 31u);  // a gap
    for (const uint32_t i : order) {
      lab.Append(i * 2 * kHistoryBlock, 2 * kHistoryBlock, Blocks({2 * i + 1, 2 * i + 2}));
      if (random() % 3 == 0) ns3::Simulator::Run();
    }
    ns3::Simulator::Run();
    EXPECT_EQ(std::ranges::count(lab.statuses, Status::ok), static_cast<ptrdiff_t>(order.size()));
    EXPECT_EQ(lab.node->counters().appends, 59u);
    for (const auto& [first, count] : {std::pair<uint64_t, uint64_t>{0, 62}, {64, 56}, {3, 2}}) {
      lab.Read(first * kHistoryBlock, static_cast<uint32_t>(count * kHistoryBlock), lab.extent);
      ns3::Simulator::Run();
      std::vector<WriteId> ids(count);
      for (uint64_t i = 0; i < count; ++i) ids[i] = first + i + 1;
      EXPECT_EQ(WriteIdsIn(0, lab.last), ids);
    }
    lab.Read(61 * kHistoryBlock, 2 * kHistoryBlock, lab.extent);
    EXPECT_EQ(lab.statuses.back(), Status::failed);
  });
}

/// A read that begins inside a block returns the ids of the blocks that begin within its range.
TEST(ExtentNode, gives_back_what_begins_in_a_range) {
  InChild([] {
    Lab lab(true);
    lab.Append(0, 3 * kHistoryBlock, Blocks({5, 0, 7}));
    ns3::Simulator::Run();
    lab.Read(100, 3 * kHistoryBlock - 200, lab.extent);
    ns3::Simulator::Run();
    ASSERT_EQ(lab.last.size(), 3 * kHistoryBlock - 200);
    EXPECT_EQ(WriteIdsIn(100, lab.last), std::vector<WriteId>{0});
    EXPECT_EQ(lab.last[2 * kHistoryBlock - 100], 7);
    EXPECT_EQ(std::ranges::count(lab.last, 0), static_cast<ptrdiff_t>(lab.last.size()) - 1);
  });
}

}  // namespace
}  // namespace headroom::extent_node_test
