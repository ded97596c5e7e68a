// Keys of services of connections: types rdmavisor, queue_pairs and locked.
#include <fmt/format.h>

#include <algorithm>

#include "protocol/connections/connection_parameters.h"
#include "scenario/keys/services/service_types.h"

namespace headroom::keys {

namespace {

constexpr const char* kConnectionPage = "models/rdma-as-a-service.md";
constexpr int64_t kMostConnections = 1'000'000;
constexpr Bytes kMostPayload{int64_t{1} << 30};

/// The keys of threads, with the daemon's keys if there is a daemon.
const KeysOf<ConnectionCosts>& ConnectionCostKeys(ConnectionSystem system) {
  using C = ConnectionCosts;
  const auto times = Times(Time(0), Milliseconds(1));
  static const std::vector<KeyOf<C>> of_all{
      {"post", &C::post, times, "time to post a work request, or the first work request of a batch"},
      {"completion", &C::completion, times, "time to poll a completion"}};
  const auto with = [](std::vector<KeyOf<C>> more) {
    std::vector<KeyOf<C>> all = of_all;
    for (KeyOf<C>& key : more) all.push_back(std::move(key));
    return all;
  };
  static const KeysOf<C> own({.name = "thread_costs", .page = kConnectionPage, .cost = Cost::diagnosis},
                             of_all);
  static const KeysOf<C> locked(
      {.name = "locked_costs", .page = kConnectionPage, .cost = Cost::diagnosis},
      with({{"hand_over", &C::hand_over, times, "time of a lock, per waiting thread"}}));
  static const KeysOf<C> daemon(
      {.name = "daemon_costs", .page = kConnectionPage, .cost = Cost::diagnosis},
      with({{"chained", &C::chained, times, "time to post each further work request of a batch"},
            {"submit", &C::submit, times,
             "time of an application to write a request to shared memory and signal an event"},
            {"request", &C::request, times, "time of a worker to take a request"},
            {"notify", &C::notify, times, "time of the poller to signal new results to a thread"},
            {"wake", &C::wake, times, "time from an event until a sleeping thread runs"},
            {"result", &C::result, times, "time of an application to take a result"},
            {"registration", &C::registration, times, "time to register a payload and undo this"},
            {"copy", &C::copy, Rates(), "rate at which payloads are copied"}}));
  return system == ConnectionSystem::rdmavisor ? daemon : system == ConnectionSystem::locked ? locked : own;
}

std::vector<KeyOf<ServiceEntry>> OwnKeysOf(ConnectionSystem system) {
  if (system == ConnectionSystem::rdmavisor)
    return {OfService("workers", &ConnectionParameters::workers, Integers(1, 64),
                      "worker threads of a daemon; each serves the queue pairs of its peers"),
            OfService("batch", &ConnectionParameters::batch, Integers(1, 4096),
                      "maximum requests per turn of a worker, and completions per turn of the poller"),
            OfService("shared_receives", &ConnectionParameters::shared_receives, Integers(1, 1 << 20),
                      "RECVs that all connections of a host share"),
            OfService("small", &ConnectionParameters::small, Sizes(Bytes(0), kMostPayload),
                      "largest payload that the daemon sends by SEND, if it chooses the verb"),
            OfService("copied", &ConnectionParameters::copied, Sizes(Bytes(0), kMostPayload),
                      "largest payload that is copied; larger payloads are registered"),
            OfService("busy", &ConnectionParameters::busy, Fractions(1),
                      "busy share of a worker's time above which the peer READs payloads that are not small"),
            OfService("load_window", &ConnectionParameters::load_window, Times(Time(1), Seconds(1)),
                      "window in which the busy share is measured"),
            OfService("zero_copy", &ConnectionParameters::zero_copy, Flag(),
                      "true: receivers work on the RECV's buffer; false: on a copy")};
  const KeyOf<ServiceEntry> receives = OfService("receives", &ConnectionParameters::receives,
                                                 Integers(1, 1 << 16), "RECVs of a queue pair at the server");
  if (system == ConnectionSystem::queue_pairs) return {receives};
  return {receives,
          OfService("share", &ConnectionParameters::share, Integers(1, 1024),
                    "number of consecutive threads that share the same queue pairs", {.required = true})};
}

std::vector<KeyOf<ServiceEntry>> AllKeysOfConnections(ConnectionSystem system) {
  return Chain(
      ServiceKeysOf(ConnectionSystemName(system),
                    {.clients_help = "hosts that connect",
                     .servers_help = "hosts to which clients connect; each client uses them in round-robin "
                                     "order; a host may be client and server"}),
      Chain(
          {OfService("connections", &ConnectionParameters::connections, Integers(1, kMostConnections),
                     "connections per client, assigned to its threads in round-robin order",
                     {.tried = {"*4"}}),
           OfService("applications", &ConnectionParameters::applications, Integers(1, 4096),
                     "number of applications at each host", {.cost = Cost::fixed}),
           OfService("threads", &ConnectionParameters::threads, Integers(1, 4096),
                     "threads per application, each with its own core", {.tried = {"*4"}}),
           OfService("depth", &ConnectionParameters::depth, Integers(1, 1 << 16),
                     "maximum work requests of a queue pair"),
           OfService("receive_buffer", &ConnectionParameters::receive_buffer, Sizes(Bytes(64), kMostPayload),
                     "size of a RECV, and thus the largest payload sent by SEND"),
           OfService("costs", &ConnectionParameters::costs, Mapping(ConnectionCostKeys(system)),
                     "costs of software")},
          OwnKeysOf(system)));
}

/// A client with itself as the only server can connect to no other host.
void CheckHostsOfConnections(const Node& node, ServiceEntry& entry, Reading& reading) {
  const auto& p = entry.parameters.As<ConnectionParameters>();
  if (p.share > p.threads_in_all())
    reading.errors.Add(ScenarioError(
        node.Find("share")->where,
        fmt::format("{} threads share queue pairs, but a host has {}", p.share, p.threads_in_all()),
        "allowed: up to applications × threads"));
  for (const NodeId client : p.clients) {
    if (p.servers.size() != 1 || p.servers.front() != client) continue;
    throw ScenarioError(node.Find("servers")->where,
                        fmt::format("{} has no server to connect to except itself",
                                    Quote(reading.topology->nodes[client].name)),
                        "add another host to the servers");
  }
}

const char* HelpOf(ConnectionSystem system) {
  constexpr const char* helps[] = {
      "RDMAvisor: connections over a daemon at each host; each daemon has one queue pair per peer",
      "connections with their own queue pairs", "connections of threads that share queue pairs under a lock"};
  return helps[static_cast<size_t>(system)];
}

template <ConnectionSystem system>
const KeysOf<ServiceEntry>& ConnectionKeys() {
  static const KeysOf<ServiceEntry> keys({.name = std::string("service_") + ConnectionSystemName(system),
                                          .page = kConnectionPage,
                                          .help = HelpOf(system),
                                          .type = ConnectionSystemName(system)},
                                         AllKeysOfConnections(system), CheckHostsOfConnections, [] {
                                           ConnectionParameters p;
                                           p.system = system;
                                           return ServiceEntry{p, {}};
                                         });
  return keys;
}

const RegisteredService kRdmavisor({.place = 7, .keys = ConnectionKeys<ConnectionSystem::rdmavisor>});
const RegisteredService kQueuePairs({.place = 8, .keys = ConnectionKeys<ConnectionSystem::queue_pairs>});
const RegisteredService kLocked({.place = 9, .keys = ConnectionKeys<ConnectionSystem::locked>});

}  // namespace

}  // namespace headroom::keys
