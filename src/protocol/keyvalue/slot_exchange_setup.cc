// Part of slot_exchange.h: regions, queue pairs and buffers.
#include <algorithm>

#include "nic/verbs/qp_type.h"
#include "protocol/keyvalue/slot_exchange_parts.h"
#include "sim/parts.h"
#include "workload/source_port.h"

namespace headroom {

namespace {

constexpr uint32_t kCompletions = 1u << 20;

}  // namespace

SlotExchange::SlotExchange(SlotExchangeParameters parameters, const ServiceGround& ground,
                           SlotExchangeProgram& program, SlotExchangeUser& user)
    : p_(std::move(parameters)), ground_(ground), program_(program), user_(user) {
  for (size_t host = 0; host < p_.servers.size(); ++host) MakeRegion(host);
  MakeServers();
  MakeClients();
  for (uint32_t c = 0; c < clients_.size(); ++c) {
    for (uint32_t s = 0; s < servers_.size(); ++s) {
      ConnectRequests(c, s);
      ConnectAnswers(c, s);
    }
  }
}

SlotExchange::~SlotExchange() = default;

SlotExchange::Client::Client(SlotExchange& of, uint32_t its_number, const ServiceHost& at)
    : CoreThread(EventQueue::Get().AddEntity(at.context), of.ground_.warmup,
                 EventQueue::Get().StreamFor(EventClass::workload, kAsking)),
      exchange(of),
      number(its_number),
      host(at.verbs->host()),
      verbs(at.verbs) {}

CoreThread& SlotExchange::thread(uint32_t client) { return clients_[client]; }

uint32_t SlotExchange::server_processes() const { return static_cast<uint32_t>(servers_.size()); }

/// Makes the region of a server, for all its processes.
void SlotExchange::MakeRegion(size_t host) {
  if (p_.request.method.verb != Operation::write) return;
  const uint64_t slots = uint64_t{p_.processes} * p_.clients.size() * p_.client_processes * p_.window;
  std::vector<uint8_t>& bytes = regions_.emplace_back(slots * kRequestSlot);
  Verbs& verbs = *ground_.hosts[p_.servers[host]].verbs;
  MemoryRegion* region = verbs.RegMr(0, bytes.size(), kLocalWrite | kRemoteWrite, bytes);
  region_keys_.push_back(region);
  const auto of_process = static_cast<uint32_t>(slots / p_.processes);
  verbs.WatchMr(region, [this, host, of_process](const MemoryWatch::Written& written) {
    const auto number = static_cast<uint32_t>(written.addr / kRequestSlot);
    const uint32_t process = static_cast<uint32_t>(host) * p_.processes + number / of_process;
    lengths_[process * of_process + number % of_process] = static_cast<uint32_t>(written.length);
    ReadyAt(process, number % of_process, {written.cause, written.message});
  });
}

/// A process that takes requests by SEND posts a RECV anew for each.
void SlotExchange::MakeServers() {
  ProcessCosts costs = p_.costs;
  if (p_.request.method.verb == Operation::send) costs.request += costs.recv;
  const uint32_t slots = static_cast<uint32_t>(p_.clients.size()) * p_.client_processes * p_.window;
  for (size_t host = 0; host < p_.servers.size(); ++host) {
    const ServiceHost& at = ground_.hosts[p_.servers[host]];
    const Parts::Within part(at.context);
    for (uint32_t local = 0; local < p_.processes; ++local) {
      const auto number = static_cast<uint32_t>(servers_.size());
      Server& s = servers_.emplace_back();
      s.host = p_.servers[host];
      s.place = host;
      s.local = local;
      s.verbs = at.verbs;
      s.cq = at.verbs->CreateCq(kCompletions);
      s.cq->SetHandler([this, number] { PollServer(number); });
      s.cq->RequestNotify();
      s.process.emplace(number, at.context, slots,
                        ServerProcess::Parameters{costs, p_.prefetch, p_.empty_polls, ground_.warmup}, *this);
      s.answers.resize(p_.clients.size() * p_.client_processes);
      s.receives.resize(s.answers.size());
      s.staged.Make(*s.verbs, slots, std::max(1u, p_.longest_answer), kLocalWrite);
      s.client.resize(slots);
      s.brought.resize(slots);
      s.ports.resize(s.answers.size());
      s.w.resize(slots);
      for (uint32_t slot = 0; slot < slots; ++slot) {
        s.client[slot] = slot / p_.window;
        s.w[slot] = slot % p_.window;
      }
      if (p_.request.method.verb == Operation::send)
        s.requests.Make(*s.verbs, slots, kRequestSlot + Verbs::kGrhBytes, kLocalWrite);
      if (p_.request.method.transport != Transport::ud && p_.reply.method.transport != Transport::ud)
        continue;
      s.datagrams = &queues_.emplace_back();
      const uint32_t receives = p_.request.method.transport == Transport::ud ? slots : 1;
      s.datagrams->qp = MakeQp(s.host, s.cq, Transport::ud,
                               slots + 2 * static_cast<uint32_t>(p_.reply.method.signal_every), receives);
      s.datagrams->host = s.host;
      s.datagrams->number = number;
      if (p_.request.method.transport != Transport::ud) continue;
      for (uint32_t slot = 0; slot < slots; ++slot) {
        ReceiveWr wr{slot, s.requests.Local(slot, 0, s.requests.each)};
        s.verbs->PostRecv(s.datagrams->qp, wr);
      }
    }
  }
  lengths_.resize(size_t{slots} * servers_.size());
  client_by_qp_.resize(servers_.size());
}

void SlotExchange::MakeClients() {
  const auto servers = static_cast<uint32_t>(servers_.size());
  for (const NodeId host : p_.clients) {
    const ServiceHost& at = ground_.hosts[host];
    const Parts::Within part(at.context);
    for (uint32_t i = 0; i < p_.client_processes; ++i) {
      const auto number = static_cast<uint32_t>(clients_.size());
      Client& c = clients_.emplace_back(*this, number, at);
      c.cq = at.verbs->CreateCq(kCompletions);
      c.cq->SetHandler([this, number] { PollClient(number); });
      c.cq->RequestNotify();
      c.servers.resize(servers);
      c.slots.resize(size_t{servers} * p_.window);
      c.requests.Make(*c.verbs, c.slots.size(), kRequestSlot, kLocalWrite);
      if (p_.reply.method.verb == Operation::send) {
        // One buffer for each RECV, and as many for RECVs whose answer was lost.
        const size_t buffers = 2 * c.slots.size();
        c.answers.Make(*c.verbs, buffers, p_.longest_answer + Verbs::kGrhBytes, kLocalWrite);
        for (auto b = static_cast<uint32_t>(buffers); b-- > 0;) c.free_answers.push_back(b);
        continue;
      }
      c.answers.Make(*c.verbs, c.slots.size(), std::max(1u, p_.longest_answer), kLocalWrite | kRemoteWrite);
      c.verbs->WatchMr(c.answers.region, [this, number](const MemoryWatch::Written& written) {
        Client& client = clients_[number];
        const auto slot = static_cast<uint32_t>(written.addr / client.answers.each);
        TakeAnswer(number, slot / p_.window, slot % p_.window,
                   client.answers.Read(slot, 0, static_cast<uint32_t>(written.length)), 0,
                   {written.cause, written.message});
        client.Wake();
      });
    }
  }
}

uint16_t SlotExchange::PortOf(NodeId from, NodeId to, uint32_t number) const {
  const auto& nodes = ground_.topology.nodes;
  return SourcePort(p_.name, nodes[from].name, nodes[to].name, number);
}

/// Makes a queue pair that is ready to send, unless it must be connected.
QueuePair* SlotExchange::MakeQp(NodeId host, CompletionQueue* cq, Transport transport, uint32_t sends,
                                uint32_t receives) {
  Verbs& verbs = *ground_.hosts[host].verbs;
  QpInitAttr attr;
  attr.type = TypeOf(transport);
  attr.send_cq = attr.recv_cq = cq;
  attr.priority = p_.priority;
  attr.tag = ground_.tag;
  attr.cap.max_send_wr = sends;
  attr.cap.max_recv_wr = receives;
  QueuePair* qp = verbs.CreateQp(attr);
  if (transport != Transport::ud) return qp;
  for (const QpState state : {QpState::init, QpState::rtr, QpState::rts}) {
    QpAttr step;
    step.state = state;
    verbs.ModifyQp(qp, step);
  }
  return qp;
}

/// HERD's clients have one connection for all processes of a server.
void SlotExchange::ConnectRequests(uint32_t client, uint32_t server) {
  Client& c = clients_[client];
  Server& s = servers_[server];
  Client::ToServer& to = c.servers[server];
  const bool datagrams =
      p_.request.method.transport == Transport::ud || p_.reply.method.transport == Transport::ud;
  to.port = PortOf(c.host, s.host, client);
  s.ports[client] = PortOf(s.host, c.host, server);
  const uint32_t sends = p_.window + 2 * static_cast<uint32_t>(p_.request.method.signal_every);
  if (datagrams) {
    to.datagrams = &queues_.emplace_back();
    *to.datagrams = {MakeQp(c.host, c.cq, Transport::ud, sends, 4 * p_.window), c.host, client, 0};
    if (p_.request.method.transport == Transport::ud) {
      to.requests = to.datagrams;
      client_by_qp_[server][uint64_t{c.host} << 32 | Verbs::NumberOf(to.datagrams->qp)] = client;
      return;
    }
  }
  const bool shared =
      p_.request.method.verb == Operation::write && p_.reply.method.transport == Transport::ud;
  if (shared && s.local > 0) {
    to.requests = c.servers[server - s.local].requests;
    return;
  }
  to.requests = &queues_.emplace_back();
  const uint32_t back = p_.window + 2 * static_cast<uint32_t>(p_.reply.method.signal_every);
  QueuePair* there = MakeQp(s.host, s.cq, p_.request.method.transport, back, 2 * p_.window);
  *to.requests = {
      MakeQp(c.host, c.cq, p_.request.method.transport, shared ? sends * p_.processes : sends, 4 * p_.window),
      c.host, client, 0};
  ConnectQps(*c.verbs, to.requests->qp, *s.verbs, there,
             PortOf(c.host, s.host, client * server_processes() + server));
  if (p_.request.method.verb == Operation::send) {
    s.receives[client] = there;
    for (uint32_t i = 0; i < p_.window; ++i) {
      const uint32_t slot = client * p_.window + i;
      s.verbs->PostRecv(there, {slot, s.requests.Local(slot, 0, s.requests.each)});
    }
  }
  if (p_.reply.method.transport != p_.request.method.transport) return;
  s.answers[client] = &queues_.emplace_back();
  *s.answers[client] = {there, s.host, server, 0};
  if (p_.reply.method.verb == Operation::send) to.answers = to.requests->qp;
}

void SlotExchange::ConnectAnswers(uint32_t client, uint32_t server) {
  Client& c = clients_[client];
  Server& s = servers_[server];
  Client::ToServer& to = c.servers[server];
  if (p_.reply.method.transport == Transport::ud) {
    to.answers = to.datagrams->qp;
    return;
  }
  if (s.answers[client] != nullptr) return;
  const uint32_t back = p_.window + 2 * static_cast<uint32_t>(p_.reply.method.signal_every);
  QueuePair* here = MakeQp(c.host, c.cq, p_.reply.method.transport, 1, 4 * p_.window);
  s.answers[client] = &queues_.emplace_back();
  *s.answers[client] = {MakeQp(s.host, s.cq, p_.reply.method.transport, back, 1), s.host, server, 0};
  ConnectQps(*s.verbs, s.answers[client]->qp, *c.verbs, here,
             PortOf(s.host, c.host, client * server_processes() + server));
  if (p_.reply.method.verb == Operation::send) to.answers = here;
}

void SlotExchange::ForEachQueuePair(const std::function<void(NodeId, uint32_t)>& use) const {
  for (const SendQueue& queue : queues_) use(queue.host, Verbs::NumberOf(queue.qp));
}

}  // namespace headroom
