#include "analysis/bounds/services/key_cost.h"

#include <algorithm>

#include "analysis/bounds/services/storage_traffic.h"
#include "protocol/keyvalue/item.h"
#include "protocol/keyvalue/stores/cuckoo_entry.h"
#include "protocol/keyvalue/stores/hopscotch_layout.h"
#include "protocol/keyvalue/stores/mica_log.h"
#include "protocol/redis/resp.h"
#include "scenario/service_load.h"

namespace headroom {
namespace {

constexpr double kProbes = 1.6;  // emulated_tables.cc

/// The work as ServerProcess charges it.
Time WorkOf(const KeyValueParameters& p, int accesses) {
  const ProcessCosts& c = p.costs;
  if (!p.prefetch || !AnswersByProcesses(p.system)) return c.post + c.request + c.access * accesses;
  return std::max(c.post, Time(c.access.v * accesses / c.overlap)) + c.request + c.prefetched * accesses;
}

/// A request and an answer of an ECHO.
KeyStep::Message MessageOf(const EchoWay& way, int64_t payload) {
  return {way.verb == Operation::send ? Operation::send_imm : way.verb, way.transport, payload};
}

/// A command or reply of a stream, in one write. A TCP segment has at least as many bytes as a SEND.
KeyStep::Message WriteOf(const RedisParameters& r, int64_t bytes) {
  return {r.on_queue_pairs() ? Operation::write_imm : Operation::send, Transport::rc, bytes};
}

Time ArrivalOf(IdealPath path, const KeyStep::Message& message) {
  if (message.transport == Transport::ud) path.frames.header += path.frames.deth;
  return IdealArrival(path, Bytes(message.payload), message.verb);
}

/// An ACK occupies the port through which the next frame leaves.
Time AckOf(const IdealPath& path) {
  return SerializationTime(path.frames.OnWire(path.frames.Ack()), path.data.front().rate);
}

}  // namespace

KeyCost::KeyCost(const Scenario& scenario, const KeyValueArrivals& arrivals)
    : scenario_(scenario), kv_(arrivals), p_(scenario.key_values[arrivals.service]) {
  AddGet(1 - kv_.puts - kv_.inserts);
  AddPut(kv_.puts + kv_.inserts + kv_.modifies);
}

void KeyCost::AddCall(double times, const KeyStep::Message& there, const KeyStep::Message& back,
                      int accesses) {
  if (times > 0) steps_.push_back({times, there, back, WorkOf(p_, accesses)});
}

/// The server's thread of a connection reads, parses and writes; its main thread executes. A client's thread
/// does not copy the bytes that it reads.
void KeyCost::AddCommand(double times, int64_t request, int64_t reply) {
  if (times <= 0) return;
  const RedisParameters& r = p_.redis;
  exact_ = exact_ && r.transport == RedisTransport::rdma && r.io_threads == 1;
  KeyStep step{times, WriteOf(r, request), WriteOf(r, reply), Time(0)};
  step.work = r.Reads(request) + r.parse + r.command + r.Writes(reply);
  step.client = r.Writes(request) + r.Reads(0) + r.request;
  steps_.push_back(step);
}

void KeyCost::AddRead(double times, int64_t bytes) {
  if (times > 0) steps_.push_back({times, {}, {Operation::read_response, Transport::rc, bytes}, Time(0)});
}

void KeyCost::AddGet(double times) {
  const ServiceLoad load = LoadOfService(scenario_, scenario_.services.size() + kv_.service);
  const int64_t key = p_.tables ? static_cast<int64_t>(sizeof(Key)) : load.key.v, value = load.largest.v;
  const bool same = value == kv_.value.v, misses = p_.tables && kv_.inserts > 0;
  switch (p_.system) {
    case KeyValueSystem::herd: {
      const bool hits = AlwaysHits();
      exact_ = exact_ && (times <= 0 || (hits && same));
      return AddCall(times, {Operation::write, Transport::uc, kKeyBytes},
                     {Operation::send_imm, Transport::ud, hits ? std::min(value, kv_.value.v) : 1},
                     p_.prefetch ? 0 : 2);
    }
    case KeyValueSystem::echo:
      return AddCall(times, MessageOf(p_.request, kv_.value.v), MessageOf(p_.reply, kv_.value.v),
                     p_.accesses);
    case KeyValueSystem::redis:
      exact_ = exact_ && (times <= 0 || same);
      return AddCommand(times, resp::GetBytes(load.key.v), resp::ValueBytes(std::min(value, kv_.value.v)));
    case KeyValueSystem::farm:
      return AddRead(times, HopscotchLayout::kNeighbourhood * (key + value));
    case KeyValueSystem::farm_var: {
      const int64_t pointer = p_.tables ? HopscotchLayout::kPointer : p_.pointer.v;
      exact_ = exact_ && (times <= 0 || !p_.tables || (same && !misses));
      AddRead(times, HopscotchLayout::kNeighbourhood * (key + pointer));
      return AddRead(misses ? 0 : times, p_.tables ? std::min(value, kv_.value.v) : value);
    }
    case KeyValueSystem::pilaf:
      break;
  }
  exact_ = exact_ && (times <= 0 || !p_.tables);
  AddRead(times * (p_.tables ? 1 : kProbes), CuckooEntry::kBytes);
  AddRead(misses ? 0 : times, p_.tables ? std::min(value, kv_.value.v) : value);
}

void KeyCost::AddPut(double times) {
  const int64_t item = kKeyBytes + kLengthBytes + kv_.value.v;
  switch (p_.system) {
    case KeyValueSystem::herd:
      return AddCall(times, {Operation::write, Transport::uc, item}, {Operation::send_imm, Transport::ud, 1},
                     p_.prefetch ? 0 : 1);
    case KeyValueSystem::echo:
      return AddGet(times);
    case KeyValueSystem::redis: {
      const ServiceLoad load = LoadOfService(scenario_, scenario_.services.size() + kv_.service);
      return AddCommand(times, resp::SetBytes(load.key.v, kv_.value.v), resp::kShortReply);
    }
    default: {
      const Operation verb = p_.system == KeyValueSystem::pilaf ? Operation::send_imm : Operation::write;
      return AddCall(times, {verb, Transport::uc, item}, {verb, Transport::uc, 1}, 0);
    }
  }
}

/// Every key is loaded. A log forgets a key if the loaded records and all PUTs of a process during the run
/// need more room. An index forgets a key if so many keys were PUT that nine may share a bucket of eight.
bool KeyCost::AlwaysHits() const {
  const ServiceLoad load = LoadOfService(scenario_, scenario_.services.size() + kv_.service);
  const auto entry = static_cast<double>(MicaLog::EntryBytes(static_cast<uint64_t>(load.largest.v)));
  const double each = static_cast<double>(load.keys) / p_.server_processes() + 1;
  bool puts = false;
  for (const WorkloadParameters& w : scenario_.workloads) {
    const KeyValueArrivals* const kv = w.arrivals->AsKeys();
    puts = puts || (kv != nullptr && kv->service == kv_.service && kv->puts + kv->inserts + kv->modifies > 0);
  }
  const double written = !puts ? 0
                               : static_cast<double>(scenario_.deadline.v) /
                                     static_cast<double>(std::max<int64_t>(1, WorkOf(p_, 0).v));
  constexpr double kFewOf = 16;  // a bucket then has half an entry on average, and nine in 1 of 10^8 cases
  return (each + written) * entry <= static_cast<double>(p_.log.v) &&
         written <= static_cast<double>(p_.index_keys) / kFewOf;
}

/// The time until a waiting thread has work and runs.
Time KeyCost::Awake() const {
  const EventLoop loop = p_.redis.Loop();
  return loop.polls > Time(0) ? Time(0) : loop.wake;
}

Time KeyCost::ServedAlone(const KeyStep& step) const {
  if (OnStreams()) return Awake() + p_.redis.Loop().turn + step.work;
  if (!p_.prefetch || !AnswersByProcesses(p_.system)) return step.work;
  return step.work + p_.costs.poll * p_.empty_polls + p_.costs.post;
}

Time KeyCost::Of(const KeyStep& step, const KeyEnds& ends, Time served) const {
  if (step.reads()) return IdealCompletion(ends.back, Bytes(step.back.payload), Operation::read_request);
  return ArrivalOf(ends.there, step.there) + served + ArrivalOf(ends.back, step.back);
}

/// The next post waits for the processor, so each step takes at least the time to post it.
double KeyCost::Alone(const KeyEnds& ends) const {
  if (OnStreams()) {
    // A client's thread writes in one turn of its loop and, once it is awake, reads in another.
    const EventLoop c = p_.redis.Loop();
    double all = 0;
    for (const KeyStep& step : steps_)
      all += step.times * static_cast<double>((Of(step, ends, ServedAlone(step)) + step.client + c.turn * 2 +
                                               Awake() + p_.redis.StackDelay() * 2)
                                                  .v);
    return all;
  }
  const int64_t slots = int64_t{p_.clients_in_all()} * p_.window;
  double sum = 0;
  for (const KeyStep& step : steps_) {
    Time takes = Of(step, ends, ServedAlone(step));
    double look = 0;
    if (!step.reads()) {
      look = static_cast<double>(p_.costs.poll.v * (slots - 1)) / 2;
      if (step.back.transport == Transport::rc) takes += AckOf(ends.there);
      if (step.there.transport == Transport::rc)
        takes += std::max(Time(0), AckOf(ends.back) - ServedAlone(step));
    }
    sum += step.times * std::max(static_cast<double>(takes.v) + look, static_cast<double>(p_.costs.post.v));
  }
  return sum;
}

double KeyCost::Least(const KeyEnds& ends, int64_t open) const {
  constexpr int64_t kStages = 2;
  double sum = 0;
  for (const KeyStep& step : steps_) {
    if (OnStreams()) {  // busy threads neither wake up nor begin a turn for it
      sum += step.times *
             static_cast<double>((Of(step, ends, step.work) + step.client + p_.redis.StackDelay() * 2).v);
      continue;
    }
    Time served = ServedAlone(step);
    if (open > kStages) served = std::min(served, step.work * (kStages + 1));
    sum += step.times * static_cast<double>(Of(step, ends, served).v);
  }
  return sum;
}

/// The cost that the requests of a pipeline share: a call or work request to write them, and one to read
/// them. In a pipeline of n requests, each saves all but 1/n of this cost.
double KeyCost::SharedInPipeline() const {
  if (!OnStreams()) return 0;
  const auto once = static_cast<double>((p_.redis.Reads(0) + p_.redis.Writes(0)).v);
  return once * (1 - 1.0 / p_.window);
}

double KeyCost::posting() const {
  double sum = 0;
  for (const KeyStep& step : steps_)
    sum += step.times * (OnStreams() ? static_cast<double>(step.client.v) - SharedInPipeline()
                                     : static_cast<double>(p_.costs.post.v));
  return sum;
}

double KeyCost::work() const {
  double sum = 0;
  for (const KeyStep& step : steps_)
    sum += step.times * (static_cast<double>(step.work.v) - SharedInPipeline());
  return sum;
}

BothWays KeyCost::OnWire() const {
  if (OnStreams() && p_.redis.transport != RedisTransport::rdma) return {};  // writes may share frames
  WireRules rules = RulesOf(scenario_);
  rules.ack_every = INT32_MAX;  // at least the last frame of a message is acknowledged
  BothWays all;
  for (const KeyStep& step : steps_) {
    BothWays way;
    if (step.reads()) {
      way = MessageOnWire(Operation::read_request, step.back.payload, rules);
    } else {
      way = MessageOnWire(step.there.transport, step.there.verb, step.there.payload, rules);
      way += MessageOnWire(step.back.transport, step.back.verb, step.back.payload, rules).Reversed();
    }
    all += {way.there * step.times, way.back * step.times};
  }
  return all;
}

}  // namespace headroom
