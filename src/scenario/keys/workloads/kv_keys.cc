// The keys of a workload of type kv: operations on a service's keys.
#include <fmt/format.h>

#include <algorithm>

#include "scenario/keys/workloads/kv_keys.h"
#include "scenario/keys/workloads/service_of.h"

namespace headroom::keys {

namespace {

/// A key that goes with one way to choose keys, and is written only then.
template <class F>
KeyOf<Workload> WithChoice(bool (*there)(const KeyValueArrivals&), const char* name,
                           F KeyValueArrivals::*field, const std::type_identity_t<KindOf<F>>& kind,
                           const char* help, Traits traits) {
  const KindOf<KeyValueArrivals> of{
      kind.shape,
      [field, read = kind.read](const Node& node, KeyValueArrivals& kv, Reading& reading) {
        read(node, kv.*field, reading);
      },
      [there, field, write = kind.write](const KeyValueArrivals& kv, const Writing& writing) {
        return there(kv) ? write(kv.*field, writing) : std::string();
      }};
  return {name, ArrivalsOf<KeyValueArrivals>, of, help, std::move(traits)};
}
/// A key that is refused where the service is an ECHO, and is not written there.
KeyOf<Workload> NotOfEcho(KeyOf<Workload> key) {
  key.write = [write = std::move(key.write)](const void* workload, const Writing& writing) {
    const auto& kv = std::get<KeyValueArrivals>(static_cast<const Workload*>(workload)->parameters.arrivals);
    const bool echo = writing.key_values && (*writing.key_values)[kv.service].system == KeyValueSystem::echo;
    return echo ? std::string() : write(workload, writing);
  };
  return key;
}
bool HasTheta(const KeyValueArrivals& kv) {
  return kv.choice == KeyChoice::zipf || kv.choice == KeyChoice::scrambled_zipf ||
         kv.choice == KeyChoice::latest;
}
bool HasHotspot(const KeyValueArrivals& kv) { return kv.choice == KeyChoice::hotspot; }
bool HasExponential(const KeyValueArrivals& kv) { return kv.choice == KeyChoice::exponential; }
bool HasRate(const KeyValueArrivals& kv) { return kv.rate > 0; }
bool HasTarget(const KeyValueArrivals& kv) { return kv.target > 0; }
bool HasOperations(const KeyValueArrivals& kv) { return kv.operations > 0; }
bool HasThreads(const KeyValueArrivals& kv) { return kv.threads > 0; }

void CheckKv(const Node& node, Workload& w, Reading& reading) {
  const KeyValueArrivals& kv = ArrivalsOf<KeyValueArrivals>(w);
  CheckStop(node, kv.start, kv.stop, reading);
  if (const Node* theta = node.Find("theta"); theta && !HasTheta(kv))
    reading.errors.Add(
        ScenarioError(theta->where, "\"theta\" goes with distribution: zipf, zipfian or latest"));
  for (const char* key : {"hot_keys", "hot_operations"}) {
    if (const Node* hot = node.Find(key); hot && !HasHotspot(kv))
      reading.errors.Add(
          ScenarioError(hot->where, fmt::format("\"{}\" goes with distribution: hotspot", key)));
  }
  for (const char* key : {"last_keys", "last_operations"}) {
    if (const Node* last = node.Find(key); last && !HasExponential(kv))
      reading.errors.Add(
          ScenarioError(last->where, fmt::format("\"{}\" goes with distribution: exponential", key)));
  }
  for (const char* key : {"target", "threads"}) {
    if (const Node* closed = node.Find(key); closed && kv.rate > 0)
      reading.errors.Add(ScenarioError(closed->where, fmt::format("\"{}\" beside \"rate\"", key),
                                       "rate: an open loop; the other: a closed one"));
  }
  CheckThreads(kv, node.Find("threads") ? node.Find("threads")->where : node.where, reading);
  if (kv.puts + kv.inserts + kv.modifies > 1 + 1e-9)
    reading.errors.Add(ScenarioError(node.where,
                                     "the shares of puts, inserts and read_modify_writes sum to more "
                                     "than 100%",
                                     "what is left are GETs"));
  CheckKeysOfService(node, w, reading);
}

}  // namespace

/// Threads wait for their operations, of which a process has no more open than its window.
void CheckThreads(const KeyValueArrivals& kv, const Position& where, Reading& reading) {
  const int64_t windows = static_cast<int64_t>(kv.from.size()) * kv.processes * kv.window;
  if (kv.threads <= windows) return;
  reading.errors.Add(
      ScenarioError(where,
                    fmt::format("{} threads, and the clients of the service have {} operations open: "
                                "{} clients × {} processes × window {}",
                                kv.threads, windows, kv.from.size(), kv.processes, kv.window),
                    fmt::format("allowed: up to {}, or a larger window of the service", windows)));
}

KindOf<Workload> ServiceOfKeys() {
  return ServiceKind<KeyValueArrivals>(
      &Reading::key_values, &Writing::key_values, " of keys", "herd",
      +[](const KeyValueEntry& entry, KeyValueArrivals& kv, Workload& w) {
        kv.from = entry.parameters.clients;
        kv.to = entry.parameters.servers;
        kv.processes = entry.parameters.client_processes;
        kv.window = entry.parameters.window;
        w.source.from = entry.source.clients;
        w.source.to = entry.source.servers;
        w.parameters.priority = entry.parameters.priority;
      });
}

KeyOf<Workload> FromOfKeys() {
  return {
      "from",
      HostsKind([](Workload& of) -> std::vector<NodeId>& { return ArrivalsOf<KeyValueArrivals>(of).from; },
                &WorkloadSource::from),
      "a host, a shell pattern over hosts, or a list of them",
      {.standard = "the clients of the service"}};
}

void CheckKeysOfService(const Node& node, const Workload& w, Reading& reading, const Position* value) {
  const auto& kv = std::get<KeyValueArrivals>(w.parameters.arrivals);
  if (kv.service >= reading.key_values->size() || kv.to.empty()) return;
  const KeyValueParameters& service = (*reading.key_values)[kv.service].parameters;
  const auto refuse = [&](const char* key, const std::string& why, const std::string& fix) {
    const Node* at = node.Find(key);
    reading.errors.Add(ScenarioError(at ? at->where : value ? *value : node.where, why, fix));
  };
  for (const NodeId host : kv.from) {
    if (std::ranges::find(service.clients, host) != service.clients.end()) continue;
    refuse("from",
           fmt::format("{} is no client of service {}", Quote(reading.topology->nodes[host].name),
                       Quote(service.name)),
           "a host of its clients");
    break;
  }
  if (service.system == KeyValueSystem::echo) {
    for (const char* key : {"puts", "inserts", "read_modify_writes", "key"})
      if (node.Find(key))
        refuse(key, fmt::format("an ECHO has no {}", Quote(key)), "leave it out: it is of values");
  }
  constexpr Bytes kMostItem{1000};
  if (kv.value > kMostItem)
    refuse("value", fmt::format("a value of {} is more than slots of requests hold", FormatSize(kv.value)),
           "allowed: up to 1000B");
  const bool datagrams =
      service.system == KeyValueSystem::herd ||
      (service.system == KeyValueSystem::echo &&
       (service.request.transport == Transport::ud || service.reply.transport == Transport::ud));
  if (datagrams && kv.value > Bytes(reading.mtu))
    refuse("value",
           fmt::format("a value of {} is more than a datagram carries, an MTU of {} B", FormatSize(kv.value),
                       reading.mtu),
           "mtu: 1024");
}

const KeysOf<Workload>& KvKeys() {
  static const KeysOf<Workload> keys(
      {.name = "workload_kv",
       .page = kKeyWorkloadPage,
       .help = "operations on the keys of a service, from processes of its clients",
       .type = "kv"},
      [&] {
        std::vector<KeyOf<Workload>> all = CommonKeys("kv");
        all.insert(
            all.end(),
            {{"service", ServiceOfKeys(), "service that holds the keys", {.required = true}},
             Of("keys", &KeyValueArrivals::keys, Integers(1, int64_t{1} << 40), "keys at the beginning"),
             NotOfEcho(Of("key", &KeyValueArrivals::key, Sizes(Bytes(16), Bytes(64)), "size of a key")),
             Of("value", &KeyValueArrivals::value, Sizes(Bytes(1), Bytes(int64_t{1} << 20)),
                "size of a value"),
             NotOfEcho(Of("puts", &KeyValueArrivals::puts, Fractions(1, true),
                          "share of PUTs; the others are GETs")),
             NotOfEcho(
                 Of("inserts", &KeyValueArrivals::inserts, Fractions(1, true), "share of PUTs of new keys")),
             NotOfEcho(Of("read_modify_writes", &KeyValueArrivals::modifies, Fractions(1, true),
                          "share of operations that GET a key and PUT it")),
             Of("distribution", &KeyValueArrivals::choice,
                OneOf<KeyChoice>({{"uniform", KeyChoice::uniform},
                                  {"zipf", KeyChoice::zipf},
                                  {"zipfian", KeyChoice::scrambled_zipf},
                                  {"latest", KeyChoice::latest},
                                  {"hotspot", KeyChoice::hotspot},
                                  {"sequential", KeyChoice::sequential},
                                  {"exponential", KeyChoice::exponential}}),
                "distribution of keys; zipfian is YCSB's, scrambled"),
             WithChoice(HasTheta, "theta", &KeyValueArrivals::theta, Numbers(0.01, 0.9999),
                        "of zipf, zipfian and latest", {.standard = "0.99"}),
             WithChoice(HasHotspot, "hot_keys", &KeyValueArrivals::hot_keys, Fractions(1),
                        "hotspot: share of the keys, the first ones", {.standard = "0.2"}),
             WithChoice(HasHotspot, "hot_operations", &KeyValueArrivals::hot_operations, Fractions(1, true),
                        "hotspot: share of the operations on hot keys", {.standard = "0.8"}),
             WithChoice(HasExponential, "last_keys", &KeyValueArrivals::exponential_keys, Fractions(1),
                        "exponential: share of the keys, the last ones", {.standard = "0.8571428571"}),
             WithChoice(HasExponential, "last_operations", &KeyValueArrivals::exponential_operations,
                        Numbers(0.01, 0.9999), "hotspot: share of the operations on hot keys",
                        {.standard = "0.95"}),
             WithChoice(HasOperations, "operations", &KeyValueArrivals::operations,
                        Integers(1, int64_t{1} << 40), "maximum operations of all processes together",
                        {.standard = "any number"}),
             WithChoice(
                 HasThreads, "threads", &KeyValueArrivals::threads, Integers(1, int64_t{1} << 31),
                 "closed loop: open operations of all processes together, assigned in round-robin order",
                 {.standard = "all windows"}),
             WithChoice(HasTarget, "target", &KeyValueArrivals::target, Numbers(1e-3, 1e12),
                        "closed loop: maximum operations per second of all processes together",
                        {.standard = "none"}),
             WithChoice(HasRate, "rate", &KeyValueArrivals::rate, Numbers(1e-3, 1e9),
                        "open loop: operations per second of a client's process; without it the window is "
                        "always full",
                        {.standard = "none"}),
             Of("start", &KeyValueArrivals::start, Times(), "of the first operation"),
             Of("stop", &KeyValueArrivals::stop, Maybe(Times(Time(1))),
                "no operation starts at or after this", {.standard = "the duration"}),
             FromOfKeys()});
        return all;
      }(),
      CheckKv, StartingWith<KeyValueArrivals>);
  return keys;
}

}  // namespace headroom::keys
