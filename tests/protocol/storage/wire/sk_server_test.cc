// sK-RDMA: frames of each I/O, its credits and CRCs; it is executed once whatever fails.
#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "protocol/storage/wire/any_faults.h"
#include "protocol/storage/wire/sk_server.h"
#include "protocol/storage/wire/su_lab.h"
#include "support/fewer.h"
#include "support/in_child.h"

namespace headroom::sk_server_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0};
constexpr uint32_t kBlock = 4096;

void RunFor(Time t) {
  ns3::Simulator::Stop(ns3::TimeStep(static_cast<uint64_t>(t.v)));
  ns3::Simulator::Run();
}

/// Blocks in memory; each takes some time.
class MemoryDisk final : public SkDisk, public EventTarget {
 public:
  explicit MemoryDisk(Time takes) : takes_(takes), entity_(EventQueue::Get().AddEntity(UINT32_MAX)) {}
  void Execute(const SkMessage& request, uint8_t* data, Done done) override {
    const auto [kind, block, length] = std::tuple(request.kind, request.block, request.length);
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

/// A disk at host 1, and its clients.
struct Disk {
  struct Connection {
    Connection(Disk& to, SuLab& lab, const SkParameters& p, NodeId from, const std::string& name)
        : host(from),
          client(*lab.hosts[from].process, *lab.hosts[from].cm, p,
                 EventQueue::Get().AddEntity(lab.network->context(from)), name),
          server(*lab.hosts[1].process, *lab.hosts[1].cm, to.pool, p, to.disk, name + "-server") {
      client.Open(1, lab.Listen(1, server));
    }
    NodeId host;
    SkClient client;
    SkServer server;
  };
  Disk(SuLab& lab, const SkParameters& p, Time takes = Microseconds(5), uint32_t buffers = 64,
       const std::vector<NodeId>& clients = {0})
      : disk(takes), pool(lab.verbs(1), {1 << 20, 1 << 20, buffers, p.content}, uint64_t{5} << 40) {
    for (const NodeId from : clients)
      connections.push_back(
          std::make_unique<Connection>(*this, lab, p, from, "disk" + std::to_string(connections.size())));
  }
  SkClient& client() { return connections.front()->client; }
  SkServer& server() { return connections.front()->server; }
  MemoryDisk disk;
  RegisteredPool pool;
  std::vector<std::unique_ptr<Connection>> connections;
};

TEST(SkServer, an_io_is_a_registration_a_request_its_data_and_a_response) {
  InChild([] {
    SuLab lab(StarScenario(2, kLink));
    Disk d(lab, {});
    std::vector<uint8_t> data(100'000, 7);
    SkStatus status = SkStatus::failed;
    d.client().Submit({SkKind::write, 3, 100'000, data}, [&](const SkEnd& end) { status = end.status; });
    RunFor(Milliseconds(1));
    EXPECT_EQ(status, SkStatus::ok);
    EXPECT_EQ(d.disk.blocks[3], data);
    EXPECT_EQ(d.server().counters().reads, 1u);
    EXPECT_EQ(d.server().counters().writes, 0u);
    std::vector<uint8_t> read;
    d.client().Submit({SkKind::read, 3, 100'000, {}},
                      [&](const SkEnd& end) { status = end.status, read = end.bytes; });
    RunFor(Milliseconds(1));
    EXPECT_EQ(status, SkStatus::ok);
    EXPECT_EQ(read, data);
    EXPECT_EQ(d.server().counters().writes, 1u);
    EXPECT_EQ(d.client().counters().requests, 2u);
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
      d.client().Submit({SkKind::write, uint64_t(i), kBlock, std::vector<uint8_t>(kBlock)},
                        [&](const SkEnd&) { ++done; });
    RunFor(Microseconds(900));
    EXPECT_EQ(d.server().counters().requests, 4u);
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
      d.client().Submit({kind, 1, kBlock, std::vector<uint8_t>(kBlock, 5)},
                        [&](const SkEnd& end) { status = end.status; });
      RunFor(Milliseconds(1));
      EXPECT_EQ(status, SkStatus::corrupt);
      EXPECT_EQ(d.disk.written[1], 0);
      EXPECT_EQ(d.disk.blocks[1], std::vector<uint8_t>(kBlock, 9));
    });
  }
}

TEST(SkServer, an_end_gives_all_memory_back_and_nothing_comes_behind_it) {
  // Some reads are on their way, others wait at the disk, when the client ends the session.
  for (int at_us = 1; at_us < 40; ++at_us) {
    InChild([at_us] {
      SuLab lab(StarScenario(2, kLink));
      Disk d(lab, {});
      RunFor(Milliseconds(1));
      for (int i = 0; i < 8; ++i)
        d.client().Submit({SkKind::read, uint64_t(i), 16 * kBlock, {}}, [](const SkEnd&) {});
      d.client().Submit({SkKind::write, 9, 16 * kBlock, std::vector<uint8_t>(16 * kBlock)},
                        [](const SkEnd&) {});
      RunFor(Microseconds(at_us));
      d.client().End();
      RunFor(Milliseconds(20));
      EXPECT_EQ(d.client().open(), 0u);
      EXPECT_EQ(d.pool.taken(), 0u);
    });
  }
}

TEST(SkServer, data_stay_until_the_nic_knows_that_they_are_there) {
  // The client's next request reports that it has the reads, but the ACK of the data is lost and they are
  // sent again: from memory that must still belong to them.
  InChild([] {
    SuLab lab(StarScenario(2, kLink));
    bool lose = false;
    lab.lose = [&](NodeId from, const Frame& f) { return lose && from == 0 && f.kind == FrameKind::ack; };
    Disk d(lab, {}, Microseconds(1), 4);
    int done = 0;
    const auto read = [&](uint64_t block) {
      d.client().Submit({SkKind::read, block, kBlock, {}}, [&](const SkEnd& end) {
        EXPECT_EQ(end.status, SkStatus::ok);
        ++done;
      });
    };
    RunFor(Milliseconds(1));
    lose = true;
    read(0);
    read(1);  // there are two slabs, and one is returned when both are free
    RunFor(Microseconds(50));
    EXPECT_EQ(done, 2);
    read(2);
    RunFor(Microseconds(50));
    lose = false;
    RunFor(Milliseconds(50));
    EXPECT_EQ(done, 3);
    EXPECT_EQ(d.client().counters().losses + d.server().counters().losses, 0u);
  });
}

/// Three clients, two of them on one core, with any faults of frames, queue pairs and bytes. Returns all
/// events with their times.
std::string AnySchedule(uint32_t seed, bool content) {
  std::mt19937 random(seed);
  SkParameters p;
  p.content = content;
  p.credits = 1 + random() % 8;
  Scenario scenario = StarScenario(3, kLink);
  if (random() % 2 == 0) AddAnyFaults(scenario, random, Milliseconds(6));
  SuLab lab(scenario, {}, seed % 2 == 0 ? CoreCosts{} : CoreCosts{2.5e9, {3000, 0.3}, {}, {}});
  const uint32_t loss = std::vector<uint32_t>{0, 1000, 60}[random() % 3];
  lab.lose = [&, loss](NodeId, const Frame&) { return loss != 0 && random() % loss == 0; };
  Disk d(lab, p, Microseconds(random() % 300), 1 + random() % 4, {0, 2, 0});
  std::string ends;
  int done = 0, submitted = 0;
  const auto end = [&](const SkEnd& e) {
    ends +=
        std::to_string(static_cast<int>(e.status)) + '@' + std::to_string(EventQueue::Get().now().v) + ' ';
    ++done;
  };
  // Requests corrupt data again.
  std::function<void(SkClient&, uint64_t, const std::vector<uint8_t>&)> read =
      [&](SkClient& client, uint64_t block, const std::vector<uint8_t>& data) {
        ++submitted;
        client.Submit({SkKind::read, block, static_cast<uint32_t>(data.size()), {}},
                      [&, block, data](const SkEnd& e) {
                        end(e);
                        EXPECT_NE(e.status, SkStatus::failed);
                        if (e.status == SkStatus::corrupt) return read(client, block, data);
                        EXPECT_TRUE(!content || e.bytes == data);
                      });
      };
  std::function<void(SkClient&, uint64_t, const std::vector<uint8_t>&)> write =
      [&](SkClient& client, uint64_t block, const std::vector<uint8_t>& data) {
        ++submitted;
        client.Submit({SkKind::write, block, static_cast<uint32_t>(data.size()),
                       content ? data : std::vector<uint8_t>{}},
                      [&, block, data](const SkEnd& e) {
                        end(e);
                        EXPECT_NE(e.status, SkStatus::failed);
                        e.status == SkStatus::corrupt ? write(client, block, data)
                                                      : read(client, block, data);
                      });
      };
  for (int i = 0; i < 60; ++i) {
    const uint32_t length = 1 + random() % (random() % 2 == 0 ? 4096 : 200'000);
    Disk::Connection& c = *d.connections[random() % 3];
    write(c.client, static_cast<uint64_t>(i),
          std::vector<uint8_t>(length, static_cast<uint8_t>(1 + random() % 255)));
    RunFor(Microseconds(random() % 150));
    if (random() % 8 == 0 && c.client.qp() != nullptr && c.server.qp() != nullptr) {
      const bool at_client = random() % 2 == 0;
      QpAttr attr;
      attr.state = QpState::err;
      lab.verbs(at_client ? c.host : 1).ModifyQp(at_client ? c.client.qp() : c.server.qp(), attr);
    }
  }
  RunFor(Seconds(2));
  EXPECT_EQ(done, submitted);
  EXPECT_EQ(d.disk.written.size(), 60u);
  for (const auto& [block, times] : d.disk.written) EXPECT_EQ(times, 1) << "block " << block;
  EXPECT_EQ(lab.RnrNaks(), 0u);
  std::string text = lab.Transcript() + ends + '\n';
  for (const auto& c : d.connections) {
    const SkClient::Counters& asked = c->client.counters();
    const SkServer::Counters& served = c->server.counters();
    for (const uint64_t n :
         {asked.requests, asked.responses, asked.corrupt, asked.losses, asked.starved, served.requests,
          served.repeated, served.reads, served.writes, served.answers, served.executed, served.corrupt})
      text += std::to_string(n) + ' ';
  }
  return text;
}

TEST(SkServer, each_io_is_executed_once_and_done_whatever_fails_and_counted_ones_at_the_same_times) {
  for (uint32_t seed = 1; seed <= FewerIfSanitized(40); ++seed) {
    SCOPED_TRACE(seed);
    const std::string carried = TextFromChild([seed] { return AnySchedule(seed, true); });
    EXPECT_EQ(TextFromChild([seed] { return AnySchedule(seed, false); }), carried);
  }
}

}  // namespace
}  // namespace headroom::sk_server_test
