// The table `kv` of `show`: what YCSB would print of a run's operations on keys.
//
// Its groups are YCSB's: a GET is a READ, a PUT an UPDATE. Of a READ-MODIFY-WRITE the whole is known, not its
// READ and UPDATE, which YCSB counts too. Operations that failed or brought a wrong value are in X-FAILED.
// Where YCSB has whole microseconds these have three digits more. Source: YCSB's TextMeasurementsExporter and
// OneMeasurementHdrHistogram.
//
// And the table `redis`: the columns of redis-benchmark --csv, a line for each kind of request of a workload.
// Its latencies here begin when a connection may write and end when it has taken the reply; those of
// redis-benchmark leave out the turn before the write and the work after the read.
#pragma once

#include <ostream>

#include "cli/show/operator_tables.h"
#include "cli/show/show.h"

namespace headroom {

/// Prints the report: from operations.csv, or if that lacks some, from summary.json. Throws ResultError
/// without any such operations, std::invalid_argument if the pattern matches no client.
void ShowKv(const RunFiles& run, const ShowOptions& options, std::ostream& out);

/// The same for the table `redis`.
void ShowRedis(const RunFiles& run, const ShowOptions& options, std::ostream& out);

}  // namespace headroom
