// NICs with resources: costs of single operations, no loss or reordering, and which operation waits for
// which.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "nic/verbs/verbs.h"
#include "run/run.h"
#include "support/in_child.h"
#include "support/verbs_lab.h"
#include "workload/types/stream.h"

namespace headroom::nic_resources_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};

Scenario StarOf(int hosts, const std::string& set) {
  Scenario s = StarScenario(hosts, kLink);
  const ResourceSet resources = *FindResourceSet(set);
  for (NicParameters& nic : s.nics) {
    nic.resources = resources.resources;
    nic.rx_buffer = resources.rx_buffer;
  }
  return s;
}

/// The same star, with every context in the cache.
Scenario WarmStarOf(int hosts, const std::string& set) {
  Scenario s = StarOf(hosts, set);
  for (NicParameters& nic : s.nics) nic.resources.contexts = {};
  return s;
}

/// The completion of one signalled operation, posted at 1 us.
Wc Alone(const Scenario& s, const SendWr& wr, QpType type = QpType::rc) {
  Wc wc;
  const std::string times = TextFromChild([&] {
    VerbsLab lab(s);
    QpInitAttr attr;
    attr.type = type;
    const auto pair = lab.Connect(0, 1, attr);
    const MemoryRegion* remote = lab.verbs(1).RegMr(0, 100'000, kLocalWrite | kRemoteWrite | kRemoteRead);
    lab.verbs(1).PostRecv(pair.b, {0, {0, 100'000, 0}});
    SendWr mine = wr;
    mine.rkey = remote->rkey;
    At(Microseconds(1), [&] { EXPECT_EQ(lab.verbs(0).PostSend(pair.a, mine), 0); });
    RunUntil(Milliseconds(1));
    const auto wcs = VerbsLab::PollAll(pair.cq_a);
    EXPECT_EQ(wcs.size(), 1u);
    EXPECT_EQ(lab.network->pool().in_use(), 0u);
    const OperationTimes& t = wcs.at(0).times;
    std::string text;
    for (const Time at : {t.posted, t.first_sent, t.last_sent, t.acknowledged, t.completed})
      text += std::to_string(at.v) + " ";
    return text;
  });
  std::istringstream in(times);
  OperationTimes& t = wc.times;
  in >> t.posted.v >> t.first_sent.v >> t.last_sent.v >> t.acknowledged.v >> t.completed.v;
  return wc;
}

TEST(Resources, a_write_pays_every_station_on_its_way) {
  // The NIC is a ConnectX-3. 100 B, not inline: the work request has 36 + 16 B, one line of 17 ns, and
  // crosses PCIe in 200 ns. The pipeline takes 55 ns, the engine 16.7; the payload takes (100 + 22) B / 7.88
  // GB/s = 15.482 ns and 400 ns of latency: it is sent 704.182 ns after its post. Two links take 10 ns each,
  // the switch 500 ns, frames of 62 + 16
  // + 100 + 20 B take 15.84 ns at 100 Gb/s twice: 551.68 ns to the peer. There the pipeline takes 28.6 ns,
  // then the ACK 2 ns; the ACK's way back, 66 + 20 B, takes 6.88 ns twice: 533.76 ns. The completion takes 64
  // + 26 B = 11.422 ns and 200 ns.
  const OperationTimes t =
      Alone(WarmStarOf(2, "connectx3-pcie3-x8"), Signaled(WrOpcode::rdma_write, 1, 100)).times;
  EXPECT_EQ(t.posted, Microseconds(1));
  EXPECT_NEAR(static_cast<double>((t.first_sent - t.posted).v), 704'182, 2);
  EXPECT_EQ(t.last_sent, t.first_sent);
  EXPECT_NEAR(static_cast<double>((t.acknowledged - t.last_sent).v), 551'680 + 28'600 + 2'000 + 533'760, 2);
  EXPECT_NEAR(static_cast<double>((t.completed - t.acknowledged).v), 211'422, 2);
}

TEST(Resources, inline_data_need_no_fetch) {
  // As above without 400 + 15.482 ns, and with 27.8 instead of 55; 36 + 100 B are three lines: 34 ns more of
  // PIO and 10.2 more of the engine.
  SendWr wr = Signaled(WrOpcode::rdma_write, 1, 100);
  const Scenario s = WarmStarOf(2, "connectx3-pcie3-x8");
  const OperationTimes fetched = Alone(s, wr).times;
  wr.inline_data = true;
  const OperationTimes inlined = Alone(s, wr).times;
  const Time saved = (fetched.first_sent - fetched.posted) - (inlined.first_sent - inlined.posted);
  EXPECT_NEAR(static_cast<double>(saved.v), 415'482 + 27'200 - 34'000 - 10'200, 2);
}

TEST(Resources, a_request_leaves_when_it_is_in_the_nic_whatever_is_posted_behind_it) {
  // UC WRITEs of 92 B inline, each two lines of 200 ns, are posted every 150 ns. Processors write one after
  // the other, so every 400 ns a WRITE is ready and leaves. Others are posted while it is on its way.
  for (const QpType type : {QpType::rc, QpType::uc}) {
    InChild([type] {
      Scenario s = WarmStarOf(2, "connectx3-pcie3-x8");
      for (NicParameters& nic : s.nics) nic.resources.pio_line = Nanoseconds(200);
      VerbsLab lab(s);
      QpInitAttr attr;
      attr.type = type;
      attr.cap.max_send_wr = 64;
      const auto pair = lab.Connect(0, 1, attr);
      SendWr wr = Signaled(WrOpcode::rdma_write, 1, 92);
      wr.inline_data = true;
      wr.rkey = lab.verbs(1).RegMr(0, 100'000, kLocalWrite | kRemoteWrite)->rkey;
      constexpr int kPosts = 20;
      for (int i = 0; i < kPosts; ++i)
        At(Microseconds(1) + Nanoseconds(150) * i, [&] { EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0); });
      RunUntil(Milliseconds(1));
      const auto sent = lab.Of(0, FrameKind::data);
      ASSERT_EQ(sent.size(), static_cast<size_t>(kPosts));
      for (size_t i = 1; i < sent.size(); ++i) EXPECT_EQ(sent[i].at - sent[i - 1].at, Nanoseconds(400)) << i;
    });
  }
}

/// How often the port changed from one of two queue pairs to the other. Each posts 200 WRITEs of 1000 B at
/// once.
int ChangesOfTwo(Bytes turn) {
  const std::string text = TextFromChild([turn] {
    Scenario s = WarmStarOf(2, "connectx3-pcie3-x8");
    for (NicParameters& nic : s.nics) nic.resources.turn = turn;
    VerbsLab lab(s);
    QpInitAttr attr;
    attr.type = QpType::uc;
    attr.cap.max_send_wr = 200;
    const VerbsLab::Pair pairs[] = {lab.Connect(0, 1, attr), lab.Connect(0, 1, attr)};
    SendWr wr = Signaled(WrOpcode::rdma_write, 1, 1000);
    wr.rkey = lab.verbs(1).RegMr(0, 100'000, kLocalWrite | kRemoteWrite)->rkey;
    At(Microseconds(1), [&] {
      for (int i = 0; i < 200; ++i)
        for (const auto& pair : pairs) EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
    });
    RunUntil(Milliseconds(1));
    std::map<Time, int> sent;
    for (int i : {0, 1})
      for (const Wc& wc : VerbsLab::PollAll(pairs[i].cq_a)) sent[wc.times.first_sent] = i;
    EXPECT_EQ(sent.size(), 400u);
    int changes = 0, last = -1;
    for (const auto& [at, which] : sent) changes += std::exchange(last, which) != which;
    return std::to_string(changes);
  });
  return std::stoi(text);
}

TEST(Resources, a_queue_pair_sends_its_turn_before_the_next_one) {
  // Work requests are posted in turns, and wait in the NIC because the link is slower than their posting.
  // Four frames of 1078 B exceed 4 KiB.
  EXPECT_EQ(ChangesOfTwo(Bytes(0)), 400);
  EXPECT_NEAR(ChangesOfTwo(Bytes(4096)), 100, 10);
}

TEST(Resources, of_unreliable_connections_the_stamps_are_those_of_the_wire) {
  // T2 and T3 are the transmission; the completion follows its end, 62 + 16 + 100 + 20 B = 15.84 ns, and
  // takes 211.422 ns.
  SendWr wr = Signaled(WrOpcode::rdma_write, 1, 100);
  const OperationTimes t = Alone(WarmStarOf(2, "connectx3-pcie3-x8"), wr, QpType::uc).times;
  EXPECT_NEAR(static_cast<double>((t.first_sent - t.posted).v), 704'182, 2);
  EXPECT_EQ(t.last_sent, t.first_sent);
  EXPECT_NEAR(static_cast<double>((t.completed - t.last_sent).v), 15'840 + 211'422, 2);
}

TEST(Resources, a_paused_port_holds_back_the_stamps_too) {
  InChild([] {
    VerbsLab lab(StarOf(2, "gen2"));
    const auto pair = lab.Connect(0, 1);
    lab.network->nic(0).port().SetPaused(3, true);
    lab.verbs(0).PostSend(pair.a, Signaled(WrOpcode::rdma_write, 1, 100));
    At(Microseconds(50), [&] { lab.network->nic(0).port().SetPaused(3, false); });
    RunUntil(Microseconds(100));
    const auto wcs = VerbsLab::PollAll(pair.cq_a);
    ASSERT_EQ(wcs.size(), 1u);
    EXPECT_EQ(wcs[0].times.first_sent, Microseconds(50));
  });
}

TEST(Resources, a_set_that_costs_nothing_is_no_set) {
  EXPECT_TRUE(FindResourceSet("ideal")->resources.Ideal());
  for (const std::string& name : ResourceSetNames()) {
    EXPECT_EQ(FindResourceSet(name)->resources.Ideal(), name == "ideal") << name;
  }
  InChild([] {
    VerbsLab lab(StarOf(2, "ideal"));
    EXPECT_EQ(lab.network->nic(0).resources(), nullptr);
  });
}

/// Fourteen senders to one receiver, and streams back, with marks, pauses and losses.
Scenario Busy(const std::string& set) {
  Scenario s = StarOf(8, set);
  s.duration = Microseconds(300);
  s.deadline = Milliseconds(50);
  s.switches[0].ecn[3] = Ecn(20'000, 100'000, 0.2);
  StreamArrivals in, out;
  in.from = Hosts(0, 7);
  in.to = {7};
  in.message = Bytes(20'000);
  in.in_flight = 4;
  out.from = {7};
  out.to = Hosts(0, 7);
  out.message = Bytes(3'000);
  out.in_flight = 2;
  s.workloads = {WorkloadOf("in", in), WorkloadOf("out", out), WorkloadOf("reads", in)};
  s.workloads[0].qps_per_pair = 4;
  s.workloads[2].verb = Operation::read_request;
  return s;
}

TEST(Resources, every_byte_is_accounted_for_and_two_runs_are_equal) {
  for (const std::string set : {"gen1", "gen2", "connectx3-pcie2-x8"}) {
    const auto run = [&] {
      return TextFromChild([&] {
        RunOptions options;
        options.check = true;
        const RunRecord r = headroom::Run(Busy(set), options);
        EXPECT_EQ(r.status, RunStatus::complete) << set;
        EXPECT_TRUE(r.conservation.Ok()) << set;
        EXPECT_EQ(r.conservation.dropped, 0u) << set;
        EXPECT_GT(r.conservation.delivered, 1'000'000u) << set;
        std::string text;
        for (const MessageRecord& m : r.messages) {
          EXPECT_LE(m.delivered, m.completed) << set;
          text += std::to_string(m.delivered.v) + " " + std::to_string(m.completed.v) + "\n";
        }
        return text;
      });
    };
    const std::string once = run();
    EXPECT_GT(once.size(), 1000u);
    EXPECT_EQ(once, run()) << set;
  }
}

TEST(Resources, a_receiver_that_does_not_keep_up_pauses_its_switch_and_loses_nothing) {
  // Messages of 20 kB in packets of 1 KiB arrive at 100 Gb/s, 90 ns each; the pipeline takes 200 ns for each
  // packet.
  InChild([] {
    Scenario s = StarOf(2, "gen2");
    s.nics[1].resources.rx_write = Nanoseconds(200);
    s.nics[1].rx_buffer = RxBufferParameters{Bytes(100'000), Bytes(50'000), Bytes(30'000)};
    s.duration = Microseconds(500);
    StreamArrivals a;
    a.from = {0};
    a.to = {1};
    a.message = Bytes(20'480);
    a.in_flight = 8;
    s.workloads = {WorkloadOf("slow", a)};
    const RunRecord r = headroom::Run(s, {});
    EXPECT_EQ(r.status, RunStatus::complete);
    EXPECT_EQ(r.conservation.dropped, 0u);
    uint64_t pauses = 0;
    for (const PauseRecord& p : r.pauses) pauses += p.node == 1 && p.direction == PauseRecord::Direction::tx;
    EXPECT_GT(pauses, 3u);
    // 1024 B in 200 ns make about 25 messages of 20 packets in each 100 us.
    EXPECT_NEAR(static_cast<double>(r.messages.size()), 125, 12);
  });
}

TEST(Resources, a_host_that_sends_to_itself_shares_pcie_with_the_wire_half_and_half) {
  // PCIe has 40 Gb/s and takes 1024 + 4 × 26 B a packet: 36.31 Gb/s of payload. Both sources offer more than
  // half.
  InChild([] {
    Scenario s = StarOf(2, "gen2");
    s.nics[1].resources.pcie.bandwidth = GigabitsPerSecond(40);
    s.nics[1].rx_buffer = RxBufferParameters{Bytes(200'000), Bytes(100'000), Bytes(60'000)};
    for (NicParameters& nic : s.nics) nic.congestion_control = NicParameters::CongestionControl::none;
    s.duration = Milliseconds(2);
    s.deadline = Milliseconds(2);
    StreamArrivals wire, loop;
    wire.from = {0};
    loop.from = wire.to = loop.to = {1};
    wire.message = loop.message = Bytes(64 * 1024);
    wire.in_flight = loop.in_flight = 8;
    s.workloads = {WorkloadOf("wire", wire), WorkloadOf("loop", loop)};
    const RunRecord r = headroom::Run(s, {});
    double bytes[2] = {};
    for (const MessageRecord& m : r.messages)
      if (m.Finished()) bytes[m.workload] += static_cast<double>(m.size.v);
    for (const double b : bytes) EXPECT_NEAR(b * 8 / 2e-3 / 1e9, 36.31 / 2, 0.06 * 18.2);
    EXPECT_GT(r.pauses.size(), 10u);
  });
}

TEST(NicResources, no_ack_overtakes_a_read_response) {
  // The responses wait in the pipeline for their payload, and the ACK of a WRITE waits behind them: if it
  // left first, it would mean that they were lost.
  for (const NodeId to : {1, 0}) {
    InChild([to] {
      Scenario s = StarOf(2, "gen2");
      VerbsLab lab(s);
      const auto pair = lab.Connect(0, to);
      const MemoryRegion* remote = lab.verbs(to).RegMr(0, 1 << 20, kLocalWrite | kRemoteWrite | kRemoteRead);
      At(Microseconds(1), [&] {
        for (int i = 0; i < 16; ++i) {
          SendWr wr;
          wr.wr_id = static_cast<uint64_t>(i);
          wr.signaled = true;
          wr.opcode = i % 2 == 0 ? WrOpcode::rdma_read : WrOpcode::rdma_write;
          wr.sge.length = i % 2 == 0 ? 20'000 : 8;
          wr.rkey = remote->rkey;
          EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
        }
      });
      RunUntil(Milliseconds(1));
      EXPECT_EQ(VerbsLab::PollAll(pair.cq_a).size(), 16u);
      EXPECT_EQ(lab.counters(0).retransmitted_packets + lab.counters(1).retransmitted_packets, 0u);
      EXPECT_EQ(lab.network->pool().in_use(), 0u);
    });
  }
}

}  // namespace
}  // namespace headroom::nic_resources_test
