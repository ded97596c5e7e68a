// Keys of services of type storage.
#include <fmt/format.h>

#include <algorithm>

#include "protocol/storage/storage_parameters.h"
#include "protocol/storage/wire/su_message.h"
#include "scenario/keys/network/class_keys.h"
#include "scenario/keys/services/failover_keys.h"
#include "scenario/keys/services/service_types.h"
#include "scenario/keys/services/storage_system_keys.h"
#include "scenario/keys/workloads/service_of.h"

namespace headroom::keys {

namespace {

constexpr const char* kServicePage = "models/storage-protocols.md";
constexpr Bytes kMostChunk{int64_t{1} << 30};
constexpr Bytes kMostLandings{int64_t{1} << 32};  // per connection: its share of the addresses
constexpr int64_t kMostCredits = 4096;
constexpr Bytes kLeastPool{int64_t{2} << 20};  // one slab

KindOf<StorageLeg> ProtocolOfLeg(const char* protocol) {
  const std::string text = protocol;
  return {{"choice", text, fmt::format(R"({{"const": "{}"}})", text)},
          {},
          [text](const StorageLeg&, const Writing&) { return text; }};
}

/// The keys of all protocols.
std::vector<KeyOf<StorageLeg>> LegKeys(const char* protocol, const char* standard_class) {
  using Leg = StorageLeg;
  return {{"protocol", ProtocolOfLeg(protocol), "protocol between the hosts", {.required = true}},
          {"priority", &Leg::priority, ClassOfService(), "a class", {.standard = standard_class}},
          {"crc",
           &Leg::crc,
           Flag(),
           "whether messages have a CRC over the data, to detect damage",
           {.cost = Cost::diagnosis}},
          {"reopen", &Leg::reopen, Times(Microseconds(1), Seconds(100)),
           "time from the failure of a queue pair or connection to the next attempt"}};
}

std::vector<KeyOf<StorageLeg>> RdmaKeys(const char* protocol, const char* credits, const char* pool) {
  using Leg = StorageLeg;
  std::vector<KeyOf<Leg>> all = LegKeys(protocol, "storage; or, without it, the only class besides cnp");
  all.insert(all.begin() + 2, {"credits", &Leg::credits, Integers(1, kMostCredits), credits});
  all.insert(all.begin() + 4, {"pool", &Leg::pool, Sizes(kLeastPool, Bytes(int64_t{1} << 40)), pool});
  return all;
}

/// A key that this protocol does not have.
KeyOf<StorageLeg> OfAnother(const char* name, const char* of, const char* protocol) {
  const KindOf<StorageLeg> refusal{{},
                                   [of, protocol](const Node& node, StorageLeg&, Reading& reading) {
                                     throw ScenarioError(
                                         node.where,
                                         fmt::format("{} is a key of protocol {}, but the protocol is {}",
                                                     Quote(reading.key), of, protocol),
                                         fmt::format("leave the key out, or give protocol: {}", of));
                                   },
                                   {}};
  return {name, refusal, "", {.refused = true}};
}

constexpr const char *kOfSu[] = {"small", "large", "chunk", "landings"}, *kOfRdma[] = {"credits", "pool"},
                     *kOfTcp[] = {"congestion", "connections"};

const KeysOf<StorageLeg>& SkKeys() {
  std::vector<KeyOf<StorageLeg>> all =
      RdmaKeys("sk_rdma", "maximum open requests of a connection",
               "maximum registered memory of an extent node's core for data");
  for (const char* key : kOfSu) all.push_back(OfAnother(key, "su_rdma", "sk_rdma"));
  for (const char* key : kOfTcp) all.push_back(OfAnother(key, "tcp", "sk_rdma"));
  static const KeysOf<StorageLeg> keys({.name = "sk_rdma", .page = kServicePage, .help = "protocol sk_rdma"},
                                       all);
  return keys;
}

const KeysOf<StorageLeg>& TcpKeys() {
  using Leg = StorageLeg;
  using Congestion = TcpParameters::Congestion;
  std::vector<KeyOf<Leg>> all =
      LegKeys("tcp", "tcp; or, without it, the only lossy class besides cnp; or else as for sk_rdma");
  all.push_back({"congestion", &Leg::congestion,
                 OneOf<Congestion>({{"cubic", Congestion::cubic}, {"dctcp", Congestion::dctcp}}),
                 "ns-3's congestion control"});
  all.push_back({"connections",
                 &Leg::connections,
                 Integers(1, 64),
                 "number of connections between two hosts; calls use them in round-robin order",
                 {.tried = {"*4"}}});
  for (const char* key : kOfSu) all.push_back(OfAnother(key, "su_rdma", "tcp"));
  for (const char* key : kOfRdma) all.push_back(OfAnother(key, "sk_rdma or su_rdma", "tcp"));
  static const KeysOf<Leg> keys({.name = "tcp", .page = kServicePage, .help = "protocol tcp"}, all);
  return keys;
}

void CheckSu(const Node& node, const StorageLeg& leg, Reading& reading) {
  if (leg.small > leg.large)
    reading.errors.Add(ScenarioError(node.where, fmt::format("small {} is larger than large {}",
                                                             FormatSize(leg.small), FormatSize(leg.large))));
  if (leg.large * leg.landings > kMostLandings)
    reading.errors.Add(ScenarioError(node.where,
                                     fmt::format("{} landings of {} need more memory than {}", leg.landings,
                                                 FormatSize(leg.large), FormatSize(kMostLandings)),
                                     "give a smaller large, or fewer landings"));
  const Bytes buffer = leg.chunk + Bytes(SuMessage::kBytes);
  if (leg.pool < buffer)
    reading.errors.Add(
        ScenarioError(node.where, fmt::format("a pool of {} is smaller than a chunk", FormatSize(leg.pool)),
                      fmt::format("allowed: from {}", FormatSize(buffer))));
}

const KeysOf<StorageLeg>& SuKeys() {
  using Leg = StorageLeg;
  std::vector<KeyOf<Leg>> all = RdmaKeys("su_rdma", "RECVs at each end for data of the other end",
                                         "maximum registered memory of a core for data, per direction");
  for (const char* key : kOfTcp) all.push_back(OfAnother(key, "tcp", "su_rdma"));
  all.insert(
      all.end(),
      {
          {"small", &Leg::small, Sizes(Bytes(0), kMostChunk), "largest chunk that the sender sends by SEND"},
          {"large", &Leg::large, Sizes(Bytes(0), kMostChunk),
           "largest chunk that the sender sends by WRITE; the receiver READs larger chunks"},
          {"chunk", &Leg::chunk, Sizes(Bytes(1), kMostChunk),
           "maximum chunk of a write; chunks are sent one at a time"},
          {"landings", &Leg::landings, Integers(1, kMostCredits),
           "number of buffers, of `large` bytes each, for chunks that the other end WRITEs"},
      });
  static const KeysOf<Leg> keys({.name = "su_rdma", .page = kServicePage, .help = "protocol su_rdma"}, all,
                                CheckSu);
  return keys;
}

const KeysOf<StorageLeg>& KeysOfLeg(StorageProtocol protocol) {
  if (protocol == StorageProtocol::tcp) return TcpKeys();
  return protocol == StorageProtocol::sk_rdma ? SkKeys() : SuKeys();
}

KindOf<StorageLeg> Leg() {
  Shape shape{
      "mapping", "", R"({"$ref": "#/definitions/storage_leg"})", {&SkKeys(), &SuKeys(), &TcpKeys()}, {}};
  const auto read = [](const Node& node, StorageLeg& leg, Reading& reading) {
    MapReader map(node, reading.errors);
    const Node* protocol = node.Find("protocol");
    if (!protocol || protocol->IsNull()) {
      map.Need({"protocol"});
      map.Read("protocol", [](const Node&) {});
      return map.FinishMissing();
    }
    leg.protocol = static_cast<StorageProtocol>(ParseChoice(*protocol, {"sk_rdma", "su_rdma", "tcp"}));
    if (!node.Find("priority"))
      reading.errors.Guard([&] {
        leg.priority = leg.protocol == StorageProtocol::tcp ? ClassForTcp(node.where, *reading.classes)
                                                            : DefaultClass(node.where, *reading.classes);
      });
    KeysOfLeg(leg.protocol).Read(node, &leg, reading);
  };
  return {shape, read, [](const StorageLeg& leg, const Writing& writing) {
            return KeysOfLeg(leg.protocol).Write(&leg, writing);
          }};
}

const KeysOf<SealParameters>& SealKeys() {
  using Seal = SealParameters;
  static const KeysOf<Seal> keys(
      {.name = "seal", .page = kServicePage, .cost = Cost::setting},
      {{"after", &Seal::after, OrWord("never", Time(0), Times(Time(1), Seconds(100))),
        "time without an answer after which the extent is sealed; a refusal seals it immediately"},
       {"backoff", &Seal::backoff, Integers(1, 16),
        "factor for `after` once an extent was sealed for lack of an answer, until answers are in time "
        "again"},
       {"takes",
        &Seal::takes,
        Times(Time(0), Seconds(100)),
        "time until the next extent exists; writes of the disk wait for it",
        {.cost = Cost::diagnosis}}});
  return keys;
}

const KeysOf<StorageBugs>& StorageBugKeys() {
  using Bugs = StorageBugs;
  static const KeysOf<Bugs> keys(
      {.name = "storage_bugs", .page = kServicePage, .cost = Cost::fixed},
      {{"early_answer", &Bugs::early_answer, Flag(),
        "a write is answered before its last replica has "
        "answered"},
       {"repeats", &Bugs::repeats, Flag(), "extent nodes execute a repeated write again"},
       {"stale_reads", &Bugs::stale_reads, Flag(),
        "reads may miss a write for some time after its acknowledgement"}});
  return keys;
}

KindOf<std::optional<StorageLeg>> MaybeLeg() {
  const KindOf<StorageLeg> leg = Leg();
  return {leg.shape,
          [read = leg.read](const Node& node, std::optional<StorageLeg>& of, Reading& reading) {
            read(node, of.emplace(), reading);
          },
          [write = leg.write](const std::optional<StorageLeg>& of, const Writing& writing) {
            return of ? write(*of, writing) : std::string();
          }};
}

template <class F>
auto OfStorage(F StorageParameters::*field) {
  return [field](ServiceEntry& e) -> F& { return e.parameters.As<StorageParameters>().*field; };
}

/// A key that has a meaning only beside another key, and is written only with it.
template <class F>
KindOf<ServiceEntry> Where(bool (*there)(const StorageParameters&), F StorageParameters::*field,
                           const std::type_identity_t<KindOf<F>>& kind) {
  return {kind.shape,
          [field, read = kind.read](const Node& node, ServiceEntry& service, Reading& reading) {
            read(node, service.parameters.As<StorageParameters>().*field, reading);
          },
          [there, field, write = kind.write](const ServiceEntry& service, const Writing& writing) {
            const auto& p = service.parameters.As<StorageParameters>();
            return there(p) ? write(p.*field, writing) : std::string();
          }};
}
bool HasBack(const StorageParameters& p) { return p.back.has_value(); }
bool HasTimeout(const StorageParameters& p) { return p.timeout > Time(0); }

/// Front ends and partition servers run on the extent nodes' servers unless others are named.
void FillRoles(StorageParameters& p) {
  if (!p.back) return;
  if (p.front_ends.empty()) p.front_ends = p.extent_nodes;
  if (p.partition_servers.empty()) p.partition_servers = p.extent_nodes;
}

void CheckBack(const Node& node, const StorageParameters& p, Reading& reading) {
  for (const char* key : {"replicas", "front_ends", "partition_servers", "hedge", "seal", "placement",
                          "erasure", "background"}) {
    const Node* value = node.Find(key);
    if (value && value->text != "none" && !p.back)
      reading.errors.Add(ScenarioError(value->where,
                                       fmt::format("\"{}\" needs a back leg, which is missing", key),
                                       "back: {protocol: su_rdma}"));
  }
  if (const Node* retries = node.Find("retries"); retries && p.timeout == Time(0))
    reading.errors.Add(ScenarioError(retries->where, "\"retries\" needs a timeout", "timeout: 5s"));
  if (p.back && static_cast<size_t>(p.replicas) > p.extent_nodes.size() && !p.extent_nodes.empty())
    reading.errors.Add(ScenarioError(node.Find("extent_nodes")->where,
                                     fmt::format("{} replicas need as many extent nodes, but the service "
                                                 "has {}",
                                                 p.replicas, p.extent_nodes.size()),
                                     "give more extent nodes, or fewer replicas"));
}

void CheckHostsOfService(const Node& node, const StorageParameters& p, Reading& reading) {
  for (const NodeId host : p.extent_nodes) {
    if (std::ranges::find(p.compute, host) == p.compute.end()) continue;
    throw ScenarioError(node.Find("extent_nodes")->where,
                        fmt::format("{} is both compute host and extent node, so I/Os would go from it "
                                    "to itself",
                                    Quote(reading.topology->nodes[host].name)),
                        "compute and extent_nodes must have no host in common");
  }
}

/// A fault of one leg must not affect the other.
void CheckFailover(const Node& node, const StorageParameters& p, Reading& reading) {
  const Node* failover = node.Find("failover");
  const Node* to = failover && p.failover ? failover->Find("to") : nullptr;
  const Node* protocol = to ? to->Find("protocol") : nullptr;
  if (!protocol || reading.errors.Any()) return;
  for (const StorageLeg* leg : {&p.front, p.back ? &*p.back : nullptr}) {
    if (leg == nullptr || leg->protocol != p.failover->to.protocol) continue;
    throw ScenarioError(protocol->where,
                        fmt::format("the standby has protocol {}, which front or back "
                                    "already has",
                                    Quote(protocol->text)),
                        "give a protocol other than those of front and back");
  }
}

/// Keys for the hosts of a storage service, and for its legs.
std::vector<KeyOf<ServiceEntry>> KeysOfHosts() {
  using P = StorageParameters;
  return Chain(
      NameAndType("storage"),
      {{"compute",
        HostsOfService(&P::compute, &ServiceSource::clients),
        "hosts, each with a disk: a host, a shell pattern over hosts, or a list of both",
        {.required = true}},
       {"extent_nodes",
        HostsOfService(&P::extent_nodes, &ServiceSource::servers),
        "hosts that store the blocks; every compute host has a connection to each of these hosts",
        {.required = true}},
       {"front",
        OfStorage(&P::front),
        Leg(),
        "leg between compute hosts and extent nodes",
        {.required = true}},
       {"back",
        OfStorage(&P::back),
        MaybeLeg(),
        "leg between front ends, partition servers and extent nodes; without it, compute hosts use extent "
        "nodes directly",
        {.standard = "none"}},
       {"front_ends",
        HostsOfService(&P::front_ends, &ServiceSource::front_ends),
        "hosts that forward I/Os between compute hosts and partition servers",
        {.standard = "the extent nodes"}},
       {"partition_servers",
        HostsOfService(&P::partition_servers, &ServiceSource::partition_servers),
        "hosts that map a disk's blocks to extents; disks are assigned in round-robin order",
        {.standard = "the extent nodes"}},
       {"replicas",
        Where(HasBack, &P::replicas, Integers(1, 16)),
        "copies of a write, on as many extent nodes; a write is answered after all of these have answered",
        {.standard = "3", .cost = Cost::fixed}}});
}

/// Keys for the handling of operations, and for the places of data.
std::vector<KeyOf<ServiceEntry>> KeysOfOperations() {
  using P = StorageParameters;
  const Bytes least = Bytes(int64_t{1} << 20);
  return {{"timeout", OfStorage(&P::timeout), OrWord("never", Time(0), Times(Time(1), Seconds(1000))),
           "time until a compute host repeats an operation"},
          {"retries",
           Where(HasTimeout, &P::retries, Integers(0, 1000)),
           "with a timeout: number of repetitions before the operation fails",
           {.standard = "3", .tried = {"*4"}}},
          {"hedge",
           Where(HasBack, &P::hedge, OrWord("never", Time(0), Times(Time(1), Seconds(1000)))),
           "time until a read also goes to a second replica; the first answer counts",
           {.standard = "never"}},
          {"placement", [](ServiceEntry& e) -> P& { return e.parameters.As<P>(); }, PlacementOfExtents(),
           "placement of extents on extent nodes"},
          {"erasure",
           Where(HasBack, &P::erasure, ErasureOfExtents()),
           "erasure code of sealed extents; without it, all extents are replicated",
           {.standard = "none"}},
          {"background",
           Where(HasBack, &P::background, BackgroundOfServers()),
           "background work of partition servers",
           {.standard = "none"}},
          {"seal", Where(HasBack, &P::seal, Mapping(SealKeys())),
           "when an extent is sealed, because a node refuses a write or does not answer"},
          {"failover",
           OfStorage(&P::failover),
           Maybe(FailoverTo(Leg())),
           "standby for both legs, with rules for moving connections to it and back",
           {.standard = "none"}},
          {"bugs", OfStorage(&P::bugs), Mapping(StorageBugKeys()),
           "deliberate bugs of the service, to test whether wrong answers are detected"},
          {"disk", OfStorage(&P::disk), DiskOfNode(), "device of an extent node"},
          {"disk_size",
           OfStorage(&P::disk_size),
           Sizes(least, Bytes(int64_t{1} << 40)),
           "size of a compute host's disk",
           {.cost = Cost::fixed}},
          {"extent",
           OfStorage(&P::extent),
           Sizes(least, Bytes(int64_t{1} << 40)),
           "size of an extent. Without a back leg, a disk's extents are on the extent nodes in "
           "round-robin order; with one, `placement` places them",
           {.cost = Cost::fixed}}};
}

const KeysOf<ServiceEntry>& StorageKeys() {
  static const KeysOf<ServiceEntry> keys(
      {.name = "service_storage",
       .page = kServicePage,
       .help = "disks of compute hosts, stored on extent nodes",
       .type = "storage"},
      Chain(KeysOfHosts(), KeysOfOperations()),
      [](const Node& node, ServiceEntry& service, Reading& reading) {
        auto& p = service.parameters.As<StorageParameters>();
        CheckHostsOfService(node, p, reading);
        CheckBack(node, p, reading);
        CheckFailover(node, p, reading);
        CheckExtents(node, p, reading);
        FillRoles(p);
      },
      StartingWithParameters<StorageParameters>);
  return keys;
}

const RegisteredService kStorage({.place = 0, .keys = StorageKeys});

}  // namespace

}  // namespace headroom::keys
