// ns-3's TCP between Headroom's hosts.
#include "ip/ip_stack.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "ip/tcp_flow.h"
#include "nic/resources/resource_parameters.h"
#include "support/in_child.h"

namespace headroom::ip_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0};
const LinkSpec kSlow{GigabitsPerSecond(10), Microseconds(1), Time{}, 0.0};

uint64_t Dropped(Lab& lab, DropReason reason) {
  uint64_t frames = 0;
  for (const auto& ports : lab.network->ports())
    for (const Port* port : ports)
      for (int p = 0; p < kPriorities; ++p)
        frames += port->statistics().drops(p).packets[static_cast<int>(reason)];
  return frames;
}

/// Whether sent = delivered + dropped + in flight.
bool Conserved(Lab& lab) {
  uint64_t sent = 0, gone = lab.network->pool().BytesInUse();
  for (NodeId h = 0; h < lab.scenario.topology.hosts; ++h) {
    sent += lab.nic(h).counters().sent_bytes;
    gone += lab.nic(h).counters().delivered_bytes;
  }
  for (const auto& ports : lab.network->ports())
    for (const Port* port : ports)
      for (int p = 0; p < kPriorities; ++p)
        for (const uint64_t bytes : port->statistics().drops(p).bytes) gone += bytes;
  return sent == gone;
}

double GigabitsOf(int64_t bytes, Time span) {
  return static_cast<double>(bytes) * 8 / static_cast<double>(span.v) * 1e3;
}

class OneFlow : public testing::TestWithParam<int64_t> {};

TEST_P(OneFlow, FillsTheLineButForItsHeaders) {
  InChild([] {
    const int64_t mtu = GetParam();
    Scenario s = StarScenario(2, kLink);
    Lab lab(std::move(s));
    IpStack& stack = InstallAll(lab, {.mtu = mtu, .tcp = {}});
    constexpr int64_t kBytes = 5'000'000;
    TcpFlow flow(stack, 0, 1, 5000, kBytes);
    RunUntil(Milliseconds(1));
    ASSERT_EQ(flow.received, kBytes);
    const double share = GigabitsOf(kBytes, flow.last - flow.first) / 100;
    EXPECT_LE(share, LineShare(mtu) * 1.01);
    EXPECT_GE(share, LineShare(mtu) * 0.97);
    EXPECT_EQ(lab.network->pool().in_use(), 0u);
    EXPECT_TRUE(Conserved(lab));
  });
}

INSTANTIATE_TEST_SUITE_P(Mtus, OneFlow, testing::Values(1500, 9000));

TEST(IpStack, KnowsHostsByTheirAddresses) {
  InChild([] {
    Lab lab(StarScenario(3, kLink));
    IpStack& stack = lab.network->ip();
    EXPECT_EQ(IpStack::AddressOf(2), ns3::Ipv4Address("10.0.0.3"));
    EXPECT_EQ(stack.HostOf(ns3::Ipv4Address("10.0.0.3")), NodeId{2});
    EXPECT_EQ(stack.HostOf(ns3::Ipv4Address("10.0.0.4")), std::nullopt);
    EXPECT_EQ(stack.HostOf(ns3::Ipv4Address("10.0.0.0")), std::nullopt);
    EXPECT_EQ(stack.HostOf(ns3::Ipv4Address("9.255.255.255")), std::nullopt);
    EXPECT_EQ(stack.Tos(3), 3 << 2);
    EXPECT_FALSE(stack.installed(1));
    stack.Install(1);
    stack.Install(1);
    EXPECT_TRUE(stack.installed(1));
    EXPECT_EQ(&lab.network->ip(), &stack);
  });
}

TEST(IpStack, NeedsAClassForItsPackets) {
  InChild([] {
    Scenario s = StarScenario(2, kLink);
    s.classes[0] = {};
    Lab lab(std::move(s));
    EXPECT_THROW(lab.network->ip(), std::invalid_argument);
  });
}

TEST(IpStack, DctcpKeepsTheQueueAtItsThreshold) {
  // Four flows share 10 Gb/s; K = 65 packets, the value of DCTCP's authors for that rate.
  InChild([] {
    constexpr int64_t kThreshold = 65 * 1500;
    Scenario s = StarScenario(5, kSlow);
    s.switches[0].ecn[0] = Ecn(kThreshold, kThreshold, 1.0);
    Lab lab(std::move(s));
    IpParameters parameters;
    parameters.tcp.congestion = TcpParameters::Congestion::dctcp;
    IpStack& stack = InstallAll(lab, parameters);
    std::vector<std::unique_ptr<TcpFlow>> flows;
    for (NodeId h = 0; h < 4; ++h)
      flows.push_back(std::make_unique<TcpFlow>(stack, h, 4, 5000 + h, 100'000'000));
    const Port& bottleneck = lab.star().port(4);
    std::vector<int64_t> depths;
    uint64_t sent_before = 0;
    const Time from = Milliseconds(5), to = Milliseconds(15);
    At(from, [&] { sent_before = bottleneck.counters(0).tx_bytes; });
    for (Time t = from; t < to; t = t + Microseconds(20))
      At(t, [&] { depths.push_back(bottleneck.queue(0).bytes); });
    RunUntil(to);
    double mean = 0;
    for (const int64_t d : depths) mean += static_cast<double>(d) / static_cast<double>(depths.size());
    EXPECT_GT(mean, 0.5 * kThreshold);
    EXPECT_LT(mean, 1.2 * kThreshold);
    EXPECT_LT(*std::max_element(depths.begin(), depths.end()), 2 * kThreshold);
    const double wire =
        GigabitsOf(static_cast<int64_t>(bottleneck.counters(0).tx_bytes - sent_before), to - from);
    EXPECT_GT(wire, 9.7);
    EXPECT_EQ(Dropped(lab, DropReason::egress_limit), 0u);
    EXPECT_TRUE(Conserved(lab));
  });
}

/// Queues of the switch have little room: 2^-6 of the free bytes.
Scenario Shallow(int hosts, const LinkSpec& link) {
  Scenario s = StarScenario(hosts, link);
  for (BufferProfile& p : s.switches[0].buffer.profiles) {
    if (p.dynamic_th && !p.xoff) p.dynamic_th = -6;
  }
  return s;
}

TEST(IpStack, CubicLosesAndRecovers) {
  InChild([] {
    Lab lab(Shallow(5, kSlow));
    IpStack& stack = InstallAll(lab);
    std::vector<std::unique_ptr<TcpFlow>> flows;
    constexpr int64_t kBytes = 2'000'000;
    for (NodeId h = 0; h < 4; ++h) flows.push_back(std::make_unique<TcpFlow>(stack, h, 4, 5000 + h, kBytes));
    bool conserved = false;
    At(Milliseconds(3), [&] { conserved = Conserved(lab); });
    RunUntil(Milliseconds(60));
    for (const auto& flow : flows) EXPECT_EQ(flow->received, kBytes);
    EXPECT_GT(Dropped(lab, DropReason::egress_limit), 10u);
    EXPECT_TRUE(conserved);
    EXPECT_TRUE(Conserved(lab));
    EXPECT_EQ(lab.network->pool().in_use(), 0u);
  });
}

TEST(IpStack, CubicSlowsDownForMarksToo) {
  InChild([] {
    Scenario s = StarScenario(3, kSlow);
    s.switches[0].ecn[0] = Ecn(100'000, 100'000, 1.0);
    Lab lab(std::move(s));
    IpStack& stack = InstallAll(lab);
    TcpFlow a(stack, 0, 2, 5000, 4'000'000), b(stack, 1, 2, 5001, 4'000'000);
    RunUntil(Milliseconds(30));
    EXPECT_EQ(a.received + b.received, 8'000'000);
    EXPECT_GT(lab.star().port(2).counters(0).marked_packets, 0u);
    // Without marks, windows of megabytes would queue here.
    EXPECT_LT(lab.star().port(2).peak_queue(0), 2'000'000);
  });
}

TEST(IpStack, SurvivesAnUnreliableLinkAndOneThatGoesDown) {
  InChild([] {
    LinkSpec lossy = kLink;
    lossy.loss = 0.001;
    Scenario s = StarScenario(2, lossy);
    LinkDownFault down;
    down.a = 0;
    down.b = 2;
    down.times.start = Microseconds(300);
    down.times.stop = Milliseconds(2);
    s.faults = {down};
    Lab lab(std::move(s));
    IpStack& stack = InstallAll(lab);
    TcpFlow flow(stack, 0, 1, 5000, 5'000'000);
    RunUntil(Milliseconds(500));
    EXPECT_EQ(flow.received, 5'000'000);
    EXPECT_GT(flow.last, Milliseconds(2));
    EXPECT_GT(Dropped(lab, DropReason::link_loss), 3u);
    EXPECT_TRUE(Conserved(lab));
    EXPECT_EQ(lab.network->pool().in_use(), 0u);
  });
}

TEST(IpStack, SurvivesARestartOfTheNic) {
  InChild([] {
    Lab lab(StarScenario(2, kLink));
    TcpFlow flow(InstallAll(lab), 0, 1, 5000, 5'000'000);
    At(Microseconds(200), [&] { lab.network->BeginRestart(0); });
    At(Milliseconds(1), [&] { lab.network->EndRestart(0); });
    RunUntil(Milliseconds(100));
    EXPECT_EQ(flow.received, 5'000'000);
    EXPECT_GT(flow.last, Milliseconds(1));
    EXPECT_GT(Dropped(lab, DropReason::restart), 2u);
    EXPECT_TRUE(Conserved(lab));
  });
}

TEST(IpStack, ComesToAHostInTheMiddleOfARun) {
  InChild([] {
    Lab lab(StarScenario(2, kLink));
    std::unique_ptr<TcpFlow> flow;
    At(Microseconds(10), [&] { flow = std::make_unique<TcpFlow>(InstallAll(lab), 0, 1, 5000, 100'000); });
    RunUntil(Milliseconds(1));
    EXPECT_EQ(flow->received, 100'000);
  });
}

TEST(IpStack, WorksThroughNicsWithResources) {
  InChild([] {
    Scenario s = StarScenario(2, kLink);
    const ResourceSet set = FindResourceSet("gen2").value();
    for (NicParameters& nic : s.nics) nic.resources = set.resources, nic.rx_buffer = set.rx_buffer;
    Lab lab(std::move(s));
    TcpFlow flow(InstallAll(lab), 0, 1, 5000, 1'000'000);
    const uint32_t message = lab.Post(0, lab.Connect(0, 1), 1'000'000);
    RunUntil(Milliseconds(2));
    EXPECT_EQ(flow.received, 1'000'000);
    EXPECT_EQ(lab.messages[message].completions, 1);
    EXPECT_TRUE(Conserved(lab));
  });
}

/// The times at which each of four flows had all data; there are two flows each way over two spines.
std::string TimesOfFour(Driver driver = Driver::fast) {
  return TextFromChild([driver] {
    StartSimulator(1, driver);
    const Scenario scenario = ScenarioOf(BuildLeafSpine(2, 2, 2, kSlow, kSlow));
    Network network(scenario);
    IpStack& stack = network.ip();
    for (NodeId h = 0; h < scenario.topology.hosts; ++h) stack.Install(h);
    TcpFlow a(stack, 0, 2, 5000, 500'000), b(stack, 1, 3, 5000, 500'000);
    TcpFlow c(stack, 2, 1, 5001, 500'000), d(stack, 3, 1, 5002, 500'000);
    RunUntil(Milliseconds(50));
    std::string text;
    for (const TcpFlow* f : {&a, &b, &c, &d})
      text += std::to_string(f->received) + " " + std::to_string(f->last.v) + "\n";
    return text + std::to_string(EventQueue::Get().executed());
  });
}

TEST(IpStack, IsTheSameEveryTime) {
  const std::string once = TimesOfFour();
  EXPECT_EQ(once.find("500000"), 0u);
  EXPECT_EQ(once, TimesOfFour());
  EXPECT_EQ(once, TimesOfFour(Driver::ns3_default));
}

/// The times at which the messages of a queue pair had arrived.
std::string RdmaTimes(bool stacks) {
  return TextFromChild([stacks] {
    Lab lab(StarScenario(3, kLink));
    if (stacks) InstallAll(lab);
    const uint32_t a = lab.Connect(0, 2), b = lab.Connect(1, 2);
    for (int i = 0; i < 20; ++i) {
      lab.Post(0, a, 100'000);
      lab.Post(1, b, 50'000);
    }
    RunUntil(Milliseconds(3));
    std::string text;
    for (const Lab::Message& m : lab.messages) text += std::to_string(m.completed.v) + "\n";
    return text;
  });
}

TEST(IpStack, QueuePairsDoNotNoticeStacksThatAreSilent) { EXPECT_EQ(RdmaTimes(false), RdmaTimes(true)); }

TEST(IpStack, SharesAPortWithQueuePairsByWeight) {
  // Lossless storage has weight 3, TCP's class has weight 1.
  InChild([] {
    Scenario s = StarScenario(2, kLink);
    s.classes[3].weight = 3;
    for (NicParameters& nic : s.nics) nic.congestion_control = NicParameters::CongestionControl::none;
    Lab lab(std::move(s));
    IpStack& stack = InstallAll(lab);
    TcpFlow flow(stack, 0, 1, 5000, 100'000'000);
    At(Microseconds(500), [&] { lab.Post(0, lab.Connect(0, 1), 100'000'000); });
    Port& port = lab.nic(0).port();
    uint64_t tcp = 0, rdma = 0;
    At(Milliseconds(1), [&] { tcp = port.counters(0).tx_bytes, rdma = port.counters(3).tx_bytes; });
    RunUntil(Microseconds(1500));
    tcp = port.counters(0).tx_bytes - tcp;
    rdma = port.counters(3).tx_bytes - rdma;
    EXPECT_NEAR(static_cast<double>(rdma) / static_cast<double>(tcp), 3.0, 0.1);
  });
}

}  // namespace
}  // namespace headroom::ip_test
