#include "protocol/keyvalue/key_value_footprint.h"

#include <algorithm>

#include "nic/verbs/verbs_footprint.h"
#include "protocol/keyvalue/echo_service.h"
#include "protocol/keyvalue/herd_service.h"
#include "protocol/keyvalue/real_tables.h"
#include "protocol/keyvalue/stores/mica_log.h"
#include "protocol/keyvalue/table_service.h"

namespace headroom {

namespace {

/// Caches begin empty: what is PUT takes a place in the log and in the index.
Forecast CacheBytes(const KeyValueParameters& p, const ServiceLoad& load, const Forecast& puts) {
  const double processes = p.server_processes();
  const auto entry = static_cast<double>(MicaLog::EntryBytes(static_cast<uint64_t>(load.largest.v)));
  constexpr double kPiece = MicaLog::kPiece, kPlaces = 16;
  const double log = processes * static_cast<double>(p.log.v);
  // Each process is in the midst of a piece.
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

}  // namespace

Forecast Reads::FootprintOf(const Parameters& p, double clients, double servers) {
  const double lanes = clients * servers;
  const double passive = QueuePairBytes(0, 0) + CompletionQueueBytes(0) + sizeof(void*);
  const double each = sizeof(Client) + p.window * (sizeof(Read) + 2 * sizeof(uint32_t)) +
                      (p.content ? 1.0 * p.window * p.longest : 0);
  return Exactly(lanes * passive) + lanes * Forecast{QueuePairBytes(1, 0), QueuePairBytes(p.window + 1, 0)} +
         clients * Forecast{each + CompletionQueueBytes(2), each + CompletionQueueBytes(1.0 * p.window)};
}

Forecast KeyValueFootprint(const KeyValueParameters& p, const ServiceLoad& load,
                           const KeyValueDemand& demand) {
  SlotExchangeParameters ways;
  Forecast all;
  if (p.system == KeyValueSystem::herd) {
    ways = HerdService::WaysOf(p, load);
    all += CacheBytes(p, load, demand.puts);
  } else if (p.system == KeyValueSystem::echo) {
    ways = EchoService::WaysOf(p, load);
  } else {
    ways = TableService::WaysOf(p, load);
    all += Reads::FootprintOf(TableService::ReadsOf(p, load, p.tables), p.clients_in_all(),
                              static_cast<double>(p.servers.size()));
    if (p.tables) all += RealTablesFootprint(p, load);
    constexpr double kGet = 160;
    all += kGet * demand.open;
  }
  all += SlotExchange::FootprintOf(CalledService::Complete(ways, p), demand.open);
  return all + GrownBytes(demand.open, CalledService::kOpenBytes);
}

}  // namespace headroom
