#include "protocol/system/disk_client.h"

#include <utility>

namespace headroom {

DiskClient::DiskClient(uint32_t disk, const StorageParameters& parameters, Operations& operations,
                       History* history, uint32_t context, Route route)
    : disk_(disk),
      parameters_(parameters),
      operations_(operations),
      history_(history),
      entity_(EventQueue::Get().AddEntity(context)),
      route_(std::move(route)) {}

void DiskClient::Submit(const OperationRequest& request) {
  const uint32_t number = next_++;
  Open& open = open_.emplace(number, Open{request}).first->second;
  if (history_ != nullptr)
    open.in_history =
        history_->Begin(request.kind, disk_, request.address, request.bytes, EventQueue::Get().now());
  Ask(number, open);
}

void DiskClient::Ask(uint32_t number, Open& open) {
  OperationRecord& record = operations_[open.request.operation];
  StorageCall call;
  call.kind = open.request.kind;
  call.place = {disk_, open.request.address};
  call.length = open.request.bytes;
  call.request = {number, number - open_.begin()->first};
  if (history_ != nullptr && call.kind == OperationKind::write) {
    call.bytes.resize(call.length);
    PutWriteIds(call.place.offset, call.bytes, History::IdOf(open.in_history));
  }
  if (const Trail* trail = operations_.trail()) open.since = trail->current();
  Channel& channel = route_(call.place, open.asked++, record.server);
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
  if (at == open_.end()) return;  // another answer came first
  at->second.sent_again += answer.retries;
  const bool again =
      parameters_.timeout > Time(0) && at->second.asked <= static_cast<uint32_t>(parameters_.retries);
  if (answer.status == OperationStatus::failed && again) return;  // when its time is over
  Complete(number, answer);
}

void DiskClient::Complete(uint32_t number, const StorageAnswer& answer) {
  const auto at = open_.find(number);
  const Open open = std::move(at->second);
  open_.erase(at);
  if (history_ != nullptr && answer.status == OperationStatus::ok) Note(open, answer);
  OperationRecord& record = operations_[open.request.operation];
  record.times = answer.times;
  record.qp = answer.qp;
  record.retries = open.sent_again + open.asked - 1;
  operations_.Complete(open.request.operation, answer.status);
}

/// Of what failed nobody knows whether it has happened.
void DiskClient::Note(const Open& open, const StorageAnswer& answer) {
  const Time now = EventQueue::Get().now();
  if (open.request.kind == OperationKind::write) return history_->EndWrite(open.in_history, now);
  history_->EndRead(open.in_history, now, WriteIdsIn(open.request.address, answer.bytes));
}

void DiskClient::OnEvent(uint64_t arg) {
  const auto number = static_cast<uint32_t>(arg);
  const auto at = open_.find(number);
  if (at == open_.end() || at->second.asked != arg >> 32) return;  // it has been answered
  Trail* const trail = operations_.trail();
  const Time now = EventQueue::Get().now();
  if (trail != nullptr) trail->SetCurrent(trail->Add(at->second.since, OperationPart::timeout, now, now));
  if (at->second.asked <= static_cast<uint32_t>(parameters_.retries)) {
    Ask(number, at->second);
  } else {
    Complete(number, {OperationStatus::failed, {}, {}, 0, 0});
  }
  if (trail != nullptr) trail->SetCurrent(0);
}

}  // namespace headroom
