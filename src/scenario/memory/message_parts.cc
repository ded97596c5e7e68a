// Part of parts.h: messages of workloads, and their queue pairs.
#include <fmt/format.h>

#include <numeric>

#include "nic/transport/message_times.h"
#include "nic/transport/requester.h"
#include "nic/transport/responder.h"
#include "scenario/expected_traffic.h"
#include "scenario/memory/counts.h"
#include "scenario/memory/parts.h"
#include "workload/distributions/log_buckets.h"
#include "workload/message_record.h"
#include "workload/types/line_limits.h"

namespace headroom {

namespace {

/// Memory for a bulk message without parts or waits at the end of the run: its time, three times, for
/// sorting.
constexpr size_t kSummaryBytes = 3 * 16;
/// Memory for the parts of a message's time, which are sorted; and for a wait in the record.
constexpr size_t kSplitBytes = 56, kWaitBytes = 40;

/// Memory of open messages. Lists grow to twice their length, and two exist while one grows.
Forecast OpenBytes(const Scenario& s, const Demand& d, double most_waits) {
  constexpr double kBegun = 48, kEntry = 24;  // where it began, and the table by which it is found
  constexpr double kGrown = 1.5, kMostGrown = 3;
  double each = sizeof(MessageRecord) + kBegun + kEntry, waits = 0;
  if (s.observe.parts && !d.workload->arrivals->OnVerbs()) {
    each += MessageTimes::kBulkBytes + kEntry;
    waits = most_waits * sizeof(Itinerary::Wait);
  }
  return {kGrown * each * d.open.expected, (kMostGrown * each + waits) * d.open.worst};
}

/// Memory of the records of ended messages: vectors of records grow one by one.
Forecast RecordBytes(const Scenario& s, const Demand& d, double most_waits) {
  constexpr double kGrown = 1.15, kWaits = 0.8;
  double each = sizeof(MessageRecord) + sizeof(uint32_t) + kSummaryBytes;
  if (s.observe.parts) each += sizeof(MessageParts) + kSplitBytes;
  // If queues stall, a message waits at every second queue.
  const double held_up = d.paused_share * std::max(0.0, most_waits / 2 - kWaits);
  const bool waits = s.observe.parts && !d.workload->arrivals->OnVerbs();
  const double waited = waits ? kWaits + held_up : 0, at_most = waits ? most_waits : 0;
  return {d.count.expected * (kGrown * each + waited * kWaitBytes),
          d.count.worst * (2 * each + 2 * at_most * kWaitBytes)};
}

/// The values and the two buffers of the workload's distributions with `results: stream`.
Forecast StreamedBytes(const Scenario& s, const Demand& d) {
  constexpr double kDistributions = 4, kMember = 320, kPlace = 32, kAround = 0.12, kValue = 16;
  const Forecast values = Min(d.count, Exactly(kExactValues));
  const double of_value = kDistributions * kValue + (s.observe.parts ? kPlace + kAround * kMember : 0);
  return Forecast{of_value * values.expected, 2 * of_value * values.worst} +
         Exactly(kDistributions * LogBuckets::kMostBytes);
}

/// The largest memory of a queue pair's congestion control, without DCQCN.
double LargestControl(const Scenario& s) {
  constexpr double kPlace = 256;  // memory in the NIC, and for its credits at the receiver
  double most = 0;
  for (const NicParameters& nic : s.nics) {
    if (nic.HasControl())
      most = std::max(most, kPlace + AllocatedBytes(static_cast<double>(nic.control->bytes())));
  }
  return most;
}

/// Bulk queue pairs: half of one at each end, or, for READs and registrations, a whole one at both.
Forecast QueuePairsOfBulk(const Scenario& s, const Demand& d, double control) {
  const WorkloadParameters& w = *d.workload;
  const std::vector<double> by_source = ExpectedQueuePairs(w, s);
  const double most = std::accumulate(by_source.begin(), by_source.end(), 0.0);
  if (most <= 0) return {};
  const bool whole = w.verb == Operation::read_request || w.registers;
  constexpr double kPair = 150;  // the entry by which it is found
  const double halves = AllocatedBytes(sizeof(Requester)) + AllocatedBytes(sizeof(Responder)) + control;
  const double each = (whole ? 2 : 1) * halves + kPair + MessageTimes::kSenderBytes;
  // With a queue pair per message, most queue pairs are reused.
  constexpr double kAtOnce = 0.6;
  const double expected = w.qp_per_message ? kAtOnce * most : most;
  const double worst = w.qp_per_message ? d.count.worst : most;
  const double requests = w.registers ? 2 : 1;
  // One queue pair may have all waiting requests.
  const double queued = 3 * requests * sizeof(SendRequest);
  return {expected * (each + RingBytes(requests * d.open.expected / expected, sizeof(SendRequest))),
          worst * (each + RingBytes(2, sizeof(SendRequest))) + d.open.worst * queued};
}

}  // namespace

std::vector<MemoryPart> PartsOfMessages(const Scenario& s, const std::vector<Demand>& demands) {
  constexpr double kDirections = 2;
  const double most_waits = kDirections * (SwitchesOnPath(s.topology) + 1);
  const double control = LargestControl(s);
  std::vector<MemoryPart> parts;
  for (const Demand& d : demands) {
    const WorkloadParameters& w = *d.workload;
    if (OffersOperations(w)) continue;
    parts.push_back({fmt::format("messages of workload {}", w.name),
                     "give larger messages, a lower load, or a shorter duration",
                     OpenBytes(s, d, most_waits) +
                         (s.results == Results::stream ? StreamedBytes(s, d) : RecordBytes(s, d, most_waits)),
                     MemoryPart::Of::workloads, w.name});
    MemoryPart pairs{
        fmt::format("queue pairs of workload {}", w.name), "", {}, MemoryPart::Of::workloads, w.name};
    if (const auto own = w.arrivals->QueuePairs(w, d.count)) {
      pairs.what += own->which;
      pairs.less = own->less;
      pairs.bytes = own->bytes;
    } else {
      pairs.less = w.qp_per_message ? "give qp: {per_pair: 1}, or fewer messages"
                                    : "give fewer hosts in from or to, a smaller qp.per_pair, or a lower "
                                      "load";
      pairs.bytes = QueuePairsOfBulk(s, d, control);
    }
    parts.push_back(std::move(pairs));
  }
  return parts;
}

}  // namespace headroom
