#include "scenario/keys/sections/workload_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "nic/parameters.h"
#include "scenario/hpcc_files.h"
#include "scenario/keys/sections/class_keys.h"
#include "scenario/keys/sections/io_keys.h"
#include "scenario/names.h"
#include "scenario/referenced_files.h"
#include "scenario/yaml/nearest.h"
#include "workload/distributions.h"

namespace headroom::keys {

namespace {

constexpr const char* kWorkloadPage = "models/workloads.md";

/// Traffic of a host to itself shares what its NIC has: throws where that is nothing.
void CheckLoopback(const Position& where, NodeId host, const Reading& context) {
  if (host >= context.nics->size() || !(*context.nics)[host].resources.Ideal()) return;
  const std::string& name = context.topology->nodes[host].name;
  throw ScenarioError(where, fmt::format("\"{}\" sends to itself through a NIC without resources", name),
                      fmt::format("give it some: nics: [{{match: {}, resources: gen2}}]", name));
}

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
                                                 "queue pairs that stay",
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

KeyOf<Workload> ScopeOf(Scope& (*scope)(Workload&)) {
  return {"scope", scope,
          OneOf<Scope>({{"rack", Scope::rack},
                        {"cluster", Scope::cluster},
                        {"datacenter", Scope::datacenter},
                        {"region", Scope::region}}),
          "how far targets may lie"};
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

KindOf<Workload> SizesOfMessages() {
  return {{"text", "a distribution (" + Join(DistributionNames()) + "), the path of a file, or a size",
           R"({"type": "string"})"},
          [](const Node& node, Workload& w, Reading&) {
            ReadSizes(node, ArrivalsOf<PoissonArrivals>(w), w.source);
          },
          [](const Workload& w, const Writing& writing) {
            const auto& a = std::get<PoissonArrivals>(w.parameters.arrivals);
            if (!a.sizes) return FormatSize(a.size);
            return WriteTexts({w.source.file.empty() ? a.sizes->name : writing.files->Add(w.source.file)});
          }};
}

const KeysOf<Workload>& PoissonKeys() {
  using A = PoissonArrivals;
  static const KeysOf<Workload> keys = TypeKeys<A>(
      "poisson",
      "every sender by itself: exponential gaps, sizes drawn, target drawn evenly within the scope",
      {{"sizes", SizesOfMessages(), "of messages", {.required = true}},
       Of("load", &A::load, Fractions(1.5), "payload bytes offered per sender over its line rate",
          {.required = true}),
       ScopeOf([](Workload& w) -> Scope& { return ArrivalsOf<A>(w).scope; })},
      Ends::optional, [](const Node& node, Workload& w, Reading& reading) {
        auto& a = ArrivalsOf<A>(w);
        CheckEnds(node, a.from, a.to, reading);
      });
  return keys;
}

const KeysOf<IncastArrivals>& RepeatOfIncastKeys() {
  using A = IncastArrivals;
  static const KeysOf<A> keys(
      {.name = "incast_repeat", .page = kWorkloadPage},
      {{"every", &A::every, Times(Nanoseconds(1)), "from burst to burst", {.required = true}},
       {"count", &A::count, Integers(1, 1'000'000'000), "bursts in all", {.required = true}}});
  return keys;
}

KindOf<IncastArrivals> RepeatOfIncast() {
  KindOf<IncastArrivals> kind = Mapping(RepeatOfIncastKeys());
  kind.write = [write = kind.write](const IncastArrivals& a, const Writing& writing) {
    return a.every.v > 0 ? write(a, writing) : "";
  };
  return kind;
}

/// REQUIRES: the senders are known.
void CheckFanIn(const Node& node, const IncastArrivals& a, const Reading& reading) {
  const Node* fan_in = node.Find("fan_in");
  if (!fan_in || a.fan_in <= static_cast<int64_t>(a.from.size())) return;
  const uint32_t hosts = reading.topology->hosts;
  throw ScenarioError(
      fan_in->where, fmt::format("fan_in {} with {} senders", a.fan_in, a.from.size()),
      fmt::format("allowed: 1 to {}, or all; for more {}", a.from.size(),
                  a.from.size() + 1 < hosts ? fmt::format("widen from: the topology has {} hosts", hosts)
                                            : "give the topology more hosts: each sends once"));
}

const KeysOf<Workload>& IncastKeys() {
  using A = IncastArrivals;
  static const KeysOf<Workload> keys = TypeKeys<A>(
      "incast", "fan_in senders each send size to one target at the same moment, and again",
      {Of("size", &A::size, Sizes(Bytes(1)), "of each message", {.required = true}),
       Of("fan_in", &A::fan_in, OrWord("all", 0, KindOf<int>(Integers(1, 1'000'000'000))), "senders a burst"),
       ScopeOf([](Workload& w) -> Scope& { return ArrivalsOf<A>(w).scope; }),
       Of("at", &A::at, Times(), "the first burst"),
       {"repeat", ArrivalsOf<A>, RepeatOfIncast(), "bursts come again", {.standard = "once"}}},
      Ends::to_needed, [](const Node& node, Workload& w, Reading& reading) {
        auto& a = ArrivalsOf<A>(w);
        CheckEnds(node, a.from, a.to, reading);
        CheckFanIn(node, a, reading);
      });
  return keys;
}

const KeysOf<Workload>& PermutationKeys() {
  using A = PermutationArrivals;
  const auto hosts = [](Workload& w) -> std::vector<NodeId>& { return ArrivalsOf<A>(w).hosts; };
  static const KeysOf<Workload> keys = TypeKeys<A>(
      "permutation", "every host sends to another, nobody receives from two: one cycle, drawn",
      {Of("size", &A::size, Sizes(Bytes(1)), "of each message", {.required = true}),
       Of("at", &A::at, Times(), "when all begin"),
       {"hosts", HostsKind(hosts, &WorkloadSource::from), "who takes part", {.standard = "\"*\""}}},
      Ends::none, [](const Node& node, Workload& w, Reading& reading) {
        if (ArrivalsOf<A>(w).hosts.size() < 2)
          reading.errors.Add(ScenarioError(node.where, "a permutation of fewer than two hosts"));
      });
  return keys;
}

const KeysOf<Workload>& StreamKeys() {
  using A = StreamArrivals;
  static const KeysOf<Workload> keys =
      TypeKeys<A>("stream", "every sender keeps in_flight messages outstanding to every target",
                  {Of("message", &A::message, Sizes(Bytes(1)), "size of each message", {.required = true}),
                   Of("in_flight", &A::in_flight, Integers(1, 1'000'000), "messages outstanding per pair"),
                   Of("start", &A::start, Times(), "of the first message"),
                   Of("stop", &A::stop, Maybe(Times(Time(1))), "no message starts from here on",
                      {.standard = "the duration"})},
                  Ends::both_needed, [](const Node& node, Workload& w, Reading& reading) {
                    auto& a = ArrivalsOf<A>(w);
                    CheckStop(node, a.start, a.stop, reading);
                    CheckEnds(node, a.from, a.to, reading, true);
                  });
  return keys;
}

KindOf<NodeId> Host() {
  return {{"host", "", R"({"$ref": "#/definitions/name"})"},
          [](const Node& node, NodeId& host, Reading& reading) { host = reading.names->Host(node); },
          [](const NodeId& host, const Writing& writing) {
            return writing.topology ? WriteTexts({writing.topology->nodes[host].name}) : "";
          }};
}

KindOf<std::optional<uint8_t>> ClassOfMessage() {
  return {{"class", "", R"({"type": "string"})"},
          [](const Node& node, std::optional<uint8_t>& priority, Reading& reading) {
            priority = ParseClass(node, *reading.classes);
          },
          [](const std::optional<uint8_t>& priority, const Writing& writing) {
            return priority ? WriteTexts({(*writing.classes)[*priority].name}) : "";
          }};
}

const KeysOf<ListArrivals::Message>& MessageKeys() {
  using Message = ListArrivals::Message;
  static const KeysOf<Message> keys(
      {.name = "message", .page = kWorkloadPage},
      {{"at", &Message::at, Times(), "when it starts"},
       {"from", &Message::from, Host(), "a host", {.required = true}},
       {"to", &Message::to, Host(), "a host; the same one where its NIC has resources", {.required = true}},
       {"size", &Message::size, Sizes(Bytes(1)), "payload", {.required = true}},
       {"priority", &Message::priority, ClassOfMessage(), "a class", {.standard = "the workload's"}}},
      [](const Node& node, Message& m, Reading& reading) {
        if (m.from == m.to && node.Find("from") && node.Find("to"))
          reading.errors.Guard([&] { CheckLoopback(node.Find("to")->where, m.from, reading); });
      });
  return keys;
}

void SortByTime(ListArrivals& a) { std::ranges::stable_sort(a.messages, {}, &ListArrivals::Message::at); }

KindOf<ListArrivals> Messages() {
  return {ShapeOfList(MessageKeys().shape(), 1),
          [](const Node& node, ListArrivals& a, Reading& reading) {
            for (const Node& item : ParseList(node))
              MessageKeys().Read(item, &a.messages.emplace_back(), reading);
            if (a.messages.empty()) throw ScenarioError(node.where, "the list is empty");
            SortByTime(a);
          },
          [](const ListArrivals& a, const Writing& writing) {
            std::string text;
            for (const ListArrivals::Message& m : a.messages)
              text += "\n" + std::string(writing.indent + 2, ' ') + "- " + MessageKeys().Write(&m, writing);
            return text;
          }};
}

const KeysOf<Workload>& ListKeys() {
  using A = ListArrivals;
  static const KeysOf<Workload> keys =
      TypeKeys<A>("list", "messages one by one",
                  {{"messages", ArrivalsOf<A>, Messages(), "each by itself", {.required = true}}});
  return keys;
}

void ReadHpccFlowFile(const Node& node, Workload& workload, Reading& reading) {
  ListArrivals& arrivals = ArrivalsOf<ListArrivals>(workload);
  workload.source.file = ParsePath(node);
  for (const HpccFlow& flow : ReadHpccFlows(workload.source.file, node.where)) {
    const auto host = [&](const std::string& name) {
      Node word;
      word.kind = Node::Kind::scalar;
      word.text = name;
      word.where = flow.where;
      return reading.names->Host(word);
    };
    ListArrivals::Message message;
    message.at = flow.start;
    message.from = host(flow.src);
    message.to = host(flow.dst);
    message.size = flow.size;
    if (message.from == message.to) CheckLoopback(flow.where, message.from, reading);
    if (!workload.source.own_priority) {
      message.priority = static_cast<uint8_t>(flow.priority);
      if ((*reading.classes)[message.priority.value()].name.empty())
        throw ScenarioError(flow.where, fmt::format("no traffic class has priority {}", flow.priority));
      if (arrivals.messages.empty()) workload.parameters.priority = *message.priority;
    }
    arrivals.messages.push_back(message);
  }
  SortByTime(arrivals);
}

const KeysOf<Workload>& HpccKeys() {
  const auto write = [](const Workload& w, const Writing& writing) {
    return WriteTexts({writing.files->Add(w.source.file)});
  };
  const KindOf<Workload> file{{"file", "", R"({"type": "string"})"}, ReadHpccFlowFile, write};
  static const KeysOf<Workload> keys =
      TypeKeys<ListArrivals>("hpcc", "an HPCC simulator's flow file",
                             {{"file", file, "relative to the scenario", {.required = true}}});
  return keys;
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
      {"type", kind, "what arrives when", {.required = true}}};
  if (OfService(text)) {
    keys.push_back({"priority", NoClass(OfIos(text)), "", {.refused = true}});
    return keys;
  }
  keys.push_back({"verb", &Workload::parameters, &P::verb, Verb(),
                  "what carries the messages; a READ is posted by the receiver"});
  keys.push_back({"priority",
                  ClassOfWorkload(),
                  text == "hpcc" ? "a class for all flows" : "a class",
                  {.standard = text == "hpcc" ? "each flow's priority group"
                                              : "storage, else the only class that is not cnp"}});
  if (text == "verbs") return keys;  // whose processes have their own
  keys.push_back({"register", &Workload::parameters, &P::registers, Flag(),
                  "a memory registration (FMR) is posted ahead of each message, which waits for it"});
  keys.push_back({"qp",
                  &Workload::parameters,
                  Qp(),
                  "queue pairs that stay, or a new one for each message",
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
          workloads.push_back(std::move(workload));
          const std::string& name = workloads.back().parameters.name;
          if (!name.empty() && !names.insert(name).second)
            throw ScenarioError(node.Find("name")->where, fmt::format("a second workload \"{}\"", name));
        }
      });
      ++entry;
    }
    if (list.items.empty()) throw ScenarioError(list.where, "there is no workload");
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
