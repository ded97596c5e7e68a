#include "scenario/keys/workloads/message_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/hpcc_files.h"
#include "scenario/keys/network/class_keys.h"
#include "scenario/names.h"
#include "scenario/referenced_files.h"
#include "scenario/size_files.h"
#include "scenario/yaml/nearest.h"
#include "workload/distributions.h"

namespace headroom::keys {

namespace {

KeyOf<Workload> ScopeOf(Scope& (*scope)(Workload&)) {
  return {"scope", scope,
          OneOf<Scope>({{"rack", Scope::rack},
                        {"cluster", Scope::cluster},
                        {"datacenter", Scope::datacenter},
                        {"region", Scope::region}}),
          "maximum distance of targets"};
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
  arrivals.sizes = ReadSizeFile(source.file, node.where);
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

const KeysOf<IncastArrivals>& RepeatOfIncastKeys() {
  using A = IncastArrivals;
  static const KeysOf<A> keys(
      {.name = "incast_repeat", .page = kWorkloadPage},
      {{"every", &A::every, Times(Nanoseconds(1)), "time between bursts", {.required = true}},
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
      {{"at", &Message::at, Times(), "start time"},
       {"from", &Message::from, Host(), "a host", {.required = true}},
       {"to", &Message::to, Host(), "a host; may be the sender if its NIC has resources", {.required = true}},
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

}  // namespace

const KeysOf<Workload>& PoissonKeys() {
  using A = PoissonArrivals;
  static const KeysOf<Workload> keys = TypeKeys<A>(
      "poisson",
      "every sender by itself: exponential gaps, sizes drawn, target drawn evenly within the scope",
      {{"sizes", SizesOfMessages(), "of messages", {.required = true}},
       Of("load", &A::load, Fractions(1.5), "offered payload per sender, as a share of its line rate",
          {.required = true}),
       ScopeOf([](Workload& w) -> Scope& { return ArrivalsOf<A>(w).scope; })},
      Ends::optional, [](const Node& node, Workload& w, Reading& reading) {
        auto& a = ArrivalsOf<A>(w);
        CheckEnds(node, a.from, a.to, reading);
      });
  return keys;
}

const KeysOf<Workload>& IncastKeys() {
  using A = IncastArrivals;
  static const KeysOf<Workload> keys = TypeKeys<A>(
      "incast", "fan_in senders each send size to one target at the same moment, and again",
      {Of("size", &A::size, Sizes(Bytes(1)), "of each message", {.required = true}),
       Of("fan_in", &A::fan_in, OrWord("all", 0, KindOf<int>(Integers(1, 1'000'000'000))), "senders a burst"),
       ScopeOf([](Workload& w) -> Scope& { return ArrivalsOf<A>(w).scope; }),
       Of("at", &A::at, Times(), "the first burst"),
       {"repeat", ArrivalsOf<A>, RepeatOfIncast(), "repetition of bursts", {.standard = "once"}}},
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
       Of("at", &A::at, Times(), "start of all"),
       {"hosts", HostsKind(hosts, &WorkloadSource::from), "participating hosts", {.standard = "\"*\""}}},
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
                   Of("stop", &A::stop, Maybe(Times(Time(1))), "no message starts at or after this",
                      {.standard = "the duration"})},
                  Ends::both_needed, [](const Node& node, Workload& w, Reading& reading) {
                    auto& a = ArrivalsOf<A>(w);
                    CheckStop(node, a.start, a.stop, reading);
                    CheckEnds(node, a.from, a.to, reading, true);
                  });
  return keys;
}

const KeysOf<Workload>& ListKeys() {
  using A = ListArrivals;
  static const KeysOf<Workload> keys =
      TypeKeys<A>("list", "messages one by one",
                  {{"messages", ArrivalsOf<A>, Messages(), "list of single messages", {.required = true}}});
  return keys;
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

}  // namespace headroom::keys
