// A partition server; only its link to its extent nodes takes time.
#include "protocol/storage/partition_server.h"

#include <gtest/gtest.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <map>

#include "protocol/storage/extent_node.h"
#include "protocol/storage/storage_parameters.h"
#include "protocol/storage/wire/su_lab.h"
#include "support/in_child.h"

namespace headroom::partition_server_test {
namespace {

constexpr Rate kLine = GigabitsPerSecond(100);
constexpr uint32_t kWrite = 16'384;

StorageParameters Store() {
  StorageParameters p;
  p.name = "store";
  p.compute = {0};
  for (NodeId id = 1; id <= 9; ++id) p.extent_nodes.push_back(id);
  p.disk_size = Bytes(int64_t{1} << 24);
  p.extent = Bytes(int64_t{1} << 24);
  p.seal.after = Microseconds(150);
  p.seal.takes = Microseconds(100);
  return p;
}

/// Calls cross the link one after the other, even if no caller waits for them any more.
class System {
 public:
  explicit System(const StorageParameters& p)
      : parameters(p),
        lab_(StarScenario(10, {GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0})),
        topology_(lab_.scenario.topology),
        placement_(p.name, p.across, p.extent_nodes, topology_),
        extents_(parameters, placement_, 1, 0, 1),
        delayed_calls(0, nullptr),
        server(parameters, extents_, "store/h1", *lab_.hosts[1].process, delayed_calls, nullptr, ask) {
    for (const NodeId id : p.extent_nodes)
      nodes_[id] = std::make_unique<ExtentNode>(parameters, id, "store/" + std::to_string(id), 0, nullptr);
  }

  /// Keeps `depth` writes open until `count` have begun.
  void Write(int depth, int count) {
    left_ += count;
    for (int i = 0; i < depth; ++i) WriteNext();
  }

  const StorageParameters parameters;
  int acknowledged = 0;
  Time last;  ///< end of the last of them

 private:
  void WriteNext() {
    if (left_ == 0) return;
    --left_;
    StorageCall call;
    call.kind = OperationKind::write;
    call.place = {0, 0};
    call.length = kWrite;
    server.Execute(std::move(call), [this](OperationStatus, const std::vector<uint8_t>&) {
      ++acknowledged;
      last = EventQueue::Get().now();
      WriteNext();
    });
  }

  SuLab lab_;
  const Topology topology_;
  Placement placement_;
  ExtentMap extents_;
  std::map<NodeId, std::unique_ptr<ExtentNode>> nodes_;
  Time free_;
  int left_ = 0;

 public:
  DelayedCalls delayed_calls;
  const AskNode ask = [this](NodeId node, const StorageCall& call, StorageChannel::Done done) {
    const Time now = EventQueue::Get().now();
    free_ = std::max(free_, now) + SerializationTime(Bytes(call.length), kLine);
    delayed_calls.After(free_ - now, [this, node, call, done = std::move(done)] {
      nodes_.at(node)->Execute(call, [done](OperationStatus status, std::vector<uint8_t> bytes) {
        done({status, std::move(bytes), {}, 0, 0});
      });
    });
  };
  PartitionServer server;
};

/// 128 writes of 16 KiB to three nodes are 6.3 MB, 503 us of the link: more than seal.after, though no node
/// has failed. Sealed data are written once more, after abandoned calls. All together take 7.9 ms of the
/// link; writes in vain while the timeout grows are added.
TEST(PartitionServer, writes_that_together_take_longer_than_seal_after_come_through) {
  InChild([] {
    System system(Store());
    system.Write(128, 2000);
    ns3::Simulator::Run();
    EXPECT_EQ(system.acknowledged, 2000);
    EXPECT_LT(system.last, Milliseconds(11));
    EXPECT_LE(system.server.counters().seals, 4u);
  });
}

/// Each takes 3.9 us of the link: 38 of them arrive in 150 us, and repeated appends are always too late.
TEST(PartitionServer, without_backoff_they_do_not) {
  InChild([] {
    StorageParameters p = Store();
    p.seal.backoff = 1;
    System system(p);
    system.Write(128, 2000);
    system.delayed_calls.After(Milliseconds(20), [] { ns3::Simulator::Stop(); });
    ns3::Simulator::Run();
    EXPECT_EQ(system.acknowledged, 38);
  });
}

}  // namespace
}  // namespace headroom::partition_server_test
