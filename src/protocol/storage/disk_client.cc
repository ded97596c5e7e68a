#include "protocol/storage/disk_client.h"

#include <algorithm>
#include <utility>

namespace headroom {

DiskClient::DiskClient(uint32_t disk, const StorageParameters& parameters, Operations& operations,
                       History* history, HostCores& cores, Route route)
    : disk_(disk),
      parameters_(parameters),
      operations_(operations),
      history_(history),
      cores_(cores),
      entity_(EventQueue::Get().AddEntity(cores.context())),
      route_(std::move(route)) {}

void DiskClient::Submit(const OperationRequest& request) {
  if (cores_.process(0).costs().OfRequest() == Time(0)) return Begin(request, nullptr);
  NodeId server = 0;
  Ahead& ahead = ahead_[&route_({disk_, request.target}, 0, server)];
  if (ahead.begun == kBegunAhead) return ahead.waiting.PushBack(request);
  TakeUp(ahead, request);
}

void DiskClient::TakeUp(Ahead& ahead, const OperationRequest& request) {
  ++ahead.begun;
  Process& process = cores_.process(turns_++ % cores_.cores());
  process.DoNew(CoreWork::operation, process.costs().OfRequest(),
                [this, &ahead, request] { Begin(request, &ahead); });
}

/// The operation's request has been sent, or will not be sent.
void DiskClient::Leave(Operation& operation) {
  Ahead* const ahead = std::exchange(operation.ahead, nullptr);
  if (ahead == nullptr) return;
  --ahead->begun;
  if (ahead->waiting.Empty()) return;
  const OperationRequest next = ahead->waiting.Front();
  ahead->waiting.PopFront();
  TakeUp(*ahead, next);
}

void DiskClient::OnPosted(uint32_t number) {
  if (const auto at = open_.find(number); at != open_.end()) Leave(*at->second.operation);
}

void DiskClient::Begin(const OperationRequest& request, Ahead* ahead) {
  const auto operation =
      std::make_shared<Operation>(Operation{request, ahead, 0, 0, OperationStatus::ok, {}});
  if (history_ != nullptr)
    operation->in_history =
        history_->Begin(request.kind, disk_, request.target, request.bytes, EventQueue::Get().now());
  const uint32_t first = next_;
  const auto extent = static_cast<uint64_t>(parameters_.extent.v);
  const uint64_t end = request.target + request.bytes;
  for (uint64_t at = request.target; at < end;) {
    const uint64_t until = parameters_.back ? end : std::min(end, (at / extent + 1) * extent);
    open_.emplace(next_++, Open{operation, at, static_cast<uint32_t>(until - at)});
    ++operation->open;
    at = until;
  }
  for (uint32_t number = first; number != next_; ++number) Ask(number, open_.at(number));
}

void DiskClient::Ask(uint32_t number, Open& open) {
  const OperationRequest& request = open.operation->request;
  OperationRecord& record = operations_[request.operation];
  StorageCall call;
  call.kind = request.kind;
  call.place = {disk_, open.address};
  call.length = open.bytes;
  call.request = {number, number - open_.begin()->first};
  if (history_ != nullptr && call.kind == OperationKind::write) {
    call.bytes.resize(call.length);
    PutWriteIds(call.place.offset, call.bytes, History::IdOf(open.operation->in_history));
  }
  if (const Trail* trail = operations_.trail()) open.since = trail->current();
  if (open.operation->ahead != nullptr) call.posted = [this, number] { OnPosted(number); };
  NodeId server = 0;
  StorageChannel& channel = route_(call.place, open.asked++, server);
  record.participants.Add(server);
  if (parameters_.timeout > Time(0)) {
    EventQueue& events = EventQueue::Get();
    events.PushTarget(events.now() + parameters_.timeout,
                      TimedEvent::Order(EventClass::workload, entity_, number), this,
                      uint64_t{open.asked} << 32 | number);
  }
  channel.Call(std::move(call), [this, number](const StorageAnswer& answer) { OnAnswer(number, answer); });
}

void DiskClient::OnAnswer(uint32_t number, const StorageAnswer& answer) {
  const auto at = open_.find(number);
  if (at == open_.end()) return;  // another answer arrived first
  operations_[at->second.operation->request.operation].retries += answer.retries;
  const bool again =
      parameters_.timeout > Time(0) && at->second.asked <= static_cast<uint32_t>(parameters_.retries);
  if (answer.status == OperationStatus::failed && again) return;  // repeated when its timeout ends
  Complete(number, answer);
}

void DiskClient::Complete(uint32_t number, const StorageAnswer& answer) {
  const auto at = open_.find(number);
  const Open open = std::move(at->second);
  open_.erase(at);
  Operation& operation = *open.operation;
  const OperationRequest& request = operation.request;
  operation.status = std::max(operation.status, answer.status);
  if (!answer.bytes.empty()) {
    operation.bytes.resize(request.bytes);
    std::ranges::copy(answer.bytes,
                      operation.bytes.begin() + static_cast<ptrdiff_t>(open.address - request.target));
  }
  Leave(operation);
  if (--operation.open > 0) return;
  if (history_ != nullptr && operation.status == OperationStatus::ok) Note(operation);
  OperationRecord& record = operations_[request.operation];
  record.times = answer.times;
  record.qp = answer.qp;
  operations_.Complete(request.operation, operation.status);
}

/// It is unknown whether a failed write took effect.
void DiskClient::Note(const Operation& operation) {
  const Time now = EventQueue::Get().now();
  if (operation.request.kind == OperationKind::write) return history_->EndWrite(operation.in_history, now);
  history_->EndRead(operation.in_history, now, WriteIdsIn(operation.request.target, operation.bytes));
}

void DiskClient::OnEvent(uint64_t arg) {
  const auto number = static_cast<uint32_t>(arg);
  const auto at = open_.find(number);
  if (at == open_.end() || at->second.asked != arg >> 32) return;  // it has been answered
  Trail* const trail = operations_.trail();
  const Time now = EventQueue::Get().now();
  if (trail != nullptr) trail->SetCurrent(trail->Add(at->second.since, OperationPart::timeout, now, now));
  if (at->second.asked <= static_cast<uint32_t>(parameters_.retries)) {
    ++operations_[at->second.operation->request.operation].retries;
    Ask(number, at->second);
  } else {
    Complete(number, {OperationStatus::failed, {}, {}, 0, 0});
  }
  if (trail != nullptr) trail->SetCurrent(0);
}

}  // namespace headroom
