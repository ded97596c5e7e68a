// Type kv: operations on a service's keys.
#include <fmt/format.h>

#include "protocol/keyvalue/key_value_parameters.h"
#include "scenario/keys/workloads/service_of.h"
#include "workload/types/key_types.h"

namespace headroom {

namespace {

class KvType final : public KeyType<KvType> {
 public:
  using KeyType::KeyType;
};

}  // namespace

std::unique_ptr<Arrivals> ArrivalsFrom(KeyValueArrivals a) { return std::make_unique<KvType>(std::move(a)); }

}  // namespace headroom

namespace headroom::keys {

namespace {

/// A key that belongs to one way of choosing keys, and is written only with that.
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
  return OfAll<KeyValueArrivals>(name, of, help, std::move(traits));
}
/// A key that is refused for an ECHO service, and not written with it.
KeyOf<Workload> NotOfEcho(KeyOf<Workload> key) {
  key.write = [write = std::move(key.write)](const void* workload, const Writing& writing) {
    const auto& kv = DataOf<KeyValueArrivals>(*static_cast<const Workload*>(workload));
    const auto* services = writing.services;
    const bool has = !services || (*services)[kv.service].As<KeyValueParameters>().HasKeys();
    return has ? write(workload, writing) : std::string();
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
bool HasBatch(const KeyValueArrivals& kv) { return kv.batch; }
bool HasThreads(const KeyValueArrivals& kv) { return kv.threads > 0; }

void CheckKv(const Node& node, Workload& w, Reading& reading) {
  const KeyValueArrivals& kv = DataOf<KeyValueArrivals>(w);
  CheckStop(node, kv.start, kv.stop, reading);
  if (const Node* theta = node.Find("theta"); theta && !HasTheta(kv))
    reading.errors.Add(ScenarioError(theta->where, "\"theta\" needs distribution: zipf, zipfian or latest"));
  for (const char* key : {"hot_keys", "hot_operations"}) {
    if (const Node* hot = node.Find(key); hot && !HasHotspot(kv))
      reading.errors.Add(ScenarioError(hot->where, fmt::format("\"{}\" needs distribution: hotspot", key)));
  }
  for (const char* key : {"last_keys", "last_operations"}) {
    if (const Node* last = node.Find(key); last && !HasExponential(kv))
      reading.errors.Add(
          ScenarioError(last->where, fmt::format("\"{}\" needs distribution: exponential", key)));
  }
  for (const char* key : {"target", "threads", "batch"}) {
    if (const Node* closed = node.Find(key); closed && kv.rate > 0)
      reading.errors.Add(ScenarioError(closed->where, fmt::format("\"{}\" beside \"rate\"", key),
                                       "give rate for an open loop, or the other key for a closed loop"));
  }
  CheckThreads(kv, node.Find("threads") ? node.Find("threads")->where : node.where, reading);
  if (kv.puts + kv.inserts + kv.modifies > 1 + 1e-9)
    reading.errors.Add(ScenarioError(node.where,
                                     "the shares of puts, inserts and read_modify_writes sum to more "
                                     "than 100%",
                                     "give shares up to 100% together; the remaining operations are GETs"));
  CheckKeysOfService(node, w, reading);
}

/// The keys of records, and the operations on them.
std::vector<KeyOf<Workload>> KeysOfItems() {
  return {
      {"service", ServiceOfKeys(), "service that holds the keys", {.required = true}},
      Of("keys", &KeyValueArrivals::keys, Integers(1, int64_t{1} << 40), "number of keys at the start"),
      NotOfEcho(Of("key", &KeyValueArrivals::key, Sizes(Bytes(16), Bytes(64)), "size of a key")),
      Of("value", &KeyValueArrivals::value, Sizes(Bytes(1), Bytes(int64_t{1} << 20)), "size of a value"),
      NotOfEcho(Of("puts", &KeyValueArrivals::puts, Fractions(1, true),
                   "share of PUTs; the remaining operations are GETs")),
      NotOfEcho(Of("inserts", &KeyValueArrivals::inserts, Fractions(1, true), "share of PUTs of new keys")),
      NotOfEcho(Of("read_modify_writes", &KeyValueArrivals::modifies, Fractions(1, true),
                   "share of operations that GET a key and then PUT it"))};
}

std::vector<KeyOf<Workload>> KeysOfChoice() {
  return {Of("distribution", &KeyValueArrivals::choice,
             OneOf<KeyChoice>({{"uniform", KeyChoice::uniform},
                               {"zipf", KeyChoice::zipf},
                               {"zipfian", KeyChoice::scrambled_zipf},
                               {"latest", KeyChoice::latest},
                               {"hotspot", KeyChoice::hotspot},
                               {"sequential", KeyChoice::sequential},
                               {"exponential", KeyChoice::exponential}}),
             "distribution of the requested keys; zipfian is YCSB's scrambled distribution"),
          WithChoice(HasTheta, "theta", &KeyValueArrivals::theta, Numbers(0.01, 0.9999),
                     "parameter theta of zipf, zipfian and latest", {.standard = "0.99"}),
          WithChoice(HasHotspot, "hot_keys", &KeyValueArrivals::hot_keys, Fractions(1),
                     "hotspot: share of the keys that are hot, which are the first", {.standard = "0.2"}),
          WithChoice(HasHotspot, "hot_operations", &KeyValueArrivals::hot_operations, Fractions(1, true),
                     "hotspot: share of the operations on hot keys", {.standard = "0.8"}),
          WithChoice(HasExponential, "last_keys", &KeyValueArrivals::exponential_keys, Fractions(1),
                     "exponential: share of the keys that are hot, which are the last",
                     {.standard = "0.8571428571"}),
          WithChoice(HasExponential, "last_operations", &KeyValueArrivals::exponential_operations,
                     Numbers(0.01, 0.9999), "exponential: share of the operations on these last keys",
                     {.standard = "0.95"})};
}

/// The number of operations, and their times.
std::vector<KeyOf<Workload>> KeysOfAmount() {
  return {
      WithChoice(HasOperations, "operations", &KeyValueArrivals::operations, Integers(1, int64_t{1} << 40),
                 "maximum number of operations of all processes together", {.standard = "any number"}),
      WithChoice(HasThreads, "threads", &KeyValueArrivals::threads, Integers(1, int64_t{1} << 31),
                 "closed loop: number of open operations of all processes together, assigned in "
                 "round-robin order",
                 {.standard = "all windows"}),
      WithChoice(
          HasBatch, "batch", &KeyValueArrivals::batch, Flag(),
          "closed loop: a process starts its next operations together, when all its open ones have ended",
          {.standard = "false"}),
      WithChoice(HasTarget, "target", &KeyValueArrivals::target, Numbers(1e-3, 1e12),
                 "closed loop: maximum operations per second of all processes together",
                 {.standard = "none"}),
      WithChoice(HasRate, "rate", &KeyValueArrivals::rate, Numbers(1e-3, 1e9),
                 "open loop: operations per second of a client's process; without it the window is "
                 "always full",
                 {.standard = "none", .tried = {"/2"}, .cost = Cost::diagnosis}),
      Of("start", &KeyValueArrivals::start, Times(), "time of the first operation"),
      Of("stop", &KeyValueArrivals::stop, Maybe(Times(Time(1))), "time at which operations stop starting",
         {.standard = "the duration"}),
      FromClients<KeyValueArrivals>()};
}

const KeysOf<Workload>& KvKeys() {
  static const KeysOf<Workload> keys(
      {.name = "workload_kv",
       .page = kKeyWorkloadPage,
       .help = "operations on the keys of a service, from processes of its clients",
       .type = "kv"},
      Chain(Chain(KeyTypeKeys("kv"), KeysOfItems()), Chain(KeysOfChoice(), KeysOfAmount())), CheckKv,
      StartingWith<KvType>);
  return keys;
}

const RegisteredType kKv({.place = 11, .keys = KvKeys});

}  // namespace

}  // namespace headroom::keys
