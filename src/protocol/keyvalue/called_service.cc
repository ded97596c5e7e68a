#include "protocol/keyvalue/called_service.h"

namespace headroom {

SlotExchangeParameters CalledService::Complete(SlotExchangeParameters e, const KeyValueParameters& p) {
  e.name = p.name;
  e.servers = p.servers;
  e.clients = p.clients;
  e.processes = static_cast<uint32_t>(p.processes);
  e.client_processes = static_cast<uint32_t>(p.client_processes);
  e.window = static_cast<uint32_t>(p.window);
  e.priority = p.priority;
  e.costs = p.costs;
  e.prefetch = p.prefetch && AnswersByProcesses(p.system);
  e.empty_polls = p.empty_polls;
  e.timeout = p.timeout;
  e.retries = p.retries;
  return e;
}

namespace {

/// Each READ has its own buffer. Calls wait behind those to a busy process, so more of them may begin.
uint32_t MostOpen(const KeyValueParameters& p) {
  constexpr uint32_t kAhead = 16;  // ours
  const auto window = static_cast<uint32_t>(p.window);
  return AnswersByProcesses(p.system) ? kAhead * window * p.server_processes() : window;
}

}  // namespace

CalledService::CalledService(const KeyValueParameters& parameters, const ServiceGround& ground,
                             SlotExchangeParameters exchange)
    : KeyService(parameters, ground, MostOpen(parameters)),
      exchange_(Complete(std::move(exchange), p_), ground_, *this, *this) {}

void CalledService::Start(const Attached& attached) {
  for (const NodeId client : p_.clients) attached(client);
}

void CalledService::TakeDone(uint32_t token, bool done) {
  KeyService::TakeDone(token, done, exchange_.times().retries == 0);
}

void CalledService::Account(uint32_t token) {
  OperationRecord& o = ground_.operations[token];
  const SlotExchangeTimes& t = exchange_.times();
  o.retries += t.retries;
  o.qp = t.qp;
  if (o.times.posted == kNever) o.times.posted = t.sent;
}

void CalledService::OnGivenUp(uint32_t token) {
  Account(token);
  End(token, OperationStatus::failed);
}

std::shared_ptr<const ServiceRecord> CalledService::Record() {
  auto record = std::make_shared<KeyValueRecord>();
  exchange_.Collect(*record);
  record->wrong = wrong();
  AddTo(*record);
  return record;
}

}  // namespace headroom
