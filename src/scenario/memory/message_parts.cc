// Part of parts.h: messages of workloads, and their queue pairs.
#include <fmt/format.h>

#include <numeric>

#include "nic/transport/message_times.h"
#include "nic/transport/requester.h"
#include "nic/transport/responder.h"
#include "scenario/expected_traffic.h"
#include "scenario/memory/counts.h"
#include "scenario/memory/parts.h"
#include "workload/log_buckets.h"
#include "workload/message_record.h"
#include "workload/types/line_limits.h"

namespace headroom {

namespace {

/// Memory for a bulk message without parts or waits at the end of the run: its time, three times, for
/// sorting.
constexpr size_t kSummaryBytes = 3 * 16;
/// Memory for the parts of a message's time, which are sorted; and for a wait, in the log and in the record.
constexpr size_t kSplitBytes = 56, kWaitBytes = sizeof(Itinerary::Wait) + 40;

/// Memory of records: vectors of records grow one by one, and one of them is moved at a time.
Forecast RecordBytes(const Scenario& s, const Demand& d, double most_waits) {
  const bool posts = d.workload->arrivals->OnVerbs();
  constexpr double kGrown = 1.15, kWaits = 0.8;
  double each = sizeof(MessageRecord) + sizeof(uint32_t) + kSummaryBytes;
  if (s.observe.parts) each += (posts ? sizeof(MessageParts) : MessageTimes::kBulkBytes) + kSplitBytes;
  // If queues stall, a message waits at every second queue.
  const double held_up = d.paused_share * std::max(0.0, most_waits / 2 - kWaits);
  const double waits = s.observe.parts && !posts ? kWaits + held_up : 0;
  const double at_most = s.observe.parts && !posts ? most_waits : 0;
  return {d.count.expected * (kGrown * each + waits * kWaitBytes),
          d.count.worst * (2 * each + 2 * at_most * kWaitBytes)};
}

/// The same with `results: stream`, where an ended message leaves memory. The tables of open messages are at
/// least half free, and two tables exist while one grows. The values and the two buffers of the workload's
/// distributions are added.
Forecast StreamedBytes(const Scenario& s, const Demand& d, double most_waits) {
  constexpr double kDistributions = 4, kMember = 320, kPlace = 32, kAround = 0.12;
  double each = sizeof(MessageRecord) + 2 * sizeof(uint32_t);
  double wait = 0;
  if (s.observe.parts && !d.workload->arrivals->OnVerbs()) {
    each += MessageTimes::kBulkBytes + sizeof(std::vector<Itinerary::Wait>);
    wait = most_waits * sizeof(Itinerary::Wait);
  }
  constexpr double kTables = 3, kMostTables = 6;
  const Forecast values = Min(d.count, Exactly(kExactValues));
  constexpr double kValue = 16;
  const double of_value = kDistributions * kValue + (s.observe.parts ? kPlace + kAround * kMember : 0);
  return Forecast{kTables * each * d.open.expected, (kMostTables * each + wait) * d.open.worst} +
         Forecast{of_value * values.expected, 2 * of_value * values.worst} +
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
    parts.push_back(
        {fmt::format("messages of workload {}", w.name),
         "give larger messages, a lower load, or a shorter duration",
         s.results == Results::stream ? StreamedBytes(s, d, most_waits) : RecordBytes(s, d, most_waits),
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
