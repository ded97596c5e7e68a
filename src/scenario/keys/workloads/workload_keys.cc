#include "scenario/keys/workloads/workload_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "nic/parameters.h"
#include "scenario/keys/network/class_keys.h"
#include "scenario/names.h"

namespace headroom::keys {

namespace {

KindOf<Operation> Verb() {
  return OneOf<Operation>({std::begin(kVerbs), std::end(kVerbs)}, {"cas", "faa", "atomic"});
}

KindOf<Workload> ClassOfWorkload() {
  return {{"class", "", R"({"type": "string"})"},
          [](const Node& node, Workload& w, Reading& reading) {
            w.source.own_priority = true;
            w.parameters.priority = ParseClass(node, *reading.classes);
          },
          [](const Workload& w, const Writing& writing) {
            if (!writing.classes) return std::string();
            return WriteTexts({(*writing.classes)[w.parameters.priority].name});
          }};
}

/// Never written, because a scenario contains only enabled entries.
KindOf<bool> Enabled() { return {Flag().shape, Flag().read, {}}; }

/// Refuses a class, because the service decides the class of its traffic.
KindOf<Workload> NoClass(const std::string& what, const std::string& where) {
  return {{},
          [what, where](const Node& node, Workload&, Reading&) {
            throw ScenarioError(node.where,
                                fmt::format("operations of {} have the traffic class of their service", what),
                                where);
          },
          {}};
}

const KeysOf<WorkloadParameters>& PerPairKeys() {
  static const KeysOf<WorkloadParameters> keys({.name = "qps_per_pair", .page = kWorkloadPage},
                                               {{"per_pair",
                                                 &WorkloadParameters::qps_per_pair,
                                                 Integers(1, 65536),
                                                 "number of persistent queue pairs per pair of hosts",
                                                 {.required = true, .tried = {"*8", "*2"}}}});
  return keys;
}

/// `per_message`, or {per_pair: n}.
KindOf<WorkloadParameters> Qp() {
  Shape shape = ShapeOrWord("per_message", PerPairKeys().shape());
  shape.kind = "choice, mapping";
  shape.bounds = "per_message or {per_pair: n}";
  return {shape,
          [](const Node& node, WorkloadParameters& w, Reading& reading) {
            w.qp_per_message = node.IsScalar();
            if (!node.IsScalar()) return PerPairKeys().Read(node, &w, reading);
            if (node.text != "per_message")
              throw ScenarioError(node.where, Quote(node.text) + " is not a value of qp",
                                  "allowed: per_message, {per_pair: n}");
          },
          [](const WorkloadParameters& w, const Writing& writing) {
            return w.qp_per_message ? "per_message" : PerPairKeys().Write(&w, writing);
          }};
}

/// An entry, which may stand for several workloads.
std::vector<Workload> ReadWorkload(const Node& node, Reading& reading) {
  MapReader map(node, reading.errors);
  std::vector<std::string> names;
  for (const WorkloadType& type : WorkloadTypes()) names.push_back(type.keys().section().type);
  size_t number = names.size();
  map.Read("type", [&](const Node& value) { number = ParseChoice(value, names); });
  if (number == names.size()) {
    Workload workload;
    workload.source.where = node.where;
    for (const Key& key : MessageKeys("", true)) {
      if (key.read) map.Read(key.name, [&](const Node& value) { key.read(value, &workload, reading); });
    }
    map.Need({"name", "type"});
    map.FinishMissing();
    return {workload};
  }
  const WorkloadType& type = WorkloadTypes()[number];
  Workload workload = type.keys().Start();
  workload.source.where = node.where;
  workload.source.from = workload.source.to = {"*"};
  WorkloadParameters& p = workload.parameters;
  p.type = names[number];
  p.arrivals->StartWith(reading.names->AllHosts());
  if (!node.Find("priority") && !type.own_classes && !OffersOperations(p))
    reading.errors.Guard([&] { p.priority = DefaultClass(node.where, *reading.classes); });
  type.keys().Read(node, &workload, reading);
  if (type.expand != nullptr && !reading.errors.Any()) return type.expand(node, workload, reading);
  return {workload};
}

/// All registered types, in any order.
std::vector<WorkloadType>& RegisteredWorkloads() {
  static std::vector<WorkloadType> types;
  return types;
}

}  // namespace

RegisteredType::RegisteredType(const WorkloadType& type) { RegisteredWorkloads().push_back(type); }

const std::vector<WorkloadType>& WorkloadTypes() {
  static std::vector<WorkloadType> types;
  if (types.size() == RegisteredWorkloads().size()) return types;
  std::vector<WorkloadType> sorted = RegisteredWorkloads();
  std::ranges::stable_sort(sorted, {}, &WorkloadType::place);
  std::set<std::string> names;
  for (const WorkloadType& type : sorted) {
    const std::string& name = type.keys().section().type;
    if (!names.insert(name).second)
      throw std::invalid_argument("two types of workloads are named " + Quote(name));
  }
  types = std::move(sorted);
  return types;
}

std::vector<KeyOf<Workload>> NameKeys(const char* type) {
  const std::string text = type;
  const KindOf<Workload> kind{{"choice", text, fmt::format(R"({{"const": "{}"}})", text)},
                              {},
                              [text](const Workload&, const Writing&) { return text; }};
  return {{"name",
           &Workload::parameters,
           &WorkloadParameters::name,
           Name(),
           "name of the workload in results",
           {.required = true}},
          {"type", kind, "generators of messages and operations", {.required = true}},
          {"enabled",
           &Workload::source,
           &WorkloadSource::enabled,
           Enabled(),
           "false: the workload is checked, but does not run",
           {.standard = "true", .tried = {"false"}, .cost = Cost::diagnosis}}};
}

std::vector<KeyOf<Workload>> OperationKeys(const char* type, const char* what, const char* where) {
  std::vector<KeyOf<Workload>> keys = NameKeys(type);
  keys.push_back({"priority", NoClass(what, where), "", {.refused = true}});
  return keys;
}

std::vector<KeyOf<Workload>> MessageKeys(const char* type, bool on_verbs, const MessageWords& words) {
  using P = WorkloadParameters;
  std::vector<KeyOf<Workload>> keys = NameKeys(type);
  keys.push_back({"verb", &Workload::parameters, &P::verb, Verb(),
                  "verb that carries the messages; with read, the receiver posts a READ"});
  keys.push_back({"priority",
                  ClassOfWorkload(),
                  words.priority,
                  {.standard = words.standard_priority, .cost = Cost::setting}});
  if (on_verbs) return keys;  // the processes have their own queue pairs
  keys.push_back({"register",
                  &Workload::parameters,
                  &P::registers,
                  Flag(),
                  "whether each message first posts a memory registration (FMR) and waits for it",
                  {.tried = {"false"}, .cost = Cost::reconfiguration}});
  keys.push_back({"qp",
                  &Workload::parameters,
                  Qp(),
                  "persistent queue pairs, or a new one for each message",
                  {.standard = words.standard_qp, .cost = Cost::reconfiguration}});
  return keys;
}

KindOf<Workload> HostsKind(std::vector<NodeId>& (*hosts)(Workload&),
                           std::vector<std::string> WorkloadSource::*texts, HostOrder order) {
  return {{"hosts", "names and patterns", R"({"$ref": "#/definitions/hosts"})"},
          [=](const Node& node, Workload& w, Reading& reading) {
            w.source.*texts = ParseTexts(node);
            hosts(w) = reading.names->Hosts(node);
            if (order == HostOrder::of_ids) std::ranges::sort(hosts(w));
          },
          [=](const Workload& w, const Writing&) { return WriteTexts(w.source.*texts); }};
}

KindOf<Scope> Scopes() {
  return OneOf<Scope>({{"rack", Scope::rack},
                       {"cluster", Scope::cluster},
                       {"datacenter", Scope::datacenter},
                       {"region", Scope::region}});
}

void CheckLoopback(const Position& where, NodeId host, const Reading& context) {
  if (host >= context.nics->size() || !(*context.nics)[host].resources.Ideal()) return;
  const std::string& name = context.topology->nodes[host].name;
  throw ScenarioError(where, fmt::format("\"{}\" sends to itself through a NIC without resources", name),
                      fmt::format("give the NIC resources: nics: [{{match: {}, resources: gen2}}]", name));
}

void CheckEnds(const Node& node, std::vector<NodeId>& from, const std::vector<NodeId>& to,
               const Reading& reading, bool loopback) {
  const Node* from_node = node.Find("from");
  if (from_node && from.size() == 1 && from == to) {
    if (loopback) {
      reading.errors.Guard([&] { CheckLoopback(from_node->where, from.front(), reading); });
      return;
    }
    reading.errors.Add(ScenarioError(from_node->where, "a host of the workload sends to itself",
                                     "only workloads of type stream and list allow this"));
  }
  if (to.size() == 1) std::erase(from, to.front());
}

void CheckStop(const Node& node, Time start, const std::optional<Time>& stop, const Reading& reading) {
  if (!stop || *stop > start) return;
  reading.errors.Add(
      ScenarioError(node.Find("stop")->where,
                    fmt::format("stop {} is not after start {}", FormatTime(*stop), FormatTime(start))));
}

KindOf<std::vector<Workload>> Workloads() {
  Shape shape{"list",
              "",
              R"({"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/workload"}})",
              {},
              "*"};
  for (const WorkloadType& type : WorkloadTypes()) shape.inside.push_back(&type.keys());
  const auto read = [](const Node& list, std::vector<Workload>& workloads, Reading& reading) {
    std::set<std::string> names;
    size_t entry = 0;
    for (const Node& node : ParseList(list)) {
      reading.errors.Guard([&] {
        for (Workload& workload : ReadWorkload(node, reading)) {
          workload.source.entry = entry;
          const std::string name = workload.parameters.name;
          if (workload.source.enabled) workloads.push_back(std::move(workload));
          if (!name.empty() && !names.insert(name).second)
            throw ScenarioError(node.Find("name")->where,
                                fmt::format("a workload \"{}\" exists already", name));
        }
      });
      ++entry;
    }
    if (list.items.empty()) throw ScenarioError(list.where, "the scenario has no workload");
    if (workloads.empty() && !reading.errors.Any())
      throw ScenarioError(list.where, "no workload is enabled",
                          "remove enabled: false from at least one workload");
  };
  const auto write = [](const std::vector<Workload>& workloads, Writing writing) {
    writing.indent = 4;
    std::string text;
    for (const Workload& w : workloads) {
      if (w.source.recorded.job > 0) continue;  // written with the entry of its file
      const auto type = std::ranges::find_if(WorkloadTypes(), [&](const WorkloadType& t) {
        return t.keys().section().type == w.parameters.type;
      });
      if (type == WorkloadTypes().end()) continue;
      text += "\n  - " + type->keys().WriteLines(&w, writing).substr(4);
      text.pop_back();
    }
    return text;
  };
  return {shape, read, write};
}

}  // namespace headroom::keys
