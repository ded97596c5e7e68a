#include "workload/distributions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace headroom::distributions_test {
namespace {

/// A file in the test's temporary directory.
class TextFile {
 public:
  explicit TextFile(const std::string& text) {
    // Cases run in parallel: each has a name of its own.
    path_ = testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".txt";
    std::ofstream(path_) << text;
  }
  ~TextFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string ErrorOf(const std::string& text) {
  const TextFile file(text);
  try {
    ReadDistribution(file.path());
  } catch (const std::invalid_argument& e) {
    return std::string(e.what()).substr(file.path().size());
  }
  return "";
}

TEST(FindDistribution, HasTheFourPublishedOnes) {
  EXPECT_EQ(DistributionNames(),
            (std::vector<std::string>{"AliStorage2019", "WebSearch", "FbHdp", "GoogleRPC2008"}));
  EXPECT_EQ(FindDistribution("AliStorage2019")->points.size(), 9u);
  EXPECT_EQ(FindDistribution("WebSearch")->points.size(), 12u);
  EXPECT_EQ(FindDistribution("FbHdp")->points.size(), 20u);
  EXPECT_EQ(FindDistribution("GoogleRPC2008")->points.size(), 843u);
  EXPECT_EQ(FindDistribution("websearch"), nullptr);
}

TEST(FindDistribution, PointsAscendToOne) {
  for (const std::string& name : DistributionNames()) {
    const auto d = FindDistribution(name);
    EXPECT_FALSE(d->source.empty());
    for (size_t i = 1; i < d->points.size(); ++i) {
      EXPECT_LT(d->points[i - 1].bytes, d->points[i].bytes);
      EXPECT_LE(d->points[i - 1].cumulative, d->points[i].cumulative);
    }
    EXPECT_EQ(d->points.back().cumulative, 1.0);
  }
}

/// The built-in tables against the files they were taken from, where those are at hand.
TEST(FindDistribution, EqualsTheOriginalFiles) {
  const std::filesystem::path folder =
      std::filesystem::path(HEADROOM_SOURCE_DIR) / "../shared/data/workloads";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "the data are not at hand";
  const std::pair<const char*, const char*> files[] = {{"AliStorage2019", "AliStorage2019.txt"},
                                                       {"WebSearch", "WebSearch_distribution.txt"},
                                                       {"FbHdp", "FbHdp_distribution.txt"},
                                                       {"GoogleRPC2008", "GoogleRPC2008.txt"}};
  for (const auto& [name, file] : files) {
    EXPECT_EQ(ReadDistribution(folder / file)->points, FindDistribution(name)->points) << name;
  }
}

TEST(MeanBytes, IsTheAreaUnderThePoints) {
  // A mass of 1/4 at 100, then 3/4 evenly from 100 to 300: 25 + 0.75 · 200.
  const SizeDistribution d{"", "", {{100, 0.25}, {300, 1.0}}};
  EXPECT_DOUBLE_EQ(MeanBytes(d), 175);
  // Ten segments by hand: 750 + 750 + 2500 + 4000 + 8450 + 9800 + 60 000 + 150 000 + 350 000 + 525 000 + 600
  // 000.
  EXPECT_NEAR(MeanBytes(*FindDistribution("WebSearch")), 1'711'250, 1e-6);
}

TEST(SampleSize, InterpolatesRoundsAndIsNeverNothing) {
  const SizeDistribution d{"", "", {{0, 0.0}, {10, 0.5}, {10, 0.75}, {20, 0.75}, {40, 1.0}}};
  EXPECT_EQ(SampleSize(d, 0.0), Bytes(1));
  EXPECT_EQ(SampleSize(d, 0.25), Bytes(5));
  EXPECT_EQ(SampleSize(d, 0.13), Bytes(3));  // 2.6
  EXPECT_EQ(SampleSize(d, 0.6), Bytes(10));  // a mass at 10
  EXPECT_EQ(SampleSize(d, 0.875), Bytes(30));
  EXPECT_EQ(SampleSize(d, 1.0), Bytes(40));
}

TEST(SampleSize, MassAtTheFirstPoint) {
  const SizeDistribution d{"", "", {{64, 0.4}, {1064, 1.0}}};
  EXPECT_EQ(SampleSize(d, 0.0), Bytes(64));
  EXPECT_EQ(SampleSize(d, 0.4), Bytes(64));
  EXPECT_EQ(SampleSize(d, 0.7), Bytes(564));
  const SizeDistribution constant{"", "", {{64, 1.0}}};
  EXPECT_EQ(SampleSize(constant, 0.99), Bytes(64));
  EXPECT_DOUBLE_EQ(MeanBytes(constant), 64);
}

TEST(SampleSize, EvenDrawsHaveTheMean) {
  for (const std::string& name : DistributionNames()) {
    const auto d = FindDistribution(name);
    double sum = 0;
    constexpr int kDraws = 1'000'000;
    for (int i = 0; i < kDraws; ++i) sum += static_cast<double>(SampleSize(*d, (i + 0.5) / kDraws).v);
    EXPECT_NEAR(sum / kDraws / MeanBytes(*d), 1.0, 1e-4) << name;
  }
}

TEST(ReadDistribution, ReadsPointsAndComments) {
  const TextFile file("# sizes\n\n100 25  # a mass\n  300\t100\r\n");
  const auto d = ReadDistribution(file.path());
  EXPECT_EQ(d->points, (std::vector<SizeDistribution::Point>{{100, 0.25}, {300, 1.0}}));
  EXPECT_EQ(d->name, file.path());
}

TEST(ReadDistribution, NamesThePlaceOfAMistake) {
  EXPECT_EQ(ErrorOf("100\n"), ":1:4: the percentage is missing; a line is `size percent`");
  EXPECT_EQ(ErrorOf("100 25 3\n"), ":1:8: one word too many; a line is `size percent`");
  EXPECT_EQ(ErrorOf("100 25\n1kB 100\n"), ":2:1: 1kB is not a size in bytes");
  EXPECT_EQ(ErrorOf("100 nan\n"), ":1:5: nan is not a percentage");
  EXPECT_EQ(ErrorOf("100 101\n"), ":1:5: 101 is not a percentage; 0 to 100");
  EXPECT_EQ(ErrorOf("-1 50\n"), ":1:1: -1 is not a size in bytes; 0 to 1000000000000000");
  EXPECT_EQ(ErrorOf("100 25\n50 100\n"),
            ":2:1: this size is less than the one before; sizes must not decrease");
  EXPECT_EQ(ErrorOf("100 25\n200 20\n"),
            ":2:5: this percentage is less than the one before; percentages are cumulative");
  EXPECT_EQ(ErrorOf("100 25\n200 99\n# end\n"), ":2:5: the last percentage is not 100");
  EXPECT_EQ(ErrorOf("# nothing\n"), ":1:1: no point; a line is `size percent`");
  try {
    ReadDistribution("/nowhere/sizes.txt");
    ADD_FAILURE();
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "/nowhere/sizes.txt:1:1: cannot be read");
  }
}

}  // namespace
}  // namespace headroom::distributions_test
