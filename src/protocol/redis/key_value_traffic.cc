// Messages of services of keys, of all types.
#include "protocol/keyvalue/item.h"
#include "protocol/keyvalue/key_value_parameters.h"
#include "protocol/keyvalue/stores/cuckoo_entry.h"
#include "protocol/keyvalue/stores/hopscotch_layout.h"
#include "protocol/redis/resp.h"
#include "workload/arrivals.h"

namespace headroom {

namespace {

/// Messages between a client and a server, each this many times.
class Call {
 public:
  Call(NodeId client, NodeId server, double times, TrafficSink& sink)
      : client_(client), server_(server), times_(times), sink_(sink) {}
  void Read(int64_t bytes, double times = 1) const {
    sink_.AddMessages(server_, client_, Operation::read_request, bytes, times * times_);
  }
  void Request(Transport transport, Operation verb, int64_t bytes) const {
    sink_.AddMessages(client_, server_, verb, bytes, times_, transport);
  }
  void Reply(Transport transport, Operation verb, int64_t bytes) const {
    sink_.AddMessages(server_, client_, verb, bytes, times_, transport);
  }
  /// A request and its reply on streams, each in one write.
  void OnStreams(const RedisParameters& p, int64_t request, int64_t reply) const {
    if (p.on_queue_pairs()) {
      Request(Transport::rc, Operation::write_imm, request);
      Reply(Transport::rc, Operation::write_imm, reply);
    } else {
      sink_.AddWrites(client_, server_, request, times_);
      sink_.AddWrites(server_, client_, reply, times_);
    }
  }

 private:
  NodeId client_, server_;
  double times_;
  TrafficSink& sink_;
};

/// ECHO: the value in both directions.
void Echo(const KeyValueParameters& p, int64_t value, const Call& call) {
  const auto of = [](Operation verb) { return verb == Operation::send ? Operation::send_imm : verb; };
  call.Request(p.request.transport, of(p.request.verb), value);
  call.Reply(p.reply.transport, of(p.reply.verb), value);
}

void Get(const KeyValueParameters& p, int64_t key, int64_t value, const Call& call) {
  constexpr double kProbes = 1.6;  // from emulated_tables.cc; real tables need about as many
  switch (p.system) {
    case KeyValueSystem::herd:
      call.Request(Transport::uc, Operation::write, kKeyBytes);
      return call.Reply(Transport::ud, Operation::send_imm, value);
    case KeyValueSystem::echo:
      return Echo(p, value, call);
    case KeyValueSystem::redis:
      return call.OnStreams(p.redis, resp::GetBytes(key), resp::ValueBytes(value));
    case KeyValueSystem::farm:
      return call.Read(HopscotchLayout::kNeighbourhood * (key + value));
    case KeyValueSystem::farm_var:
      call.Read(HopscotchLayout::kNeighbourhood * (key + p.pointer.v));
      return call.Read(value);
    case KeyValueSystem::pilaf:
      call.Read(value);
      return call.Read(CuckooEntry::kBytes, kProbes);
  }
}

/// The value, its length and its key in one direction, a byte in the other.
void Put(const KeyValueParameters& p, int64_t key, int64_t value, const Call& call) {
  if (p.system == KeyValueSystem::redis)
    return call.OnStreams(p.redis, resp::SetBytes(key, value), resp::kShortReply);
  if (p.system == KeyValueSystem::echo) return Echo(p, value, call);
  const bool herd = p.system == KeyValueSystem::herd;
  const Operation verb = p.system == KeyValueSystem::pilaf ? Operation::send_imm : Operation::write;
  call.Request(Transport::uc, verb, kKeyBytes + kLengthBytes + value);
  call.Reply(herd ? Transport::ud : Transport::uc, herd ? Operation::send_imm : verb, 1);
}

}  // namespace

void KeyValueParameters::AddTraffic(NodeId client, OperationKind kind, Bytes key, Bytes value, double times,
                                    TrafficSink& sink) const {
  for (const NodeId server : servers) {
    const Call call(client, server, times / static_cast<double>(servers.size()), sink);
    if (kind == OperationKind::get || kind == OperationKind::read_modify_write)
      Get(*this, key.v, value.v, call);
    if (kind != OperationKind::get) Put(*this, key.v, value.v, call);
  }
}

}  // namespace headroom
