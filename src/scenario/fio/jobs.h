// Jobs of a fio job file, as written: with fio's times and without a disk.
#pragma once

#include <filesystem>
#include <vector>

#include "scenario/fio/values.h"
#include "workload/fio_job.h"

namespace headroom::fio {

/// Times are in microseconds of the file; the times in `job` that the scenario scales are not set.
struct WrittenJob {
  IoJob job;  ///< its region and total are not set
  Position where;
  Amount size, io_size, offset, increment;
  int64_t loops = 1;
  int64_t runtime_us = 0, ramp_us = 0, think_every_us = 0;
  std::array<int64_t, 2> delay_us{};  ///< from, to
  bool stonewall = false;
  enum class Direction { reads, writes, both } direction = Direction::reads;
  int read_share = 50;  ///< per cent of reads, if the job reads and writes
  IoAddresses::Order distribution = IoAddresses::Order::uniform;  ///< for random jobs
  bool no_map = false;
  bool think_blocks_given = false;
  /// Zones are in bytes; they become shares of the region once its size is known.
  bool zones_in_bytes = false;
  Position zones_where;
  std::string engine;  ///< empty if the job names none

  int64_t EndUs() const { return delay_us[1] + ramp_us + runtime_us; }
};

/// Jobs in the order of the file; at least one. Throws a ScenarioError for keys that are unknown to fio or to
/// a simulated disk.
std::vector<WrittenJob> ReadJobs(const std::filesystem::path& file, const Position& where);

}  // namespace headroom::fio
