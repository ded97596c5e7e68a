#include "cli/check/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/check/check_text.h"
#include "report/text/text_table.h"
#include "scenario/yaml/error.h"

namespace headroom::check_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kStar = R"(name: star
duration: 5ms
topology: {type: star, hosts: 17, link: {rate: 100Gbps, length: 5m}}
switches: [{match: "*", ecn: {storage: {kmin: 400KB, kmax: 1600KB, pmax: 5%}}}]
workloads: [{name: burst, type: incast, size: 1MB, to: h16, repeat: {every: 2ms, count: 2}}]
)";

constexpr const char* kRegion = R"(name: a-region-with-a-long-name
duration: 2ms
topology:
  {type: region, datacenters: 12, clusters: 2, racks: 11, hosts: 2, t1: 2, t2: 2, hubs: 2,
   links: {host: {rate: 100Gbps, delay: 12345ps}, t0_t1: {rate: 100Gbps, delay: 199999ps},
           t1_t2: {rate: 400Gbps, length: 300m, phy: 125926ps}, t2_rh: {rate: 400Gbps, length: 40km}}}
switches:
  - {match: "*", ecn: {storage: {kmin: 1MB, kmax: 2MB, pmax: 5%, per_rate: 100Gbps}}}
  - {match: "dc11-*-t0", pfc: {response: 1us}}
  - {match: "dc10-c1-r10-t0", pfc: {enabled: false}}
workloads:
  - {name: storage-within-the-datacenter, type: poisson, sizes: AliStorage2019, load: 30%, scope: datacenter}
  - {name: permutation-of-all-hosts, type: permutation, size: 2MB}
  - {name: streams-between-the-datacenters, type: stream, from: "dc11-c1-r10-*", to: "dc10-*", message: 1MB, in_flight: 2}
)";

class CheckCommandTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/headroom-check-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    dir_ = name;
  }
  void TearDown() override { fs::remove_all(dir_); }

  fs::path Write(const std::string& name, const std::string& text) {
    std::ofstream(dir_ / name) << text;
    return dir_ / name;
  }
  std::string Text(const fs::path& file, int expected_code, const std::vector<std::string>& sets = {},
                   const std::optional<std::pair<std::string, std::string>>& path = {}) {
    std::ostringstream out;
    EXPECT_EQ(Check({file}, sets, path, CheckForm::full, out), expected_code);
    return out.str();
  }
  nlohmann::json Json(const std::vector<fs::path>& files) {
    std::ostringstream out;
    Check(files, {}, {}, CheckForm::json, out);
    return nlohmann::json::parse(out.str());
  }

  fs::path dir_;
};

// The rows that a sweep stores: a metric of a ratio or an order stands once, at whatever point.
TEST_F(CheckCommandTest, JsonHasTheExpectations) {
  const std::pair<const char*, const char*> rows[] = {
      {"ratio: [a, {mtu: 1024}, {mtu: 4096}], max: 1", R"(["a"])"},
      {"ratio: [[a, {mtu: 1024}], b], max: 1", R"(["a","b"])"},
      {"order: [a, [1024, 4096]]", R"(["a"])"},
      {"order: [a, b, c]", R"(["a","b","c"])"},
      {"metric: [a, b], at: {mtu: 4096}, within: [1, 2], value: 1 us", R"(["a","b"])"}};
  std::string text = std::string(kStar) + "vary: {mtu: [1024, 4096]}\nexpect:\n";
  for (const auto& [row, metrics] : rows) text += std::string("  - {source: x, ") + row + "}\n";
  const auto found = Json({Write("star.yaml", text)})["expect"];
  ASSERT_EQ(found.size(), std::size(rows));
  for (size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i]["metrics"].dump(), rows[i].second);
  EXPECT_EQ(found[4].dump(),
            R"({"at":{"mtu":"4096"},"figure":"1 us","form":"metric","kind":"ours","max":2.0,)"
            R"("metrics":["a","b"],"min":1.0,"misses":"","source":"x","unit":""})");
}

TEST_F(CheckCommandTest, SaysWhatWasUnderstood) {
  const std::string text = Text(Write("star.yaml", kStar), 0);
  EXPECT_THAT(text, HasSubstr("nodes      17 host, 1 switch\n"));
  EXPECT_THAT(text, HasSubstr("classes    storage: priority 3, DSCP 3, lossless, weight 1\n"));
  EXPECT_THAT(text, HasSubstr("\nswitch         1    500ns  azure-24mb, 24.0 MB  on   s0\n"));
  EXPECT_THAT(text, HasSubstr("\nhost – switch  100Gbps     25ns      17  h0:p0\n"));
  EXPECT_THAT(text, HasSubstr("\nrack               2          1.29  16.2 kB  h0 → h1\n"));
  EXPECT_THAT(
      text,
      HasSubstr("\nswitch, 100Gbps, storage  2.00 MB  1.50 MB  750.4 kB   -  400.0 kB  1.60 MB   5 %\n"));
  // Two bursts of 16 messages of 977 packets, with an ACK each, over two hops both ways: 125 056.
  EXPECT_THAT(text, HasSubstr("estimate   125,056 packet-hops of data and ACKs"));
  EXPECT_THAT(text, HasSubstr("\nswitch  24.0 MB        18.0 MB      6.00 MB"));
  EXPECT_THAT(text, HasSubstr("\ndeadlock   impossible"));
}

TEST_F(CheckCommandTest, SaysWhatANamedBufferProfileContains) {
  const fs::path file = Write("star.yaml", kStar);
  const std::string text = Text(file, 0);
  EXPECT_THAT(
      text, HasSubstr("\nbuffer     azure-24mb of switch: 24.0 MB in cells of 208 B; Bai et al., NSDI 2023, "
                      "listing 1\n"));
  EXPECT_THAT(text, HasSubstr("\ningress_pool          ingress  18.0 MB   6.00 MB\n"));
  EXPECT_THAT(
      text,
      HasSubstr("\ningress_lossless  ingress_pool           1.25 kB  1/8 of free  1.25 kB      2.50 kB\n"));
  EXPECT_THAT(text, HasSubstr("\n100Gbps  1/8 of free      2.50 kB   96.9 kB  177.6 kB  268.7 kB "));
  const std::string own =
      Text(file, 0,
           {"switches.*.buffer={profile: azure-24mb, alpha: 1/4, tables: {BUFFER_PROFILE: "
            "{ingress_lossless: {xoff: 120000}}}}"});
  EXPECT_THAT(
      own,
      HasSubstr("\ningress_lossless  ingress_pool           1.25 kB  1/4 of free  1.25 kB      2.50 kB\n"));
  EXPECT_THAT(own, HasSubstr("\nxoff: 120.0 kB at every speed and length\n"));
  EXPECT_THAT(own, HasSubstr("  buffer.tables"));  // source of xoff
  EXPECT_THAT(Text(file, 0, {"switches.*.buffer={profile: azure-deep}"}),
              HasSubstr("\n400Gbps  1/32 of free "));
}

// Each section is printed whole, or named with its number of lines; --path is always printed.
TEST_F(CheckCommandTest, BriefTextHasFortyLinesBesidesFindings) {
  const fs::path file = Write("star.yaml", kStar);
  const std::pair<std::string, std::string> path("h0", "h16");
  std::ostringstream brief, with_path;
  EXPECT_EQ(Check({file}, {}, {}, CheckForm::brief, brief), 0);
  EXPECT_EQ(Check({file}, {}, path, CheckForm::brief, with_path), 0);
  const std::string text = brief.str();
  const size_t last = text.find("\n\n--full     also prints ");
  ASSERT_NE(last, std::string::npos);
  const size_t findings = text.find("\n\n");
  const auto lines = std::ranges::count(text.substr(findings + 1, last - findings), '\n');
  EXPECT_LE(lines, 40);
  EXPECT_GE(lines, 20);
  for (const char* always : {"\ntimes ", "\nestimate ", "\nworkload "}) EXPECT_THAT(text, HasSubstr(always));
  EXPECT_THAT(text.substr(last), HasSubstr("headroom ("));
  EXPECT_THAT(text, Not(HasSubstr("\nheadroom ")));
  EXPECT_THAT(with_path.str(), HasSubstr("\npath       burst"));
  // Nothing is cut: what is printed also stands in the full text.
  const std::string full = Text(file, 0);
  std::istringstream printed(text.substr(0, last));
  for (std::string line; std::getline(printed, line);) EXPECT_THAT(full, HasSubstr(line));
}

TEST_F(CheckCommandTest, WhatWasFoundComesFirst) {
  const fs::path file = Write("star.yaml", kStar);
  EXPECT_TRUE(Text(file, 0).starts_with("scenario   star (" + file.string() +
                                        ")\nfound      0 errors, 0 warnings, 0 notes\n\ntimes"));
  EXPECT_TRUE(Text(file, 1, {"topology.link={rate: 100Gbps, length: 40km}"})
                  .starts_with("scenario   star (" + file.string() + ")\nfound      1 error, "));
}

TEST_F(CheckCommandTest, TheFluidModelIsInTheJson) {
  const auto json = Json({Write("star.yaml", kStar)});
  ASSERT_EQ(json["fluid"].size(), 1u);
  EXPECT_EQ(json["fluid"][0]["at"], "s0:p16");
  EXPECT_EQ(json["fluid"][0]["flows"], 16);
  EXPECT_GT(json["fluid"][0]["stability"]["phase_margin_deg"], 0);
}

TEST_F(CheckCommandTest, LinesFitAHundredColumns) {
  const std::string text = Text(Write("region.yaml", kRegion), 1, {},
                                std::pair<std::string, std::string>("dc11-c1-r10-h1", "dc10-c1-r10-h0"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(DisplayWidth(line), 100u) << line;
  EXPECT_THAT(text, HasSubstr("path       streams-between-the-datacenters, queue pair 0\n"));
  EXPECT_THAT(text, Not(HasSubstr("  \n")));
}

TEST_F(CheckCommandTest, NicsWithResourcesAreShownWithTheirLimits) {
  const fs::path file =
      Write("nics.yaml", std::string(kStar) +
                             "nics: [{match: \"*\", resources: {set: connectx3-pcie3-x8, pcie: "
                             "{bandwidth: none}, engine: {message: 100ns}}}]\n");
  const std::string text = Text(file, 0);
  EXPECT_THAT(text,
              HasSubstr("\nNICs       17 dcqcn-paper with DCQCN (resources connectx3-pcie3-x8); 1024 B"));
  // 88.48 ns for a packet at 100 Gb/s; 55, 28.6 and 100 ns; misses of 340 ns.
  EXPECT_THAT(text,
              HasSubstr("\nresources           hosts  M packets/s   line  pipeline  missing  engine  PCIe  "
                        "limit   full from\n"
                        "connectx3-pcie3-x8     17  sends        11.30     18.18     2.53      10     -  "
                        "engine      never\n"
                        "                           receives     11.30     34.97     2.71      10     -  "
                        "engine      never\n"));
  EXPECT_THAT(text, HasSubstr("  connectx3-pcie3-x8 at h0 changes these keys of its set: engine.message "
                              "100ns (16700ps),\n    pcie.bandwidth none (63040Mbps)\n"));
  EXPECT_THAT(
      text, HasSubstr("\nnote       NIC connectx3-pcie3-x8, 100Gbps (as h0)\n           it sends at no more "
                      "than 88 % of its line rate: its engine serves 10 M packets"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(DisplayWidth(line), 100u) << line;
  const auto json = Json({file});
  ASSERT_EQ(json["nics"].size(), 1u);
  EXPECT_EQ(json["nics"][0]["resources"], "connectx3-pcie3-x8");
  EXPECT_EQ(json["nics"][0]["not_as_the_set"]["engine.message"][0], "100ns");
  EXPECT_EQ(json["nics"][0]["packets_per_second"][0]["engine"], 10e6);
  EXPECT_EQ(json["nics"][0]["packets_per_second"][0]["pcie"], nullptr);
  EXPECT_EQ(json["nics"][0]["packets_per_second"][1]["limit"], "engine");
}

TEST_F(CheckCommandTest, AnErrorAmongTheFindingsIsExitCode1) {
  const fs::path file = Write("star.yaml", kStar);
  // 40 km of cable and the profile of a shallow switch.
  const std::string text = Text(file, 1, {"topology.link={rate: 100Gbps, length: 40km}"});
  EXPECT_THAT(text, HasSubstr("\nerror      switch ← host, 100Gbps, 200 µs, 17 ports (as s0:p0)\n"));
  EXPECT_THAT(text, HasSubstr("SHORT"));
}

TEST_F(CheckCommandTest, FindingsOfASeriesAreThoseOfItsPoints) {
  // The file's own kmin would cause no finding, but no point uses it.
  const std::string vary = "vary: {\"switches.0.ecn.storage.kmin\": [4MB, 400KB]}\n";
  const std::string text = Text(Write("star.yaml", kStar + vary), 0, {"switches.0.ecn.storage.kmax=5MB"});
  EXPECT_THAT(text, HasSubstr("series     2 points × 1 seed = 2 runs\n"));
  EXPECT_THAT(
      text,
      HasSubstr("\nwarning    at kmin=4MB: switch, class storage\n           PFC fires before ECN marks"));
  EXPECT_THAT(text, HasSubstr("\nnote       at kmin=400KB: switch, class storage\n"));
}

TEST_F(CheckCommandTest, AsJson) {
  const fs::path star = Write("star.yaml", kStar);
  const nlohmann::json one = Json({star});
  EXPECT_EQ(one["scenario"], "star");
  EXPECT_EQ(one["topology"]["nodes"]["host"], 17);
  EXPECT_DOUBLE_EQ(one["topology"]["distances"][0]["base_rtt_us"][0], 1.29328);
  EXPECT_EQ(one["headroom"][0]["xoff_bytes"], 96'928);
  // 25 ns both ways at 12.5 B/ns.
  EXPECT_EQ(one["headroom"][0]["need_bytes"]["cable"], 625);
  EXPECT_EQ(one["headroom"][0]["by_formula_bytes"]["least"], 625 + 64 + 1'102);
  EXPECT_EQ(one["headroom"][0]["by_formula_bytes"]["sonic"], nullptr);
  EXPECT_EQ(one["memory"][0]["ingress_pools_bytes"], 18'000'000);
  EXPECT_EQ(one["egress"][0]["queue_limit_bytes"], 24'000'000);
  EXPECT_EQ(one["deadlock"]["possible"], false);
  EXPECT_TRUE(one["watchdogs"].empty());
  EXPECT_EQ(one["thresholds"][0]["xoff_bytes"]["64"], nullptr);
  EXPECT_EQ(one["thresholds"][0]["ecn"]["kmin_us"], 32.0);
  EXPECT_EQ(one["traffic"]["bursts"][0]["fan_in"], 16);
  EXPECT_EQ(one["estimate"]["packet_hops"], 125'056.0);
  EXPECT_TRUE(one["findings"].empty());

  const nlohmann::json two = Json({star, Write("region.yaml", kRegion)});
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[1]["findings"][0]["severity"], "error");
}

TEST_F(CheckCommandTest, WrongInputIsThrown) {
  std::ostringstream out;
  EXPECT_THROW(Check({Write("star.yaml", std::string(kStar) + "more: 1\n")}, {}, {}, CheckForm::brief, out),
               ScenarioError);
  EXPECT_THROW(Check({Write("star.yaml", kStar)}, {}, std::pair<std::string, std::string>("h0", "s0"),
                     CheckForm::brief, out),
               ScenarioError);
}

TEST(Wrapped, BreaksAtBlanksAndIndents) {
  EXPECT_EQ(Wrapped("one two three", 7, 2), "one two\n  three");
  EXPECT_EQ(Wrapped("µµµ µµµ µ", 7, 1), "µµµ µµµ\n µ");
  EXPECT_EQ(Wrapped("much-too-long a", 4, 0), "much-too-long\na");
  EXPECT_EQ(Wrapped("", 4, 0), "");
}

}  // namespace
}  // namespace headroom::check_test
