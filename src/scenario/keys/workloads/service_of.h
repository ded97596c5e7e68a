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

/// Sets the index of the service within its kind, and the values that `take` reads from it. `what` and `type`
/// are for the error if there is no service: for example " of keys", herd.
template <class Arrivals, class Entry, class Parameters>
KindOf<Workload> ServiceKind(const std::vector<Entry>* Reading::*entries,
                             const std::vector<Parameters>* Writing::*services, const char* what,
                             const char* type,
                             void (*take)(const Entry& entry, Arrivals& arrivals, Workload& workload)) {
  return {{"service", "a name under services", R"({"$ref": "#/definitions/name"})"},
          [=](const Node& node, Workload& w, Reading& reading) {
            std::vector<std::string> names;
            for (const Entry& entry : *(reading.*entries)) names.push_back(entry.parameters.name);
            if (names.empty())
              throw ScenarioError(node.where,
                                  std::string("there is no service") + what + ' ' + Quote(ParseText(node)),
                                  std::string("services: [{name: …, type: ") + type + ", …}]");
            const std::string name = ParseKnown(node, "service", names);
            Arrivals& arrivals = DataOf<Arrivals>(w);
            arrivals.service = static_cast<uint32_t>(std::ranges::find(names, name) - names.begin());
            take((*(reading.*entries))[arrivals.service], arrivals, w);
          },
          [=](const Workload& w, const Writing& writing) {
            if (!(writing.*services)) return std::string();
            return (*(writing.*services))[DataOf<Arrivals>(w).service].name;
          }};
}

/// Sets the index of the service, and the values that `take` reads from it. `types`: those of the service;
/// `what` is for the error if there is none: for example " of calls".
template <class Arrivals>
KindOf<Workload> ServiceKind(const std::vector<std::string>& types,
                             void (*take)(const OwnServiceEntry& entry, Arrivals& arrivals,
                                          Workload& workload),
                             const char* what = "") {
  return {{"service", "a name under services", R"({"$ref": "#/definitions/name"})"},
          [=](const Node& node, Workload& w, Reading& reading) {
            DataOf<Arrivals>(w).service = IndexOfService(node, types, what, reading);
            take((*reading.own_services)[DataOf<Arrivals>(w).service], DataOf<Arrivals>(w), w);
          },
          [](const Workload& w, const Writing& writing) {
            if (!writing.own_services) return std::string();
            return (*writing.own_services)[DataOf<Arrivals>(w).service]->name;
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

/// Hosts of a service, with their help.
KindOf<OwnServiceEntry> HostsOfService(std::vector<NodeId> ServiceParameters::*hosts,
                                       std::vector<std::string> OwnServiceSource::*texts);
template <class Entry, class Parameters, class Source>
KindOf<Entry> HostsOfService(std::vector<NodeId> Parameters::*hosts,
                             std::vector<std::string> Source::*texts) {
  return {{"hosts", "names and patterns", R"({"$ref": "#/definitions/hosts"})"},
          [=](const Node& node, Entry& entry, Reading& reading) {
            entry.source.*texts = ParseTexts(node);
            entry.parameters.*hosts = reading.names->Hosts(node);
          },
          [=](const Entry& entry, const Writing&) {
            const std::vector<std::string>& written = entry.source.*texts;
            return written.empty() ? std::string() : WriteTexts(written);
          }};
}

}  // namespace headroom::keys
