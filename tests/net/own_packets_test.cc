// OwnPackets, by the header of its user.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "net/port.h"

namespace headroom::own_packets_test {
namespace {

TEST(OwnPackets, find_the_messages_in_flight_and_no_others) {
  constexpr size_t kHops = 3;
  OwnPackets own(kHops);
  std::map<uint32_t, EntityId> in_flight;  // by message: the port of its first place
  std::mt19937_64 random(1);
  uint32_t next = 0;
  for (int step = 0; step < 20'000; ++step) {
    if (random() % 2 == 0) {
      next += 1 + static_cast<uint32_t>(random() % 3);  // some messages have a single packet
      own.Begin(next);
      const auto port = static_cast<EntityId>(random() % 1000);
      own.Find(next, 1)->Await(port, Time(0), Time(0), Time(0));
      in_flight[next] = port;
    } else if (!in_flight.empty() && random() % 8 != 0) {  // stragglers stay for long
      const auto last = std::prev(in_flight.end());
      own.End(last->first);
      in_flight.erase(last);
    }
    const auto any = static_cast<uint32_t>(random() % (next + 2));
    const auto known = in_flight.find(any);
    OwnPackets::Place* const found = own.Find(any, 1);
    ASSERT_EQ(found != nullptr, known != in_flight.end()) << any;
    ASSERT_TRUE(found == nullptr || found->IsAt(known->second));
  }
}

}  // namespace
}  // namespace headroom::own_packets_test
