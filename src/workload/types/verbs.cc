// Type verbs: processes that post verbs as fast as their window and their processor permit.
#include <fmt/format.h>

#include <algorithm>

#include "protocol/posting/posting_loops.h"
#include "scenario/keys/workloads/workload_keys.h"
#include "workload/types/line_limits.h"
#include "workload/types/messages_between.h"

namespace headroom {

namespace {

const char* Datagrams(Transport transport) {
  return transport == Transport::uc ? "messages of uc" : "datagrams (ud)";
}

class PostingType final : public BetweenHosts<PostingType, PostingArrivals> {
 public:
  using BetweenHosts::BetweenHosts;

  std::unique_ptr<Generator> MakeGenerator(const WorkloadParameters& workload, uint32_t index,
                                           const GeneratorGround& ground) const override {
    return std::make_unique<PostingLoops>(a, workload, index, ground);
  }
  bool OnVerbs() const override { return true; }
  bool ActsPartByPart(const WorkloadParameters&) const override { return true; }

  Time NeededArrival() const override { return a.start; }
  std::vector<LoneMessage> LastAlone(const HostView& hosts) const override {
    return {Alone(hosts, a.message, a.start, a.from, a.to)};
  }

  std::vector<UnacknowledgedData> Unacknowledged(const WorkloadParameters& workload) const override {
    std::vector<UnacknowledgedData> all;
    if (workload.verb == Operation::read_request)
      all.push_back({"READ responses", a.from, workload.priority});
    if (a.transport != Transport::rc)
      all.push_back({Datagrams(a.transport), a.to, workload.priority, a.from});
    if (a.reply && a.reply->transport != Transport::rc)
      all.push_back({Datagrams(a.reply->transport), a.from, workload.priority, a.to});
    return all;
  }
  std::vector<SentByHost> ByHost(const Topology& topology, double messages) const override {
    std::vector<SentByHost> hosts = BetweenHosts::ByHost(topology, messages);
    for (SentByHost& host : hosts) host.peers *= static_cast<double>(a.processes_from) * a.processes_to;
    return hosts;
  }

  /// The number of messages that the processes, or the line, permit.
  double Expected(const Scenario& s) const override {
    const Time span = SpanOf(a.start, a.stop, s);
    const double line = LineBytes(a.from, span, s) / MeanBytes();
    return a.cpu.v > 0 ? std::min(line, From() * static_cast<double>(span.v / a.cpu.v + 1)) : line;
  }
  double MeanBytes() const override { return static_cast<double>(a.message.v); }
  Forecast Count(const WorkloadParameters& workload, const Scenario& s) const override {
    const bool reads = workload.verb == Operation::read_request;
    const double posters = reads ? To() : From(), answerers = reads ? From() : To();
    const double open = a.window * (a.random ? posters : From() * To());
    const Time span = SpanOf(a.start, a.stop, s);
    // A datagram is complete when it has left, whatever becomes of it.
    const bool answered = a.transport == Transport::rc;
    double most = open + (answered ? ThroughLines(a.from, a.to, MeanBytes(), span, s)
                                   : LineBytes(a.from, span, s) / MeanBytes());
    if (a.cpu.v > 0) {
      const auto each = static_cast<double>(span.v / a.cpu.v + 1);
      most = std::min(most, posters * each);
      if (a.reply) most = std::min(most, open + answerers * each);
    }
    return {answered ? std::min(most, ThroughRoundTrips(open, 1, span, s)) : most, most};
  }
  std::optional<QueuePairMemory> QueuePairs(const WorkloadParameters& workload,
                                            const Forecast& count) const override {
    return QueuePairMemory{fmt::format(", one for each of {} times {} processes",
                                       a.from.size() * static_cast<size_t>(a.processes_from),
                                       a.to.size() * static_cast<size_t>(a.processes_to)),
                           "give fewer processes, or a smaller window",
                           PostingLoops::FootprintOf(a, workload.verb, count)};
  }

 private:
  double From() const { return static_cast<double>(a.from.size()) * a.processes_from; }
  double To() const { return static_cast<double>(a.to.size()) * a.processes_to; }
};

}  // namespace

std::unique_ptr<Arrivals> ArrivalsFrom(PostingArrivals a) {
  return std::make_unique<PostingType>(std::move(a));
}

}  // namespace headroom

namespace headroom::keys {

namespace {

constexpr Bytes kMostInline{256};
constexpr int64_t kMostPosted = 1 << 16;
constexpr const char* kPostingPage = "models/workloads.md";

KindOf<Transport> TransportOfPosting() {
  return OneOf<Transport>({{"rc", Transport::rc}, {"uc", Transport::uc}, {"ud", Transport::ud}});
}

/// Errors that verbs would report anyway, here with a position in the file.
void CheckPosting(const Position& where, Operation verb, Transport transport, bool inlined, Bytes message,
                  int64_t mtu) {
  if (transport == Transport::ud && verb != Operation::send)
    throw ScenarioError(where, "datagrams (ud) carry only SENDs", "verb: send");
  if (transport == Transport::uc && verb == Operation::read_request)
    throw ScenarioError(where, "unreliable connections (uc) have no READs", "transport: rc");
  if (transport == Transport::ud && message.v > mtu)
    throw ScenarioError(where,
                        fmt::format("a datagram of {} does not fit into one packet", FormatSize(message)));
  if (inlined && (verb == Operation::read_request || message > kMostInline))
    throw ScenarioError(where, "inline data need a WRITE or SEND of at most 256 B", "inline: false");
}

const KeysOf<PostingArrivals>& ProcessKeys() {
  using A = PostingArrivals;
  static const KeysOf<A> keys({.name = "processes", .page = kPostingPage},
                              {{"from",
                                &A::processes_from,
                                Integers(1, kMostPosted),
                                "number of processes at each host of from",
                                {.cost = Cost::fixed}},
                               {"to",
                                &A::processes_to,
                                Integers(1, kMostPosted),
                                "number of processes at each host of to",
                                {.tried = {"*4"}, .cost = Cost::reconfiguration}}});
  return keys;
}

const KeysOf<PostingArrivals::Reply>& ReplyKeys() {
  using Reply = PostingArrivals::Reply;
  static const KeysOf<Reply> keys(
      {.name = "reply", .page = kPostingPage},
      {{"verb", &Reply::verb, OneOf<Operation>({{"write", Operation::write}, {"send", Operation::send}}),
        "transport of the answer"},
       {"transport",
        &Reply::transport,
        TransportOfPosting(),
        "reliable, unreliable, datagrams",
        {.standard = "the workload's"}},
       {"inline", &Reply::inlined, Flag(), "whether the work request contains the payload"},
       {"signal_every", &Reply::signal_every, Integers(1, kMostPosted),
        "n, if every n-th work request is signalled"}});
  return keys;
}

/// REQUIRES: the transport is known, if it is given.
KindOf<PostingArrivals> Reply() {
  return {ReplyKeys().shape(),
          [](const Node& node, PostingArrivals& a, Reading& reading) {
            a.reply.emplace().transport = a.transport;
            ReplyKeys().Read(node, &*a.reply, reading);
          },
          [](const PostingArrivals& a, const Writing& writing) {
            return a.reply ? ReplyKeys().Write(&*a.reply, writing) : "";
          }};
}

void CheckPostingLoop(const Node& node, Workload& w, Reading& reading) {
  auto& a = DataOf<PostingArrivals>(w);
  const Operation verb = w.parameters.verb;
  if (a.stop && *a.stop <= a.start)
    reading.errors.Add(ScenarioError(node.Find("stop")->where, "stop is not after start"));
  if (const Node* reply = a.reply ? node.Find("reply") : nullptr) {
    reading.errors.Guard([&] {
      CheckPosting(reply->where, a.reply->verb, a.reply->transport, a.reply->inlined, a.message, reading.mtu);
      if (verb == Operation::read_request)
        throw ScenarioError(reply->where, "answer is given, but a READ is answered by the NIC");
    });
  }
  const Position where = node.where;
  if (verb != Operation::write && verb != Operation::send && verb != Operation::read_request)
    reading.errors.Add(ScenarioError(where, fmt::format("workloads of type verbs have no {}", VerbName(verb)),
                                     "allowed: write, send, read"));
  reading.errors.Guard([&] { CheckPosting(where, verb, a.transport, a.inlined, a.message, reading.mtu); });
  if (a.signal_every > a.window)
    reading.errors.Add(ScenarioError(
        where, fmt::format("window {} is full before the first signalled request (signal_every {})", a.window,
                           a.signal_every)));
  if (a.random && a.signal_every > 1 && !a.reply)
    reading.errors.Add(ScenarioError(where,
                                     "next: random is given with signal_every above 1, so a "
                                     "random target could wait for signalled requests of other "
                                     "targets",
                                     "give signal_every: 1, or next: another value"));
  CheckEnds(node, a.from, a.to, reading);
}

const KeysOf<Workload>& PostingKeys() {
  using A = PostingArrivals;
  static const KeysOf<Workload> keys = TypeKeys<PostingType>(
      "verbs", "processes that post verbs as fast as processor and window allow, with or without answers",
      {Of("transport", &A::transport, TransportOfPosting(), "reliable, unreliable, datagrams"),
       Of("message", &A::message, Sizes(Bytes(1), Bytes(int64_t{1} << 30)), "size of each message",
          {.required = true}),
       Of("inline", &A::inlined, Flag(), "whether the work request contains the payload"),
       Of("signal_every", &A::signal_every, Integers(1, kMostPosted),
          "every n-th work request of a queue pair is signalled", {.cost = Cost::setting}),
       Of("window", &A::window, Integers(1, kMostPosted), "maximum open messages of a queue pair",
          {.cost = Cost::diagnosis}),
       OfAll<A>("processes", Mapping(ProcessKeys()), "number of processes at each host"),
       Of("next", &A::random, OneOf<bool>({{"turns", false}, {"random", true}}),
          "target of a process's next message"),
       Of("cpu", &A::cpu, Times(Time(0), Seconds(1)), "time that a process takes per work request",
          {.tried = {"0ns"}, .cost = Cost::diagnosis}),
       Of("start", &A::start, Times(), "time of the first message"),
       Of("stop", &A::stop, Maybe(Times(Time(1))), "time at which messages stop starting",
          {.standard = "the duration"}),
       OfAll<A>("reply", Reply(),
                "whether the process at the other end answers each message with a "
                "message of the same size",
                {.standard = "none"})},
      Ends::both_needed, CheckPostingLoop);
  return keys;
}

const RegisteredType kVerbsType({.place = 7, .keys = PostingKeys});

}  // namespace

}  // namespace headroom::keys
