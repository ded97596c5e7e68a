// Frames as bytes, compared with a captured packet and with the field tables of the specification.
#include "run/wire_image.h"

#include <gtest/gtest.h>
#include <ns3/ipv4-header.h>
#include <ns3/packet.h>

#include "congestion/agents/int_records.h"
#include "nic/transport/send_request.h"
#include "nic/transport/syndrome.h"

namespace headroom::wire_image_test {
namespace {

std::vector<uint8_t> FromHex(const std::string& hex) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

TEST(Icrc, IsThatOfACnpOnTheWire) {
  // A CNP of a ConnectX-4 Lx, which Scapy's RoCE tests publish, from the IP header on; its last four bytes
  // are the ICRC.
  const auto packet = FromHex(
      "45c2003c718c4000401191610a0011010a001201000012b7002800008100ffff40000118000000000000000000000000000000"
      "000000"
      "000082fd002a");
  ASSERT_EQ(packet.size(), 60u);
  const uint32_t icrc = Icrc(packet.data(), 56);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(packet[56 + i], static_cast<uint8_t>(icrc >> (8 * i)));
}

class Images : public testing::Test {
 protected:
  Images() {
    classes[3].dscp = 26;
    classes[6].dscp = 48;
    frame.kind = FrameKind::data;
    frame.priority = 3;
    frame.src = 0;
    frame.dst = 299;
    frame.source_port = 50'000;
    frame.qp = 0x123456 - kFirstQp;
    frame.psn = 0x0A00000B;
    frame.message = kNoMessage;
  }
  /// The bytes at a position, as a number.
  uint64_t At(size_t at, size_t size) {
    uint64_t value = 0;
    for (size_t i = 0; i < size; ++i) value = value << 8 | bytes.at(at + i);
    return value;
  }
  void Make(const FrameExtension* extension = nullptr) {
    WireImage image(
        classes, 1024, format, [](uint32_t) { return 5000; },
        [&](NodeId sender) { return sender == 0 ? &telemetry : &others; });
    bytes = image.Of(frame, extension, 7, 2);
  }
  TrafficClasses classes;
  IntTelemetry telemetry{3, 256, 80}, others{3, 1, 80};
  FrameFormat format;
  Frame frame;
  std::vector<uint8_t> bytes;
};

TEST_F(Images, APacketIsItselfWithWhatSwitchesChanged) {
  const auto packet = ns3::Create<ns3::Packet>(reinterpret_cast<const uint8_t*>("abcdefgh"), 8);
  ns3::Ipv4Header header;
  header.SetSource(ns3::Ipv4Address("10.0.0.1"));
  header.SetDestination(ns3::Ipv4Address("10.0.1.44"));
  header.SetTtl(64);
  header.SetProtocol(6);
  header.SetPayloadSize(8);
  header.SetEcn(ns3::Ipv4Header::ECN_ECT0);
  packet->AddHeader(header);
  FrameExtension extension;
  extension.packet = packet;
  frame.kind = FrameKind::foreign;
  frame.bytes = 64;
  frame.ce = true;
  frame.hops = 3;
  Make(&extension);
  ASSERT_EQ(bytes.size(), 60u);
  EXPECT_EQ(At(0, 6), 0x02000000012Cu);
  EXPECT_EQ(At(12, 2), 0x0800u);
  EXPECT_EQ(At(15, 1), 3u);   // CE
  EXPECT_EQ(At(16, 2), 28u);  // IP
  EXPECT_EQ(At(22, 1), 61u);  // TTL
  EXPECT_EQ(At(30, 4), 0x0A00012Cu);
  uint32_t sum = 0;
  for (size_t at = 14; at < 34; at += 2) sum += static_cast<uint32_t>(At(at, 2));
  EXPECT_EQ((sum & 0xFFFF) + (sum >> 16), 0xFFFFu);
  EXPECT_EQ(std::string(bytes.begin() + 34, bytes.begin() + 42), "abcdefgh");
}

TEST_F(Images, AWriteHasItsHeadersInPlace) {
  // The first frame of 5000 bytes: 1024 + 62 + 16 with FCS.
  frame.bytes = 1102;
  frame.data.first = true;
  frame.message = 0;
  frame.opcode = 0x06;
  frame.ce = true;
  frame.hops = 2;
  Make();
  ASSERT_EQ(bytes.size(), 1098u);
  EXPECT_EQ(At(0, 6), 0x02000000012Cu);  // host 299
  EXPECT_EQ(At(6, 6), 0x020000000001u);
  EXPECT_EQ(At(12, 2), 0x0800u);
  EXPECT_EQ(At(15, 1), 26u << 2 | 3);  // DSCP, CE
  EXPECT_EQ(At(16, 2), 1098u - 14);    // IP
  EXPECT_EQ(At(22, 1), 62u);           // TTL
  EXPECT_EQ(At(26, 4), 0x0A000001u);   // 10.0.0.1
  EXPECT_EQ(At(30, 4), 0x0A00012Cu);   // 10.0.1.44
  EXPECT_EQ(At(34, 2), 50'000u);       // UDP
  EXPECT_EQ(At(36, 2), 4791u);
  EXPECT_EQ(At(38, 2), 1098u - 34);
  EXPECT_EQ(At(42, 1), 0x06u);  // BTH
  EXPECT_EQ(At(44, 2), 0xFFFFu);
  EXPECT_EQ(At(46, 4), 0x123456u);
  EXPECT_EQ(At(50, 4), 0x0000000Bu);  // 24 bits of the PSN, without a request for an ACK
  EXPECT_EQ(At(66, 4), 5000u);        // the length, in the RETH
  uint32_t sum = 0;
  for (size_t i = 14; i < 34; i += 2) sum += static_cast<uint32_t>(At(i, 2));
  EXPECT_EQ((sum & 0xFFFF) + (sum >> 16), 0xFFFFu);
}

TEST_F(Images, ExtensionsAndPayloadAreCarried) {
  FrameExtension e;
  e.address = 0x1122334455667788u;
  e.key = 0x0A0B0C0D;
  e.length = 3;
  e.immediate = 0xCAFEBABE;
  e.payload = {1, 2, 3};
  frame.opcode = 0x0B;  // WRITE only, with immediate data
  frame.data.first = frame.data.last = true;
  frame.bytes = 62 + 16 + 4 + 3;
  Make(&e);
  EXPECT_EQ(At(54, 8), e.address);
  EXPECT_EQ(At(62, 4), e.key);
  EXPECT_EQ(At(66, 4), 3u);
  EXPECT_EQ(At(70, 4), 0xCAFEBABEu);
  EXPECT_EQ(At(74, 3), 0x010203u);
  EXPECT_EQ(At(50, 1), 0x80u);  // requests an ACK
  EXPECT_EQ(bytes.size(), 81u);
}

TEST_F(Images, ASendOfOneByteIsFilledUpBehindItsIpPacket) {
  FrameExtension e;
  e.length = 1;
  frame.opcode = 0x04;
  frame.data.first = frame.data.last = true;
  frame.bytes = 64;
  Make(&e);
  EXPECT_EQ(bytes.size(), 60u);
  EXPECT_EQ(At(16, 2), 20u + 8 + 12 + 1 + 4);
}

TEST_F(Images, ADatagramNamesItsSender) {
  FrameExtension e;
  e.length = 10;
  e.queue_key = 0x11223344;
  e.source_qp = 9 - kFirstQp;
  frame.opcode = 0x64;
  frame.data.first = frame.data.last = true;
  frame.bytes = 62 + 8 + 10;
  Make(&e);
  EXPECT_EQ(At(54, 4), 0x11223344u);
  EXPECT_EQ(At(58, 4), 9u);
}

TEST_F(Images, AnswersCarrySyndromeAndSequence) {
  frame.kind = FrameKind::nak;
  frame.syndrome = kSequenceError;
  frame.bytes = 66;
  frame.executed = 12;
  Make();
  EXPECT_EQ(At(42, 1), 0x11u);
  EXPECT_EQ(At(54, 4), 0x6000000Cu);
  frame.kind = FrameKind::ack;
  Make();
  EXPECT_EQ(At(54, 4), 0x1F00000Cu);
}

TEST_F(Images, ContextsMessagesAndIndicesStandBehindTheBaseHeader) {
  format.transfer = format.selective = 8;
  FrameExtension e;
  e.context = 0x123;
  e.transfer = 0x7654321;  // the low 20 bits of the transfer
  e.index = 0x1122;
  e.address = 0x1000;
  e.key = 5;
  e.length = 5000;
  frame.opcode = 0x07;  // a middle frame of a WRITE
  frame.bytes = 62 + 8 + 1024;
  Make(&e);
  EXPECT_EQ(At(54, 4), 0x12354321u);
  EXPECT_EQ(At(58, 4), 0x1122u);
  EXPECT_EQ(bytes.size(), 58u + 8 + 1024);
  frame.kind = FrameKind::ask;
  e.index = 0;
  frame.bytes = static_cast<uint16_t>(format.Ask().v);
  Make(&e);
  EXPECT_EQ(At(42, 1), 0xC0u);
  EXPECT_EQ(At(54, 4), 0x12354321u);
  EXPECT_EQ(At(62, 8), 0x1000u);
  EXPECT_EQ(At(70, 4), 5u);
  EXPECT_EQ(At(74, 4), 5000u);
  EXPECT_EQ(bytes.size(), 82u);
  frame.kind = FrameKind::grant;
  frame.syndrome = 1;
  frame.executed = 12;
  frame.bytes = static_cast<uint16_t>(format.SelectiveNak().v);
  Make(&e);
  EXPECT_EQ(At(42, 1), 0xC1u);
  EXPECT_EQ(At(54, 4), 0x0100000Cu);
  EXPECT_EQ(At(58, 4), 0x12354321u);
  EXPECT_EQ(bytes.size(), 70u);
  frame.kind = FrameKind::nak;
  frame.syndrome = kSequenceError;
  e.arrived = 77;
  e.all = true;
  e.length = 3;
  Make(&e);
  EXPECT_EQ(At(58, 8), 0x123543218200004Du);
}

TEST_F(Images, ACnpHasBecnAndSixteenBytesOfNothing) {
  frame.kind = FrameKind::cnp;
  frame.priority = 6;
  frame.bytes = 78;
  Make();
  EXPECT_EQ(bytes.size(), 74u);
  EXPECT_EQ(At(15, 1), 48u << 2);
  EXPECT_EQ(At(42, 1), 0x81u);
  EXPECT_EQ(At(46, 4), 0x40123456u);
  EXPECT_EQ(At(50, 4), 0u);
  EXPECT_EQ(At(54, 8), 0u);
}

TEST_F(Images, APauseNamesItsPrioritiesAndTheirQuanta) {
  frame.kind = FrameKind::pfc;
  frame.bytes = 64;
  frame.pfc = {0x08, 0x10, 0xFFFF};  // pauses 3, resumes 4
  Make();
  EXPECT_EQ(bytes.size(), 60u);
  EXPECT_EQ(At(0, 6), 0x0180C2000001u);
  EXPECT_EQ(At(6, 6), 0x020100070002u);
  EXPECT_EQ(At(12, 4), 0x88080101u);
  EXPECT_EQ(At(16, 2), 0x18u);
  EXPECT_EQ(At(18 + 2 * 3, 2), 0xFFFFu);
  EXPECT_EQ(At(18 + 2 * 4, 2), 0u);
}

TEST_F(Images, HaveWhatAControlAsksForBetweenUdpAndBth) {
  frame.opcode = 0x0A;
  frame.bytes = 62 + 16 + 100;
  Feedback::Records records;
  FrameExtension extension;
  extension.length = 100;
  Make(&extension);
  const auto plain = bytes;
  extension.has_feedback = true;
  Feedback& feedback = extension.feedback;
  feedback.records = &records;
  // Two of three records: nHop 2, path 5 ^ 3; then the rate, 24 bits of ns, 20 of 256 B sent, 16 of 80 B
  // queued.
  feedback.bytes = 2 + 8 * 3;
  feedback.room = 3;
  feedback.Append(IntRecord{5, Nanoseconds(0x1234567), GigabitsPerSecond(100), 256 * 0x300007, 80 * 9 + 79});
  feedback.Append(IntRecord{3, Nanoseconds(20), GigabitsPerSecond(37), 255, 80 * 0x10000});
  frame.bytes = static_cast<uint16_t>(frame.bytes + feedback.bytes);
  Make(&extension);
  ASSERT_EQ(bytes.size(), plain.size() + 26);
  EXPECT_EQ(At(42, 2), 0x2006u);
  EXPECT_EQ(At(44, 8), 0x5234567'00007'0009u);
  EXPECT_EQ(At(52, 8), 0x0000014'00000'FFFFu);
  EXPECT_EQ(At(60, 8), 0u);
  EXPECT_EQ(At(16, 2), plain.size() - 14 + 26);  // the IP packet, and the UDP datagram
  EXPECT_EQ(At(38, 2), plain.size() - 14 - 20 + 26);
  // The rest is the same as without feedback, except for the ICRC over these lengths.
  EXPECT_TRUE(std::equal(plain.begin() + 42, plain.end() - 4, bytes.begin() + 68));
  auto without = bytes;
  without.erase(without.begin() + 42, without.begin() + 68);
  const uint32_t icrc = Icrc(without.data() + 14, without.size() - 14 - 4);
  for (size_t i = 0; i < 4; ++i)
    EXPECT_EQ(bytes[bytes.size() - 4 + i], static_cast<uint8_t>(icrc >> (8 * i)));

  // A timestamp of 12 bytes: nanoseconds, with padding.
  feedback.room = feedback.count = 0;
  feedback.bytes = 12;
  feedback.sent = Microseconds(5);
  frame.bytes = 62 + 16 + 100 + 12;
  Make(&extension);
  EXPECT_EQ(At(42, 8), 5000u);
  EXPECT_EQ(At(50, 4), 0u);
  EXPECT_EQ(At(54, 1), 0x0Au);
  // An ACK returns it.
  frame.kind = FrameKind::ack;
  frame.opcode = kAckOpcode;
  frame.bytes = 66 + 12;
  Make(&extension);
  EXPECT_EQ(At(42, 8), 5000u);
  EXPECT_EQ(At(54, 1), uint64_t{kAckOpcode});
  EXPECT_EQ(bytes.size(), 66u + 12 - 4);
}

TEST_F(Images, ATryHas32BitsOr20BesideAContext) {
  format.reth_again = format.reth;
  format.receive_number = format.selective = 4;
  format.transfer = 8;
  FrameExtension e;
  e.context = FrameExtension::kNoContext;
  e.transfer = 0x7654321;
  e.index = 0x1122;
  frame.opcode = 0x01;  // a middle frame of a SEND
  frame.bytes = 62 + 8 + 4 + 1024;
  Make(&e);
  EXPECT_EQ(At(54, 4), 0x7654321u);
  EXPECT_EQ(At(58, 4), 0x1122u);
  e.context = 0x123;
  Make(&e);
  EXPECT_EQ(At(54, 4), 0x12354321u);
  frame.kind = FrameKind::grant;
  frame.bytes = 66 + 8;
  Make(&e);
  EXPECT_EQ(At(58, 4), 0x12354321u);
  EXPECT_EQ(bytes.size(), 66u + 8 - 4);
}

TEST_F(Images, OfCreditsAreOfTheSizeOfACnp) {
  format = FrameFormat();
  frame.kind = FrameKind::ask;
  frame.about.credits = true;
  frame.bytes = 78;
  frame.psn = 1000;
  FrameExtension extension;
  extension.address = 900;
  Make(&extension);
  EXPECT_EQ(bytes.size(), 74u);
  EXPECT_EQ(At(42, 1), 0xC2u);
  EXPECT_EQ(At(54, 8), 1000u);
  EXPECT_EQ(At(62, 8), 900u);
  frame.kind = FrameKind::grant;
  Make();
  EXPECT_EQ(At(42, 1), 0xC3u);
  EXPECT_EQ(At(54, 8), 1000u);
  EXPECT_EQ(bytes.size(), 74u);
}

}  // namespace
}  // namespace headroom::wire_image_test
