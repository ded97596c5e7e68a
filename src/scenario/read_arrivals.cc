// The keys of the workload types, as resolved against the topology.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "scenario/hpcc_files.h"
#include "scenario/keys/class_keys.h"
#include "scenario/read_workloads.h"
#include "scenario/yaml/nearest.h"
#include "workload/distributions.h"

namespace headroom {

namespace {

/// Traffic of a host to itself shares what its NIC has: throws where that is nothing.
void CheckLoopback(const Position& where, NodeId host, const WorkloadContext& context) {
  if (host >= context.nics.size() || !context.nics[host].resources.Ideal()) return;
  const std::string& name = context.topology.nodes[host].name;
  throw ScenarioError(where, fmt::format("\"{}\" sends to itself through a NIC without resources", name),
                      fmt::format("give it some: nics: [{{match: {}, resources: gen2}}]", name));
}

void ReadScope(MapReader& map, Scope& scope) {
  map.Choice<Scope>("scope", scope,
                    {{"rack", Scope::rack},
                     {"cluster", Scope::cluster},
                     {"datacenter", Scope::datacenter},
                     {"region", Scope::region}});
}

/// Hosts that a key names, all of them where it is absent.
void ReadHosts(MapReader& map, const char* key, const WorkloadContext& context, std::vector<NodeId>& hosts,
               std::vector<std::string>& texts) {
  texts = {"*"};
  const bool given = map.Read(key, [&](const Node& node) {
    texts = ParseTexts(node);
    hosts = context.names.Hosts(node);
  });
  if (!given) hosts = context.names.AllHosts();
}

void ReadFixedSize(MapReader& map, const char* key, Bytes& size) {
  map.Need({key});
  map.Field(key, size, Bytes(1));
}

/// The name of a distribution, a path or a fixed size.
void ReadSizes(const Node& node, PoissonArrivals& arrivals, WorkloadSource& source) {
  const std::string text = ParseText(node);
  arrivals.sizes = FindDistribution(text);
  if (arrivals.sizes) return;
  if (LooksLikeSize(text)) {
    arrivals.size = ParseSize(node);
    if (arrivals.size.v == 0 || arrivals.size > kLargestSize)
      throw ScenarioError(node.where, Quote(text) + " is out of range", "allowed: 1B to 1024TiB");
    return;
  }
  if (text.find_first_of("./") == std::string::npos) {
    const std::vector<std::string> names = DistributionNames();
    throw ScenarioError(node.where, "there is no size distribution " + Quote(text),
                        "allowed: " + Join(names) + ", a size, or the path of a file", Nearest(text, names));
  }
  source.file = ParsePath(node);
  try {
    arrivals.sizes = ReadDistribution(source.file.string());
  } catch (const std::invalid_argument& e) {
    throw ScenarioError(node.where, std::string("cannot use these sizes: ") + e.what());
  }
}

}  // namespace

void ReadEndpoints(MapReader& map, const WorkloadContext& context, std::vector<NodeId>& from,
                   std::vector<NodeId>& to, WorkloadSource& source, bool loopback) {
  ReadHosts(map, "from", context, from, source.from);
  ReadHosts(map, "to", context, to, source.to);
  const Node* from_node = map.Find("from");
  if (from_node && from.size() == 1 && from == to) {
    if (loopback) {
      map.errors().Guard([&] { CheckLoopback(from_node->where, from.front(), context); });
      return;
    }
    map.errors().Add(ScenarioError(from_node->where, "a host that sends to itself",
                                   "workloads of type stream and list may have that"));
  }
  if (to.size() == 1) std::erase(from, to.front());
}

void ReadPoisson(MapReader& map, const WorkloadContext& context, Workload& workload) {
  PoissonArrivals arrivals;
  map.Need({"sizes", "load"});
  map.Read("sizes", [&](const Node& node) { ReadSizes(node, arrivals, workload.source); });
  map.Fraction("load", arrivals.load, false, 1.5);
  ReadScope(map, arrivals.scope);
  ReadEndpoints(map, context, arrivals.from, arrivals.to, workload.source);
  workload.parameters.arrivals = std::move(arrivals);
}

void ReadIncast(MapReader& map, const WorkloadContext& context, Workload& workload) {
  IncastArrivals arrivals;
  map.Need({"to"});
  ReadFixedSize(map, "size", arrivals.size);
  ReadScope(map, arrivals.scope);
  map.Field("at", arrivals.at);
  map.Read("repeat", [&](const Node& node) {
    MapReader repeat(node, map.errors());
    repeat.Need({"every", "count"});
    repeat.Field("every", arrivals.every, Nanoseconds(1));
    repeat.Integer("count", arrivals.count, 1, 1'000'000'000);
    repeat.Finish();
  });
  ReadEndpoints(map, context, arrivals.from, arrivals.to, workload.source);
  map.Read("fan_in", [&](const Node& node) {
    if (node.IsScalar() && node.text == "all") return;
    arrivals.fan_in = static_cast<int>(ParseInteger(node, 1, 1'000'000'000));
    if (arrivals.fan_in > static_cast<int64_t>(arrivals.from.size()))
      throw ScenarioError(
          node.where, fmt::format("fan_in {} with {} senders", arrivals.fan_in, arrivals.from.size()),
          fmt::format("allowed: 1 to {}, or all; for more {}", arrivals.from.size(),
                      arrivals.from.size() + 1 < context.topology.hosts
                          ? fmt::format("widen from: the topology has {} hosts", context.topology.hosts)
                          : "give the topology more hosts: each sends once"));
  });
  workload.parameters.arrivals = std::move(arrivals);
}

void ReadPermutation(MapReader& map, const WorkloadContext& context, Workload& workload) {
  PermutationArrivals arrivals;
  ReadFixedSize(map, "size", arrivals.size);
  map.Field("at", arrivals.at);
  ReadHosts(map, "hosts", context, arrivals.hosts, workload.source.from);
  if (arrivals.hosts.size() < 2)
    map.errors().Add(ScenarioError(map.node().where, "a permutation of fewer than two hosts"));
  workload.parameters.arrivals = std::move(arrivals);
}

void ReadStream(MapReader& map, const WorkloadContext& context, Workload& workload) {
  StreamArrivals arrivals;
  map.Need({"from", "to"});
  ReadFixedSize(map, "message", arrivals.message);
  map.Integer("in_flight", arrivals.in_flight, 1, 1'000'000);
  map.Field("start", arrivals.start);
  Time stop;
  if (map.Field("stop", stop, Time(1))) arrivals.stop = stop;
  if (arrivals.stop && arrivals.stop <= arrivals.start)
    map.errors().Add(ScenarioError(
        map.Find("stop")->where,
        fmt::format("stop {} is not after start {}", FormatTime(stop), FormatTime(arrivals.start))));
  ReadEndpoints(map, context, arrivals.from, arrivals.to, workload.source, true);
  workload.parameters.arrivals = std::move(arrivals);
}

void ReadList(MapReader& map, const WorkloadContext& context, Workload& workload) {
  ListArrivals arrivals;
  map.Need({"messages"});
  map.Read("messages", [&](const Node& node) {
    for (const Node& item : ParseList(node)) {
      ListArrivals::Message message;
      MapReader keys(item, map.errors());
      keys.Need({"from", "to"});
      keys.Field("at", message.at);
      std::optional<NodeId> from, to;
      keys.Read("from", [&](const Node& host) { message.from = from.emplace(context.names.Host(host)); });
      keys.Read("to", [&](const Node& host) { message.to = to.emplace(context.names.Host(host)); });
      if (from && from == to)
        map.errors().Guard([&] { CheckLoopback(item.Find("to")->where, *from, context); });
      ReadFixedSize(keys, "size", message.size);
      keys.Read("priority",
                [&](const Node& name) { message.priority = keys::ParseClass(name, context.classes); });
      keys.Finish();
      arrivals.messages.push_back(message);
    }
    if (arrivals.messages.empty()) throw ScenarioError(node.where, "the list is empty");
  });
  std::stable_sort(arrivals.messages.begin(), arrivals.messages.end(),
                   [](const auto& a, const auto& b) { return a.at < b.at; });
  workload.parameters.arrivals = std::move(arrivals);
}

void ReadHpccFlowFile(MapReader& map, const WorkloadContext& context, Workload& workload) {
  ListArrivals arrivals;
  map.Need({"file"});
  const bool own_priority = map.Has("priority");
  map.Read("file", [&](const Node& node) {
    workload.source.file = ParsePath(node);
    for (const HpccFlow& flow : ReadHpccFlows(workload.source.file, node.where)) {
      const auto host = [&](const std::string& name) {
        Node word;
        word.kind = Node::Kind::scalar;
        word.text = name;
        word.where = flow.where;
        return context.names.Host(word);
      };
      ListArrivals::Message message;
      message.at = flow.start;
      message.from = host(flow.src);
      message.to = host(flow.dst);
      message.size = flow.size;
      if (message.from == message.to) CheckLoopback(flow.where, message.from, context);
      if (!own_priority) {
        message.priority = static_cast<uint8_t>(flow.priority);
        if (context.classes[message.priority.value()].name.empty())
          throw ScenarioError(flow.where, fmt::format("no traffic class has priority {}", flow.priority));
        if (arrivals.messages.empty()) workload.parameters.priority = *message.priority;
      }
      arrivals.messages.push_back(message);
    }
  });
  std::stable_sort(arrivals.messages.begin(), arrivals.messages.end(),
                   [](const auto& a, const auto& b) { return a.at < b.at; });
  workload.parameters.arrivals = std::move(arrivals);
}

}  // namespace headroom
