// Memory of this process for services of keys (sim/footprint.h), of all types.
#include <algorithm>

#include "nic/verbs/verbs_footprint.h"
#include "protocol/keyvalue/echo_service.h"
#include "protocol/keyvalue/herd_service.h"
#include "protocol/keyvalue/stores/mica_log.h"
#include "protocol/keyvalue/tables/real_tables.h"
#include "protocol/keyvalue/tables/table_service.h"
#include "protocol/redis/rdma_stream.h"
#include "protocol/redis/redis_connection.h"
#include "protocol/redis/redis_store.h"
#include "workload/service_load.h"

namespace headroom {

namespace {

/// Caches begin empty: a PUT takes a place in the log and in the index.
Forecast CacheBytes(const KeyValueParameters& p, const ServiceLoad& load, const Forecast& puts) {
  const double processes = p.server_processes();
  const auto entry = static_cast<double>(MicaLog::EntryBytes(static_cast<uint64_t>(load.largest.v)));
  constexpr double kPiece = MicaLog::kPiece, kPlaces = 16;
  const double log = processes * static_cast<double>(p.log.v);
  // Each process may be in the middle of a piece of work.
  const auto pieces = [&](double n, double begun) {
    return std::min(log, n * entry + std::min(n, processes) * begun) + processes * sizeof(LoadedCache);
  };
  const double pages = processes * static_cast<double>(load.keys) / LoadedCache::kPage;
  const double page = LoadedCache::kPage / 8.0;
  Forecast all{pieces(puts.expected, kPiece / 2), pieces(puts.worst, kPiece + entry)};
  all += GrownBytes(puts, sizeof(MicaBucket) + static_cast<size_t>(kPlaces));
  all += Exactly(pages * sizeof(void*));
  all += page * Min(puts, Exactly(pages + processes));
  return all;
}

/// Buffers are touched as far as data have gone, and are then reused.
Forecast RedisFootprint(const KeyValueParameters& p, const ServiceLoad& load, const ServiceDemand& demand) {
  const double connections = p.clients_in_all();
  const auto value = static_cast<double>(load.largest.v), key = static_cast<double>(load.key.v);
  constexpr double kHeaders = 40, kSessions = 1500;
  const double receives = RdmaStream::kReceives;
  const double commands = 2 * receives * RdmaCommand::kBytes;
  const double ends =
      2 * (sizeof(RdmaStream) + QueuePairBytes(2, receives) + commands + kSessions) + sizeof(RedisConnection);
  // Both copies of the data that one end sends.
  const auto data = [&](const Forecast& sent, double buffer) {
    return 2 * Min(sent, Exactly(connections * buffer));
  };
  Forecast all = Exactly(connections * ends);
  all +=
      data((kHeaders + key) * demand.count + value * demand.changes, static_cast<double>(p.redis.buffer.v));
  all += data((kHeaders + value) * demand.count, 1 << 20);
  const Forecast stored =
      load.inserts ? demand.changes : Min(demand.changes, Exactly(static_cast<double>(load.keys)));
  all += (static_cast<double>(RedisStore::kStoredBytes) + value) * stored;
  return all + GrownBytes(demand.open, KeyService::kOpenBytes);
}

}  // namespace

Forecast Reads::FootprintOf(const Parameters& p, double clients, double servers) {
  const double lanes = clients * servers;
  const double passive = QueuePairBytes(0, 0) + CompletionQueueBytes(0) + sizeof(void*);
  const double each = sizeof(Client) + p.window * (sizeof(Read) + 2 * sizeof(uint32_t)) +
                      (p.content ? 1.0 * p.window * p.longest : 0);
  return Exactly(lanes * passive) + lanes * Forecast{QueuePairBytes(1, 0), QueuePairBytes(p.window + 1, 0)} +
         clients * Forecast{each + CompletionQueueBytes(2), each + CompletionQueueBytes(1.0 * p.window)};
}

std::optional<Forecast> KeyValueParameters::Footprint(const Topology&, const ServiceLoad& load,
                                                      const ServiceDemand& demand) const {
  const KeyValueParameters& p = *this;
  if (p.system == KeyValueSystem::redis) return RedisFootprint(p, load, demand);
  SlotExchangeParameters parameters;
  Forecast all;
  if (p.system == KeyValueSystem::herd) {
    parameters = HerdService::ParametersOf(p, load);
    all += CacheBytes(p, load, demand.changes);
  } else if (p.system == KeyValueSystem::echo) {
    parameters = EchoService::ParametersOf(p, load);
  } else {
    parameters = TableService::ParametersOf(p, load);
    all += Reads::FootprintOf(TableService::ReadsOf(p, load, p.tables), p.clients_in_all(),
                              static_cast<double>(p.servers.size()));
    if (p.tables) all += RealTablesFootprint(p, load);
    constexpr double kGet = 160;
    all += kGet * demand.open;
  }
  all += SlotExchange::FootprintOf(CalledService::Complete(parameters, p), demand.open);
  return all + GrownBytes(demand.open, CalledService::kOpenBytes);
}

}  // namespace headroom
