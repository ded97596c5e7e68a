#include "scenario/keys/workloads/workload_keys.h"

#include <fmt/format.h>

#include <set>

#include "nic/parameters.h"
#include "scenario/keys/network/class_keys.h"
#include "scenario/keys/workloads/io_keys.h"
#include "scenario/keys/workloads/message_keys.h"
#include "scenario/names.h"

namespace headroom::keys {

namespace {

KindOf<Operation> Verb() {
  return OneOf<Operation>({std::begin(kVerbs), std::end(kVerbs)}, {"cas", "faa", "atomic"});
}

/// Whether the messages bring their own classes: flows of HPCC's files, unless the workload says one for all.
bool OwnPriorities(const WorkloadParameters& workload) {
  const auto* list = std::get_if<ListArrivals>(&workload.arrivals);
  return workload.type == "hpcc" && list && !list->messages.empty() && list->messages.front().priority;
}

KindOf<Workload> ClassOfWorkload() {
  return {{"class", "", R"({"type": "string"})"},
          [](const Node& node, Workload& w, Reading& reading) {
            w.source.own_priority = true;
            w.parameters.priority = ParseClass(node, *reading.classes);
          },
          [](const Workload& w, const Writing& writing) {
            if (OwnPriorities(w.parameters) || !writing.classes) return std::string();
            return WriteTexts({(*writing.classes)[w.parameters.priority].name});
          }};
}

/// Never written: a scenario has only what is enabled.
KindOf<bool> Enabled() { return {Flag().shape, Flag().read, {}}; }

/// Of what a service carries.
KindOf<Workload> NoClass(bool of_disks) {
  return {{},
          [of_disks](const Node& node, Workload&, Reading&) {
            throw ScenarioError(
                node.where,
                fmt::format("the class of {} is their service's", of_disks ? "I/Os" : "operations on keys"),
                of_disks ? "services: [{front: {priority: …}}]" : "services: [{priority: …}]");
          },
          {}};
}

const KeysOf<WorkloadParameters>& PerPairKeys() {
  static const KeysOf<WorkloadParameters> keys({.name = "qps_per_pair", .page = kWorkloadPage},
                                               {{"per_pair",
                                                 &WorkloadParameters::qps_per_pair,
                                                 Integers(1, 65536),
                                                 "persistent queue pairs per pair of hosts",
                                                 {.required = true}}});
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
              throw ScenarioError(node.where, Quote(node.text) + " is not a way to use QPs",
                                  "allowed: per_message, {per_pair: n}");
          },
          [](const WorkloadParameters& w, const Writing& writing) {
            return w.qp_per_message ? "per_message" : PerPairKeys().Write(&w, writing);
          }};
}

bool OfIos(const std::string& type) { return type == "io" || type == "fio" || type == "trace"; }
bool OfKeys(const std::string& type) { return type == "kv" || type == "ycsb"; }
bool OfTransfers(const std::string& type) { return type == "transfers"; }
/// What carries it is its service's.
bool OfService(const std::string& type) { return OfIos(type) || OfKeys(type) || OfTransfers(type); }

/// A workload of the type before its keys are read.
void StartAs(const std::string& type, Workload& w, const NodeNames& names) {
  WorkloadParameters& p = w.parameters;
  p.type = type;
  p.qp_per_message = type == "hpcc";
  const std::vector<NodeId> all = names.AllHosts();
  w.source.from = w.source.to = {"*"};
  const auto between = [&](auto arrivals) {
    arrivals.from = arrivals.to = all;
    p.arrivals = std::move(arrivals);
  };
  if (type == "poisson") return between(PoissonArrivals{});
  if (type == "incast") return between(IncastArrivals{});
  if (type == "stream") return between(StreamArrivals{});
  if (type == "verbs") return between(PostingArrivals{});
  if (OfIos(type)) {
    p.arrivals = IoArrivals{};
    if (type == "trace") w.source.recorded.time_scale = 1;
    return;
  }
  if (OfKeys(type)) {
    p.arrivals = KeyValueArrivals{};
    return;
  }
  if (OfTransfers(type)) {
    p.arrivals = TransferArrivals{};
    return;
  }
  p.arrivals = ListArrivals{};
  if (type == "permutation") p.arrivals = PermutationArrivals{.size = {}, .hosts = all, .at = {}};
}

/// An entry, which of type fio is several workloads.
std::vector<Workload> ReadWorkload(const Node& node, Reading& reading) {
  Workload workload;
  workload.source.where = node.where;
  MapReader map(node, reading.errors);
  std::vector<std::string> names;
  for (const auto* type : WorkloadTypes()) names.push_back(type->section().type);
  size_t type = names.size();
  map.Read("type", [&](const Node& value) { type = ParseChoice(value, names); });
  if (type == names.size()) {
    for (const Key& key : CommonKeys("verbs")) {
      if (key.read) map.Read(key.name, [&](const Node& value) { key.read(value, &workload, reading); });
    }
    map.Need({"name", "type"});
    map.FinishMissing();
    return {workload};
  }
  StartAs(names[type], workload, *reading.names);
  // Flows of HPCC's files bring their own, I/Os have their service's.
  if (!node.Find("priority") && names[type] != "hpcc" && !OfService(names[type]))
    reading.errors.Guard([&] { workload.parameters.priority = DefaultClass(node.where, *reading.classes); });
  WorkloadTypes()[type]->Read(node, &workload, reading);
  if (names[type] == "fio" && !reading.errors.Any()) return JobsOf(node, workload, reading);
  return {workload};
}

}  // namespace

std::vector<KeyOf<Workload>> CommonKeys(const char* type) {
  using P = WorkloadParameters;
  const std::string text = type;
  const KindOf<Workload> kind{{"choice", text, fmt::format(R"({{"const": "{}"}})", text)},
                              {},
                              [text](const Workload&, const Writing&) { return text; }};
  std::vector<KeyOf<Workload>> keys{
      {"name", &Workload::parameters, &P::name, Name(), "of its results", {.required = true}},
      {"type", kind, "generators of messages and operations", {.required = true}},
      {"enabled",
       &Workload::source,
       &WorkloadSource::enabled,
       Enabled(),
       "false: the workload is checked, but does not run",
       {.standard = "true"}}};
  if (OfService(text)) {
    keys.push_back({"priority", NoClass(OfIos(text)), "", {.refused = true}});
    return keys;
  }
  keys.push_back({"verb", &Workload::parameters, &P::verb, Verb(),
                  "verb that carries the messages; the receiver posts a READ"});
  keys.push_back({"priority",
                  ClassOfWorkload(),
                  text == "hpcc" ? "a class for all flows" : "a class",
                  {.standard = text == "hpcc" ? "each flow's priority group"
                                              : "storage, else the only class that is not cnp"}});
  if (text == "verbs") return keys;  // whose processes have their own
  keys.push_back({"register", &Workload::parameters, &P::registers, Flag(),
                  "post a memory registration (FMR) before each message, which waits for it"});
  keys.push_back({"qp",
                  &Workload::parameters,
                  Qp(),
                  "persistent queue pairs, or a new one for each message",
                  {.standard = text == "hpcc" ? "per_message" : "{per_pair: 1}"}});
  return keys;
}

KindOf<Workload> HostsKind(std::vector<NodeId>& (*hosts)(Workload&),
                           std::vector<std::string> WorkloadSource::*texts) {
  return {{"hosts", "names and patterns", R"({"$ref": "#/definitions/hosts"})"},
          [=](const Node& node, Workload& w, Reading& reading) {
            w.source.*texts = ParseTexts(node);
            hosts(w) = reading.names->Hosts(node);
          },
          [=](const Workload& w, const Writing&) { return WriteTexts(w.source.*texts); }};
}

void CheckLoopback(const Position& where, NodeId host, const Reading& context) {
  if (host >= context.nics->size() || !(*context.nics)[host].resources.Ideal()) return;
  const std::string& name = context.topology->nodes[host].name;
  throw ScenarioError(where, fmt::format("\"{}\" sends to itself through a NIC without resources", name),
                      fmt::format("give it some: nics: [{{match: {}, resources: gen2}}]", name));
}

void CheckEnds(const Node& node, std::vector<NodeId>& from, const std::vector<NodeId>& to,
               const Reading& reading, bool loopback) {
  const Node* from_node = node.Find("from");
  if (from_node && from.size() == 1 && from == to) {
    if (loopback) {
      reading.errors.Guard([&] { CheckLoopback(from_node->where, from.front(), reading); });
      return;
    }
    reading.errors.Add(ScenarioError(from_node->where, "a host that sends to itself",
                                     "workloads of type stream and list may have that"));
  }
  if (to.size() == 1) std::erase(from, to.front());
}

void CheckStop(const Node& node, Time start, const std::optional<Time>& stop, const Reading& reading) {
  if (!stop || *stop > start) return;
  reading.errors.Add(
      ScenarioError(node.Find("stop")->where,
                    fmt::format("stop {} is not after start {}", FormatTime(*stop), FormatTime(start))));
}

const std::vector<const KeysOf<Workload>*>& WorkloadTypes() {
  static const std::vector<const KeysOf<Workload>*> types{
      &PoissonKeys(), &IncastKeys(),  &PermutationKeys(), &StreamKeys(), &ListKeys(),
      &HpccKeys(),    &PostingKeys(), &IoKeys(),          &FioKeys(),    &TraceKeys(),
      &KvKeys(),      &YcsbKeys(),    &TransferKeys()};
  return types;
}

KindOf<std::vector<Workload>> Workloads() {
  Shape shape{"list",
              "",
              R"({"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/workload"}})",
              {},
              "*"};
  shape.inside.assign(WorkloadTypes().begin(), WorkloadTypes().end());
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
            throw ScenarioError(node.Find("name")->where, fmt::format("a second workload \"{}\"", name));
        }
      });
      ++entry;
    }
    if (list.items.empty()) throw ScenarioError(list.where, "there is no workload");
    if (workloads.empty() && !reading.errors.Any())
      throw ScenarioError(list.where, "no workload is enabled",
                          "a run needs one: leave out enabled: false where it is to run");
  };
  const auto write = [](const std::vector<Workload>& workloads, Writing writing) {
    writing.indent = 4;
    std::string text;
    for (const Workload& w : workloads) {
      if (w.source.recorded.job > 0) continue;  // of an entry that is written
      for (const auto* type : WorkloadTypes())
        if (type->section().type == w.parameters.type)
          text += "\n  - " + type->WriteLines(&w, writing).substr(4);
      text.pop_back();
    }
    return text;
  };
  return {shape, read, write};
}

}  // namespace headroom::keys
