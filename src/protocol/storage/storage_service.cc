#include "protocol/storage/storage_service.h"

#include <algorithm>
#include <utility>

namespace headroom {

namespace {

constexpr uint64_t kMessages = uint64_t{1} << 40, kOutgoing = uint64_t{2} << 40,
                   kIncoming = uint64_t{3} << 40;
constexpr uint32_t kSlab = 2 * 1024 * 1024;

OperationStatus StatusOf(SkStatus status) { return static_cast<OperationStatus>(status); }
SkKind KindOf(OperationKind kind) { return kind == OperationKind::read ? SkKind::read : SkKind::write; }

/// Up to `limit` bytes in all.
RegisteredPoolParameters PoolOf(uint32_t buffer, Bytes limit, uint32_t kept) {
  RegisteredPoolParameters p;
  p.buffer = buffer;
  p.slab = std::max(kSlab / buffer, 1u) * buffer;
  p.slabs = static_cast<uint32_t>(std::clamp<int64_t>(limit.v / p.slab, 1, UINT32_MAX));
  p.content = false;
  p.kept = kept;
  return p;
}

}  // namespace

/// A host of the service, where it is an extent node.
struct StorageService::Node final : CmListener {
  Node(StorageService& to, HostCores& on, Trail* trail)
      : service(to), host(on), disk(to.parameters_.disk, on.context(), trail) {}
  CmParty* OnRequest(uint64_t session, NodeId from) override {
    return service.Accept(host.host(), session, from);
  }
  StorageService& service;
  HostCores& host;
  Disk disk;
};

class StorageService::SkConnection final : public Connection {
 public:
  SkConnection(StorageService& service, HostCores& client, Node& node, const std::string& name)
      : service_(service),
        host_(client.host()),
        node_(node.host.host()),
        core_(node.host.NextCore()),
        client_(client.process(client.NextCore()), client.cm(), ParametersOf(service.parameters_.front),
                client.context(), name),
        server_(node.host.process(core_), node.host.cm(), *service.MemoryOf(node.host, core_).incoming,
                ParametersOf(service.parameters_.front), node.disk, name + "/server") {
    client_.SetOnAttached([&service, id = client.host()] { service.Joined(id); });
  }
  void Open() override { client_.Open(node_, service_.number_); }
  CmParty* Accept(uint64_t session, NodeId from) override {
    server_.Accept(session, from);
    return &server_;
  }
  void Submit(const OperationRequest& request) override {
    client_.Submit({KindOf(request.kind), request.address, request.bytes, {}},
                   [this, id = request.operation](const SkEnd& end) {
                     Operations& operations = service_.operations_;
                     OperationRecord& record = operations[id];
                     record.times = end.times;
                     record.qp = end.qp;
                     record.retries = end.retries;
                     operations.Complete(id, StatusOf(end.status));
                   });
  }
  void ForEachQueuePair(const UseQueuePair& use) const override {
    for (const uint32_t qp : client_.qp_numbers()) use(host_, qp);
    for (const uint32_t qp : server_.qp_numbers()) use(node_, qp);
  }
  void Count(ServiceRecord& c) const override {
    const SkClient::Counters& asked = client_.counters();
    const SkServer::Counters& done = server_.counters();
    c.losses += asked.losses + done.losses;
    c.corrupt += asked.corrupt + done.corrupt;
    c.starved += asked.starved;
    c.sends += asked.requests + done.answers;
    c.registrations += asked.requests;
    c.writes += done.writes;
    c.reads += done.reads;
  }

 private:
  static SkParameters ParametersOf(const StorageLeg& leg) {
    SkParameters p;
    p.credits = static_cast<uint32_t>(leg.credits);
    p.crc = leg.crc;
    p.content = false;
    p.priority = leg.priority;
    p.reopen = leg.reopen;
    return p;
  }
  StorageService& service_;
  NodeId host_, node_;
  size_t core_;
  SkClient client_;
  SkServer server_;
};

class StorageService::SuConnection final : public Connection {
 public:
  SuConnection(StorageService& service, HostCores& client, Node& node, const std::string& name)
      : service_(service),
        host_(client.host()),
        node_(node),
        client_(service, client, name),
        server_(service, node.host, name + "/server") {
    client_.rpc.SetOnAttached([&service, id = client.host()] { service.Joined(id); });
    client_.rpc.SetOnEnded([this] {
      for (const auto& [call, operation] : std::exchange(open_, {}))
        service_.operations_.Complete(operation, OperationStatus::failed);
    });
    server_.rpc.SetServer([this](const SuCall& call) { Execute(call); });
  }
  void Open() override { client_.socket.Open(node_.host.host(), service_.number_); }
  CmParty* Accept(uint64_t session, NodeId from) override {
    server_.socket.Accept(session, from);
    return &server_.socket;
  }
  void Submit(const OperationRequest& request) override {
    const bool writes = request.kind == OperationKind::write;
    const uint64_t call = client_.rpc.Call(writes ? request.bytes : kCallBytes,
                                           [this](const SuCall& answer) { OnAnswer(answer); }, {},
                                           {uint64_t{writes} << 32 | request.bytes, request.address});
    open_.emplace(call, request.operation);
  }
  void ForEachQueuePair(const UseQueuePair& use) const override {
    for (const uint32_t qp : client_.socket.qp_numbers()) use(host_, qp);
    for (const uint32_t qp : server_.socket.qp_numbers()) use(node_.host.host(), qp);
  }
  void Count(ServiceRecord& c) const override {
    for (const SuSocket* socket : {&client_.socket, &server_.socket}) {
      const SuSocket::Counters& counted = socket->counters();
      c.losses += counted.losses;
      c.corrupt += counted.corrupt;
      c.starved += counted.starved;
      c.credit_messages += counted.credit_messages;
      c.sends += counted.sends;
      c.writes += counted.writes;
      c.reads += counted.reads;
      for (size_t i = 0; i < 3; ++i) c.chunks[i] += counted.chunks[i];
    }
  }

 private:
  struct End {
    End(StorageService& service, HostCores& host, const std::string& name)
        : core(host.NextCore()),
          socket(host.process(core), host.cm(), PoolsOf(service.MemoryOf(host, core)),
                 ParametersOf(service.parameters_.front), rpc, host.context(), name) {
      rpc.SetSocket(socket);
    }
    size_t core;
    SuRpc rpc;
    SuSocket socket;
  };
  static SuPools PoolsOf(const Memory& m) { return {m.messages.get(), m.outgoing.get(), m.incoming.get()}; }
  static SuParameters ParametersOf(const StorageLeg& leg) {
    SuParameters p;
    p.small = static_cast<uint32_t>(leg.small.v);
    p.large = static_cast<uint32_t>(leg.large.v);
    p.chunk = static_cast<uint32_t>(leg.chunk.v);
    p.credits = static_cast<uint32_t>(leg.credits);
    p.landings = static_cast<uint32_t>(leg.landings);
    p.crc = leg.crc;
    p.content = false;
    p.priority = leg.priority;
    p.reopen = leg.reopen;
    return p;
  }
  void Execute(const SuCall& call) {
    const bool writes = call.said[0] >> 32 != 0;
    const auto bytes = static_cast<uint32_t>(call.said[0]);
    node_.disk.Execute(writes ? SkKind::write : SkKind::read, call.said[1], bytes, nullptr,
                       [this, number = call.number, answer = writes ? kCallBytes : bytes](SkStatus) {
                         server_.rpc.Respond(number, answer);
                       });
  }
  void OnAnswer(const SuCall& answer) {
    const auto at = open_.find(answer.number);
    const uint32_t id = at->second;
    open_.erase(at);
    OperationRecord& record = service_.operations_[id];
    record.times = answer.times;
    record.qp = Verbs::NumberOf(client_.socket.qp());
    service_.operations_.Complete(id, OperationStatus::ok);
  }

  StorageService& service_;
  NodeId host_;
  Node& node_;
  End client_, server_;
  std::map<uint64_t, uint32_t> open_;  ///< operations by call
};

StorageService::StorageService(const StorageParameters& parameters, uint16_t number, uint32_t largest,
                               const std::vector<HostCores*>& hosts, const Topology& topology,
                               Operations& operations, std::function<void(NodeId)> attached)
    : parameters_(parameters),
      number_(number),
      largest_(largest),
      topology_(topology),
      operations_(operations),
      attached_(std::move(attached)),
      joined_(parameters.compute.size()) {
  for (const NodeId id : parameters.extent_nodes) {
    nodes_[id] = std::make_unique<Node>(*this, *hosts[id], operations.trail());
    hosts[id]->cm().Listen(number, *nodes_[id]);
  }
  for (size_t i = 0; i < parameters.compute.size(); ++i) {
    const NodeId client = parameters.compute[i];
    place_of_[client] = i;
    for (const NodeId node : parameters.extent_nodes) {
      const std::string name = parameters.name + '/' + NameOf(client) + '/' + NameOf(node);
      hosts[client]->cm().Know(node, hosts[node]->cm().qp());
      hosts[node]->cm().Know(client, hosts[client]->cm().qp());
      if (parameters.front.protocol == StorageProtocol::sk_rdma) {
        connections_.push_back(std::make_unique<SkConnection>(*this, *hosts[client], *nodes_[node], name));
      } else {
        connections_.push_back(std::make_unique<SuConnection>(*this, *hosts[client], *nodes_[node], name));
      }
    }
  }
}

StorageService::~StorageService() = default;

StorageService::Memory& StorageService::MemoryOf(HostCores& host, size_t core) {
  Memory& memory = memory_[{host.host(), core}];
  if (memory.incoming != nullptr) return memory;
  const StorageLeg& leg = parameters_.front;
  const uint64_t of_service = uint64_t{number_} << 44 | uint64_t{core} << 52;
  const auto pool = [&](uint32_t buffer, uint64_t base, Bytes limit, uint32_t kept = 0) {
    return std::make_unique<RegisteredPool>(host.verbs(), PoolOf(buffer, limit, kept), base | of_service);
  };
  if (leg.protocol == StorageProtocol::sk_rdma) {
    memory.incoming = pool(largest_, kIncoming, leg.pool);
    return memory;
  }
  const auto small = static_cast<uint32_t>(SuMessage::kBytes + leg.small.v);
  const auto chunk = static_cast<uint32_t>(SuMessage::kBytes + leg.chunk.v);
  memory.messages = pool(small, kMessages, Bytes(INT64_MAX), SuMessage::kBytes);
  memory.outgoing = pool(chunk, kOutgoing, leg.pool);
  memory.incoming = pool(chunk, kIncoming, leg.pool);
  return memory;
}

void StorageService::Start() {
  for (const auto& connection : connections_) connection->Open();
}

CmParty* StorageService::Accept(NodeId node, uint64_t session, NodeId from) {
  const auto client = place_of_.find(from);
  const auto at = std::ranges::find(parameters_.extent_nodes, node);
  if (client == place_of_.end() || at == parameters_.extent_nodes.end()) return nullptr;
  const auto place = static_cast<size_t>(at - parameters_.extent_nodes.begin());
  return connections_[client->second * parameters_.extent_nodes.size() + place]->Accept(session, from);
}

void StorageService::Joined(NodeId client) {
  if (++joined_[place_of_.at(client)] == parameters_.extent_nodes.size()) attached_(client);
}

/// Disks begin at different extent nodes, so that the first extents of all do not lie on one.
void StorageService::Submit(const OperationRequest& request) {
  const size_t client = place_of_.at(request.client);
  const size_t nodes = parameters_.extent_nodes.size();
  const size_t extent = request.address / static_cast<uint64_t>(parameters_.extent.v);
  const size_t node = (extent + client) % nodes;
  operations_[request.operation].server = parameters_.extent_nodes[node];
  connections_[client * nodes + node]->Submit(request);
}

void StorageService::ForEachQueuePair(const UseQueuePair& use) const {
  for (const auto& connection : connections_) connection->ForEachQueuePair(use);
}

ServiceRecord StorageService::Record() const {
  ServiceRecord c;
  c.connections = connections_.size();
  for (const auto& connection : connections_) connection->Count(c);
  for (const auto& [id, node] : nodes_) c.executed += node->disk.executed();
  for (const auto& [place, memory] : memory_) {
    for (const RegisteredPool* pool : {memory.outgoing.get(), memory.incoming.get()}) {
      if (pool != nullptr) c.most_registered += Bytes(int64_t{pool->most_slabs()} * pool->slab_bytes());
    }
  }
  return c;
}

}  // namespace headroom
