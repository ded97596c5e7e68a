#include "scenario/keys/sections/service_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "protocol/storage/su_message.h"
#include "scenario/keys/sections/class_keys.h"
#include "scenario/names.h"

namespace headroom::keys {

namespace {

constexpr const char* kServicePage = "models/storage-protocols.md";
constexpr Bytes kMostChunk{int64_t{1} << 30};
constexpr Bytes kMostLandings{int64_t{1} << 32};  // of a connection: what it has of the addresses
constexpr int64_t kMostCredits = 4096;
constexpr Bytes kLeastPool{int64_t{2} << 20};  // a slab

KindOf<StorageLeg> ProtocolOfLeg(const char* protocol) {
  const std::string text = protocol;
  return {{"choice", text, fmt::format(R"({{"const": "{}"}})", text)},
          {},
          [text](const StorageLeg&, const Writing&) { return text; }};
}

KindOf<uint8_t> ClassOfLeg() {
  return {{"class", "", R"({"type": "string"})"},
          [](const Node& node, uint8_t& priority, Reading& reading) {
            priority = ParseClass(node, *reading.classes);
          },
          [](const uint8_t& priority, const Writing& writing) {
            return writing.classes ? WriteTexts({(*writing.classes)[priority].name}) : "";
          }};
}

std::vector<KeyOf<StorageLeg>> LegKeys(const char* protocol, const char* credits, const char* pool) {
  using Leg = StorageLeg;
  return {{"protocol", ProtocolOfLeg(protocol), "how the hosts talk", {.required = true}},
          {"priority",
           &Leg::priority,
           ClassOfLeg(),
           "a class",
           {.standard = "storage, else the only class that is not cnp"}},
          {"credits", &Leg::credits, Integers(1, kMostCredits), credits},
          {"crc", &Leg::crc, Flag(), "a CRC over the data, by which damage is found"},
          {"pool", &Leg::pool, Sizes(kLeastPool, Bytes(int64_t{1} << 40)), pool},
          {"reopen", &Leg::reopen, Times(Microseconds(1), Seconds(100)),
           "from the failure of a queue pair to the next try"}};
}

/// A key of the other protocol.
KeyOf<StorageLeg> OfSuAlone(const char* name) {
  const KindOf<StorageLeg> refusal{
      {},
      [](const Node& node, StorageLeg&, Reading& reading) {
        throw ScenarioError(node.where, fmt::format("{} is of su_rdma, this is sk_rdma", Quote(reading.key)),
                            "leave it out, or protocol: su_rdma");
      },
      {}};
  return {name, refusal, "", {.refused = true}};
}

const KeysOf<StorageLeg>& SkKeys() {
  std::vector<KeyOf<StorageLeg>> all =
      LegKeys("sk_rdma", "requests of a connection that may be open",
              "registered memory of an extent node's core for data, at most");
  for (const char* key : {"small", "large", "chunk", "landings"}) all.push_back(OfSuAlone(key));
  static const KeysOf<StorageLeg> keys({.name = "sk_rdma", .page = kServicePage, .help = "protocol sk_rdma"},
                                       all);
  return keys;
}

void CheckSu(const Node& node, const StorageLeg& leg, Reading& reading) {
  if (leg.small > leg.large)
    reading.errors.Add(ScenarioError(
        node.where, fmt::format("small {} is above large {}", FormatSize(leg.small), FormatSize(leg.large))));
  if (leg.large * leg.landings > kMostLandings)
    reading.errors.Add(ScenarioError(node.where,
                                     fmt::format("{} landings of {} are more than {}", leg.landings,
                                                 FormatSize(leg.large), FormatSize(kMostLandings)),
                                     "a smaller large, or fewer landings"));
  const Bytes buffer = leg.chunk + Bytes(SuMessage::kBytes);
  if (leg.pool < buffer)
    reading.errors.Add(
        ScenarioError(node.where, fmt::format("a pool of {} has no room for a chunk", FormatSize(leg.pool)),
                      fmt::format("allowed: from {}", FormatSize(buffer))));
}

const KeysOf<StorageLeg>& SuKeys() {
  using Leg = StorageLeg;
  std::vector<KeyOf<Leg>> all = LegKeys("su_rdma", "RECVs that each end keeps for the other's data",
                                        "registered memory of a core for data, at most, for each direction");
  all.insert(all.end(),
             {
                 {"small", &Leg::small, Sizes(Bytes(0), kMostChunk), "of a chunk, up to which it is sent"},
                 {"large", &Leg::large, Sizes(Bytes(0), kMostChunk),
                  "up to which it is written; beyond, the receiver reads it"},
                 {"chunk", &Leg::chunk, Sizes(Bytes(1), kMostChunk),
                  "what is written goes out in chunks of at most so much, one at a time"},
                 {"landings", &Leg::landings, Integers(1, kMostCredits),
                  "of `large` bytes each, where the other end's chunks are written to"},
             });
  static const KeysOf<Leg> keys({.name = "su_rdma", .page = kServicePage, .help = "protocol su_rdma"}, all,
                                CheckSu);
  return keys;
}

const KeysOf<StorageLeg>& KeysOfLeg(StorageProtocol protocol) {
  return protocol == StorageProtocol::sk_rdma ? SkKeys() : SuKeys();
}

KindOf<StorageLeg> Leg() {
  Shape shape{"mapping", "", R"({"$ref": "#/definitions/storage_leg"})", {&SkKeys(), &SuKeys()}, {}};
  const auto read = [](const Node& node, StorageLeg& leg, Reading& reading) {
    MapReader map(node, reading.errors);
    const Node* protocol = node.Find("protocol");
    if (!protocol || protocol->IsNull()) {
      map.Need({"protocol"});
      map.Read("protocol", [](const Node&) {});
      return map.FinishMissing();
    }
    const std::vector<std::string> names{"sk_rdma", "su_rdma"};
    leg.protocol = ParseChoice(*protocol, names) == 0 ? StorageProtocol::sk_rdma : StorageProtocol::su_rdma;
    if (!node.Find("priority"))
      reading.errors.Guard([&] { leg.priority = DefaultClass(node.where, *reading.classes); });
    KeysOfLeg(leg.protocol).Read(node, &leg, reading);
  };
  return {shape, read, [](const StorageLeg& leg, const Writing& writing) {
            return KeysOfLeg(leg.protocol).Write(&leg, writing);
          }};
}

const KeysOf<DiskParameters>& DiskKeys() {
  using Disk = DiskParameters;
  static const KeysOf<Disk> keys({.name = "disk", .page = kServicePage},
                                 {{"read", &Disk::read, Times(Time(0), Seconds(100)), "that a read takes"},
                                  {"write", &Disk::write, Times(Time(0), Seconds(100)), "that a write takes"},
                                  {"iops", &Disk::iops, OrWord("unlimited", 0, Numbers(1, 1e9)),
                                   "I/Os that it begins in a second, at most; the others wait in line"}});
  return keys;
}

KindOf<Service> HostsOfService(std::vector<NodeId> StorageParameters::*hosts,
                               std::vector<std::string> ServiceSource::*texts) {
  return {{"hosts", "names and patterns", R"({"$ref": "#/definitions/hosts"})"},
          [=](const Node& node, Service& service, Reading& reading) {
            service.source.*texts = ParseTexts(node);
            service.parameters.*hosts = reading.names->Hosts(node);
          },
          [=](const Service& service, const Writing&) { return WriteTexts(service.source.*texts); }};
}

void CheckHostsOfService(const Node& node, const StorageParameters& p, Reading& reading) {
  for (const NodeId host : p.extent_nodes) {
    if (std::ranges::find(p.compute, host) == p.compute.end()) continue;
    throw ScenarioError(node.Find("extent_nodes")->where,
                        fmt::format("{} is among the compute hosts, too; an I/O would go from it to itself",
                                    Quote(reading.topology->nodes[host].name)),
                        "compute and extent_nodes have no host in common");
  }
}

const KeysOf<Service>& StorageKeys() {
  using P = StorageParameters;
  const Bytes least = Bytes(int64_t{1} << 20);
  static const KeysOf<Service> keys(
      {.name = "service_storage",
       .page = kServicePage,
       .help = "disks of compute hosts, whose blocks lie on extent nodes",
       .type = "storage",
       .not_yet = {"replicas", "erasure", "back", "timeout", "retries", "front_ends"}},
      {{"name", &Service::parameters, &P::name, Name(), "by which workloads name it", {.required = true}},
       {"type",
        KindOf<Service>{{"choice", "storage", R"({"const": "storage"})"},
                        {},
                        [](const Service&, const Writing&) { return "storage"; }},
        "what it is",
        {.required = true}},
       {"compute",
        HostsOfService(&P::compute, &ServiceSource::compute),
        "hosts with a disk each: a host, a shell pattern over hosts, or a list of them",
        {.required = true}},
       {"extent_nodes",
        HostsOfService(&P::extent_nodes, &ServiceSource::extent_nodes),
        "hosts where the blocks lie; every compute host has a connection to each",
        {.required = true}},
       {"front",
        &Service::parameters,
        &P::front,
        Leg(),
        "between compute hosts and extent nodes",
        {.required = true}},
       {"disk", &Service::parameters, &P::disk, Mapping(DiskKeys()), "of an extent node"},
       {"disk_size", &Service::parameters, &P::disk_size, Sizes(least),
        "of a compute host's disk: addresses are drawn below it"},
       {"extent", &Service::parameters, &P::extent, Sizes(least),
        "a disk's extents lie on the extent nodes in turn"}},
      [](const Node& node, Service& service, Reading& reading) {
        CheckHostsOfService(node, service.parameters, reading);
      });
  return keys;
}

Service ReadService(const Node& node, Reading& reading) {
  static const std::vector<std::string> not_yet{"herd", "pilaf",     "farm",        "farm_var",
                                                "echo", "rdmavisor", "queue_pairs", "locked"};
  Service service;
  service.source.where = node.where;
  MapReader map(node, reading.errors);
  bool known = false;
  map.Need({"name", "type"});
  map.Read("type", [&](const Node& type) {
    ParseChoice(type, {"storage"}, not_yet);
    known = true;
  });
  if (known) {
    StorageKeys().Read(node, &service, reading);
  } else {
    map.Read("name", [&](const Node& name) { service.parameters.name = ParseName(name); });
    map.FinishMissing();
  }
  return service;
}

}  // namespace

KindOf<std::vector<Service>> Services() {
  const Shape shape{"list",
                    "",
                    R"({"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/service"}})",
                    {&StorageKeys()},
                    "*"};
  const auto read = [](const Node& list, std::vector<Service>& services, Reading& reading) {
    std::set<std::string> names;
    for (const Node& node : ParseList(list)) {
      reading.errors.Guard([&] {
        services.push_back(ReadService(node, reading));
        const std::string& name = services.back().parameters.name;
        if (!name.empty() && !names.insert(name).second)
          throw ScenarioError(node.Find("name")->where, fmt::format("a second service \"{}\"", name));
      });
    }
    if (list.items.empty()) throw ScenarioError(list.where, "there is no service");
  };
  const auto write = [](const std::vector<Service>& services, Writing writing) {
    writing.indent = 4;
    std::string text;
    for (const Service& service : services)
      text += "\n  - " + StorageKeys().WriteLines(&service, writing).substr(4);
    if (!text.empty()) text.pop_back();
    return text;
  };
  return {shape, read, write};
}

}  // namespace headroom::keys
