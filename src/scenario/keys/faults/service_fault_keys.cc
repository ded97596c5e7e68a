// Faults of services' hosts: damaged data, extent nodes that refuse.
#include <fmt/format.h>

#include <algorithm>

#include "protocol/keyvalue/key_value_parameters.h"
#include "protocol/storage/storage_parameters.h"
#include "scenario/keys/faults/fault_places.h"
#include "scenario/keys/faults/fault_types.h"
#include "scenario/keys/faults/timed_fault.h"
#include "scenario/workload.h"
#include "scenario/yaml/nearest.h"

namespace headroom::keys {

namespace {

/// A host of a service.
KindOf<NodeId> HostWithService() {
  return {Text().shape,
          [](const Node& node, NodeId& host, Reading& reading) {
            host = reading.names->Host(node);
            const bool any = std::ranges::any_of(*reading.services, [&](const ServiceEntry& entry) {
              const AnyService& p = entry.parameters;
              const auto* storage = p.Find<StorageParameters>();
              if (storage != nullptr)
                return std::ranges::count(storage->compute, host) +
                           std::ranges::count(storage->extent_nodes, host) >
                       0;
              return p.Find<KeyValueParameters>() != nullptr && std::ranges::count(p->Hosts(), host) > 0;
            });
            if (!any && !reading.errors.Any())
              throw ScenarioError(
                  node.where,
                  fmt::format("no service of storage or keys runs at {}, so there is nothing to damage",
                              Quote(node.text)));
          },
          [](const NodeId& host, const Writing& writing) { return WriteTexts({NameOf(host, writing)}); }};
}

/// A service by its name; the node is then searched in the service.
KindOf<ExtentNodeDownFault> ServiceWithExtents() {
  return {{"service", "a name under services", R"({"$ref": "#/definitions/name"})"},
          [](const Node& node, ExtentNodeDownFault& fault, Reading& reading) {
            const std::string name = ParseText(node);
            std::vector<std::string> names;
            const StorageParameters* found = nullptr;
            for (uint32_t i = 0; i < reading.services->size(); ++i) {
              const auto* storage = (*reading.services)[i].parameters.Find<StorageParameters>();
              if (storage == nullptr) continue;
              names.push_back(storage->name);
              if (storage->name == name) fault.service = i, found = storage;
            }
            if (found == nullptr && reading.errors.Any())
              return;  // the service may be one of those with errors
            if (found == nullptr)
              throw ScenarioError(node.where, fmt::format("there is no service {}", Quote(name)),
                                  names.empty() ? "" : "allowed: " + Join(names), Nearest(name, names));
            if (!found->back)
              throw ScenarioError(
                  node.where,
                  fmt::format("{} has no back leg, so no host could ask another node", Quote(name)),
                  "give it one: back: {protocol: su_rdma}");
          },
          [](const ExtentNodeDownFault& fault, const Writing& writing) {
            return writing.services ? WriteTexts({(*writing.services)[fault.service]->name}) : "";
          }};
}

}  // namespace

const KeysOf<CorruptFault>& KeysFor(const CorruptFault&) {
  using F = CorruptFault;
  static const KeysOf<F> keys = TimedFault<F>(
      "corrupt", "data of services arrive damaged at a host, and the network's checksums do not detect it",
      {{"node", &F::host, HostWithService(), "name of the host, which a service uses", {.required = true}},
       {"probability",
        &F::probability,
        Fractions(),
        "probability that a packet's data are damaged, "
        "independent for each packet",
        {.required = true}}});
  return keys;
}

const KeysOf<ExtentNodeDownFault>& KeysFor(const ExtentNodeDownFault&) {
  using F = ExtentNodeDownFault;
  static const KeysOf<F> keys = TimedFault<F>(
      "extent_node_down", "an extent node of a service refuses all requests: its program is down",
      {{"service", ServiceWithExtents(), "service of the node", {.required = true}},
       {"node", &F::node, HostByName(), "host of the extent node", {.required = true}}},
      false, [](const Node& node, const F& fault, Reading& reading) {
        const Node* named = node.Find("node");
        if (reading.errors.Any() || !named) return;
        const auto& service = (*reading.services)[fault.service].parameters.As<StorageParameters>();
        if (std::ranges::find(service.extent_nodes, fault.node) == service.extent_nodes.end())
          throw ScenarioError(named->where, fmt::format("{} is not an extent node of {}", Quote(named->text),
                                                        Quote(service.name)));
      });
  return keys;
}

}  // namespace headroom::keys
