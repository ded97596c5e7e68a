#include "protocol/redis/redis_service.h"

#include <fmt/format.h>

#include <algorithm>

#include "protocol/smc/smc_carrier.h"
#include "protocol/tcp/tcp_carrier.h"

namespace headroom {

namespace {

constexpr uint32_t kClientBuffer = 1 << 20;  // size of libvalkey's buffer

RdmaCarrier::Parameters CarrierOf(const KeyValueParameters& p, const ServiceGround& ground) {
  return {p.redis.costs, kClientBuffer, static_cast<uint32_t>(p.redis.buffer.v),
          p.priority,    ground.tag,    ground.number};
}

RedisServer::Parameters ServerOf(const KeyValueParameters& p, const ServiceGround& ground) {
  return {p.redis.parse, p.redis.command, static_cast<uint64_t>(ground.load.keys),
          static_cast<uint32_t>(ground.load.largest.v), ground.warmup};
}

}  // namespace

RedisService::RedisService(const KeyValueParameters& parameters, const ServiceGround& ground)
    : KeyService(parameters, ground, static_cast<uint32_t>(parameters.window)),
      clients_(parameters.clients.size()) {
  MakeCarrier();
  Make(server_program_, p_.servers.front(), p_.redis.io_threads);
  server_ = std::make_unique<RedisServer>(ServerOf(p_, ground_), server_program_.threads);
  for (size_t i = 0; i < clients_.size(); ++i) {
    Make(clients_[i], p_.clients[i], p_.redis.client_threads);
    clients_[i].cm->Know(server_program_.host, server_program_.cm->qp());
    server_program_.cm->Know(clients_[i].host, clients_[i].cm->qp());
    Connect(clients_[i]);
  }
}

void RedisService::MakeCarrier() {
  using Stack = TcpCarrier::Stack;
  if (p_.redis.transport == RedisTransport::rdma) {
    auto rdma = std::make_unique<RdmaCarrier>(CarrierOf(p_, ground_));
    rdma_ = rdma.get();
    carrier_ = std::move(rdma);
    return;
  }
  if (p_.redis.transport == RedisTransport::smc_r) {
    SmcParameters smc;
    smc.priority = p_.priority;
    smc.tag = ground_.tag;
    carrier_ = std::make_unique<SmcCarrier>(p_.redis.costs, smc, p_.priority, p_.name + "/smc");
    return;
  }
  const bool kernel = p_.redis.transport == RedisTransport::tcp;
  carrier_ =
      std::make_unique<TcpCarrier>(p_.redis.costs, p_.priority, kernel ? Stack::kernel : Stack::user_space);
}

void RedisService::Make(Program& program, NodeId host, int threads) {
  const ServiceHost& at = ground_.hosts[host];
  const ApplicationCosts& costs = p_.redis.costs;
  program.host = host;
  program.context = at.context;
  for (int i = 0; i < threads; ++i)
    program.threads.emplace_back(*at.verbs, at.context, costs.OfCores(), ground_.operations.trail(),
                                 ground_.warmup, p_.redis.Loop());
  program.replies.resize(program.threads.size());
  program.counted.resize(program.threads.size());
  CmParameters cm;
  cm.priority = p_.priority;
  program.cm = std::make_unique<ConnectionManager>(program.threads.front(), at.context, cm);
}

StreamSite RedisService::SiteOf(Program& program, size_t thread) const {
  return {&program.threads[thread], program.cm.get(), ground_.hosts[program.host].ip, program.host,
          program.context};
}

void RedisService::Connect(Program& client) {
  for (uint32_t i = 0; i < Connections(); ++i) {
    const size_t number = connections_.size();
    const size_t thread = ThreadOf(i), server = number % server_program_.threads.size();
    StreamCarrier::Ends ends =
        carrier_->Make(SiteOf(client, thread), SiteOf(server_program_, server),
                       fmt::format("{}/{}/{}", ground_.topology.nodes[client.host].name, p_.name, i));
    server_->Add(std::move(ends.accepter), server);
    connections_.emplace_back(
        RedisConnection::Parameters{static_cast<uint32_t>(p_.window),
                                    static_cast<uint32_t>(ground_.load.key.v), p_.redis.request},
        client.threads[thread], *carrier_, std::move(ends.opener));
  }
}

void RedisService::Start(const Attached& attached) {
  attached_ = attached;
  for (size_t client = 0; client < clients_.size(); ++client) OpenNext(client, 0);
}

void RedisService::OpenNext(size_t client, size_t connection) {
  if (connection < Connections())
    return connections_[client * Connections() + connection].Open(
        [this, client, connection] { OpenNext(client, connection + 1); });
  if (++attached_clients_ == clients_.size()) set_up_ = EventQueue::Get().now();
  attached_(clients_[client].host);
}

void RedisService::Begin(uint32_t token) {
  const Asked& a = asked(token);
  RedisCall call{a.puts, a.key, 0, a.bytes};
  if (a.puts) call.version = NextVersion(token);
  OperationRecord& o = ground_.operations[token];
  if (o.times.posted == kNever) o.times.posted = EventQueue::Get().now();
  connections_[a.client].Call(call, [this, token](const RedisAnswer& answer) { Take(token, answer); });
}

void RedisService::Take(uint32_t token, const RedisAnswer& answer) {
  const Asked& a = asked(token);
  if (answer.status != OperationStatus::ok) return End(token, answer.status);
  Program& client = ClientOf(a.client);
  const size_t thread = ThreadOf(a.client);
  ++client.replies[thread];
  if (counts_ && EventQueue::Get().now() >= ground_.warmup) ++client.counted[thread];
  bool right = true;
  if (a.puts) {
    TakeDone(token, true, true);
  } else {
    right = TakeValue(token, answer.found ? std::optional(answer.value) : std::nullopt);
  }
  Proceed(token, right);
}

void RedisService::Stop() {
  if (!counts_) return;
  counts_ = false;
  server_->StopCounting();
  const auto note = [](Program& program) {
    for (const Process& thread : program.threads) program.use.push_back(thread.use());
  };
  note(server_program_);
  std::ranges::for_each(clients_, note);
}

std::vector<ServerProcessRecord> RedisService::ThreadsOf(const Program& program) const {
  std::vector<ServerProcessRecord> threads;
  for (size_t i = 0; i < program.threads.size(); ++i) {
    ServerProcessRecord& thread = threads.emplace_back();
    static_cast<CoreUse&>(thread) = program.use[i];
    thread.host = program.host;
    thread.process = static_cast<int>(i);
    const bool serves = &program == &server_program_;
    thread.requests = serves ? server_->requests(i) : program.replies[i];
    thread.counted = serves ? server_->counted(i) : program.counted[i];
  }
  return threads;
}

std::shared_ptr<const ServiceRecord> RedisService::Record() {
  Stop();
  auto record = std::make_shared<KeyValueRecord>();
  record->processes = ThreadsOf(server_program_);
  record->polls = p_.redis.Loop().polls > Time(0);
  for (const Program& client : clients_) {
    const std::vector<ServerProcessRecord> threads = ThreadsOf(client);
    record->client_threads.insert(record->client_threads.end(), threads.begin(), threads.end());
  }
  record->hits = server_->store().hits();
  record->misses = server_->store().misses();
  record->wrong = wrong();
  StreamsRecord& streams = record->streams.emplace();
  for (const RedisConnection& connection : connections_) connection.Count(*record);
  streams.set_up = set_up_;
  if (rdma_ == nullptr) return record;
  const RdmaStreamCounts counts = rdma_->counts();
  streams.writes = counts.writes;
  streams.written_bytes = counts.written;
  streams.registrations = counts.registrations;
  streams.keepalives = counts.keepalives;
  return record;
}

void RedisService::ForEachQueuePair(const UseQueuePair& use) const {
  for (const RedisConnection& connection : connections_) connection.ForEachQueuePair(use);
  server_->ForEachQueuePair(use);
  for (const Program& client : clients_) use(client.host, client.cm->qp());
  use(server_program_.host, server_program_.cm->qp());
}

/// A connection manager sets no port.
void KeyValueParameters::ForEachPort(const Topology&, const UsePort& use) const {
  if (!IsApplication() || redis.on_tcp()) return;
  const uint16_t port = AddressHandle().source_port;
  for (const NodeId client : clients) {
    for (const NodeId server : servers) {
      use(client, server, 0, port);
      use(server, client, 0, port);
    }
  }
}

Time KeyValueParameters::OpenedIn() const {
  return IsApplication() && !redis.on_tcp() ? RdmaStream::TakesToMake(redis.costs) : Time(0);
}

static const ServiceType kRedis{"redis", &MakeAs<RedisService, KeyValueParameters>};

}  // namespace headroom
