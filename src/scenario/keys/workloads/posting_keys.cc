// The keys of a workload of type verbs: processes that post as fast as they can.
#include <fmt/format.h>

#include "scenario/keys/workloads/workload_keys.h"

namespace headroom::keys {

namespace {

constexpr Bytes kMostInline{256};
constexpr int64_t kMostPosted = 1 << 16;
constexpr const char* kPostingPage = "models/workloads.md";

KindOf<Transport> TransportOfPosting() {
  return OneOf<Transport>({{"rc", Transport::rc}, {"uc", Transport::uc}, {"ud", Transport::ud}});
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

const KeysOf<PostingArrivals>& ProcessKeys() {
  using A = PostingArrivals;
  static const KeysOf<A> keys({.name = "processes", .page = kPostingPage},
                              {{"from", &A::processes_from, Integers(1, kMostPosted), "at each host of from"},
                               {"to", &A::processes_to, Integers(1, kMostPosted), "at each host of to"}});
  return keys;
}

const KeysOf<PostingArrivals::Reply>& ReplyKeys() {
  using Reply = PostingArrivals::Reply;
  static const KeysOf<Reply> keys(
      {.name = "reply", .page = kPostingPage},
      {{"verb", &Reply::verb, OneOf<Operation>({{"write", Operation::write}, {"send", Operation::send}}),
        "what carries the answer"},
       {"transport",
        &Reply::transport,
        TransportOfPosting(),
        "reliable, unreliable, datagrams",
        {.standard = "the workload's"}},
       {"inline", &Reply::inlined, Flag(), "the payload is in the work request"},
       {"signal_every", &Reply::signal_every, Integers(1, kMostPosted),
        "every n-th work request is signalled"}});
  return keys;
}

/// REQUIRES: the transport is known, which it has if it gives none.
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
  auto& a = ArrivalsOf<PostingArrivals>(w);
  const Operation verb = w.parameters.verb;
  if (a.stop && *a.stop <= a.start)
    reading.errors.Add(ScenarioError(node.Find("stop")->where, "stop is not after start"));
  if (const Node* reply = a.reply ? node.Find("reply") : nullptr) {
    reading.errors.Guard([&] {
      CheckPosting(reply->where, a.reply->verb, a.reply->transport, a.reply->inlined, a.message, reading.mtu);
      if (verb == Operation::read_request) throw ScenarioError(reply->where, "a READ is answered by itself");
    });
  }
  const Position where = node.where;
  if (verb != Operation::write && verb != Operation::send && verb != Operation::read_request)
    reading.errors.Add(ScenarioError(where, fmt::format("workloads of type verbs have no {}", VerbName(verb)),
                                     "allowed: write, send, read"));
  reading.errors.Guard([&] { CheckPosting(where, verb, a.transport, a.inlined, a.message, reading.mtu); });
  if (a.signal_every > a.window)
    reading.errors.Add(ScenarioError(
        where, fmt::format("window {} would fill up before the first signalled request (signal_every {})",
                           a.window, a.signal_every)));
  if (a.random && a.signal_every > 1 && !a.reply)
    reading.errors.Add(ScenarioError(where, "what is drawn would wait for signalled requests elsewhere",
                                     "next: random goes with signal_every: 1"));
  CheckEnds(node, a.from, a.to, reading);
}

}  // namespace

const KeysOf<Workload>& PostingKeys() {
  using A = PostingArrivals;
  static const KeysOf<Workload> keys = TypeKeys<A>(
      "verbs", "processes that post verbs as fast as processor and window allow, and may be answered",
      {Of("transport", &A::transport, TransportOfPosting(), "reliable, unreliable, datagrams"),
       Of("message", &A::message, Sizes(Bytes(1), Bytes(int64_t{1} << 30)), "size of each message",
          {.required = true}),
       Of("inline", &A::inlined, Flag(), "the payload is in the work request"),
       Of("signal_every", &A::signal_every, Integers(1, kMostPosted),
          "every n-th work request of a queue pair is signalled"),
       Of("window", &A::window, Integers(1, kMostPosted), "open messages of a queue pair"),
       {"processes", ArrivalsOf<A>, Mapping(ProcessKeys()), "number at each host"},
       Of("next", &A::random, OneOf<bool>({{"turns", false}, {"random", true}}),
          "target of a process's next message"),
       Of("cpu", &A::cpu, Times(Time(0), Seconds(1)), "time of a process per work request"),
       Of("start", &A::start, Times(), "of the first message"),
       Of("stop", &A::stop, Maybe(Times(Time(1))), "no message starts at or after this",
          {.standard = "the duration"}),
       {"reply",
        ArrivalsOf<A>,
        Reply(),
        "the process at the other end answers each message with one of its size",
        {.standard = "none"}}},
      Ends::both_needed, CheckPostingLoop);
  return keys;
}

}  // namespace headroom::keys
