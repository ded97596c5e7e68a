#include "net/frame.h"

#include <gtest/gtest.h>

#include "net/frame_format.h"

namespace headroom::frame_test {
namespace {

TEST(FrameFormat, SizesAreRoceV2s) {
  // Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4, FCS 4: 62; RETH has 16, AETH 4; a CNP has 16 reserved bytes.
  const FrameFormat f;
  EXPECT_EQ(f.Data(1024, false), Bytes(1086));
  EXPECT_EQ(f.Data(1024, true), Bytes(1102));
  EXPECT_EQ(f.Data(0, false), Bytes(64));
  EXPECT_EQ(f.Ack(), Bytes(66));
  EXPECT_EQ(f.Cnp(), Bytes(78));
  EXPECT_EQ(f.Pfc(), Bytes(64));
  EXPECT_EQ(f.OnWire(f.Pfc()), Bytes(84));
}

TEST(Opcode, SaysWhichExtendedHeadersFollow) {
  // Data adds headers by the position in the message, and Payload subtracts them by the opcode.
  const FrameFormat f;
  for (const Operation operation :
       {Operation::send, Operation::send_imm, Operation::send_inv, Operation::write, Operation::write_imm,
        Operation::read_request, Operation::read_response}) {
    for (const bool first : {false, true}) {
      for (const bool last : {false, true}) {
        for (const Transport transport : {Transport::rc, Transport::uc}) {
          const bool reads = operation == Operation::read_request || operation == Operation::read_response;
          if (transport == Transport::uc && (reads || operation == Operation::send_inv)) continue;
          const uint8_t opcode = OpcodeOf(transport, operation, first, last);
          SCOPED_TRACE(static_cast<int>(opcode));
          EXPECT_EQ(f.Payload(opcode, f.Data(operation, 500, first, last).v), 500);
          const bool write = operation == Operation::write || operation == Operation::write_imm;
          EXPECT_EQ(HasReth(opcode), (write && first) || operation == Operation::read_request);
          EXPECT_EQ(HasAeth(opcode), operation == Operation::read_response && (first || last));
        }
      }
    }
  }
}

TEST(FramePool, ReusesWhatCameBack) {
  FramePool pool;
  Frame* first = pool.Take();
  first->bytes = 1000;
  first->ce = true;
  pool.Give(first);
  Frame* again = pool.Take();
  EXPECT_EQ(again, first);
  EXPECT_EQ(again->bytes, 0u);
  EXPECT_FALSE(again->ce);
  pool.Give(again);
}

TEST(FramePool, CountsTheLivingButNoPfc) {
  FramePool pool;
  std::vector<Frame*> frames;
  for (int i = 0; i < 3000; ++i) {  // more than a block
    frames.push_back(pool.Take());
    frames.back()->bytes = 10;
    if (i % 3 == 0) frames.back()->kind = FrameKind::pfc;
  }
  EXPECT_EQ(pool.in_use(), 3000u);
  EXPECT_EQ(pool.BytesInUse(), 20'000u);
  int empty = 0;
  pool.SetOnEmpty([](void* n) { ++*static_cast<int*>(n); }, &empty);
  for (Frame* f : frames) {
    EXPECT_EQ(empty, 0);
    pool.Give(f);
  }
  EXPECT_EQ(empty, 1);
  EXPECT_EQ(pool.BytesInUse(), 0u);
}

TEST(FramePool, LetsGoOfAPacketWithItsFrame) {
  FramePool pool;
  const auto packet = ns3::Create<ns3::Packet>(100);
  for (int i = 0; i < 2; ++i) {
    Frame* f = pool.Take();
    f->kind = FrameKind::foreign;
    pool.Attach(*f).packet = packet;
    EXPECT_EQ(packet->GetReferenceCount(), 2u);
    if (i == 0) pool.Give(f);
    if (i == 1) pool.Clear();
    EXPECT_EQ(packet->GetReferenceCount(), 1u);
  }
}

TEST(FrameFifo, IsFirstInFirstOut) {
  FramePool pool;
  FrameFifo fifo;
  EXPECT_TRUE(fifo.Empty());
  for (uint32_t i = 0; i < 3; ++i) {
    Frame* f = pool.Take();
    f->psn = i;
    fifo.Append(f);
  }
  for (uint32_t i = 0; i < 3; ++i) EXPECT_EQ(fifo.Pop()->psn, i);
  EXPECT_TRUE(fifo.Empty());
}

}  // namespace
}  // namespace headroom::frame_test
