#include "protocol/tcp/tcp_message.h"

#include <gtest/gtest.h>

namespace headroom::tcp_message_test {
namespace {

TEST(TcpMessage, says_at_the_other_end_what_it_said_and_a_changed_byte_is_found) {
  TcpMessage m;
  m.answer = true;
  m.length = 0x89abcdef;
  m.number = 0x0123456789abcdef;
  m.said = {1, uint64_t{1} << 40, ~uint64_t{0}};
  m.cause = 77;
  m.crc = 0xdeadbeef;
  std::array<uint8_t, TcpMessage::kBytes> bytes{};
  m.WriteTo(bytes.data());
  EXPECT_TRUE(TcpMessage::IsSound(bytes.data()));
  const TcpMessage read = TcpMessage::ReadFrom(bytes.data());
  EXPECT_EQ(read.answer, m.answer);
  EXPECT_EQ(read.length, m.length);
  EXPECT_EQ(read.number, m.number);
  EXPECT_EQ(read.said, m.said);
  EXPECT_EQ(read.cause, m.cause);
  EXPECT_EQ(read.crc, m.crc);
  for (uint8_t& byte : bytes) {
    byte ^= 0x10;
    EXPECT_FALSE(TcpMessage::IsSound(bytes.data()));
    byte ^= 0x10;
  }
}

}  // namespace
}  // namespace headroom::tcp_message_test
