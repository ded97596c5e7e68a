// The table `kv` of `show`: what YCSB would print of a run's operations on keys.
//
// Its groups are YCSB's: a GET is a READ, a PUT an UPDATE. Of a READ-MODIFY-WRITE the whole is known, not its
// READ and UPDATE, which YCSB counts too. Operations that failed or brought a wrong value are in X-FAILED.
// Where YCSB has whole microseconds these have three digits more. Source: YCSB's TextMeasurementsExporter and
// OneMeasurementHdrHistogram.
#pragma once

#include <ostream>

#include "cli/show/operator_tables.h"
#include "cli/show/show.h"

namespace headroom {

/// Prints the report: from operations.csv, or where that has not all of them what summary.json knows. Throws
/// ResultError where there is nothing of the kind, std::invalid_argument where the pattern is of no client.
void ShowKv(const RunFiles& run, const ShowOptions& options, std::ostream& out);

}  // namespace headroom
