// Erasure coding: the fragments that a read needs, the losses that it survives, and that the code returns
// what was lost.
#include "protocol/storage/extents/erasure.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

namespace headroom::erasure_test {
namespace {

using Fragments = ErasureCode::Fragments;

ErasureCode::Words Some(const ErasureParameters& p, uint64_t seed) {
  std::mt19937_64 random(seed);
  ErasureCode::Words words(static_cast<size_t>(p.data));
  for (uint64_t& word : words) word = random();
  const ErasureCode::Words parities = ErasureCode(p).Encode(words);
  words.insert(words.end(), parities.begin(), parities.end());
  return words;
}

/// Calls `use` for every set of `lost` fragments of `all`.
template <class Use>
void ForEachLoss(int all, int lost, const Use& use) {
  for (Fragments set = 0; set < Fragments{1} << all; ++set)
    if (std::popcount(set) == lost) use(set);
}

TEST(Erasure, a_lost_fragment_of_lrc_takes_six_reads_and_storage_a_third_more) {
  const ErasureParameters p;
  const ErasureCode code(p);
  EXPECT_NEAR(p.Overhead(), 1.33, 0.005);
  EXPECT_EQ(code.From(3, 0), std::vector<int>{3});
  EXPECT_EQ(code.From(3, ErasureCode::Bit(3)), (std::vector<int>{0, 1, 2, 4, 5, 12}));
  EXPECT_EQ(code.From(11, ErasureCode::Bit(11)), (std::vector<int>{6, 7, 8, 9, 10, 13}));
  // Two fragments of a group are lost: as many are read as there are data fragments.
  const std::vector<int> from = code.From(3, ErasureCode::Bit(3) | ErasureCode::Bit(4));
  EXPECT_EQ(from, (std::vector<int>{0, 1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 14}));
  // One of each group is lost, and no fragment of the other group is read.
  EXPECT_EQ(code.From(3, ErasureCode::Bit(3) | ErasureCode::Bit(7)).size(), 6u);
}

TEST(Erasure, any_three_losses_survive_and_of_four_as_many_as_published) {
  const ErasureCode code(ErasureParameters{});
  for (int lost = 0; lost <= 3; ++lost)
    ForEachLoss(16, lost, [&](Fragments set) { EXPECT_TRUE(code.Survives(set)); });
  // Huang et al., ATC 2012: 86 % of the cases with four failures.
  int four = 0, survived = 0;
  ForEachLoss(16, 4, [&](Fragments set) { ++four, survived += code.Survives(set); });
  EXPECT_EQ(four, 1820);
  EXPECT_NEAR(100.0 * survived / four, 86, 0.5);
  ForEachLoss(16, 5, [&](Fragments set) { EXPECT_EQ(code.Survives(set), false) << set; });
}

TEST(Erasure, reed_solomon_reads_as_many_as_there_are_data_and_survives_any_of_its_parities) {
  const ErasureCode code(ErasureParameters{12, 0, 4});
  EXPECT_EQ(code.From(3, ErasureCode::Bit(3)).size(), 12u);
  ForEachLoss(16, 4, [&](Fragments set) { EXPECT_TRUE(code.Survives(set)); });
  ForEachLoss(16, 5, [&](Fragments set) { EXPECT_FALSE(code.Survives(set)); });
}

/// The data are the oracle: with every set reported as sufficient the code itself returns the fragment.
TEST(Erasure, what_suffices_gives_back_what_was_lost) {
  for (const ErasureParameters& p :
       {ErasureParameters{4, 2, 2}, ErasureParameters{6, 0, 3}, ErasureParameters{3, 1, 1}}) {
    const ErasureCode code(p);
    const ErasureCode::Words words = Some(p, 7);
    for (Fragments lost = 0; lost <= code.all(); ++lost) {
      for (int wanted = 0; wanted < code.fragments(); ++wanted) {
        const std::vector<int> from = code.From(wanted, lost);
        ASSERT_EQ(from.empty(), !code.Suffice(code.all() & ~lost, wanted));
        if (from.empty()) continue;
        ASSERT_LE(from.size(), static_cast<size_t>(p.data));
        ErasureCode::Words read(words.size());
        for (const int f : from) {
          ASSERT_EQ(lost & ErasureCode::Bit(f), 0u);
          read[static_cast<size_t>(f)] = words[static_cast<size_t>(f)];
        }
        ASSERT_EQ(code.Rebuild(wanted, from, read), words[static_cast<size_t>(wanted)])
            << "fragment " << wanted << " without " << lost;
      }
    }
  }
}

TEST(Erasure, lrc_gives_back_each_fragment_after_some_losses_of_three_and_four) {
  const ErasureParameters p;
  const ErasureCode code(p);
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    const ErasureCode::Words words = Some(p, static_cast<uint64_t>(i));
    Fragments lost = 0;
    while (std::popcount(lost) < 3 + i % 2) lost |= ErasureCode::Bit(static_cast<int>(random() % 16));
    for (int wanted = 0; wanted < 16; ++wanted) {
      const std::vector<int> from = code.From(wanted, lost);
      if (from.empty() && i % 2 == 1) continue;  // some sets of four do not survive
      ASSERT_FALSE(from.empty());
      ErasureCode::Words read(words.size());
      for (const int f : from) read[static_cast<size_t>(f)] = words[static_cast<size_t>(f)];
      ASSERT_EQ(code.Rebuild(wanted, from, read), words[static_cast<size_t>(wanted)]);
    }
  }
}

/// Fragments beyond the sufficient ones do no harm: the code answers with the first ones of the requested
/// order.
TEST(Erasure, more_than_suffices_gives_the_same) {
  const ErasureParameters p;
  const ErasureCode::Words words = Some(p, 1);
  std::vector<int> from;
  ErasureCode::Words read(words.size());
  for (const int f : {15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 3, 2, 1}) {
    from.push_back(f);
    read[static_cast<size_t>(f)] = words[static_cast<size_t>(f)];
  }
  EXPECT_EQ(ErasureCode(p).Rebuild(0, from, read), words[0]);
  EXPECT_EQ(ErasureCode(p).Rebuild(4, from, read), words[4]);
}

TEST(Erasure, a_range_is_read_from_the_fragments_that_it_lies_in) {
  const ErasureCode code(ErasureParameters{});
  const Bytes extent(int64_t{12} << 20);
  const uint64_t size = 1 << 20;
  ASSERT_EQ(code.FragmentSize(extent).v, 1 << 20);
  EXPECT_EQ(code.FragmentSize(Bytes(1 << 20)).v, 22 * 4096);  // of 12 fragments, the last of them half filled
  auto pieces = code.Read(extent, 3 * size + 8192, 4096, 0);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].fragment, 3);
  EXPECT_EQ(pieces[0].offset, 8192u);
  EXPECT_EQ(pieces[0].length, 4096u);
  EXPECT_FALSE(pieces[0].Rebuilt());
  // The read crosses a boundary, and the first of both fragments is lost.
  pieces = code.Read(extent, 4 * size - 4096, 3 * 4096, ErasureCode::Bit(3));
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_TRUE(pieces[0].Rebuilt());
  EXPECT_EQ(pieces[0].offset, size - 4096);
  EXPECT_EQ(pieces[0].length, 4096u);
  EXPECT_EQ(pieces[0].from.size(), 6u);
  EXPECT_EQ(pieces[1].fragment, 4);
  EXPECT_EQ(pieces[1].offset, 0u);
  EXPECT_EQ(pieces[1].length, 8192u);
  EXPECT_EQ(pieces[1].from, std::vector<int>{4});
  // Five fragments of a group are lost: nothing returns them.
  const Fragments five = ErasureCode::Bit(0) | ErasureCode::Bit(1) | ErasureCode::Bit(2) |
                         ErasureCode::Bit(3) | ErasureCode::Bit(4);
  EXPECT_TRUE(code.Read(extent, 0, 4096, five)[0].from.empty());
}

}  // namespace
}  // namespace headroom::erasure_test
