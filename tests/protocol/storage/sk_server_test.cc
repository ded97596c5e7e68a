// sK-RDMA: what each I/O puts on the wire, its credits and CRCs, and that it is executed once whatever fails.
#include <gtest/gtest.h>

#include <random>

#include "protocol/storage/sk_server.h"
#include "protocol/storage/su_lab.h"
#include "support/in_child.h"

namespace headroom::sk_server_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0};
constexpr uint32_t kBlock = 4096;

void RunFor(Time t) {
  ns3::Simulator::Stop(ns3::TimeStep(static_cast<uint64_t>(t.v)));
  ns3::Simulator::Run();
}

/// Blocks in memory; takes some time for each.
class MemoryDisk final : public SkDisk, public EventTarget {
 public:
  explicit MemoryDisk(Time takes) : takes_(takes), entity_(EventQueue::Get().AddEntity(UINT32_MAX)) {}
  void Execute(SkKind kind, uint64_t block, uint32_t length, uint8_t* data, Done done) override {
    if (kind == SkKind::write) ++written[block];
    const auto& stored = blocks[block];
    if (data != nullptr && kind == SkKind::read)
      std::copy_n(stored.begin(), std::min<size_t>(length, stored.size()), data);
    if (data != nullptr && kind == SkKind::write) blocks[block].assign(data, data + length);
    waiting_.push_back(std::move(done));
    EventQueue& events = EventQueue::Get();
    events.PushTarget(events.now() + takes_, TimedEvent::Order(EventClass::workload, entity_, next_), this,
                      next_);
    ++next_;
  }
  void OnEvent(uint64_t number) override { waiting_[number](SkStatus::ok); }

  std::map<uint64_t, std::vector<uint8_t>> blocks;
  std::map<uint64_t, int> written;

 private:
  Time takes_;
  EntityId entity_;
  uint64_t next_ = 0;
  std::deque<Done> waiting_;
};

struct Disk {
  Disk(SuLab& lab, const SkParameters& p, Time takes = Microseconds(5), uint32_t buffers = 64)
      : disk(takes),
        pool(lab.verbs(1), {1 << 20, 1 << 20, buffers, p.content}, uint64_t{5} << 40),
        client(*lab.hosts[0].process, *lab.hosts[0].cm, p, lab.network->context(0), "disk"),
        server(*lab.hosts[1].process, *lab.hosts[1].cm, pool, p, disk, "disk-server") {
    lab.hosts[1].accept = [this](uint64_t session, NodeId from) {
      server.Accept(session, from);
      return &server;
    };
    lab.hosts[1].cm->Listen(2, lab.hosts[1]);
    client.Open(1, 2);
  }
  MemoryDisk disk;
  RegisteredPool pool;
  SkClient client;
  SkServer server;
};

TEST(SkServer, an_io_is_a_registration_a_request_its_data_and_a_response) {
  InChild([] {
    SuLab lab(StarScenario(2, kLink));
    Disk d(lab, {});
    std::vector<uint8_t> data(100'000, 7);
    SkStatus status = SkStatus::failed;
    d.client.Submit({SkKind::write, 3, 100'000, data}, [&](const SkEnd& end) { status = end.status; });
    RunFor(Milliseconds(1));
    EXPECT_EQ(status, SkStatus::ok);
    EXPECT_EQ(d.disk.blocks[3], data);
    EXPECT_EQ(d.server.counters().reads, 1u);
    EXPECT_EQ(d.server.counters().writes, 0u);
    std::vector<uint8_t> read;
    d.client.Submit({SkKind::read, 3, 100'000, {}},
                    [&](const SkEnd& end) { status = end.status, read = end.bytes; });
    RunFor(Milliseconds(1));
    EXPECT_EQ(status, SkStatus::ok);
    EXPECT_EQ(read, data);
    EXPECT_EQ(d.server.counters().writes, 1u);
    EXPECT_EQ(d.client.counters().requests, 2u);
    EXPECT_EQ(lab.RnrNaks(), 0u);
  });
}

TEST(SkServer, credits_bound_what_is_open) {
  InChild([] {
    SkParameters p;
    p.credits = 4;
    SuLab lab(StarScenario(2, kLink));
    Disk d(lab, p, Milliseconds(1));
    int done = 0;
    for (int i = 0; i < 10; ++i)
      d.client.Submit({SkKind::write, uint64_t(i), kBlock, std::vector<uint8_t>(kBlock)},
                      [&](const SkEnd&) { ++done; });
    RunFor(Microseconds(900));
    EXPECT_EQ(d.server.counters().requests, 4u);
    RunFor(Milliseconds(10));
    EXPECT_EQ(done, 10);
    EXPECT_EQ(lab.RnrNaks(), 0u);
  });
}

TEST(SkServer, a_wrong_byte_is_told_either_way_and_no_disk_has_it) {
  for (const SkKind kind : {SkKind::write, SkKind::read}) {
    InChild([kind] {
      SuLab lab(StarScenario(2, kLink));
      Disk d(lab, {});
      d.disk.blocks[1] = std::vector<uint8_t>(kBlock, 9);
      int left = 1;
      lab.lose = [&](NodeId, const Frame& f) {
        auto* e = const_cast<FrameExtension*>(lab.network->pool().ExtensionOf(f));
        if (e != nullptr && e->payload.size() > 500 && left-- == 1) e->payload[400] ^= 4;
        return false;
      };
      SkStatus status = SkStatus::ok;
      d.client.Submit({kind, 1, kBlock, std::vector<uint8_t>(kBlock, 5)},
                      [&](const SkEnd& end) { status = end.status; });
      RunFor(Milliseconds(1));
      EXPECT_EQ(status, SkStatus::corrupt);
      EXPECT_EQ(d.disk.written[1], 0);
      EXPECT_EQ(d.disk.blocks[1], std::vector<uint8_t>(kBlock, 9));
    });
  }
}

void AnySchedule(uint32_t seed) {
  std::mt19937 random(seed);
  SkParameters p;
  p.credits = 1 + random() % 8;
  SuLab lab(StarScenario(2, kLink), {}, seed % 2 == 0 ? CoreCosts{} : CoreCosts{2.5e9, 3000, 0.3});
  const uint32_t loss = std::vector<uint32_t>{0, 1000, 60}[random() % 3];
  lab.lose = [&, loss](NodeId, const Frame&) { return loss != 0 && random() % loss == 0; };
  Disk d(lab, p, Microseconds(random() % 300), 1 + random() % 4);
  int done = 0, submitted = 0;
  for (int i = 0; i < 40; ++i) {
    const uint32_t length = 1 + random() % (random() % 2 == 0 ? 4096 : 200'000);
    const auto block = static_cast<uint64_t>(i);
    const std::vector<uint8_t> data(length, static_cast<uint8_t>(random()));
    ++submitted;
    d.client.Submit({SkKind::write, block, length, data}, [&, block, length, data](const SkEnd& written) {
      EXPECT_EQ(written.status, SkStatus::ok);
      ++done;
      ++submitted;
      d.client.Submit({SkKind::read, block, length, {}}, [&, data](const SkEnd& read) {
        EXPECT_EQ(read.status, SkStatus::ok);
        EXPECT_EQ(read.bytes, data);
        ++done;
      });
    });
    RunFor(Microseconds(random() % 150));
    if (random() % 8 == 0 && d.client.qp() != nullptr && d.server.qp() != nullptr) {
      const bool at_client = random() % 2 == 0;
      QpAttr attr;
      attr.state = QpState::err;
      lab.verbs(at_client ? 0 : 1).ModifyQp(at_client ? d.client.qp() : d.server.qp(), attr);
    }
  }
  RunFor(Seconds(2));
  EXPECT_EQ(done, submitted);
  for (const auto& [block, times] : d.disk.written) EXPECT_EQ(times, 1) << "block " << block;
  EXPECT_EQ(lab.RnrNaks(), 0u);
}

TEST(SkServer, each_io_is_executed_once_and_done_whatever_fails) {
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    InChild([seed] { AnySchedule(seed); });
  }
}

}  // namespace
}  // namespace headroom::sk_server_test
