// Commands and replies as bytes.
#include "protocol/redis/resp.h"

#include <gtest/gtest.h>

#include "support/dice.h"

namespace headroom::resp_test {
namespace {

resp::Bytes Random(Dice& dice, int64_t length) {
  resp::Bytes bytes(static_cast<size_t>(length));
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(dice.Between(0, 255));
  return bytes;
}
std::string Text(std::span<const uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

TEST(Resp, has_the_sizes_of_redis_benchmark) {
  const resp::Bytes key(16, 'k'), value(3, 'x');
  resp::Bytes get, reply, nil, set;
  resp::AppendGet(key, get);
  EXPECT_EQ(Text(get), "*2\r\n$3\r\nGET\r\n$16\r\nkkkkkkkkkkkkkkkk\r\n");
  EXPECT_EQ(get.size(), 36u);
  resp::AppendValue(value, reply);
  EXPECT_EQ(reply.size(), 9u);
  resp::AppendNil(nil);
  EXPECT_EQ(nil.size(), 5u);
  std::ranges::copy(value, resp::AppendSet(key, 3, set).begin());
  EXPECT_EQ(Text(set), "*3\r\n$3\r\nSET\r\n$16\r\nkkkkkkkkkkkkkkkk\r\n$3\r\nxxx\r\n");
}

// A message cut anywhere is incomplete but not wrong; a complete one equals the written one.
TEST(Resp, is_read_as_it_was_written_wherever_it_is_cut) {
  Dice dice(3);
  for (int i = 0; i < 300; ++i) {
    const resp::Bytes key = Random(dice, dice.Between(1, 64)), value = Random(dice, dice.Between(0, 300));
    const bool sets = dice.OneIn(2);
    resp::Bytes command;
    sets ? (void)std::ranges::copy(value, resp::AppendSet(key, value.size(), command).begin())
         : resp::AppendGet(key, command);
    EXPECT_EQ(static_cast<int64_t>(command.size()),
              sets ? resp::SetBytes(static_cast<int64_t>(key.size()), static_cast<int64_t>(value.size()))
                   : resp::GetBytes(static_cast<int64_t>(key.size())));
    resp::Bytes reply;
    resp::AppendValue(value, reply);
    EXPECT_EQ(static_cast<int64_t>(reply.size()), resp::ValueBytes(static_cast<int64_t>(value.size())));
    for (size_t cut = 0; cut < command.size(); ++cut) {
      const auto parsed = resp::ParseCommand(std::span(command).first(cut));
      ASSERT_TRUE(parsed.taken == 0 && !parsed.wrong) << cut;
    }
    for (size_t cut = 0; cut < reply.size(); ++cut) {
      const auto parsed = resp::ParseReply(std::span(reply).first(cut));
      ASSERT_TRUE(parsed.taken == 0 && !parsed.wrong) << cut;
    }
    command.push_back('*');  // first byte of the next command
    const auto parsed = resp::ParseCommand(command);
    ASSERT_EQ(parsed.taken, command.size() - 1);
    EXPECT_EQ(parsed.item.sets, sets);
    EXPECT_EQ(Text(parsed.item.key), Text(key));
    EXPECT_EQ(Text(parsed.item.value), sets ? Text(value) : "");
    const auto said = resp::ParseReply(reply);
    ASSERT_EQ(said.taken, reply.size());
    EXPECT_EQ(Text(said.item.value), Text(value));
  }
}

TEST(Resp, that_is_none_is_wrong) {
  for (const std::string text :
       {"PING\r\n", "*2\r\n$3\r\nDEL\r\n", "*3\r\n$3\r\nSET\r\n$x", "*2\r\n$3\r\nGET\r\n$2\r\nabc\r\n",
        "*2\r\n$3\r\nGET\r\n$-7\r\n", "*2\r\n$3\r\nGET\r\n$99999999999\r\n"}) {
    const resp::Bytes bytes(text.begin(), text.end());
    EXPECT_TRUE(resp::ParseCommand(bytes).wrong) << text;
  }
  for (const std::string text : {"-ERR\r\n", "+NO\r\n", ":1\r\n", "$3\r\nabcd\r\n"}) {
    const resp::Bytes bytes(text.begin(), text.end());
    EXPECT_TRUE(resp::ParseReply(bytes).wrong) << text;
  }
}

}  // namespace
}  // namespace headroom::resp_test
