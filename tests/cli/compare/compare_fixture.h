// Two results on disk, and the text of their comparison.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "cli/compare/compare.h"
#include "report/result.h"

namespace headroom {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

inline ordered_json SummaryWith(double p99, uint64_t seed = 1) {
  ordered_json s;
  s["scenario"] = "rack";
  s["seed"] = seed;
  s["status"] = "complete";
  s["run"]["cpu_s"] = p99 * 7;
  s["messages"]["burst"]["completion_us"] = {
      {"p50", 10.0}, {"p99", p99}, {"censored", ordered_json::object()}};
  s["pfc"]["pauses"] = 0;
  return s;
}

class CompareTest : public ::testing::Test {
 protected:
  CompareTest() : root_(fs::temp_directory_path() / ("headroom-compare-" + std::to_string(getpid()))) {}
  ~CompareTest() override { fs::remove_all(root_); }

  int Run(const ordered_json& a, const ordered_json& b, std::optional<double> tolerance,
          const std::vector<std::string>& metrics = {}) {
    for (const auto& [name, summary] : {std::pair("a", a), std::pair("b", b)}) {
      fs::create_directories(root_ / name);
      WriteSummary(root_ / name, summary);
    }
    std::ostringstream out;
    const int code =
        Compare(root_ / "a", root_ / "b", {.tolerance_percent = tolerance, .metrics = metrics}, out);
    text_ = out.str();
    return code;
  }
  bool Says(const std::string& what) const { return text_.find(what) != std::string::npos; }

  const fs::path root_;
  std::string text_;
  int code_ = 0;
};

inline ordered_json SummaryOfIos(double p99, double writes_p99, double busy, uint64_t seed = 1) {
  ordered_json s = SummaryWith(20, seed);
  const auto kind = [](double us) -> ordered_json {
    return {{"iops", 1e6 / us}, {"latency_us", {{"p99", us}, {"censored", ordered_json::object()}}}};
  };
  s["operations"]["disks"] = {
      {"read", kind(p99)}, {"write", kind(writes_p99)}, {"all", kind(std::max(p99, writes_p99))}};
  s["services"]["store"]["starved"] = 4;
  for (const char* host : {"c0", "c1"}) s["cores"][host]["utilisation"] = {{"0", busy}, {"1", busy / 2}};
  return s;
}

}  // namespace headroom
