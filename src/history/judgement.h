// The number of judged items, and faults in words.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace headroom {

/// The names that readers of a history use.
struct HistoryNames {
  std::function<std::string(uint32_t disk)> disk;
  std::function<std::string(uint32_t node)> node;
};

struct HistoryJudgement {
  uint64_t operations = 0;  ///< operations that were judged fully or in part
  uint64_t blocks = 0;      ///< registers of disks
  uint64_t keys = 0;        ///< registers of services of keys
  uint64_t appends = 0;
  /// Operations that were not judged: they contain no whole block, all their blocks were written in part, or
  /// a key's values are too short to name their writer.
  uint64_t left_out = 0;
  uint64_t in_part = 0;     ///< blocks that a write covered only partly: not judged
  uint64_t violations = 0;  ///< counts only the first violation of a block
  std::vector<std::string> stories;

  bool Ok() const { return violations == 0; }
  void Violate(std::string story) {
    constexpr size_t kStories = 10;
    if (++violations <= kStories) stories.push_back(std::move(story));
  }
  HistoryJudgement& operator+=(const HistoryJudgement& other) {
    operations += other.operations;
    blocks += other.blocks;
    keys += other.keys;
    appends += other.appends;
    left_out += other.left_out;
    in_part += other.in_part;
    for (const std::string& story : other.stories) Violate(story);
    violations += other.violations - other.stories.size();
    return *this;
  }
};

}  // namespace headroom
