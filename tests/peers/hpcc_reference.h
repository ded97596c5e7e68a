// Reads the HPCC simulator's input and output files.
//
//   config.txt   NAME value …                                   a line each; the switches' sizes in MiB and
//   KB fct.txt      source destination ports … size start fct ideal  addresses 0x0bHHHH01 of host HHHH; times
//   in ns pfc.txt      time node node_type port 1|0                   pause, resume; written by the one who
//   is paused seeds.tsv    RngRun flows min p50 mean max makespan pauses  times in µs
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace headroom::hpcc {

namespace fs = std::filesystem;

/// The start of its flows, in its own time.
constexpr int64_t kStartNs = 2'000'000'000;

/// The folder of one case, "S4-…"; it may be missing.
inline fs::path CaseFolder(const std::string& name) {
  return fs::path(HEADROOM_SOURCE_DIR).parent_path() / "shared/reference/peers/hpcc-ns3" / name;
}

inline std::vector<std::vector<std::string>> ReadWords(const fs::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  std::vector<std::vector<std::string>> lines;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    auto& split = lines.emplace_back();
    for (std::string word; words >> word;) split.push_back(word);
    if (split.empty()) lines.pop_back();
  }
  return lines;
}

/// The words after each name.
inline std::map<std::string, std::vector<std::string>> ReadConfig(const fs::path& folder) {
  std::map<std::string, std::vector<std::string>> config;
  for (auto& words : ReadWords(folder / "config.txt")) config[words[0]] = {words.begin() + 1, words.end()};
  return config;
}

/// Completion time in ns by the sender's number; each sends one flow.
inline std::map<int, double> ReadCompletions(const fs::path& folder) {
  std::map<int, double> completions;
  for (const auto& words : ReadWords(folder / "fct.txt")) {
    const auto address = static_cast<uint32_t>(std::stoul(words.at(0), nullptr, 16));
    completions[static_cast<int>(address >> 8 & 0xffff)] = std::stod(words.at(6));
  }
  return completions;
}

struct Pauses {
  int count = 0;
  double first_ns = 0;
  double paused_ns = 0;  ///< summed over the hosts
};

inline Pauses ReadPauses(const fs::path& folder) {
  Pauses pauses;
  std::map<std::string, int64_t> since;
  for (const auto& words : ReadWords(folder / "pfc.txt")) {
    const int64_t at = std::stoll(words.at(0)) - kStartNs;
    if (words.at(4) == "1") {
      if (pauses.count++ == 0) pauses.first_ns = static_cast<double>(at);
      since[words[1]] = at;
    } else {
      pauses.paused_ns += static_cast<double>(at - since.at(words[1]));
    }
  }
  return pauses;
}

/// Means over the seeds.
struct Seeds {
  int count = 0;
  double median_us = 0, last_us = 0, pauses = 0;
};

inline Seeds ReadSeeds(const fs::path& folder) {
  Seeds seeds;
  for (const auto& words : ReadWords(folder / "seeds.tsv")) {
    if (words[0] == "RngRun") continue;
    ++seeds.count;
    seeds.median_us += std::stod(words.at(3));
    seeds.last_us += std::stod(words.at(5));
    seeds.pauses += std::stod(words.at(7));
  }
  for (double* sum : {&seeds.median_us, &seeds.last_us, &seeds.pauses}) *sum /= seeds.count;
  return seeds;
}

}  // namespace headroom::hpcc
