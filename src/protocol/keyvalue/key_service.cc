#include "protocol/keyvalue/key_service.h"

#include <fmt/format.h>

#include "protocol/keyvalue/versioned_value.h"

namespace headroom {

KeyService::KeyService(const KeyValueParameters& parameters, const ServiceGround& ground, uint32_t most)
    : p_(parameters),
      ground_(ground),
      history_(ground.histories && p_.keeps_values() ? std::make_unique<KeyHistory>() : nullptr),
      most_(most),
      places_(p_.clients_in_all()),
      client_of_(ground.hosts.size()),
      puts_(p_.clients_in_all()) {
  for (size_t i = 0; i < p_.clients.size(); ++i)
    client_of_[p_.clients[i]] = static_cast<uint32_t>(i) * static_cast<uint32_t>(p_.client_processes);
}

void KeyService::Submit(const OperationRequest& request) {
  if (request.operation >= asked_.size()) asked_.resize(request.operation + 1);
  Asked& a = asked_[request.operation];
  a = {};
  a.key = KeyOfRecord(request.target);
  a.client = client_of_[request.client] + request.thread;
  a.server = PartOf(a.key);
  a.bytes = request.bytes;
  a.modifies = request.kind == OperationKind::read_modify_write;
  a.puts = request.kind != OperationKind::get && !a.modifies;
  ground_.operations[request.operation].participants.Add(HostOfServer(a.server));
  Places& places = places_[a.client];
  if (places.open == most_ || !places.waiting.Empty()) return places.waiting.PushBack(request.operation);
  ++places.open;
  Ask(request.operation);
}

void KeyService::Ask(uint32_t token) {
  Asked& a = asked_[token];
  if (history_ != nullptr) a.noted = history_->Begin(RecordOf(a.key), a.bytes, EventQueue::Get().now());
  Begin(token);
}

uint64_t KeyService::NextVersion(uint32_t token) {
  const Asked& a = asked_[token];
  const uint64_t version = KeyHistory::kLoaded + 1 + a.client + puts_.size() * puts_[a.client]++;
  if (history_ != nullptr) history_->Writes(a.noted, version);
  return version;
}

bool KeyService::TakeValue(uint32_t token, std::optional<std::span<const uint8_t>> value) {
  const Asked& a = asked_[token];
  const bool right = !value || IsVersionOf(a.key, *value);
  if (history_ != nullptr) {
    const Time now = EventQueue::Get().now();
    if (right)
      history_->EndGet(a.noted, now, value ? std::optional(VersionOf(*value)) : std::nullopt);
    else
      history_->EndWrong(a.noted, now);
  }
  return right;
}

void KeyService::TakeDone(uint32_t token, bool done, bool once) {
  if (history_ == nullptr) return;
  if (once && !done) return history_->Fail(asked_[token].noted);
  history_->EndPut(asked_[token].noted, EventQueue::Get().now(), once);
}

void KeyService::Proceed(uint32_t token, bool right) {
  Asked& a = asked_[token];
  wrong_ += !right;
  if (a.modifies && right) {
    a.modifies = false;
    a.puts = true;
    return Ask(token);
  }
  End(token, right ? OperationStatus::ok : OperationStatus::corrupt);
}

void KeyService::End(uint32_t token, OperationStatus status) {
  const uint32_t client = asked_[token].client;
  --places_[client].open;
  ground_.operations.Complete(token, status);
  Places& places = places_[client];
  if (places.waiting.Empty() || places.open == most_) return;
  const uint32_t next = places.waiting.Front();
  places.waiting.PopFront();
  ++places.open;
  const Time now = EventQueue::Get().now();
  // The operation has waited since it began.
  const Trail::CurrentStep step(ground_.operations.trail(),
                                [&](Trail& t) { return t.Add(0, OperationPart::core_queue, now, now); });
  Ask(next);
}

bool KeyService::Judge(HistoryJudgement& all) {
  if (history_ == nullptr) return false;
  KeyValueRecord record;
  AddTo(record);
  KeyHistory::Names names;
  names.key = [this](uint64_t key) { return fmt::format("key {} of {}", key, p_.name); };
  names.loaded = static_cast<uint64_t>(ground_.load.keys);
  // A full table has refused some PUTs. A table in which PUTs of new keys move others hides these.
  names.forgets = p_.system == KeyValueSystem::herd || record.refused > 0 ||
                  (ground_.load.inserts && p_.system != KeyValueSystem::redis);
  all += history_->Judge(names);
  return true;
}

}  // namespace headroom
