// Types list and hpcc: individual messages, listed in a scenario or in a flow file of the HPCC simulator.
#include "workload/types/list.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "scenario/hpcc/hpcc_files.h"
#include "scenario/hpcc/hpcc_paths.h"
#include "scenario/keys/network/class_keys.h"
#include "scenario/keys/workloads/workload_keys.h"
#include "scenario/names.h"
#include "scenario/referenced_files.h"
#include "sim/random.h"
#include "workload/distributions/distributions.h"
#include "workload/generator.h"
#include "workload/parameters.h"
#include "workload/types/listed_messages.h"

namespace headroom {

namespace {

void SortByTime(std::vector<ListedMessage>& messages) {
  std::ranges::stable_sort(messages, {}, &ListedMessage::at);
}

template <class Self>
class MessageList : public ArrivalsOf<Self, ListArrivals, ListedMessages> {
 public:
  using ArrivalsOf<Self, ListArrivals, ListedMessages>::ArrivalsOf;

  std::optional<Time> LastArrival() const override {
    return this->a.messages.empty() ? Time(0) : this->a.messages.back().at + this->a.jitter;
  }
  std::vector<LoneMessage> LastAlone(const HostView& hosts) const override {
    std::vector<LoneMessage> all;
    for (const ListedMessage& m : this->a.messages) {
      if (m.from != m.to)
        all.push_back(
            {m.size, m.at + this->a.jitter, std::min(hosts.PortRate(m.from), hosts.PortRate(m.to))});
    }
    return all;
  }

  void CheckTargets(const TargetCheck& check) const override {
    for (const ListedMessage& m : this->a.messages) check.Paths({m.from}, {m.to});
  }
  std::vector<UnacknowledgedData> Unacknowledged(const WorkloadParameters& workload) const override {
    if (workload.verb != Operation::read_request) return {};
    UnacknowledgedData data{"READ responses", {}, workload.priority};
    for (const ListedMessage& m : this->a.messages) data.at.push_back(m.to);
    return {data};
  }
  std::vector<SentByHost> ByHost(const Topology& topology, double) const override {
    std::vector<SentByHost> hosts(topology.hosts);
    std::set<std::tuple<NodeId, NodeId, std::optional<uint8_t>>> seen;
    for (const ListedMessage& m : this->a.messages) {
      ++hosts[m.from].messages;
      hosts[m.from].peers += seen.insert({m.from, m.to, m.priority}).second;
    }
    return hosts;
  }
  std::optional<std::vector<ListedMessage>> Listed(const WorkloadParameters&) const override {
    return this->a.messages;
  }
  bool StaysAtHome() const override {
    return std::ranges::all_of(this->a.messages, [](const auto& m) { return m.from == m.to; });
  }
  bool SendsIn(uint8_t priority, const WorkloadParameters& workload) const override {
    return std::ranges::any_of(
        this->a.messages, [&](const auto& m) { return m.priority.value_or(workload.priority) == priority; });
  }

  double Expected(const Scenario&) const override { return static_cast<double>(this->a.messages.size()); }
  double MeanBytes() const override {
    double sum = 0;
    for (const ListedMessage& m : this->a.messages) sum += static_cast<double>(m.size.v);
    return this->a.messages.empty() ? 0 : sum / static_cast<double>(this->a.messages.size());
  }
  double MeanPieces(double step) const override {
    double sum = 0;
    for (const ListedMessage& m : this->a.messages) sum += Pieces(static_cast<double>(m.size.v), step);
    return sum / std::max<double>(1, static_cast<double>(this->a.messages.size()));
  }
};

class ListType final : public MessageList<ListType> {
 public:
  using MessageList::MessageList;
  /// All listed messages must arrive.
  Time NeededArrival() const override { return *LastArrival(); }
};

class HpccType final : public MessageList<HpccType> {
 public:
  bool ChoosesPaths() const override {
    return std::ranges::any_of(a.messages, [](const ListedMessage& m) { return m.source_port.has_value(); });
  }
  Time NeededArrival() const override { return a.messages.empty() ? Time(0) : a.messages.front().at; }
  std::unique_ptr<Generator> MakeGenerator(const WorkloadParameters& workload, uint32_t index,
                                           const GeneratorGround& ground) const override {
    std::vector<ListedMessage> messages = a.messages;
    RandomStream delays(workload.name + "/jitter");
    for (ListedMessage& m : messages)
      if (a.jitter.v > 0)
        m.at += Nanoseconds(static_cast<int64_t>(delays.Below(static_cast<uint64_t>(a.jitter.v / 1000 + 1))));
    SortByTime(messages);
    return GeneratorOf(std::move(messages), workload, index, ground);
  }
};

}  // namespace

std::unique_ptr<Arrivals> ArrivalsFrom(ListArrivals a) { return std::make_unique<ListType>(std::move(a)); }

}  // namespace headroom

namespace headroom::keys {

namespace {

KindOf<NodeId> Host() {
  return {{"host", "", R"({"$ref": "#/definitions/host_or_nic"})"},
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

const KeysOf<ListedMessage>& ListedMessageKeys() {
  using Message = ListedMessage;
  static const KeysOf<Message> keys(
      {.name = "message", .page = kWorkloadPage},
      {{"at", &Message::at, Times(), "start time"},
       {"from", &Message::from, Host(), "a host", {.required = true}},
       {"to",
        &Message::to,
        Host(),
        "receiving host; may be the sender if its NIC has resources",
        {.required = true}},
       {"size", &Message::size, Sizes(Bytes(1)), "payload", {.required = true}},
       {"priority", &Message::priority, ClassOfMessage(), "a class", {.standard = "the workload's"}}},
      [](const Node& node, Message& m, Reading& reading) {
        if (m.from == m.to && node.Find("from") && node.Find("to"))
          reading.errors.Guard([&] { CheckLoopback(node.Find("to")->where, m.from, reading); });
      });
  return keys;
}

KindOf<ListArrivals> Messages() {
  return {ShapeOfList(ListedMessageKeys().shape(), 1),
          [](const Node& node, ListArrivals& a, Reading& reading) {
            for (const Node& item : ParseList(node))
              ListedMessageKeys().Read(item, &a.messages.emplace_back(), reading);
            if (a.messages.empty()) throw ScenarioError(node.where, "the list is empty");
            SortByTime(a.messages);
            a.of_nics = reading.names->met().nics;
          },
          [](const ListArrivals& a, Writing writing) {
            std::string text;
            Topology hosts;
            if (writing.topology && writing.topology->HasSeveralNics() && !a.of_nics) {
              hosts.nodes = writing.topology->nodes;
              for (TopologyNode& node : hosts.nodes) node.name = HostName(node.name);
              writing.topology = &hosts;
            }
            for (const ListedMessage& m : a.messages)
              text +=
                  "\n" + std::string(writing.indent + 2, ' ') + "- " + ListedMessageKeys().Write(&m, writing);
            return text;
          }};
}

void ReadHpccFlowFile(const Node& node, Workload& workload, Reading& reading) {
  ListArrivals& arrivals = DataOf<ListArrivals>(workload);
  workload.source.file = ParsePath(node);
  HpccPaths paths(*reading.topology);
  const SimaiEnds gpus(*reading.topology);
  std::map<std::pair<NodeId, NodeId>, uint16_t> ports;  // counts the flows of each pair
  for (const HpccFlow& flow : ReadHpccFlows(workload.source.file, node.where)) {
    const auto host = [&](const std::string& name) {
      Node word;
      word.kind = Node::Kind::scalar;
      word.text = gpus.SameServer(flow.src, flow.dst) ? name + "/gpu" : name;
      word.where = flow.where;
      return reading.names->Host(word);
    };
    ListedMessage message;
    message.at = flow.start;
    message.from = host(flow.src);
    message.to = host(flow.dst);
    message.size = flow.size;
    if (message.from == message.to) CheckLoopback(flow.where, message.from, reading);
    constexpr uint16_t kFirstPort = 10'000;
    const auto port = static_cast<uint16_t>(kFirstPort + ports[{message.from, message.to}]++);
    if (message.from != message.to)
      message.source_port = paths.SourcePortFor(message.from, message.to, port, flow.dst_port);
    if (!workload.source.own_priority) {
      message.priority = static_cast<uint8_t>(flow.priority);
      if ((*reading.classes)[message.priority.value()].name.empty())
        throw ScenarioError(flow.where, fmt::format("no traffic class has priority {}", flow.priority));
      if (arrivals.messages.empty()) workload.parameters.priority = *message.priority;
    }
    arrivals.messages.push_back(message);
  }
  SortByTime(arrivals.messages);
}

const KeysOf<Workload>& ListKeys() {
  using A = ListArrivals;
  static const KeysOf<Workload> keys =
      TypeKeys<ListType>("list", "single messages with given times",
                         {OfAll<A>("messages", Messages(), "list of the messages", {.required = true})});
  return keys;
}

/// Flows have their own classes, unless the workload states one for all; it is written only then.
const KeysOf<Workload>& HpccKeys() {
  const KindOf<Workload> file{
      {"file", "", R"({"type": "string"})"}, ReadHpccFlowFile, [](const Workload& w, const Writing& writing) {
        return WriteTexts({writing.files->Add(w.source.file)});
      }};
  static const KeysOf<Workload> keys(
      {.name = "workload_hpcc",
       .page = kWorkloadPage,
       .help = "an HPCC simulator's flow file",
       .type = "hpcc",
       .not_yet = {"protocol", "transport"}},
      [&] {
        std::vector<KeyOf<Workload>> all =
            MessageKeys("hpcc", false,
                        {"class of all flows", "the priority group of each flow in the file", "per_message"});
        const auto priority = std::ranges::find(all, "priority", &Key::name);
        priority->write = [write = priority->write](const void* workload, const Writing& writing) {
          const auto& list = DataOf<ListArrivals>(*static_cast<const Workload*>(workload));
          const bool own = !list.messages.empty() && list.messages.front().priority;
          return own ? std::string() : write(workload, writing);
        };
        all.push_back({"file", file, "path of the flow file, relative to the scenario", {.required = true}});
        using Paths = ListArrivals::Paths;
        all.push_back(Of("paths", &ListArrivals::paths,
                         OneOf<Paths>({{"simulator", Paths::simulator}, {"hash", Paths::hash}}),
                         "simulator: each flow and its ACKs take the paths that they take in the HPCC "
                         "simulator"));
        all.push_back(Of("jitter", &ListArrivals::jitter, Times(Time(0), Seconds(1)),
                         "maximum random delay of each flow's start, in whole nanoseconds"));
        return all;
      }(),
      [](const Node&, Workload& w, Reading&) {
        auto& arrivals = DataOf<ListArrivals>(w);
        if (arrivals.paths == ListArrivals::Paths::simulator) return;
        for (ListedMessage& m : arrivals.messages) m.source_port.reset();
      },
      [] {
        Workload w = StartingWith<HpccType>();
        w.parameters.qp_per_message = true;
        return w;
      });
  return keys;
}

const RegisteredType kList({.place = 5, .keys = ListKeys});
const RegisteredType kHpcc({.place = 6, .keys = HpccKeys, .own_classes = true});

}  // namespace

}  // namespace headroom::keys
