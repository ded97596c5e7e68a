// Files of sizes: separators, units, headers, shares of 1 and of 100, and the places of refusals.
#include "scenario/size_files.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <random>

#include "scenario/read/load.h"
#include "scenario/write/write.h"
#include "support/shared_data.h"
#include "support/test_folder.h"
#include "workload/distributions/distributions.h"
#include "workload/io_arrivals.h"

namespace headroom::size_files_test {
namespace {

using Points = std::vector<SizeDistribution::Point>;

class SizeFiles : public ::testing::Test {
 protected:
  Points Of(const std::string& text) const {
    return ReadSizeFile(folder_.Write("sizes.csv", text), {})->points;
  }
  std::vector<IoBlock> Blocks(const std::string& text) const {
    return ReadBlockFile(folder_.Write("sizes.csv", text), Bytes(1 << 30), {});
  }
  template <class F>
  std::string MessageOf(const F& read) const {
    try {
      read();
    } catch (const ScenarioError& error) {
      return folder_.Without(error.what());
    }
    return "";
  }
  std::string ErrorOf(const std::string& text) const {
    return MessageOf([&] { Of(text); });
  }

  const TestFolder folder_;
};

TEST_F(SizeFiles, are_the_same_however_people_write_them) {
  const Points points = {{4096, 0.35}, {65536, 0.9}, {1048576, 1}};
  for (const char* text :
       {"4096 35\n65536 90\n1048576 100\n", "4096 0.35\n65536 0.9\n1048576 1.0\n",
        "size_bytes,cdf\n4096,0.35\n65536,0.90\n1048576,1.0\n", "4KiB,35%\n64KiB,90%\n1MiB,100%\n",
        "# sizes\n\n4096;35  # a mass\r\n65536;90\r\n1048576;100\r\n",
        "cdf\tsize\n0.35\t4KiB\n0.9\t64KiB\n1\t1MiB\n",
        "\xEF\xBB\xBF\"Size (bytes)\",\"Cumulative\"\n4096,35\n65536,90\n1048576,100\n",
        "4096,0.35\n65536,0.9\n1048576,0.99999999\n", "4 KiB,35%\n64 KiB,90%\n1 MiB,100%\n",
        "4 KiB 35 %\n64\tKiB\t90 %\n1  MiB ; 100 %\n", "cdf,size\n35 %,4096 B\n90 %,64 KiB\n100 %,1 MiB\n"})
    EXPECT_EQ(Of(text), points) << text;
}

/// In a column named share each size has its own share, and no size lies between two.
TEST_F(SizeFiles, may_have_shares_of_their_own) {
  const Points points = {{4096, 0.25}, {8192, 0.25}, {8192, 1}};
  EXPECT_EQ(Of("size,share\n4096,0.25\n8192,0.75\n"), points);
  EXPECT_EQ(Of("bytes probability\n4096 25\n8192 75\n"), points);
  const SizeDistribution d{"", "", points};
  EXPECT_EQ(SampleSize(d, 0.2), Bytes(4096));
  EXPECT_EQ(SampleSize(d, 0.3), Bytes(8192));
}

TEST_F(SizeFiles, of_ios_are_blocks) {
  const std::vector<IoBlock> blocks = {{Bytes(4096), 0.5}, {Bytes(8192), 0.25}, {Bytes(65536), 0.25}};
  EXPECT_EQ(Blocks("0,0\n4096,0.5\n8KiB,0.75\n64KiB,1\n"), blocks);
  EXPECT_EQ(Blocks("size,share\n4096,50\n8192,25\n65536,25\n"), blocks);
  EXPECT_EQ(MessageOf([&] { Blocks("0.5KB 50\n0 100\n"); }),
            "sizes.csv:2:1: this size is smaller than the size in the line before; give sizes in "
            "ascending order");
  EXPECT_EQ(MessageOf([&] { Blocks("0 50\n4096 100\n"); }),
            "sizes.csv:1:1: the file has I/Os of 0 bytes; allowed: whole bytes, 1B to 1GiB");
}

TEST_F(SizeFiles, a_unit_follows_its_number_and_nothing_else) {
  EXPECT_NE(ErrorOf("4;KiB,35\n").find("sizes.csv:1:7: a third value"), std::string::npos)
      << ErrorOf("4;KiB,35\n");
  EXPECT_NE(ErrorOf("4KiB KiB 35\n").find("sizes.csv:1:10: a third value"), std::string::npos)
      << ErrorOf("4KiB KiB 35\n");
  EXPECT_NE(ErrorOf("4 KX,100\n").find("sizes.csv:1:1: \"4KX\" is not a size"), std::string::npos)
      << ErrorOf("4 KX,100\n");
}

/// Shares of random files give the same sizes in each notation.
TEST_F(SizeFiles, notations_agree) {
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    std::string shares = "size,share\n", percent, fraction;
    int64_t size = 0;
    int left = 100;
    while (left > 0) {
      size += 1 + static_cast<int64_t>(random() % 100'000);
      const int share = std::min(left, 1 + static_cast<int>(random() % 40));
      left -= share;
      shares += fmt::format("{},{}\n", size, share);
      percent += fmt::format("{} {}\n", size, 100 - left);
      fraction += fmt::format("{}B;{}\n", size, (100 - left) / 100.0);
    }
    EXPECT_EQ(Of(percent), Of(fraction)) << percent;
    const auto same = [&](const std::string& text) {
      const std::vector<IoBlock> a = Blocks(percent), b = Blocks(text);
      ASSERT_EQ(a.size(), b.size());
      for (size_t n = 0; n < a.size(); ++n) {
        EXPECT_EQ(a[n].size, b[n].size);
        EXPECT_NEAR(a[n].share, b[n].share, 1e-12);
      }
    };
    same(shares);
    same(fraction);
  }
}

TEST_F(SizeFiles, of_the_publications_equal_the_built_in_ones) {
  const std::filesystem::path folder = SharedData("workloads");
  if (folder.empty()) GTEST_SKIP() << "the data are not at hand";
  const std::pair<const char*, const char*> files[] = {{"AliStorage2019", "AliStorage2019.txt"},
                                                       {"WebSearch", "WebSearch_distribution.txt"},
                                                       {"FbHdp", "FbHdp_distribution.txt"},
                                                       {"GoogleRPC2008", "GoogleRPC2008.txt"}};
  for (const auto& [name, file] : files)
    EXPECT_EQ(ReadSizeFile(folder / file, {})->points, FindDistribution(name)->points) << name;
}

TEST_F(SizeFiles, each_refusal_has_its_exact_message) {
  const std::string line = "; write each line as SIZE SHARE, such as `4096 0.35`, `4KiB,35` or `4096;35%`";
  EXPECT_EQ(ErrorOf("100\n"), "sizes.csv:1:1: the share is missing" + line);
  for (const char* text : {"\"4096\",\"1\"\n", "\"4,096\",1\n"})
    EXPECT_EQ(ErrorOf(text), "sizes.csv:1:1: quoted fields are not supported; numbers without quotes");
  EXPECT_EQ(ErrorOf("size,cdf\n4096,\"1\"\n"),
            "sizes.csv:2:6: quoted fields are not supported; numbers without quotes");
  EXPECT_EQ(ErrorOf("100 25 3\n"), "sizes.csv:1:8: a third value" + line);
  EXPECT_EQ(ErrorOf("# nothing\n"), "sizes.csv: the file has no line with a size" + line);
  EXPECT_EQ(ErrorOf("100 25\n1kb 100\n"),
            "sizes.csv:2:1: \"1kb\" is not a size; write a size as a number and one of the units B, KiB, "
            "MiB, GiB, TiB, KB, kB, "
            "MB, GB, TB; did you mean \"1KiB\"?");
  EXPECT_EQ(ErrorOf("100 nan\n"), "sizes.csv:1:5: \"nan\" is not a share; allowed: 0 to 1, or 0 to 100%");
  EXPECT_EQ(ErrorOf("100 101\n"), "sizes.csv:1:5: \"101\" is not a share; allowed: 0 to 1, or 0 to 100%");
  EXPECT_EQ(ErrorOf("-1 50\n"), "sizes.csv:1:1: \"-1\" is negative; give a size of 0 or more");
  EXPECT_EQ(ErrorOf("0.35,4096\n"),
            "sizes.csv:1:1: \"0.35\" is out of range; allowed: 0, and 1 to 1000000000000000 bytes");
  EXPECT_EQ(ErrorOf("100 25\n50 100\n"),
            "sizes.csv:2:1: this size is smaller than the size in the line before; give sizes in "
            "ascending order");
  EXPECT_EQ(ErrorOf("100 25\n200 20\n"),
            "sizes.csv:2:5: this share is smaller than the share in the line before; give cumulative "
            "shares; or name the column share, to give each size its own share");
  EXPECT_EQ(ErrorOf("100 25\n200 99\n# end\n"),
            "sizes.csv:2:5: the last share is 99; allowed: 1, or 100 if shares are percentages");
  EXPECT_EQ(ErrorOf("100 25%\n200 1%\n").substr(0, 24), "sizes.csv:2:5: this shar");
  EXPECT_EQ(ErrorOf("size,share\n100,25\n200,25\n"),
            "sizes.csv:3:5: the shares sum to 50; allowed: 1, or 100 if shares are percentages");
  EXPECT_EQ(
      ErrorOf("size_kb,cdf\n4,1\n"),
      "sizes.csv:1:1: the header names a unit of sizes; give sizes in bytes, or each with its unit, such "
      "as 4KiB");
}

/// A first point of 0 bytes and share 0 begins a line; with a larger share it would be messages without
/// bytes.
TEST_F(SizeFiles, have_no_message_of_0_bytes) {
  EXPECT_EQ(Of("0 0\n0 0\n8192 1\n"), (Points{{0, 0}, {0, 0}, {8192, 1}}));
  const std::string allowed =
      ": the file allows messages of 0 bytes; allowed: 1 byte or more, and a first point of 0 bytes with "
      "share 0";
  EXPECT_EQ(ErrorOf("size_bytes,cdf\n0,0.5\n8192,1\n"), "sizes.csv:2:1" + allowed);
  EXPECT_EQ(ErrorOf("size,cdf\n0,1\n"), "sizes.csv:2:1" + allowed);
  EXPECT_EQ(ErrorOf("0 0\n0B 20\n8192 100\n"), "sizes.csv:2:1" + allowed);
  EXPECT_EQ(ErrorOf("share,size\n0.5,0\n0.5,4096\n"), "sizes.csv:2:5" + allowed);
  EXPECT_EQ(Of("size,share\n0,0\n4096,1\n").back(), (SizeDistribution::Point{4096, 1}));
}

TEST_F(SizeFiles, of_a_scenario_are_read_and_written) {
  folder_.Write("sizes.csv", "size_bytes,cdf\n4096,0.35\n8192,0.55\n65536,0.90\n");
  const std::string text =
      "duration: 1ms\ntopology: {type: star, hosts: [c0, e0], link: {rate: 80Gbps, length: 3m}}\n"
      "services: [{name: store, type: storage, compute: c0, extent_nodes: e0, disk_size: 1GiB, "
      "front: {protocol: su_rdma}}]\nworkloads: [{name: w, type: io, service: store, blocks: sizes.csv, "
      "depth: 1}]\n";
  EXPECT_EQ(MessageOf([&] { LoadScenarioText(text, "s.yaml", folder_.path()); }),
            "sizes.csv:4:7: the last share is 0.9; allowed: 1, or 100 if shares are percentages");
  folder_.Write("sizes.csv", "size_bytes,cdf\n4096,0.35\n8192,0.55\n65536,1\n");
  const ScenarioFile file = LoadScenarioFileText(text, "s.yaml", folder_.path());
  const auto& io = file.scenario.workloads.at(0).arrivals.As<IoArrivals>();
  EXPECT_EQ(io.blocks.size(), 3u);
  const ScenarioFile again = LoadScenarioFileText(WriteResolved(file).yaml, "resolved.yaml", folder_.path());
  EXPECT_EQ(again.scenario.workloads.at(0).arrivals.As<IoArrivals>(), io);
}

}  // namespace
}  // namespace headroom::size_files_test
