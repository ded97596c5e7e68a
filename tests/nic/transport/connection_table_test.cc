// The table compared with a map.
#include "nic/transport/connection_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace headroom::connection_table_test {
namespace {

TEST(ConnectionTable, FindsWhatAMapFinds) {
  std::mt19937 random(1);
  ConnectionTable table;
  std::map<std::pair<NodeId, uint32_t>, uint32_t> map;
  for (uint32_t i = 0; i < 3000; ++i) {
    const std::pair<NodeId, uint32_t> key{random() % 100, random() % 100};
    const auto at = map.find(key);
    EXPECT_EQ(table.Find(key.first, key.second), at == map.end() ? ConnectionTable::kNone : at->second);
    if (at != map.end()) continue;
    map[key] = i;
    table.Add(key.first, key.second, i);
  }
  EXPECT_GT(map.size(), 2000u);
  for (const auto& [key, responder] : map) EXPECT_EQ(table.Find(key.first, key.second), responder);
}

}  // namespace
}  // namespace headroom::connection_table_test
