// Packets at ports: class, ECN, limits, and that no packet outlives its frame.
#include "ip/ip_port.h"

#include <gtest/gtest.h>
#include <ns3/ipv4-l3-protocol.h>
#include <ns3/queue-disc.h>
#include <ns3/traffic-control-layer.h>
#include <ns3/udp-socket-factory.h>

#include "ip/tcp_flow.h"
#include "support/in_child.h"

namespace headroom::ip_test {
namespace {

const LinkSpec kShort{GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0};

/// An IP packet to a host, with a protocol on which no socket listens.
ns3::Ptr<ns3::Packet> PacketTo(NodeId host, uint8_t tos, uint32_t payload = 1000) {
  const auto packet = ns3::Create<ns3::Packet>(payload);
  ns3::Ipv4Header header;
  header.SetSource(IpStack::AddressOf(0));
  header.SetDestination(IpStack::AddressOf(host));
  header.SetProtocol(253);  // for experiments: RFC 3692
  header.SetPayloadSize(static_cast<uint16_t>(payload));
  header.SetTtl(64);
  header.SetTos(tos);
  packet->AddHeader(header);
  return packet;
}

bool Send(Lab& lab, const ns3::Ptr<ns3::Packet>& packet, uint16_t protocol = 0x0800) {
  return lab.nic(0).port().Send(packet, ns3::Address(), protocol);
}

uint64_t Dropped(Lab& lab) {
  uint64_t frames = 0;
  for (const auto& ports : lab.network->ports())
    for (const Port* port : ports)
      for (int p = 0; p < kPriorities; ++p)
        for (const uint64_t n : port->statistics().drops(p).packets) frames += n;
  return frames;
}

/// The TOS bytes of the packets that a host's stack receives.
class Received {
 public:
  explicit Received(const ns3::Ptr<ns3::Node>& node) {
    node->GetObject<ns3::Ipv4L3Protocol>()->TraceConnectWithoutContext(
        "Rx", ns3::MakeCallback(&Received::OnPacket, this));
  }
  std::vector<int> tos;

 private:
  void OnPacket(ns3::Ptr<const ns3::Packet> packet, ns3::Ptr<ns3::Ipv4>, uint32_t) {
    ns3::Ipv4Header header;
    packet->PeekHeader(header);
    tos.push_back(header.GetTos());
  }
};

TEST(IpPort, TheClassIsThatOfTheDscp) {
  InChild([] {
    Lab lab(StarScenario(2, kShort));
    lab.scenario.classes[0].dscp = 0;
    InstallAll(lab);
    // DSCP 48 belongs to class cnp, 3 to storage, 11 to none.
    for (const int dscp : {48, 3, 11, 0})
      EXPECT_TRUE(Send(lab, PacketTo(1, static_cast<uint8_t>(dscp << 2))));
    RunUntil(Milliseconds(1));
    std::multiset<int> priorities;
    for (const auto& f : lab.Of(0, FrameKind::foreign)) priorities.insert(f.priority);
    EXPECT_EQ(priorities, (std::multiset<int>{0, 0, 3, 6}));
  });
}

TEST(IpPort, AFrameIsThePacketInItsEthernetFrame) {
  InChild([] {
    Lab lab(StarScenario(2, kShort));
    InstallAll(lab);
    Send(lab, PacketTo(1, 0, 1000));
    Send(lab, PacketTo(1, 0, 1));  // padded to 64
    RunUntil(Milliseconds(1));
    const auto frames = lab.Of(0, FrameKind::foreign);
    ASSERT_EQ(frames.size(), 2u);
    EXPECT_EQ(frames[0].bytes, 1000u + 20 + 14 + 4);
    EXPECT_EQ(frames[1].bytes, 64u);
    EXPECT_EQ(frames[1].at - frames[0].at, SerializationTime(Bytes(1038 + 20), kShort.rate));
    EXPECT_EQ(lab.nic(0).counters().sent_bytes, 1038u + 64);
    EXPECT_EQ(lab.nic(1).counters().delivered_bytes, 1038u + 64);
  });
}

TEST(IpPort, WhatIsNoIpv4OrForNoHostIsNotSent) {
  InChild([] {
    Lab lab(StarScenario(2, kShort));
    EXPECT_FALSE(Send(lab, PacketTo(1, 0)));  // no stack yet
    EXPECT_EQ(lab.nic(0).port().GetMtu(), 0);
    InstallAll(lab);
    EXPECT_EQ(lab.nic(0).port().GetMtu(), 1500);
    EXPECT_FALSE(Send(lab, PacketTo(2, 0)));
    EXPECT_FALSE(Send(lab, PacketTo(1, 0), 0x86DD));
    EXPECT_EQ(lab.network->pool().in_use(), 0u);
  });
}

TEST(IpPort, AHostWithoutAStackDiscards) {
  InChild([] {
    Lab lab(StarScenario(2, kShort));
    lab.network->ip().Install(0);
    Send(lab, PacketTo(1, 0));
    RunUntil(Milliseconds(1));
    EXPECT_EQ(lab.nic(1).counters().discarded_packets, 1u);
    EXPECT_EQ(lab.network->pool().in_use(), 0u);
  });
}

TEST(IpPort, AFullQueueMarksWhatIsEcnCapableAndNothingElse) {
  // Two hosts send to a third; its queue is above its threshold from the second packet on.
  InChild([] {
    Scenario s = StarScenario(3, kShort);
    s.switches[0].ecn[0] = Ecn(1, 1, 1.0);
    Lab lab(std::move(s));
    IpStack& stack = InstallAll(lab);
    Received received(stack.Node(2));
    constexpr uint8_t kNotEct = 0, kEct1 = 1, kEct0 = 2, kCe = 3;
    for (int i = 0; i < 6; ++i) {
      for (const NodeId from : {0u, 1u}) {
        for (const uint8_t ecn : {kNotEct, kEct0, kEct1})
          lab.nic(from).port().Send(PacketTo(2, ecn), {}, 0x0800);
      }
    }
    RunUntil(Milliseconds(1));
    ASSERT_EQ(received.tos.size(), 36u);
    std::map<int, int> count;
    for (const int tos : received.tos) ++count[tos & 3];
    EXPECT_EQ(count[kNotEct], 12);
    EXPECT_GE(count[kCe], 20);  // of 24 packets; the first find an empty queue, and the last leave one
    EXPECT_EQ(count[kCe], static_cast<int>(lab.star().port(2).counters(0).marked_packets));
    EXPECT_EQ(count[kCe] + count[kEct0] + count[kEct1], 24);
  });
}

TEST(IpPort, ACeFromTheSenderStays) {
  InChild([] {
    Lab lab(StarScenario(2, kShort));
    Received received(InstallAll(lab).Node(1));
    Send(lab, PacketTo(1, 3));
    RunUntil(Milliseconds(1));
    EXPECT_EQ(received.tos, std::vector<int>{3});
  });
}

TEST(IpPort, APausedPortHoldsTheStackBackAndNothingIsLost) {
  InChild([] {
    Lab lab(StarScenario(2, kShort));
    IpStack& stack = InstallAll(lab);
    TcpFlow flow(stack, 0, 1, 5000, 1'500'000);
    Port& port = lab.nic(0).port();
    At(Microseconds(50), [&] { port.SetPaused(0, true); });
    int64_t waits = 0, held = 0;
    const auto queues = stack.Node(0)->GetObject<ns3::TrafficControlLayer>()->GetRootQueueDiscOnDevice(&port);
    At(Milliseconds(1), [&] {
      waits = port.queue(0).bytes;
      held = queues->GetQueueDiscClass(0)->GetQueueDisc()->GetNPackets();
      port.SetPaused(0, false);
    });
    RunUntil(Milliseconds(4));
    EXPECT_EQ(flow.received, 1'500'000);
    EXPECT_GE(waits, 2 * 1518);
    EXPECT_LE(waits, 4 * 1518);
    EXPECT_GT(held, 0);
    EXPECT_EQ(Dropped(lab), 0u);
    for (size_t p = 0; p < queues->GetNQueueDiscClasses(); ++p)
      EXPECT_EQ(queues->GetQueueDiscClass(p)->GetQueueDisc()->GetStats().nTotalDroppedPackets, 0u);
    // No segment is sent twice: the pause is shorter than the timeout.
    int64_t payload = 0;
    for (const auto& f : lab.Of(0, FrameKind::foreign)) payload += std::max<int64_t>(0, f.bytes - 58);
    EXPECT_NEAR(static_cast<double>(payload), 1'500'000, 100);
  });
}

TEST(IpPort, AHostThatIsTheBottleneckNeitherLosesNorMarks) {
  // At 1 Gb/s the contents of a socket's buffer of 4 MiB always wait in the host for 33 ms.
  InChild([] {
    Scenario s = StarScenario(2, {GigabitsPerSecond(1), Nanoseconds(500), Time{}, 0.0});
    Lab lab(std::move(s));
    IpStack& stack = InstallAll(lab, {.mtu = 9000, .tcp = {}});
    TcpFlow flow(stack, 0, 1, 5000, 40'000'000);
    RunUntil(Milliseconds(340));
    EXPECT_EQ(flow.received, 40'000'000);
    const auto root =
        stack.Node(0)->GetObject<ns3::TrafficControlLayer>()->GetRootQueueDiscOnDevice(&lab.nic(0).port());
    const ns3::QueueDisc::Stats stats = root->GetQueueDiscClass(0)->GetQueueDisc()->GetStats();
    EXPECT_GT(stats.nTotalEnqueuedPackets, 4000u);
    EXPECT_EQ(stats.nTotalDroppedPackets, 0u);
    EXPECT_EQ(stats.nTotalMarkedPackets, 0u);
  });
}

TEST(IpPort, SmallPacketsThatWaitedAllLeave) {
  // More packets fit under the limit than ns-3's queue disc passes on at once.
  InChild([] {
    Scenario s = StarScenario(2, kShort);
    Lab lab(std::move(s));
    IpStack& stack = InstallAll(lab, {.mtu = 9000, .tcp = {}});
    const auto socket = ns3::Socket::CreateSocket(stack.Node(0), ns3::UdpSocketFactory::GetTypeId());
    socket->Connect(ns3::InetSocketAddress(IpStack::AddressOf(1), 9));
    Port& port = lab.nic(0).port();
    port.SetPaused(0, true);
    for (int i = 0; i < 2000; ++i) EXPECT_GT(socket->Send(ns3::Create<ns3::Packet>(10)), 0);
    At(Microseconds(10), [&] { port.SetPaused(0, false); });
    RunUntil(Milliseconds(1));
    EXPECT_EQ(lab.Of(0, FrameKind::foreign).size(), 2000u);
    EXPECT_EQ(lab.nic(1).counters().delivered_bytes, 2000u * 64);
  });
}

TEST(IpPort, NoPacketOutlivesItsFrame) {
  // One packet is delivered, one lost on the link, one flushed from the port's queue, and one is still there
  // at the end of the run.
  InChild([] {
    std::vector<ns3::Ptr<ns3::Packet>> packets;
    for (int i = 0; i < 4; ++i) packets.push_back(PacketTo(1, 0));
    {
      Lab lab(StarScenario(2, kShort));
      InstallAll(lab);
      Port& port = lab.nic(0).port();
      Send(lab, packets[0]);
      RunUntil(Microseconds(10));
      EXPECT_EQ(packets[0]->GetReferenceCount(), 1u);
      lab.lose = [](NodeId, const Frame&) { return true; };
      Send(lab, packets[1]);
      EXPECT_EQ(packets[1]->GetReferenceCount(), 2u);
      RunUntil(Microseconds(20));
      EXPECT_EQ(packets[1]->GetReferenceCount(), 1u);
      port.SetPaused(0, true);
      Send(lab, packets[2]);
      EXPECT_EQ(port.Flush(0, DropReason::link_loss), 1u);
      EXPECT_EQ(packets[2]->GetReferenceCount(), 1u);
      EXPECT_EQ(lab.network->pool().in_use(), 0u);
      Send(lab, packets[3]);
      EXPECT_EQ(lab.network->pool().in_use(), 1u);
      EXPECT_EQ(packets[3]->GetReferenceCount(), 2u);
    }
    EXPECT_EQ(packets[3]->GetReferenceCount(), 1u);
  });
}

}  // namespace
}  // namespace headroom::ip_test
