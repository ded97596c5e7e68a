#include "protocol/keyvalue/key_value_parameters.h"

#include <fmt/format.h>

namespace headroom {

using S = KeyValueSystem;

std::optional<uint8_t> KeyValueParameters::TcpClass() const {
  return IsApplication() && redis.on_tcp() ? std::optional(priority) : std::nullopt;
}

bool KeyValueParameters::Acknowledged() const {
  return IsApplication() ? redis.on_queue_pairs() : !AnswersByProcesses(system);
}

ServiceDivision KeyValueParameters::Division() const {
  return IsApplication() ? ServiceDivision::none : ServiceDivision::ranks;
}

UnusedKeys KeyValueParameters::Unused() const {
  if (!IsApplication() || !redis.on_tcp() || redis.buffer == RedisParameters().buffer) return {};
  return {{"buffer"}, RedisTransportName(redis.transport)};
}

std::string KeyValueParameters::MemoryOf() const {
  if (IsApplication()) return fmt::format(" ({} connections)", clients_in_all());
  return fmt::format(" ({} processes of clients times {} of servers)", clients_in_all(), server_processes());
}

std::string KeyValueParameters::LessMemory() const {
  return IsApplication() ? "give fewer connections, a shorter pipeline, smaller values, or fewer keys"
                         : "give fewer processes or client_processes, a smaller window, or fewer keys";
}

std::optional<Bytes> KeyValueParameters::LongestValue() const {
  constexpr Bytes kMostItem{1000};
  return IsApplication() ? std::nullopt : std::optional(kMostItem);
}

bool KeyValueParameters::SendsValuesInDatagrams() const {
  const bool echoes = request.transport == Transport::ud || reply.transport == Transport::ud;
  return system == S::herd || (system == S::echo && echoes);
}

bool KeyValueParameters::HasUnacknowledged() const {
  if (IsApplication()) return false;
  return system != S::echo || request.transport != Transport::rc || reply.transport != Transport::rc;
}

double KeyValueParameters::RoundTrips() const {
  constexpr double kPilaf = 2.6, kFarm = 2;  // READs of buckets and then of the value; of both
  return system == S::pilaf ? kPilaf : system == S::farm_var ? kFarm : 1;
}

Time KeyValueParameters::PostedIn() const {
  return IsApplication() ? redis.request + redis.Reads(0) + redis.Writes(0) : costs.post;
}

Time KeyValueParameters::ServedIn() const {
  if (system == S::echo && request.verb == Operation::send) return costs.post + costs.recv;
  if (!IsApplication()) return costs.post;
  const Time io = redis.parse + redis.Reads(0) + redis.Writes(0);
  return redis.command + (redis.io_threads > 1 ? Time(0) : io);
}

Bytes KeyValueParameters::CacheOfServer() const {
  constexpr int64_t kSlot = 8;
  return system == S::herd ? (log + Bytes(index_keys * kSlot)) * processes : Bytes(0);
}

}  // namespace headroom
