// How workloads name the service that they use, and how services name their hosts.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "scenario/keys/workloads/workload_keys.h"
#include "scenario/names.h"

namespace headroom::keys {

/// The index of the service that a text names, of one of these types. Throws a ScenarioError if there is
/// none.
uint32_t IndexOfService(const Node& node, const std::vector<std::string>& types, const char* what,
                        const Reading& reading);

/// Sets the index of the service, and the values that `take` reads from it. `types`: those of the service;
/// `what` is for the error if there is none: for example " of calls".
template <class Arrivals>
KindOf<Workload> ServiceKind(const std::vector<std::string>& types,
                             void (*take)(const ServiceEntry& entry, Arrivals& arrivals, Workload& workload),
                             const char* what = "") {
  return {{"service", "a name under services", R"({"$ref": "#/definitions/name"})"},
          [=](const Node& node, Workload& w, Reading& reading) {
            DataOf<Arrivals>(w).service = IndexOfService(node, types, what, reading);
            take((*reading.services)[DataOf<Arrivals>(w).service], DataOf<Arrivals>(w), w);
          },
          [](const Workload& w, const Writing& writing) {
            if (!writing.services) return std::string();
            return (*writing.services)[DataOf<Arrivals>(w).service]->name;
          }};
}

/// `from`: some of the service's clients.
template <class Arrivals>
KeyOf<Workload> FromClients(const char* help = "a host, a shell pattern over hosts, or a list of them",
                            const char* standard = "the clients of the service") {
  return {"from",
          HostsKind([](Workload& of) -> std::vector<NodeId>& { return DataOf<Arrivals>(of).from; },
                    &WorkloadSource::from),
          help,
          {.standard = standard}};
}

/// Hosts of a service whose parameters have class P.
template <class P>
KindOf<ServiceEntry> HostsOfService(std::vector<NodeId> P::*hosts,
                                    std::vector<std::string> ServiceSource::*texts) {
  return {{"hosts", "names and patterns", R"({"$ref": "#/definitions/hosts"})"},
          [=](const Node& node, ServiceEntry& entry, Reading& reading) {
            entry.source.*texts = ParseTexts(node);
            entry.parameters.As<P>().*hosts = reading.names->Hosts(node);
          },
          [=](const ServiceEntry& entry, const Writing&) {
            const std::vector<std::string>& written = entry.source.*texts;
            return written.empty() ? std::string() : WriteTexts(written);
          }};
}

}  // namespace headroom::keys
