// The keys of a workload of type verbs: processes that post as fast as they can.
#include <fmt/format.h>

#include <optional>

#include "scenario/read_workloads.h"

namespace headroom {
namespace {

constexpr Bytes kMostInline{256};

void ReadTransport(MapReader& map, Transport& transport) {
  map.Choice<Transport>("transport", transport,
                        {{"rc", Transport::rc}, {"uc", Transport::uc}, {"ud", Transport::ud}});
}

/// What verbs would refuse anyway, said here with its place.
void CheckPosting(const Position& where, Operation verb, Transport transport, bool inlined, Bytes message,
                  int64_t mtu) {
  if (transport == Transport::ud && verb != Operation::send)
    throw ScenarioError(where, "datagrams (ud) carry SENDs alone", "verb: send");
  if (transport == Transport::uc && verb == Operation::read_request)
    throw ScenarioError(where, "an unreliable connection (uc) has no READs", "transport: rc");
  if (transport == Transport::ud && message.v > mtu)
    throw ScenarioError(where, fmt::format("a datagram of {} is more than one packet", FormatSize(message)));
  if (inlined && (verb == Operation::read_request || message > kMostInline))
    throw ScenarioError(where, "inline data are at most 256 B, of a WRITE or SEND", "inline: false");
}

}  // namespace

void ReadPosting(MapReader& map, const WorkloadContext& context, Workload& workload) {
  PostingArrivals a;
  constexpr int64_t kMost = 1 << 16;
  const Operation verb = workload.parameters.verb;
  map.Need({"from", "to", "message"});
  map.Field("message", a.message, Bytes(1), Bytes(int64_t{1} << 30));
  ReadTransport(map, a.transport);
  map.Field("inline", a.inlined);
  map.Integer("signal_every", a.signal_every, 1, kMost);
  map.Integer("window", a.window, 1, kMost);
  map.Read("processes", [&](const Node& node) {
    MapReader processes(node, map.errors());
    processes.Integer("from", a.processes_from, 1, kMost);
    processes.Integer("to", a.processes_to, 1, kMost);
    processes.Finish();
  });
  map.Choice<bool>("next", a.random, {{"turns", false}, {"random", true}});
  map.Field("cpu", a.cpu, Time(0), Seconds(1));
  map.Field("start", a.start);
  Time stop;
  if (map.Field("stop", stop, Time(1))) a.stop = stop;
  if (a.stop && *a.stop <= a.start)
    map.errors().Add(ScenarioError(map.Find("stop")->where, "stop is not after start"));
  map.Read("reply", [&](const Node& node) {
    PostingArrivals::Reply& reply = a.reply.emplace();
    reply.transport = a.transport;
    MapReader keys(node, map.errors());
    keys.Choice<Operation>("verb", reply.verb, {{"write", Operation::write}, {"send", Operation::send}});
    ReadTransport(keys, reply.transport);
    keys.Field("inline", reply.inlined);
    keys.Integer("signal_every", reply.signal_every, 1, kMost);
    keys.Finish();
    CheckPosting(node.where, reply.verb, reply.transport, reply.inlined, a.message, context.mtu);
    if (verb == Operation::read_request) throw ScenarioError(node.where, "a READ is answered by itself");
  });
  const Position where = map.node().where;
  if (verb != Operation::write && verb != Operation::send && verb != Operation::read_request)
    map.errors().Add(ScenarioError(where, fmt::format("workloads of type verbs have no {}", VerbName(verb)),
                                   "allowed: write, send, read"));
  map.errors().Guard([&] { CheckPosting(where, verb, a.transport, a.inlined, a.message, context.mtu); });
  if (a.signal_every > a.window)
    map.errors().Add(ScenarioError(
        where, fmt::format("window {} would fill up before the first signalled request (signal_every {})",
                           a.window, a.signal_every)));
  if (a.random && a.signal_every > 1 && !a.reply)
    map.errors().Add(ScenarioError(where, "what is drawn would wait for signalled requests elsewhere",
                                   "next: random goes with signal_every: 1"));
  ReadEndpoints(map, context, a.from, a.to, workload.source);
  workload.parameters.arrivals = std::move(a);
}

}  // namespace headroom
