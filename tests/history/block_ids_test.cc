#include "history/block_ids.h"

#include <gtest/gtest.h>

namespace headroom {
namespace {

TEST(BlockIds, WholeBlocksAreThoseThatLieWithin) {
  EXPECT_EQ(WholeBlocks::In(0, 8192).first, 0u);
  EXPECT_EQ(WholeBlocks::In(0, 8192).count, 2u);
  EXPECT_EQ(WholeBlocks::In(512, 8192).first, 1u);
  EXPECT_EQ(WholeBlocks::In(512, 8192).count, 1u);
  EXPECT_EQ(WholeBlocks::In(512, 4096).count, 0u);
  EXPECT_EQ(WholeBlocks::In(4096, 512).count, 0u);
}

TEST(BlockIds, EachWholeBlockBeginsWithTheId) {
  std::vector<uint8_t> bytes(3 * 4096 + 1024, 0xee);
  PutWriteIds(4096 - 512, bytes, 0x0102030405060708);
  EXPECT_EQ(bytes[511], 0xee);
  EXPECT_EQ(bytes[512], 8);
  EXPECT_EQ(bytes[519], 1);
  EXPECT_EQ(bytes[520], 0xee);
  EXPECT_EQ(bytes[512 + 3 * 4096], 0xee) << "of the last block a part alone is there";
  EXPECT_EQ(WriteIdsIn(4096 - 512, bytes), std::vector<WriteId>(3, 0x0102030405060708));
}

}  // namespace
}  // namespace headroom
