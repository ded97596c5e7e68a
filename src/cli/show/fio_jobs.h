// fio's measurements for a run's I/Os: its jobs, from operations.csv.
//
// fio's terms: slat runs from an I/O's start to its submission, here the posting of its request's work
// request (T1). clat runs from there to the I/O's end. lat is the sum of both. Failed operations, and
// operations with wrong data, count only in `errors`. Source: fio's manual (HOWTO.rst) and stat.c.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "report/csv/operation_lines.h"
#include "scenario/scenario.h"
#include "workload/io_arrivals.h"
#include "workload/io_span.h"

namespace headroom {

/// Mean and standard deviation of a sample, computed incrementally.
class Sample {
 public:
  void Add(double value);
  uint64_t count() const { return count_; }
  double least() const { return least_; }
  double most() const { return most_; }
  double mean() const { return mean_; }
  double deviation() const;  ///< standard deviation of a sample: n − 1; 0 for fewer than two values

 private:
  uint64_t count_ = 0;
  double least_ = 0, most_ = 0, mean_ = 0, squares_ = 0;
};

/// One direction of a job. Times are in nanoseconds.
struct FioSide {
  uint64_t ios = 0;
  uint64_t steady_ios = 0;  ///< the I/Os that summary.json counts for I/Os per second
  int64_t steady_bytes = 0;
  Time span;                  ///< the span in which these ended
  Time first = kNever, last;  ///< the first start and the last end
  Sample slat, clat, lat;
  std::vector<int64_t> sorted_clat;               ///< sorted after the last line
  std::vector<int64_t> window_bytes, window_ios;  ///< by windows of half a second from the first start

  double runtime_s() const { return InSeconds(span); }
  double iops() const { return runtime_s() > 0 ? static_cast<double>(steady_ios) / runtime_s() : 0; }
  double bytes_per_s() const { return runtime_s() > 0 ? static_cast<double>(steady_bytes) / runtime_s() : 0; }
  /// The percentile by nearest rank; `per_myriad` is in hundredths of a per cent. REQUIRES: ios > 0.
  int64_t ClatAt(int per_myriad) const;
  /// KiB/s and IOPS in each complete window of half a second; empty for a shorter run.
  Sample BandwidthWindows() const;
  Sample IopsWindows() const;
};

inline constexpr int kFioDepths = 7;      ///< 1, 2, 4, 8, 16, 32, >= 64
inline constexpr int kFioLatencies = 32;  ///< 10 bins of ns, 10 of us, 12 of ms
/// Names of the bins: their upper ends, "2" … "1000" of each unit, for ms also "2000" and ">=2000".
extern const std::array<const char*, kFioLatencies> kFioLatencyNames;

struct FioJob {
  std::string name, host;  ///< host: set with --node, else empty
  uint32_t workload = 0;
  IoSpan span;          ///< the span over which I/Os per second are counted
  Time begun = kNever;  ///< start of its first I/O
  Time ended;           ///< end of its last finished I/O
  size_t clients = 0;   ///< the number of fio's clones of the job
  std::array<FioSide, kIoKinds> sides;
  uint64_t failed = 0, corrupt = 0;
  std::array<uint64_t, kFioDepths> depths{};
  std::array<uint64_t, kFioLatencies> latencies{};

  uint64_t ios() const { return sides[0].ios + sides[1].ios; }
  /// fio's errno: EIO if an I/O failed, else EILSEQ if data were wrong.
  int error() const { return failed > 0 ? 5 : corrupt > 0 ? 84 : 0; }
  Time first() const { return std::min(sides[0].first, sides[1].first); }
  Time last() const { return std::max(sides[0].last, sides[1].last); }
};

/// One job per workload of type io; with `by_host`, one per client in `hosts`. `end`: end of the run. Throws
/// ResultError.
std::vector<FioJob> FioJobs(const std::filesystem::path& operations_csv, const Scenario& scenario, Time end,
                            bool by_host, const std::vector<std::string>& hosts);

}  // namespace headroom
