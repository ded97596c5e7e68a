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

/// Refuses a choice of NICs, because the service has named them.
KindOf<Workload> NoNic() {
  return {{},
          [](const Node& node, Workload&, Reading&) {
            throw NotSupportedYet(node.where, "a choice of NICs by operations",
                                  "the service uses the first NIC of each host; name others as its hosts, "
                                  "such as h3/n2");
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

/// The rule by which messages take the NICs of their hosts.
KindOf<Workload> NicOfMessages() {
  using Kind = NicRule::Kind;
  static const std::vector<std::pair<const char*, Kind>> kinds{
      {"rail", Kind::rail}, {"hash", Kind::hash}, {"round_robin", Kind::round_robin}};
  return {
      {"choice, whole number", "rail, hash, round_robin, or the number of a NIC",
       R"({"oneOf": [{"enum": ["rail", "hash", "round_robin"]}, {"type": "integer", "minimum": 0}]})"},
      [](const Node& node, Workload& w, Reading& reading) {
        NicRule& rule = w.parameters.arrivals->nic;
        RefuseBoolean(node);
        const std::string text = ParseText(node);
        if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos) {
          rule = {Kind::number, static_cast<uint16_t>(ParseInteger(node, 0, 1000))};
          uint16_t most = 1;
          for (NodeId h = 0; h < reading.topology->hosts; ++h)
            most = std::max(most, reading.topology->nodes[h].nics);
          if (rule.number >= most)
            throw ScenarioError(node.where, fmt::format("no host has a NIC {}", rule.number),
                                fmt::format("allowed: 0 to {}, rail, hash or round_robin", most - 1));
          return;
        }
        rule = {kinds[ParseChoice(node, {"rail", "hash", "round_robin"})].second};
      },
      [](const Workload& w, const Writing& writing) {
        const NicRule& rule = w.parameters.arrivals->nic;
        if (!writing.topology || !writing.topology->HasSeveralNics() || rule.kind == Kind::named)
          return std::string(writing.topology ? "" : "rail");
        if (rule.kind == Kind::number) return std::to_string(rule.number);
        return std::string(std::ranges::find(kinds, rule.kind, &std::pair<const char*, Kind>::second)->first);
      }};
}

/// A workload that names NICs leaves no choice; its other end is then named, too.
void CheckNamedNics(const Node& node, const KeysOf<Workload>& keys, Workload& workload,
                    const Reading& reading) {
  const NodeNames::Met& met = reading.names->met();
  NicRule& rule = workload.parameters.arrivals->nic;
  if (!met.nics) return;
  if (met.hosts)
    throw ScenarioError(node.where, "the workload names hosts with several NICs, and NICs",
                        "name hosts only, such as h3, or NICs only, such as h3/n2");
  if (const Node* const nic = node.Find("nic"))
    throw ScenarioError(nic->where, "the workload names NICs, so there is no choice",
                        "leave out nic, or name hosts, such as h3");
  for (const char* end : {"from", "to"}) {
    if (std::ranges::any_of(keys.keys(), [&](const Key& key) { return key.name == end; }) &&
        !node.Find(end) && reading.topology->HasSeveralNics())
      throw ScenarioError(node.where,
                          fmt::format("the workload names NICs, but its \"{}\" is all hosts", end),
                          fmt::format("give {}, with NICs, such as \"*/n0\"", end));
  }
  rule.kind = NicRule::Kind::named;
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
  reading.names->Forget();
  type.keys().Read(node, &workload, reading);
  if (OffersOperations(p) || p.arrivals->OnVerbs()) {
    p.arrivals->nic.kind = NicRule::Kind::named;  // programs use the NIC that their service names
  } else if (!reading.errors.Any()) {
    CheckNamedNics(node, type.keys(), workload, reading);
  }
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
  keys.push_back({"nic", NoNic(), "", {.refused = true}});
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
  keys.push_back({"nic",
                  NicOfMessages(),
                  "NICs of hosts with several: rail (the same NIC at both ends; queue pairs go round), hash "
                  "(each end draws its NIC), round_robin (each end takes its NICs in turn), or one NIC",
                  {.standard = "rail"}});
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
