// RDMA Estats of a run: programs on verbs are counted when they poll, services' operations when they end, and
// workloads' messages from their records.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "run/recorder.h"

namespace headroom {

namespace {

WcOpcode OpcodeOfVerb(Operation verb) {
  switch (verb) {
    case Operation::write:
    case Operation::write_imm:
      return WcOpcode::rdma_write;
    case Operation::read_request:
    case Operation::read_response:
      return WcOpcode::rdma_read;
    default:
      return WcOpcode::send;
  }
}

EstatsRecord::Spans SpansOf(const LatencyHistogram& h) {
  return {h.Quantile(500), h.Quantile(990), h.Quantile(999), h.greatest()};
}

EstatsRecord RecordOf(const Estats::Key& key, const Estats::Spans& spans) {
  EstatsRecord r;
  r.host = key.host;
  r.peer = key.peer;
  r.qp = key.qp;
  r.operation = key.operation;
  r.status = key.status;
  r.count = spans.t6_t1.count();
  r.t5_t1 = SpansOf(spans.t5_t1);
  r.t6_t1 = SpansOf(spans.t6_t1);
  return r;
}

}  // namespace

/// A workload polls its completion as soon as it is written: T6 is T5. It posts a READ at the destination of
/// the data. Posting loops are programs on verbs: their polled completions have been counted.
void Recorder::AddToEstats(const MessageRecord& m, Time at, WcStatus status) {
  const WorkloadParameters& workload = scenario_.workloads[m.workload];
  if (workload.arrivals->OnVerbs()) return;
  const Operation verb = workload.verb;
  const bool reads = verb == Operation::read_request;
  const NodeId host = reads ? m.dst : m.src;
  if (!Matches(scenario_.observe.estats->match, host, "")) return;
  estats_->Add({0, host, reads ? m.src : m.dst, m.qp, OpcodeOfVerb(verb), status}, m.start, at, at,
               scenario_.nics[host].clock);
}

void Recorder::AddFailures() {
  for (const MessageFailure& f : traffic_.failures()) AddToEstats(f.message, f.at, f.status);
}

void Recorder::Watch(Services& services) {
  services_ = &services;
  services.SetOnEvent([this](const ServiceEvent& e) {
    Note({e.at, e.kind, e.host, EventRecord::kNone, EventRecord::kNone, e.detail});
  });
  services.SetOnKept([this](const OperationRecord& operation, const std::vector<Itinerary::Wait>& waits) {
    ended_->Add(OperationView{operation, InRecords(waits)});
  });
  if (scenario_.results == Results::stream) services.KeepAtMost(kExactValues);
  if (estats_) services.SetOnEnded([this](const OperationRecord& ended) { AddOperation(ended); });
}

/// An operation is posted with its request and ends with the completion of its answer. An operation that did
/// not get so far counts as posted when it began, or completed when it was given up.
void Recorder::AddOperation(const OperationRecord& o) {
  if (!Matches(scenario_.observe.estats->match, o.client, "")) return;
  const auto or_else = [](Time at, Time instead) { return at == kNever ? instead : at; };
  Estats& estats =
      operation_estats_.try_emplace({o.kind, o.status, o.workload}, estats_->every(), scenario_.warmup)
          .first->second;
  estats.Add({0, o.client, o.participants.Last(o.client), o.qp}, or_else(o.times.posted, o.start),
             or_else(o.times.completed, o.completed), or_else(o.times.polled, o.completed),
             scenario_.nics[o.client].clock);
}

/// Operations follow the work requests of the same interval and queue pair.
void Recorder::CollectOperationEstats() {
  std::map<std::pair<ServiceOperation, OperationStatus>, Estats::Spans> totals;
  const auto asked = [](EstatsRecord r, ServiceOperation operation, OperationStatus status) {
    r.asked = operation;
    r.asked_status = status;
    return r;
  };
  for (const auto& [what, estats] : operation_estats_) {
    const auto& [kind, status, workload] = what;
    const ServiceOperation operation{scenario_.workloads[workload].arrivals->Asks()->of, kind};
    for (const auto& [key, spans] : estats.spans()) {
      EstatsRecord& r = record_.estats.emplace_back(asked(RecordOf(key, spans), operation, status));
      r.until = EndOf(key.interval);
      r.workload = static_cast<int>(workload);
      totals[{operation, status}].t5_t1.Merge(spans.t5_t1);
      totals[{operation, status}].t6_t1.Merge(spans.t6_t1);
    }
  }
  for (const auto& [what, spans] : totals)
    record_.estats_totals.push_back(asked(RecordOf({}, spans), what.first, what.second));
  std::stable_sort(record_.estats.begin(), record_.estats.end(), [](const auto& a, const auto& b) {
    return std::tie(a.until, a.host, a.peer, a.qp) < std::tie(b.until, b.host, b.peer, b.qp);
  });
}

void Recorder::PackEstats(Packer& pack) {
  estats_->PackShare(pack);
  uint64_t kinds = operation_estats_.size();
  pack(kinds);
  for (auto& [what, estats] : operation_estats_) {
    auto [kind, status, workload] = what;
    pack(kind, status, workload);
    estats.PackShare(pack);
  }
  NoteQueuePairsOfServices();
  pack(qps_of_services_);
}

void Recorder::JoinEstats(Unpacker& share) {
  estats_->Join(share);
  uint64_t kinds = 0;
  share(kinds);
  for (; kinds > 0; --kinds) {
    decltype(operation_estats_)::key_type what;
    auto& [kind, status, workload] = what;
    share(kind, status, workload);
    operation_estats_.try_emplace(what, estats_->every(), scenario_.warmup).first->second.Join(share);
  }
  std::vector<QueuePairOfService> there;
  share(there);
  std::ranges::move(there, std::back_inserter(qps_of_services_));
}

/// A host makes some of its queue pairs during the run.
void Recorder::NoteQueuePairsOfServices() {
  if (services_ == nullptr) return;
  services_->ForEachQueuePair([this](int service, NodeId host, uint32_t qp) {
    if (network_.IsHere(host)) qps_of_services_.push_back({service, host, qp});
  });
}

/// The end of the run may shorten the last interval.
Time Recorder::EndOf(int64_t interval) const {
  return interval > record_.end / estats_->every() ? record_.end : estats_->every() * interval;
}

void Recorder::CollectEstats() {
  std::map<std::pair<NodeId, uint32_t>, int> workload_of;
  for (const MessageRecord& m : record_.messages) {
    if (m.Finished()) AddToEstats(m, m.completed, WcStatus::success);
    const bool reads = scenario_.workloads[m.workload].verb == Operation::read_request;
    workload_of[{reads ? m.dst : m.src, m.qp}] = static_cast<int>(m.workload);
  }
  NoteQueuePairsOfServices();
  std::map<std::pair<NodeId, uint32_t>, int> service_of;
  for (const QueuePairOfService& q : qps_of_services_) service_of[{q.host, q.qp}] = q.service;
  std::map<std::pair<WcOpcode, WcStatus>, Estats::Spans> totals;
  for (const auto& [key, spans] : estats_->spans()) {
    EstatsRecord& r = record_.estats.emplace_back(RecordOf(key, spans));
    r.until = EndOf(key.interval);
    if (const auto at = workload_of.find({key.host, key.qp}); at != workload_of.end())
      r.workload = at->second;
    if (const auto at = service_of.find({key.host, key.qp}); at != service_of.end()) r.service = at->second;
    Estats::Spans& total = totals[{key.operation, key.status}];
    total.t5_t1.Merge(spans.t5_t1);
    total.t6_t1.Merge(spans.t6_t1);
  }
  for (const auto& [kind, spans] : totals)
    record_.estats_totals.push_back(RecordOf({0, 0, 0, 0, kind.first, kind.second}, spans));
  CollectOperationEstats();
  for (NodeId h = 0; h < scenario_.topology.hosts; ++h) {
    if (!Matches(scenario_.observe.estats->match, h, "")) continue;
    record_.clock_error_bound =
        std::max(record_.clock_error_bound, scenario_.nics[h].clock.ErrorBound(record_.end));
  }
}

}  // namespace headroom
