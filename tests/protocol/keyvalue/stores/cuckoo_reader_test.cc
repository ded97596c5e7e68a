// Clients of Pilaf, whose READs meet PUTs.
#include "protocol/keyvalue/stores/cuckoo_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "protocol/keyvalue/stores/cuckoo_table.h"
#include "protocol/keyvalue/stores/value_content.h"

namespace headroom::cuckoo_reader_test {
namespace {

using State = CuckooReader::State;

std::vector<uint8_t> Value(uint64_t record, uint64_t version, size_t length) {
  std::vector<uint8_t> value(length);
  FillValue(KeyOfRecord(record), version, value);
  return value;
}

/// The bytes of the reader's next READ.
std::vector<uint8_t> Read(const CuckooTable& table, const CuckooReader& reader) {
  const auto [address, bytes] = reader.Next();
  const auto from = reader.state() == State::kValue ? table.extents().At(address, bytes)
                                                    : table.bytes().subspan(address, bytes);
  return {from.begin(), from.end()};
}

bool Ends(const CuckooReader& reader) {
  return reader.state() == State::kFound || reader.state() == State::kAbsent;
}

TEST(CuckooReader, reads_the_buckets_that_the_table_looks_at_and_the_value) {
  CuckooTable table(1000, 1 << 16);
  for (uint64_t record = 0; record < 750; ++record)
    ASSERT_TRUE(table.Put(KeyOfRecord(record), Value(record, 1, 32)));
  for (uint64_t record = 0; record < 1000; ++record) {
    CuckooReader reader(KeyOfRecord(record), 1000);
    const auto expected = table.Get(KeyOfRecord(record));
    std::vector<uint8_t> read;
    for (uint32_t i = 0; i < expected.probes; ++i) {
      ASSERT_EQ(reader.state(), State::kBucket);
      ASSERT_EQ(reader.Next().address, expected.buckets[i] * 32u);
      ASSERT_EQ(reader.Next().bytes, 32u);
      reader.Take(Read(table, reader));
    }
    if (expected.hit) {
      ASSERT_EQ(reader.state(), State::kValue);
      ASSERT_EQ(reader.Next().address, expected.address);
      ASSERT_EQ(reader.Next().bytes, 32u);
      read = Read(table, reader);
      reader.Take(read);
      ASSERT_TRUE(IsValue(KeyOfRecord(record), 1, read));
    }
    ASSERT_EQ(reader.state(), record < 750 ? State::kFound : State::kAbsent);
    ASSERT_EQ(reader.buckets_read(), expected.probes);
    ASSERT_EQ(reader.values_read(), record < 750 ? 1u : 0u);
    ASSERT_EQ(reader.torn(), 0u);
  }
}

// The READ of the bucket finds 20 of the 32 new bytes. Expect: the reader reads that bucket again, and then
// has the value.
TEST(CuckooReader, reads_a_half_written_bucket_again) {
  CuckooTable table(1, 1 << 10);
  ASSERT_TRUE(table.Put(KeyOfRecord(1), Value(1, 1, 32)));
  const std::vector<uint8_t> before(table.bytes().begin(), table.bytes().end());
  ASSERT_TRUE(table.Put(KeyOfRecord(1), Value(1, 2, 32)));
  std::vector<uint8_t> torn(table.bytes().begin(), table.bytes().end());
  std::copy(before.begin() + 20, before.end(), torn.begin() + 20);

  CuckooReader reader(KeyOfRecord(1), 1);
  const uint64_t address = reader.Next().address;
  reader.Take(torn);
  ASSERT_EQ(reader.state(), State::kBucket);
  EXPECT_EQ(reader.Next().address, address);
  EXPECT_EQ(reader.torn(), 1u);
  reader.Take(Read(table, reader));
  const auto value = Read(table, reader);
  reader.Take(value);
  EXPECT_EQ(reader.state(), State::kFound);
  EXPECT_TRUE(IsValue(KeyOfRecord(1), 2, value));
  EXPECT_EQ(reader.torn(), 1u);
}

// Between the READs of the bucket and of the value two PUTs come: one of a new version, and one of another
// key, which gets the extent of the old version. Expect: the reader does not take the other key's value,
// starts again, and gets the new version.
TEST(CuckooReader, does_not_take_what_another_wrote_into_a_freed_extent) {
  CuckooTable table(100, 1 << 10);
  ASSERT_TRUE(table.Put(KeyOfRecord(1), Value(1, 1, 32)));
  CuckooReader reader(KeyOfRecord(1), 100);
  while (reader.state() == State::kBucket) reader.Take(Read(table, reader));
  const uint64_t old = reader.Next().address;
  ASSERT_TRUE(table.Put(KeyOfRecord(1), Value(1, 2, 32)));
  ASSERT_TRUE(table.Put(KeyOfRecord(2), Value(2, 1, 32)));
  ASSERT_EQ(table.Get(KeyOfRecord(2)).address, old);

  reader.Take(Read(table, reader));
  EXPECT_EQ(reader.state(), State::kBucket);
  EXPECT_EQ(reader.torn(), 1u);
  std::vector<uint8_t> read;
  while (!Ends(reader)) reader.Take(read = Read(table, reader));
  EXPECT_EQ(reader.state(), State::kFound);
  EXPECT_TRUE(IsValue(KeyOfRecord(1), 2, read));
}

// Between any two READs there are PUTs of existing keys: no key moves. Expect: every key is found, with a
// version that it had while the client searched for it.
TEST(CuckooReader, finds_a_version_of_its_time_among_puts) {
  constexpr uint64_t kRecords = 150;
  std::mt19937_64 random(4);
  CuckooTable table(200, kRecords * 32 + 64);  // extents are soon used again
  std::vector<uint64_t> version(kRecords);
  for (uint64_t record = 0; record < kRecords; ++record)
    ASSERT_TRUE(table.Put(KeyOfRecord(record), Value(record, 0, 32)));
  uint64_t torn = 0;
  for (int i = 0; i < 5000; ++i) {
    const uint64_t record = random() % kRecords, first = version[record];
    CuckooReader reader(KeyOfRecord(record), 200);
    std::vector<uint8_t> read;
    while (!Ends(reader)) {
      for (int puts = static_cast<int>(random() % 3); puts > 0; --puts) {
        const uint64_t other = random() % 2 == 0 ? record : random() % kRecords;
        ASSERT_TRUE(table.Put(KeyOfRecord(other), Value(other, ++version[other], 32)));
      }
      reader.Take(read = Read(table, reader));
    }
    ASSERT_EQ(reader.state(), State::kFound);
    bool of_its_time = false;
    for (uint64_t v = first; v <= version[record]; ++v) of_its_time |= IsValue(KeyOfRecord(record), v, read);
    ASSERT_TRUE(of_its_time) << "record " << record;
    torn += reader.torn();
  }
  EXPECT_GT(torn, 100u);
}

TEST(CuckooReader, refuses_no_key) { EXPECT_THROW(CuckooReader({}, 10), std::invalid_argument); }

}  // namespace
}  // namespace headroom::cuckoo_reader_test
