// The CSV files of a result. Each function writes one file: always a header, then rows in an order that does
// not depend on how the records were gathered.
//
// Times are nanoseconds with three places (exact picoseconds); a field without a value is empty.
#pragma once

#include "files/text_file.h"
#include "run/records.h"
#include "scenario/scenario.h"

namespace headroom {

/// Sorted by (start, workload in the order of the scenario, source in the order of the topology, number). The
/// scope is the smallest that contains both ends; `slowdown` is empty for an unfinished message.
void WriteMessagesCsv(TextFile& file, const Scenario& scenario, const RunRecord& record);

/// For the fifty slowest finished messages of each workload, slowest first: the places where the deciding
/// packet and its ACK waited, in path order. Without rows if times were not split.
void WriteMessageWaitsCsv(TextFile& file, const Scenario& scenario, const RunRecord& record);
/// The same for operations with a line: the waits of their messages.
void WriteOperationWaitsCsv(TextFile& file, const Scenario& scenario, const RunRecord& record);

/// Operations with a line, sorted by (start, workload in the order of the scenario, client in the order of
/// the topology, number). `status` and the parts are empty for an unfinished operation; the parts of a
/// finished one sum to its time. `ramp` is 1 for operations that are not in the percentiles.
void WriteOperationsCsv(TextFile& file, const Scenario& scenario, const RunRecord& record);

/// Sorted by (time, node, port, priority, direction). The duration is empty if the pause outlived the run.
void WritePfcCsv(TextFile& file, const Scenario& scenario, const RunRecord& record);

/// The causes of the pauses that nodes sent (run/pause_causes.h), sorted by (start, node, port, priority),
/// the largest share first. The shares of a pause sum to 1.
void WritePfcCausesCsv(TextFile& file, const Scenario& scenario, const RunRecord& record);

/// Sorted by (time, node, port, priority, event).
void WriteEventsCsv(TextFile& file, const Scenario& scenario, const RunRecord& record);

/// One line for each port and used priority: one with a named class, or with a count. `utilisation` is the
/// share of the time since the warm-up during which the priority's frames, with preamble and gap, were on the
/// wire.
void WritePortsCsv(TextFile& file, const Scenario& scenario, const RunRecord& record);

/// One line for each queue of a switch port that marks: its thresholds at the rate of the port. Lines are in
/// the order of the topology.
void WriteMarkingCsv(TextFile& file, const Scenario& scenario, const RunRecord& record);

/// One line for each queue that a PFC watchdog watches, in order; over the whole run, whatever the warm-up
/// is.
void WriteWatchdogCsv(TextFile& file, const Scenario& scenario, const RunRecord& record);

/// Time series, sorted by (time, place). Without rows if they are not observed.
void WriteQueuesCsv(TextFile& file, const Scenario& scenario, const RunRecord& record);
void WriteGroupsCsv(TextFile& file, const Scenario& scenario, const RunRecord& record);
void WriteRatesCsv(TextFile& file, const Scenario& scenario, const RunRecord& record);
void WriteGoodputCsv(TextFile& file, const Scenario& scenario, const RunRecord& record);
void WriteCnpsCsv(TextFile& file, const Scenario& scenario, const RunRecord& record);
/// A line for each connection, operation and status in each interval in which a completion was polled, sorted
/// by these.
void WriteEstatsCsv(TextFile& file, const Scenario& scenario, const RunRecord& record);
void WriteDropsCsv(TextFile& file, const Scenario& scenario, const RunRecord& record);

}  // namespace headroom
