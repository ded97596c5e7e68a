// The table `io` of `show`: fio's report of a run.
#pragma once

#include <ostream>

#include "cli/show/fio_jobs.h"
#include "cli/show/operator_tables.h"
#include "cli/show/show.h"

namespace headroom {

/// fio's percentiles, in hundredths of a per cent.
inline constexpr int kFioPercentiles[] = {100,  500,  1000, 2000, 3000, 4000, 5000, 6000, 7000,
                                          8000, 9000, 9500, 9900, 9950, 9990, 9995, 9999};

/// The report's contents besides its jobs.
struct FioContext {
  const Scenario& scenario;
  const nlohmann::ordered_json& summary;

  /// The CPU time of a job's services in per cent of one core. It sums the work of all cores of a host over
  /// the run, and averages over the job's hosts.
  double CpuPercent(const FioJob& job) const;
  /// StorageParameters::InKernel, for its service.
  bool InKernel(const FioJob& job) const;
  const IoArrivals& Io(const FioJob& job) const {
    return *scenario.workloads[job.workload].arrivals.Find<IoArrivals>();
  }
};

/// A percentage; as in fio, any value above zero is at least `least`.
double FioShare(uint64_t part, uint64_t total, double least);

std::string FioText(const std::vector<FioJob>& jobs, const FioContext& context);
nlohmann::ordered_json FioJson(const std::vector<FioJob>& jobs, const FioContext& context);

/// Prints the report. If operations.csv lacks some operations, prints summary.json's values and the way to
/// get the rest. Throws ResultError if there are no such operations, std::invalid_argument if `pattern`
/// matches no client.
void ShowIo(const RunFiles& run, const ShowOptions& options, std::ostream& out);

}  // namespace headroom
