// The table `kv` of `show`: the report that YCSB would print about a run's operations on keys.
//
// Its groups are YCSB's: a GET is a READ, a PUT an UPDATE. For a READ-MODIFY-WRITE only the total is known,
// not its READ and UPDATE, which YCSB also counts. Operations that failed or returned a wrong value are in
// X-FAILED. YCSB prints whole microseconds; this table has three more digits. Source: YCSB's
// TextMeasurementsExporter and OneMeasurementHdrHistogram.
//
// The table `redis`: the columns of redis-benchmark --csv, a line for each kind of request of a workload. Its
// latencies begin when a connection may write, and end when it has taken the reply. Those of redis-benchmark
// exclude the wait before the write and the work after the read.
#pragma once

#include <ostream>

#include "cli/show/operator_tables.h"
#include "cli/show/show.h"

namespace headroom {

/// Prints the report from operations.csv or, if that lacks some operations, from summary.json. Throws
/// ResultError if there are no such operations, std::invalid_argument if the pattern matches no client.
void ShowKv(const RunFiles& run, const ShowOptions& options, std::ostream& out);

/// Writes the table `redis` in the same way.
void ShowRedis(const RunFiles& run, const ShowOptions& options, std::ostream& out);

}  // namespace headroom
