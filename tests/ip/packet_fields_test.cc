// Fields that are read from a packet, and how flows spread over paths.
#include "ip/packet_fields.h"

#include <gtest/gtest.h>
#include <ns3/ipv4-header.h>
#include <ns3/tcp-header.h>
#include <ns3/udp-header.h>

#include <array>

#include "net/topology/routing.h"

namespace headroom::packet_fields_test {
namespace {

ns3::Ptr<ns3::Packet> Udp(uint16_t from, uint16_t to, bool fragment = false) {
  const auto packet = ns3::Create<ns3::Packet>(100);
  ns3::UdpHeader udp;
  udp.SetSourcePort(from);
  udp.SetDestinationPort(to);
  packet->AddHeader(udp);
  ns3::Ipv4Header ip;
  ip.SetSource(ns3::Ipv4Address("10.0.0.1"));
  ip.SetDestination(ns3::Ipv4Address("10.0.1.2"));
  ip.SetProtocol(17);
  ip.SetTos(0xA2);
  if (fragment) ip.SetMoreFragments();
  packet->AddHeader(ip);
  return packet;
}

TEST(PacketFields, AreThoseOfTheHeaders) {
  const PacketFields f = FieldsOf(*Udp(1234, 65'000));
  EXPECT_EQ(f.source, 0x0A000001u);
  EXPECT_EQ(f.destination, 0x0A000102u);
  EXPECT_EQ(f.source_port, 1234);
  EXPECT_EQ(f.destination_port, 65'000);
  EXPECT_EQ(f.protocol, 17);
  EXPECT_EQ(f.tos, 0xA2);
}

TEST(PacketFields, OnlyTcpsDataHaveASequenceNumber) {
  const auto tcp = [](uint32_t payload) {
    const auto packet = ns3::Create<ns3::Packet>(payload);
    ns3::TcpHeader header;
    header.SetSequenceNumber(ns3::SequenceNumber32(4711));
    packet->AddHeader(header);
    ns3::Ipv4Header ip;
    ip.SetProtocol(6);
    ip.SetPayloadSize(static_cast<uint16_t>(packet->GetSize()));
    packet->AddHeader(ip);
    return FieldsOf(*packet).sequence;
  };
  EXPECT_EQ(tcp(1), 4711u);
  EXPECT_FALSE(tcp(0));
  EXPECT_FALSE(FieldsOf(*Udp(1234, 65'000)).sequence);
}

TEST(PacketFields, AFragmentHasNoPorts) {
  // Only the first fragment has the ports on the wire, and all must take one way.
  const PacketFields f = FieldsOf(*Udp(1234, 65'000, true));
  EXPECT_EQ(f.source_port, 0);
  EXPECT_EQ(f.destination_port, 0);
}

TEST(PacketFields, APacketThatEndsBehindItsHeaderIsRead) {
  const auto packet = ns3::Create<ns3::Packet>();
  ns3::Ipv4Header ip;
  ip.SetProtocol(6);
  packet->AddHeader(ip);
  EXPECT_EQ(FieldsOf(*packet).source_port, 0);
}

TEST(PacketFields, FlowsSpreadOverEqualPaths) {
  // 4000 connections over 8 paths: 500 each, with a deviation of 21.
  std::array<int, 8> flows{};
  for (uint16_t port = 49'152; port < 49'152 + 4000; ++port)
    ++flows[EcmpChoice(FieldsOf(*Udp(port, 5000)).FlowHash(), EcmpSeed("leaf0"), 8)];
  for (const int n : flows) EXPECT_NEAR(n, 500, 100);
  EXPECT_EQ(FieldsOf(*Udp(7, 8)).FlowHash(), FieldsOf(*Udp(7, 8)).FlowHash());
  EXPECT_NE(FieldsOf(*Udp(7, 8)).FlowHash(), FieldsOf(*Udp(8, 7)).FlowHash());
}

}  // namespace
}  // namespace headroom::packet_fields_test
