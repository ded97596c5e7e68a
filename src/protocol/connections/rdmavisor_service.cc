#include "protocol/connections/rdmavisor_service.h"

#include <set>

namespace headroom {

namespace {

/// The port on which all applications listen.
constexpr uint16_t kPort = 1;

unsigned FlagsOf(OperationKind kind) {
  switch (kind) {
    case OperationKind::read:
      return kRaasRc | kRaasRead;
    case OperationKind::write:
      return kRaasRc | kRaasWrite;
    case OperationKind::send:
      return kRaasRc | kRaasSend;
    default:
      return kRaasRc;
  }
}

}  // namespace

RdmavisorService::RdmavisorService(const ConnectionParameters& parameters, const ServiceGround& ground)
    : p_(parameters),
      ground_(ground),
      transfers_(p_, ground_),
      hosts_(ground.hosts.size()),
      vqpns_(transfers_.connections().size()) {
  for (const auto* hosts : {&p_.clients, &p_.servers}) {
    for (const NodeId id : *hosts) {
      Host& host = hosts_[id];
      if (host.daemon) continue;
      host.daemon.emplace(id, p_, ground_, transfers_, static_cast<DaemonUser&>(*this));
      for (int t = 0; t < p_.threads_in_all(); ++t)
        host.threads.emplace_back(ground.hosts[id].context, ground.warmup);
    }
  }
  std::set<std::pair<NodeId, NodeId>> joined;
  for (const NodeId client : p_.clients) {
    for (const NodeId server : p_.servers) {
      if (client == server || !joined.insert(std::minmax(client, server)).second) continue;
      Daemon::Join(*hosts_[client].daemon, *hosts_[server].daemon);
    }
  }
}

void RdmavisorService::Start(const Attached& attached) {
  attached_ = attached;
  for (const NodeId server : p_.servers) hosts_[server].daemon->Listen(kPort);
  for (const NodeId client : p_.clients) {
    Host& host = hosts_[client];
    host.connecting = static_cast<uint32_t>(p_.connections);
    for (uint32_t i = 0; i < host.connecting; ++i) {
      const uint32_t connection = transfers_.ConnectionOf(client, i);
      host.daemon->Connect(connection, transfers_.connections()[connection].server, kPort, kRaasRc);
    }
  }
}

void RdmavisorService::OnConnected(uint32_t connection, uint32_t vqpn) {
  vqpns_[connection] = vqpn;
  const NodeId client = transfers_.connections()[connection].client;
  if (--hosts_[client].connecting == 0) attached_(client);
}

void RdmavisorService::Submit(const OperationRequest& request) {
  Transfer& t = transfers_.Begin(request);
  if (transfers_.TakeSlot(t)) Ask(t.operation);
}

void RdmavisorService::Ask(uint32_t operation) {
  Transfer& t = transfers_[operation];
  const Connection& c = transfers_.connections()[t.connection];
  t.worked += p_.costs.submit;
  const unsigned flags = FlagsOf(t.kind);
  hosts_[c.client].threads[c.thread].Do(p_.costs.submit, [this, operation, flags] {
    Transfer& asked = transfers_[operation];
    const Connection& of = transfers_.connections()[asked.connection];
    hosts_[of.client].daemon->Send(vqpns_[asked.connection], operation, flags);
  });
}

/// An idle thread sleeps until its event.
Time RdmavisorService::WhenAwake(const Core& thread) const {
  return thread.idle() ? EventQueue::Get().now() + p_.costs.wake : Time(0);
}

void RdmavisorService::OnResult(uint32_t operation) {
  Transfer& t = transfers_[operation];
  const Connection& c = transfers_.connections()[t.connection];
  Core& thread = hosts_[c.client].threads[c.thread];
  t.worked += p_.costs.result;
  thread.Do(
      p_.costs.result,
      [this, operation] {
        const Transfer& done = transfers_[operation];
        const bool right =
            done.kind == OperationKind::send || transfers_.connections()[done.connection].failed ||
            transfers_.HasMark(done, done.kind == OperationKind::read ? Side::client : Side::server);
        const uint32_t next = transfers_.End(operation, right);
        if (next != Transfers::kNone) Ask(next);
      },
      WhenAwake(thread));
}

void RdmavisorService::OnMessage(NodeId host, uint32_t connection, const PayloadMark& mark, uint32_t bytes,
                                 uint32_t buffer) {
  Core& thread = hosts_[host].threads[transfers_.connections()[connection].thread];
  const Time copy = p_.zero_copy ? Time(0) : SerializationTime(Bytes(bytes), p_.costs.copy);
  thread.Do(
      p_.costs.result + copy,
      [this, host, connection, mark, buffer] {
        transfers_.TakeDelivered(connection, mark);
        hosts_[host].daemon->Release(buffer);
      },
      WhenAwake(thread));
}

uint32_t RdmavisorService::ThreadOf(uint32_t connection) const {
  return transfers_.connections()[connection].thread;
}

void RdmavisorService::Stop() {
  if (noted_) return;
  noted_ = true;
  ConnectionRecord& r = transfers_.record;
  for (const Host& host : hosts_) {
    if (!host.daemon) continue;
    r.daemon_cores += p_.workers + 1;
    r.daemon_busy += host.daemon->poller().use().Share();
    for (const Core& worker : host.daemon->workers()) r.daemon_busy += worker.use().Share();
    for (const Core& thread : host.threads) r.application_busy += thread.use().Share();
  }
  r.application_cores = r.application_busy;  // the threads sleep when they have no work
}

std::shared_ptr<const ServiceRecord> RdmavisorService::Record() {
  Stop();
  auto record = std::make_shared<ConnectionRecord>(transfers_.record);
  ConnectionRecord& r = *record;
  using M = ConnectionMemory;
  int64_t daemons = 0;
  for (const Host& host : hosts_) {
    if (!host.daemon) continue;
    ++daemons;
    r.queue_pairs += host.daemon->queue_pairs();
    r.connection_bytes += static_cast<int64_t>(host.daemon->connections()) * M::kVirtual;
  }
  r.queue_bytes =
      static_cast<int64_t>(r.queue_pairs) * (M::kContext + (M::kSendWork + M::kCompletion) * p_.depth) +
      daemons * (M::kReceiveWork + M::kCompletion) * p_.shared_receives;
  r.receive_bytes = daemons * p_.shared_receives * p_.receive_buffer.v;
  return record;
}

void RdmavisorService::ForEachQueuePair(const UseQueuePair& use) const {
  for (const Host& host : hosts_) {
    if (host.daemon) host.daemon->ForEachQueuePair(use);
  }
}

static const ServiceType kRdmavisor{"rdmavisor", &MakeAs<RdmavisorService, ConnectionParameters>};

}  // namespace headroom
