// The sections of summary.json, one function each.
#pragma once

#include <nlohmann/json.hpp>

#include "run/recording/records.h"
#include "scenario/scenario.h"

namespace headroom {

/// By workload: counts, payload bytes offered, goodput, fairness, completion times in µs, slowdown. `jain`
/// compares pairs of hosts by their delivered payload per time of their messages (an unfinished message adds
/// its age and no payload). Lost messages are complete at the sender and not delivered: they have no delivery
/// time and add no goodput.
/// `exact`: with this number of values of a distribution its percentiles are exact (Distribution).
nlohmann::ordered_json SummariseMessages(const Scenario& scenario, const RunRecord& record, size_t exact);

/// Adds `parts_us` and `waits_us` to each workload, over its finished messages. `parts_us` has the means in
/// µs of the parts of completion times, around a percentile (p50: 45 to 55 %; p99: 98.5 to 99.5 %;
/// p999: 99.85 to 99.95 %; one message at least). `waits_us` has the waits among them by node:port:queue, the
/// ten largest places. Adds nothing if times were not split.
/// If a workload has more than `exact` messages, the bands end at buckets (LogBuckets).
void AddParts(const Scenario& scenario, const RunRecord& record, size_t exact,
              nlohmann::ordered_json& workloads);

/// By workload that offers operations and by kind, `all` for both together: counts, bytes, and I/Os per
/// second and goodput of operations that ended well. Latency is in µs. If operations were followed, the means
/// of their parts are there. Operations that start in the ramp or the warm-up count only in `ramp_offered`.
nlohmann::ordered_json SummariseOperations(const Scenario& scenario, const RunRecord& record);

/// Adds `parts_at_us` and `waits_at_us` to each kind of each workload with operations, as AddParts does for
/// messages. They cover the operations with a line.
void AddOperationParts(const Scenario& scenario, const RunRecord& record, size_t exact,
                       nlohmann::ordered_json& workloads);

/// By name: the results of each service over the whole run.
nlohmann::ordered_json SummariseServices(const Scenario& scenario, const RunRecord& record);

/// By host: the share of the time, from the warm-up until arrivals stopped, that each of its cores worked for
/// services, by kind of work; `posting`: the same for each process of posting loops.
nlohmann::ordered_json SummariseCores(const Scenario& scenario, const RunRecord& record);

/// A resource is full if it was in use for this share of the observed time or longer.
inline constexpr double kFullShare = 0.95;
/// The resources that were full, by workload. `resource`: core (of a host's services), thread, disk, credit,
/// link or depth. `at`: the one that was full longest. `share`: its share of the time. `places`: the number
/// that was full. A closed loop refills at once, so its depth is there only if nothing else is. With several
/// workloads, links between switches are left out.
nlohmann::ordered_json SummariseFull(const Scenario& scenario, const RunRecord& record);

/// Pauses counted where they are asserted; `first_us`: when one first took effect, at the paused port. Every
/// tier and every lossless priority is present, if necessary with zeros.
nlohmann::ordered_json SummarisePfc(const Scenario& scenario, const RunRecord& record);

/// Adds `roots` to the result of SummarisePfc: the twenty places, kinds and workloads with the most paused
/// time, and their shares. `other_roots`: the sum of all others.
void SummariseRoots(const Scenario& scenario, const RunRecord& record, nlohmann::ordered_json& pfc);

/// Counts before the end of the warm-up, which the other sections leave out.
nlohmann::ordered_json SummariseWarmup(const Scenario& scenario, const RunRecord& record);

/// The wire bytes of the NICs with each number, over hosts with several: sent and received. Empty if there
/// are none.
nlohmann::ordered_json SummariseRails(const Scenario& scenario, const RunRecord& record);

/// Dropped frames, by class and by reason; every reason is present.
nlohmann::ordered_json SummariseDrops(const Scenario& scenario, const RunRecord& record);

/// Adds the number of queue pairs that failed to `transport`, and to `failed_queue_pairs` the times in µs of
/// the first hundred, by host/number. Both are over the whole run.
void AddFailedQueuePairs(const Scenario& scenario, const RunRecord& record, nlohmann::ordered_json& summary);

/// The state that loss recovery keeps in a NIC, computed from the parameters of the host that needs most.
/// Also the maximum of contexts taken at the same time at any host, and how often none was free. REQUIRES:
/// the recovery is not go-back-N.
nlohmann::ordered_json SummariseRecovery(const Scenario& scenario, const RunRecord& record);

/// By operation and status, over all hosts and the whole run; `clock_error_bound_us`: the largest error of
/// T5−T1 from NIC clocks.
nlohmann::ordered_json SummariseEstats(const Scenario& scenario, const RunRecord& record);

/// Keyed by switch name.
nlohmann::ordered_json SummariseBuffers(const Scenario& scenario, const RunRecord& record);

}  // namespace headroom
