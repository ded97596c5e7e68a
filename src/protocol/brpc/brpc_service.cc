#include "protocol/brpc/brpc_service.h"

#include "workload/rpc_arrivals.h"

namespace headroom {

static std::string NameOf(const BrpcParameters& service, const Topology& topology, NodeId client,
                          NodeId server) {
  return service.name + '/' + topology.nodes[client].name + '/' + topology.nodes[server].name;
}

BrpcService::BrpcService(const BrpcParameters& parameters, const ServiceGround& ground)
    : p_(parameters),
      ground_(ground),
      tcp_(p_.costs, p_.priority),
      carrier_(tcp_, ground_.topology, [this](NodeId host) { return EndAt(host); }) {
  for (const NodeId client : p_.clients) {
    for (const NodeId server : p_.servers) {
      if (client != server) Join(client, server);
    }
  }
}

BrpcEndParameters BrpcService::EndAt(NodeId host) const {
  BrpcEndParameters end;
  end.asks = p_.transport == BrpcTransport::rdma;
  end.device = p_.HasRdma(host);
  end.queues = p_.queues;
  end.block = p_.BlockData();
  end.priority = p_.priority;
  end.tag = ground_.tag;
  end.event_per_message = p_.event_per_message;
  end.costs = p_.costs;
  return end;
}

Process& BrpcService::WorkerAt(std::map<NodeId, Workers>& of, NodeId host) {
  Workers& w = of[host];
  const auto most = static_cast<size_t>(p_.workers);
  const ServiceHost& at = ground_.hosts[host];
  if (w.threads.size() < most)
    w.threads.emplace_back(*at.verbs, at.context, p_.costs.OfCores(), ground_.operations.trail(),
                           ground_.warmup, EventLoop{p_.costs.wake, Time(0), Time(0)});
  return w.threads[w.connections++ % most];
}

void BrpcService::Join(NodeId client, NodeId server) {
  Process &caller = WorkerAt(clients_, client), &called = WorkerAt(servers_, server);
  const auto site = [this](NodeId host, Process& process) {
    return StreamSite{&process, nullptr, ground_.hosts[host].ip, host};
  };
  Connection& c = connections_[{client, server}];
  c.ends =
      carrier_.Make(site(client, caller), site(server, called), NameOf(p_, ground_.topology, client, server));
  c.channel = std::make_unique<RpcChannel>(carrier_, *c.ends.opener, caller, p_.message);
  c.server = std::make_unique<RpcServer>(*c.ends.accepter, called, p_.message, p_.handler);
  ++unjoined_[client];
}

void BrpcService::Start(const Attached& attached) {
  for (auto& [ends, connection] : connections_) {
    connection.channel->Open([this, client = ends.first, attached] {
      if (--unjoined_[client] > 0) return;
      set_up_ = EventQueue::Get().now();
      attached(client);
    });
  }
}

void BrpcService::Submit(const OperationRequest& request) {
  const RpcTarget target = RpcTarget::Of(request.target);
  const uint32_t operation = request.operation;
  RpcChannel& channel = *connections_.at({request.client, target.server}).channel;
  ground_.operations[operation].participants.Add(target.server);
  ground_.operations[operation].times.posted = EventQueue::Get().now();
  channel.Call({target.request, request.bytes - target.request}, [this, operation](RpcAnswer answer) {
    ground_.operations.Complete(operation, answer.status);
  });
}

/// The mean share of time during which threads worked.
double BrpcService::BusyOf(const std::map<NodeId, Workers>& of) {
  double busy = 0, threads = 0;
  for (const auto& [host, workers] : of) {
    for (const Process& thread : workers.threads) {
      busy += thread.use().Share();
      ++threads;
    }
  }
  return threads > 0 ? busy / threads : 0;
}

void BrpcService::Stop() {
  if (noted_) return;
  noted_ = true;
  client_busy_ = BusyOf(clients_);
  server_busy_ = BusyOf(servers_);
}

std::shared_ptr<const ServiceRecord> BrpcService::Record() {
  Stop();
  BrpcCounters all;
  RpcRecord calls;
  uint64_t on_rdma = 0, on_tcp = 0;
  for (const auto& [ends, c] : connections_) {
    c.channel->Count(calls);
    c.server->Count(calls);
    const auto& opener = static_cast<const BrpcEndpoint&>(*c.ends.opener);
    on_rdma += opener.flow().capacity() > 0;
    on_tcp += opener.state() == BrpcEndpoint::State::tcp;
    for (const auto* end : {&c.ends.opener, &c.ends.accepter})
      all += static_cast<const BrpcEndpoint&>(**end).counters();
  }
  auto record = std::make_shared<ServiceRecord>();
  record->counts = {{"rdma_connections", on_rdma},
                    {"tcp_connections", on_tcp},
                    {"failures", all.failures},
                    {"set_up_us", InMicroseconds(set_up_)},
                    {"handshake_bytes", all.handshake_bytes},
                    {"data_sends", all.data},
                    {"data_bytes", all.bytes},
                    {"ack_sends", all.acks},
                    {"solicited", all.solicited},
                    {"signaled", all.signaled},
                    {"events", all.events},
                    {"polls", all.polls},
                    {"completions", all.completions},
                    {"copied_receives", all.copied},
                    {"window_waits", all.waits},
                    {"corrupt", calls.corrupt},
                    {"client_busy", client_busy_},
                    {"server_busy", server_busy_}};
  return record;
}

void BrpcService::ForEachQueuePair(const UseQueuePair& use) const {
  for (const auto& [ends, c] : connections_) {
    for (const auto* end : {&c.ends.opener, &c.ends.accepter}) (*end)->ForEachQueuePair(use);
  }
}

void BrpcParameters::ForEachPort(const Topology& topology, const UsePort& use) const {
  for (const NodeId client : clients) {
    for (const NodeId server : servers) {
      if (client == server || !HasRdma(client) || !HasRdma(server)) continue;
      const uint16_t port =
          BrpcCarrier::PortOf(topology, client, server, NameOf(*this, topology, client, server));
      use(client, server, 0, port);
      use(server, client, 0, port);
    }
  }
}

static const ServiceType kBrpc{"brpc", &MakeAs<BrpcService, BrpcParameters>};

}  // namespace headroom
