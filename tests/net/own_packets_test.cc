// OwnPackets, by the header of its user.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "net/port.h"

namespace headroom::own_packets_test {
namespace {

/// Against a list of all transmissions: of each message that waits, the time of those that ended after its
/// wait began, and only from then on.
TEST(OwnPackets, sum_what_a_port_sends_while_the_last_packet_waits) {
  struct Waiting {
    Time from, sent;
  };
  OwnPackets own;
  std::map<uint32_t, Waiting> waiting;
  std::mt19937_64 random(1);
  Time now;
  for (int step = 0; step < 20'000; ++step) {
    const auto message = static_cast<uint32_t>(random() % 40);
    const Time takes(static_cast<int64_t>(random() % 100));
    const auto known = waiting.find(message);
    if (random() % 3 != 0) {  // a packet of the message is sent
      const Time until = now + takes;
      own.OnSent(message, now, until);
      if (known != waiting.end() && until > known->second.from)
        known->second.sent += until - std::max(now, known->second.from);
      now = until;
    } else if (known == waiting.end()) {
      const Time from = now + Time(static_cast<int64_t>(random() % 300));
      own.Await(message, now, from, Time{});
      waiting[message] = {from, Time{}};
    } else {
      own.Leave(message);
      waiting.erase(known);
    }
    const auto any = static_cast<uint32_t>(random() % 40);
    ASSERT_EQ(own.Sent(any), waiting.contains(any) ? waiting[any].sent : Time{}) << any;
    ASSERT_EQ(own.empty(), waiting.empty());
  }
}

TEST(OwnPackets, count_a_packet_that_is_being_sent_from_the_beginning_of_the_wait) {
  OwnPackets own;
  own.Await(7, Time(100), Time(150), Time(180));
  EXPECT_EQ(own.Sent(7), Time(30));
  own.Await(8, Time(100), Time(150), Time(120));
  EXPECT_EQ(own.Sent(8), Time{});
}

TEST(OwnPackets, remember_a_message_until_all_its_last_packets_have_left) {
  OwnPackets own;
  own.Await(7, Time(0), Time(0), Time{});
  own.Await(7, Time(10), Time(10), Time{});  // it was sent again
  own.Leave(7);
  own.OnSent(7, Time(20), Time(25));
  EXPECT_EQ(own.Sent(7), Time(5));
  own.Leave(7);
  EXPECT_TRUE(own.empty());
}

}  // namespace
}  // namespace headroom::own_packets_test
