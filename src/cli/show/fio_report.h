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

/// A report's contents beside its jobs.
struct FioContext {
  const Scenario& scenario;
  const nlohmann::ordered_json& summary;

  /// Per cent of a core's time that services took of the hosts of a job: what all cores of a host worked,
  /// over the run, in the mean of the job's hosts.
  double CpuPercent(const FioJob& job) const;
  /// sK-RDMA and TCP are in the kernel, sU-RDMA in the program.
  bool InKernel(const FioJob& job) const;
  const IoArrivals& Io(const FioJob& job) const {
    return *scenario.workloads[job.workload].arrivals->AsIos();
  }
};

/// A percentage; any value above zero is at least `least`, as in fio.
double FioShare(uint64_t part, uint64_t total, double least);

std::string FioText(const std::vector<FioJob>& jobs, const FioContext& context);
nlohmann::ordered_json FioJson(const std::vector<FioJob>& jobs, const FioContext& context);

/// Prints the report; if operations.csv lacks some, summary.json's values and how to get the rest.
/// Throws ResultError without any such operations, std::invalid_argument if `pattern` matches no
/// client.
void ShowIo(const RunFiles& run, const ShowOptions& options, std::ostream& out);

}  // namespace headroom
