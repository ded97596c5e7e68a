#include "protocol/storage/extents/sparse_bytes.h"

#include <gtest/gtest.h>

#include <random>

namespace headroom {
namespace {

TEST(SparseBytes, AreThoseOfAPlainArray) {
  std::mt19937 random(7);
  SparseBytes sparse;
  std::vector<uint8_t> plain(300);
  for (int i = 0; i < 5000; ++i) {
    const uint64_t at = random() % 250, length = random() % 50;
    std::vector<uint8_t> bytes(length);
    for (uint8_t& b : bytes) b = random() % 3 == 0 ? static_cast<uint8_t>(random()) : 0;
    sparse.Write(at, bytes);
    std::copy(bytes.begin(), bytes.end(), plain.begin() + static_cast<std::ptrdiff_t>(at));
    const uint64_t from = random() % 280, to = from + random() % 20;
    ASSERT_EQ(sparse.Read(from, to - from),
              std::vector<uint8_t>(plain.begin() + static_cast<std::ptrdiff_t>(from),
                                   plain.begin() + static_cast<std::ptrdiff_t>(to)));
  }
}

}  // namespace
}  // namespace headroom
