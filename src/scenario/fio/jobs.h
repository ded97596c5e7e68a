// Jobs of a fio job file, as written: in fio's time and without a disk.
#pragma once

#include <filesystem>
#include <vector>

#include "scenario/fio/values.h"
#include "workload/fio_job.h"

namespace headroom::fio {

/// Times are in microseconds of the file; those of `job` that the scenario scales are not set.
struct WrittenJob {
  IoJob job;  ///< its region and total are not set
  Position where;
  Amount size, io_size, offset, increment;
  int64_t loops = 1;
  int64_t runtime_us = 0, ramp_us = 0, think_every_us = 0;
  std::array<int64_t, 2> delay_us{};  ///< from, to
  bool stonewall = false;
  enum class Direction { reads, writes, both } direction = Direction::reads;
  int read_share = 50;                                            ///< of both
  IoAddresses::Order distribution = IoAddresses::Order::uniform;  ///< of random jobs
  bool no_map = false;
  bool think_blocks_given = false;
  /// Zones in bytes, which are shares of the region once that is known.
  bool zones_in_bytes = false;
  Position zones_where;
  std::string engine;  ///< empty: none is named

  int64_t EndUs() const { return delay_us[1] + ramp_us + runtime_us; }
};

/// In the order of the file; at least one. Throws a ScenarioError for keys that fio or a simulated disk does
/// not know.
std::vector<WrittenJob> ReadJobs(const std::filesystem::path& file, const Position& where);

}  // namespace headroom::fio
