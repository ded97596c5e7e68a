// Keys of services of keys and values: types herd, pilaf, farm, farm_var, echo and redis.
#include <fmt/format.h>

#include <algorithm>

#include "protocol/keyvalue/key_value_parameters.h"
#include "scenario/keys/network/class_keys.h"
#include "scenario/keys/services/service_types.h"

namespace headroom::keys {

namespace {

constexpr const char* kKeyValuePage = "key-value.md";
constexpr const char* kRedisPage = "models/redis.md";
constexpr int64_t kMostProcesses = 4096, kMostOfClient = 10'000;
constexpr Bytes kMostInlined{256};

const KeysOf<ProcessCosts>& ProcessCostKeys() {
  using C = ProcessCosts;
  const auto times = [] { return Times(Time(0), Milliseconds(1)); };
  static const KeysOf<C> keys(
      {.name = "process_costs", .page = kKeyValuePage, .cost = Cost::diagnosis},
      {{"post", &C::post, times(), "time to post a work request to a send queue"},
       {"recv", &C::recv, times(), "time of a server's process to post a RECV, for each request by SEND"},
       {"request", &C::request, times(),
        "time of a server's process per request, without posting the "
        "answer"},
       {"access", &C::access, times(), "time of a random access to memory without prefetch"},
       {"prefetched", &C::prefetched, times(), "time to prefetch one of the memory `accesses`"},
       {"overlap", &C::overlap, Integers(1, 64), "number of prefetched accesses that overlap"},
       {"poll", &C::poll, times(), "time to look at an empty slot of the request region"}});
  return keys;
}

const KeysOf<SendMethod>& EchoKeys() {
  using W = SendMethod;
  static const KeysOf<W> keys(
      {.name = "send_method", .page = kKeyValuePage, .cost = Cost::reconfiguration},
      {{"verb", &W::verb, OneOf<Operation>({{"write", Operation::write}, {"send", Operation::send}}),
        "verb that carries the message"},
       {"transport", &W::transport,
        OneOf<Transport>({{"rc", Transport::rc}, {"uc", Transport::uc}, {"ud", Transport::ud}}),
        "reliable, unreliable, datagrams"},
       {"inline", &W::inlined, Flag(), "whether the work request contains the payload"},
       {"signal_every", &W::signal_every, Integers(1, 1 << 16),
        "n, if every n-th work request is signalled"}},
      [](const Node& node, W& method, Reading& reading) {
        if (method.transport != Transport::ud || method.verb == Operation::send) return;
        reading.errors.Add(ScenarioError(node.where, "datagrams (ud) carry only SENDs", "verb: send"));
      });
  return keys;
}

/// Keys for servers and clients, in this order.
std::vector<KeyOf<ServiceEntry>> KeysOfHosts(KeyValueSystem system) {
  std::vector<KeyOf<ServiceEntry>> keys = ServiceKeysOf(
      KeyValueSystemName(system),
      {.servers_help = "hosts that hold the keys: a host, a shell pattern over hosts, or a list of both"});
  std::swap(keys[2], keys[3]);
  return keys;
}

/// The keys of programs with polling processes.
std::vector<KeyOf<ServiceEntry>> KeysOfProcesses() {
  return {OfService("processes", &KeyValueParameters::processes, Integers(1, kMostProcesses),
                    "processes per server; each holds its part of the keys", {.tried = {"*2", "*4"}}),
          OfService("client_processes", &KeyValueParameters::client_processes, Integers(1, kMostProcesses),
                    "processes per client", {.tried = {"*2", "*4"}}),
          OfService("window", &KeyValueParameters::window, Integers(1, 1024),
                    "maximum open operations of a client's process", {.tried = {"*4"}}),
          OfService("costs", &KeyValueParameters::costs, Mapping(ProcessCostKeys()), "costs of a process"),
          OfService("timeout", &KeyValueParameters::timeout,
                    OrWord("never", Time(0), Times(Time(1), Seconds(1000))),
                    "time until a client repeats a request"),
          OfService("retries", &KeyValueParameters::retries, Integers(0, 1000),
                    "repetitions before the operation fails", {.tried = {"*4"}})};
}

void CheckHosts(const Node& node, ServiceEntry& entry, Reading& reading) {
  const auto& p = entry.parameters.As<KeyValueParameters>();
  for (const NodeId host : p.servers) {
    if (std::ranges::find(p.clients, host) == p.clients.end()) continue;
    throw ScenarioError(node.Find("servers")->where,
                        fmt::format("{} is both server and client, so it would send requests to itself",
                                    Quote(reading.topology->nodes[host].name)),
                        "servers and clients must have no host in common");
  }
}

const char* HelpOf(KeyValueSystem system) {
  constexpr const char* helps[] = {"HERD: requests by WRITE, answers by datagram, a MICA cache",
                                   "Pilaf: READs of a cuckoo table, PUTs by SEND",
                                   "FaRM-KV: a READ of a neighbourhood, PUTs by WRITE",
                                   "FaRM-KV with values outside the table: two READs, PUTs by WRITE",
                                   "ECHO: the server returns the request",
                                   "Redis or Valkey, with redis-benchmark as client"};
  return helps[static_cast<size_t>(system)];
}

template <class F>
KeyOf<ServiceEntry> OfRedis(const char* name, F RedisParameters::*field,
                            const std::type_identity_t<KindOf<F>>& kind, const char* help,
                            Traits traits = {}) {
  return {name, [field](ServiceEntry& e) -> F& { return e.parameters.As<KeyValueParameters>().redis.*field; },
          kind, help, std::move(traits)};
}

std::vector<KeyOf<ServiceEntry>> RedisKeys() {
  using R = RedisParameters;
  using T = RedisTransport;
  const auto times = [] { return Times(Time(0), Milliseconds(1)); };
  return {
      OfService("connections", &KeyValueParameters::client_processes, Integers(1, kMostOfClient),
                "connections of each client, over all its threads (redis-benchmark -c)",
                {.cost = Cost::fixed}),
      OfRedis("client_threads", &R::client_threads, Integers(1, 500),
              "threads of each client (redis-benchmark --threads)"),
      OfService("pipeline", &KeyValueParameters::window, Integers(1, 1024),
                "number of a connection's requests that are sent together (redis-benchmark -P)",
                {.cost = Cost::fixed}),
      OfRedis("io_threads", &R::io_threads, Integers(1, 128),
              "threads of the server that read and write, including the main thread (io-threads)"),
      OfRedis("transport", &R::transport,
              OneOf<T>({{"rdma", T::rdma}, {"tcp", T::tcp}, {"libvma", T::libvma}, {"smc_r", T::smc_r}}),
              "transport of the connections: Valkey over RDMA, the kernel's TCP, TCP in user space, SMC-R"),
      OfRedis("buffer", &R::buffer, Sizes(Bytes(64 << 10), Bytes(16 << 20)),
              "RDMA: size of the server's receive buffer per connection (rdma-rx-size); a client's "
              "buffer has 1 MiB"),
      OfRedis("parse", &R::parse, times(), "time of a server's thread to parse a request",
              {.cost = Cost::diagnosis}),
      OfRedis("command", &R::command, times(), "time of the server's main thread to execute a request",
              {.cost = Cost::diagnosis}),
      OfRedis("request", &R::request, times(), "time of a client's thread per request",
              {.cost = Cost::diagnosis}),
      OfRedis("costs", &R::costs, Mapping(ApplicationCostKeys()), "costs of software")};
}

void CheckRedis(const Node& node, ServiceEntry& entry, Reading& reading) {
  CheckHosts(node, entry, reading);
  const auto& p = entry.parameters.As<KeyValueParameters>();
  if (p.servers.size() > 1)
    throw ScenarioError(
        node.Find("servers")->where,
        fmt::format("the service has {} servers, but a redis-benchmark uses one", p.servers.size()),
        "give each server a service of its own");
  if (p.redis.client_threads > p.client_processes)
    throw ScenarioError(node.where,
                        fmt::format("{} client_threads are more than the {} connections",
                                    p.redis.client_threads, p.client_processes),
                        "give at least one connection per thread");
  if (p.redis.on_tcp() && !node.Find("priority"))
    reading.errors.Guard([&] { entry.parameters->priority = ClassForTcp(node.where, *reading.classes); });
}

std::vector<KeyOf<ServiceEntry>> OwnKeysOf(KeyValueSystem system) {
  const KeyOf<ServiceEntry> prefetch =
      OfService("prefetch", &KeyValueParameters::prefetch, Flag(),
                "whether random accesses to memory are prefetched while the process serves other requests");
  const KeyOf<ServiceEntry> tables = OfService(
      "tables", &KeyValueParameters::tables, Flag(),
      "true: real tables; false: READs of the same number and sizes, the emulation of the HERD paper",
      {.cost = Cost::fixed});
  const KeyOf<ServiceEntry> signal =
      OfService("signal_every", &KeyValueParameters::signal_every, Integers(1, 1 << 16),
                "n, if every n-th answer of a process is signalled");
  switch (system) {
    case KeyValueSystem::herd:
      return {
          prefetch,
          OfService("empty_polls", &KeyValueParameters::empty_polls, Integers(1, 1'000'000),
                    "number of consecutive empty polls after which a no-op advances a process's pipeline"),
          OfService("inline_below", &KeyValueParameters::inline_below, Sizes(Bytes(1), kMostInlined),
                    "smallest value whose answer the NIC fetches from memory"),
          signal,
          OfService("log", &KeyValueParameters::log, Sizes(Bytes(4096), Bytes(int64_t{1} << 40)),
                    "size of the log of a process's cache; new values overwrite the oldest",
                    {.cost = Cost::fixed}),
          OfService("index_keys", &KeyValueParameters::index_keys, Integers(8, int64_t{1} << 36),
                    "capacity of a process's index, in keys", {.cost = Cost::fixed})};
    case KeyValueSystem::echo:
      return {OfService("request", &KeyValueParameters::request, Mapping(EchoKeys()),
                        "messages from client to server"),
              OfService("reply", &KeyValueParameters::reply, Mapping(EchoKeys()),
                        "messages from server to client"),
              OfService("accesses", &KeyValueParameters::accesses, Integers(0, 1000),
                        "random accesses to memory per request", {.cost = Cost::fixed}),
              prefetch};
    case KeyValueSystem::farm_var:
      return {tables, OfService("pointer", &KeyValueParameters::pointer, Sizes(Bytes(1), Bytes(64)),
                                "size of a table's pointer to a value", {.cost = Cost::fixed})};
    default:
      return {tables};
  }
}

ServiceEntry StartAs(KeyValueSystem system) {
  KeyValueParameters p;
  p.system = system;
  if (system == KeyValueSystem::redis) {
    p.processes = 1;
    p.client_processes = 50;  // the default of redis-benchmark
    p.window = 1;
  }
  return {p, {}};
}

template <KeyValueSystem system>
const KeysOf<ServiceEntry>& KeyValueKeys() {
  constexpr bool redis = system == KeyValueSystem::redis;
  const std::string type = KeyValueSystemName(system);
  static const KeysOf<ServiceEntry> keys(
      {.name = "service_" + type,
       .page = redis ? kRedisPage : kKeyValuePage,
       .help = HelpOf(system),
       .type = type},
      Chain(KeysOfHosts(system), redis ? RedisKeys() : Chain(KeysOfProcesses(), OwnKeysOf(system))),
      redis ? CheckRedis : CheckHosts, [] { return StartAs(system); });
  return keys;
}

using S = KeyValueSystem;
const RegisteredService kHerd({.place = 1, .keys = KeyValueKeys<S::herd>});
const RegisteredService kPilaf({.place = 2, .keys = KeyValueKeys<S::pilaf>});
const RegisteredService kFarm({.place = 3, .keys = KeyValueKeys<S::farm>});
const RegisteredService kFarmVar({.place = 4, .keys = KeyValueKeys<S::farm_var>});
const RegisteredService kEcho({.place = 5, .keys = KeyValueKeys<S::echo>});
const RegisteredService kRedis({.place = 6, .keys = KeyValueKeys<S::redis>});

}  // namespace

}  // namespace headroom::keys
