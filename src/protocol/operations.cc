#include "protocol/operations.h"

#include <algorithm>

#include "sim/event_queue.h"
#include "workload/operation.h"

namespace headroom {

Operations::Operations(std::vector<IoSpan> spans, size_t hosts, uint32_t one_in, Time warmup, Trail trail)
    : spans_(std::move(spans)),
      begun_at_(spans_.size(), kNever),
      ended_at_(spans_.size()),
      one_in_(one_in),
      warmup_(warmup),
      trail_(std::move(trail)),
      totals_(spans_.size()),
      parts_(spans_.size()),
      numbers_(spans_.size(), std::vector<uint32_t>(hosts)) {
  Parts::Get().CountByPart(unfinished_);
  if (one_in_ == 0) KeepAtMost(kExactLatencies);  // else their lines take memory anyway
}

void Operations::KeepAtMost(uint64_t latencies) {
  for (auto& by_kind : totals_) {
    for (OperationTotals& t : by_kind) t.latencies.KeepAtMost(latencies);
  }
}

void Operations::Keep(const OperationRecord& operation) {
  if (one_in_ == 0 || operation.number % one_in_ != 0) return;
  on_kept_(operation, waits_);
  waits_.clear();
}

uint32_t Operations::Begin(uint32_t workload, const OperationRequest& request, bool ramp) {
  uint32_t id = static_cast<uint32_t>(open_.size());
  if (free_.empty()) {
    open_.emplace_back();
  } else {
    id = free_.back();
    free_.pop_back();
  }
  OperationRecord& o = open_[id] = {};
  o.workload = workload;
  o.number = numbers_[workload][request.client]++;
  o.client = request.client;
  o.kind = request.kind;
  o.bytes = Bytes(request.bytes);
  o.target = request.target;
  o.thread = request.thread;
  o.start = EventQueue::Get().now();
  // Workloads with a ramp run in one part.
  if (begun_at_[workload] == kNever && spans_[workload].ramp > Time(0)) spans_[workload].Begin(o.start);
  begun_at_[workload] = std::min(begun_at_[workload], o.start);
  o.ramp = ramp || o.start < warmup_;
  OperationTotals& t = totals_[workload][static_cast<size_t>(o.kind)];
  if (o.ramp) {
    ++t.ramp;
  } else {
    ++t.offered;
    t.bytes += o.bytes.v;
    t.first_start = std::min(t.first_start, o.start);
  }
  ++unfinished_;
  ++begun_;
  return id;
}

void Operations::Complete(uint32_t operation, OperationStatus status) {
  OperationRecord& o = open_[operation];
  if (one_in_ > 0 && trail_.current() == 0) {  // nothing caused it: its connection did not return
    o.parts[static_cast<size_t>(OperationPart::connection)] = EventQueue::Get().now() - o.start;
  } else if (one_in_ > 0) {
    o.parts = trail_.Split(
        trail_.current(), o.start, o.number % one_in_ == 0 ? &waits_ : nullptr,
        OfDisk(o.kind) ? Trail::WaitOrder::last_message_first : Trail::WaitOrder::first_message_first);
  }
  o.completed = EventQueue::Get().now();
  o.status = status;
  ended_at_[o.workload] = std::max(ended_at_[o.workload], o.completed);
  OperationTotals& t = totals_[o.workload][static_cast<size_t>(o.kind)];
  if (status == OperationStatus::ok && spans_[o.workload].Counts(o.completed)) {
    ++t.steady;
    t.steady_bytes += o.bytes.v;
  }
  t.held += spans_[o.workload].Within(o.start, o.completed);
  if (!o.ramp) {
    ++t.finished;
    t.failed += status == OperationStatus::failed;
    t.corrupt += status == OperationStatus::corrupt;
    t.retries += o.retries;
    if (status == OperationStatus::ok) t.finished_bytes += o.bytes.v;
    t.last_completed = std::max(t.last_completed, o.completed);
    t.latencies.Add(o.completed - o.start);
    auto& parts = parts_[o.workload][static_cast<size_t>(o.kind)];
    for (size_t i = 0; i < kOperationParts; ++i) parts[i] += o.parts[i];
  }
  --unfinished_;
  const OperationRecord ended = o;
  o.completed = kNever;
  o.bytes = Bytes(-1);  // marks an absent operation
  free_.push_back(operation);
  Keep(ended);
  if (on_done_) on_done_(ended);
}

std::vector<std::array<OperationTotals, kOperationKinds>> Operations::Collect(Time end) {
  std::erase_if(open_, [](const OperationRecord& o) { return o.bytes.v < 0; });
  std::ranges::sort(open_, {}, [](const OperationRecord& o) { return RowKeyOf(o); });
  for (const OperationRecord& o : open_) {
    Keep(o);
    OperationTotals& t = totals_[o.workload][static_cast<size_t>(o.kind)];
    t.held += spans_[o.workload].Within(o.start, end);
    if (o.ramp) continue;
    t.unfinished.push_back(end - o.start);
    t.retries += o.retries;
  }
  for (size_t w = 0; w < spans_.size(); ++w) {
    for (size_t kind = 0; kind < kOperationKinds; ++kind) {
      OperationTotals& t = totals_[w][kind];
      t.span = spans_[w].Length(begun_at_[w], ended_at_[w], end);
      std::ranges::transform(parts_[w][kind], t.parts_us.begin(),
                             [](Time sum) { return InMicroseconds(sum); });
    }
  }
  return std::move(totals_);
}

}  // namespace headroom
