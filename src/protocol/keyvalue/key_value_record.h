// What a key-value service leaves behind.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "net/topology/topology.h"
#include "protocol/core_costs.h"
#include "protocol/service_record.h"
#include "sim/units.h"

namespace headroom {

/// What a process of a server did.
struct ServerProcessRecord : CoreUse {
  NodeId host = 0;
  int process = 0;
  uint64_t requests = 0;  ///< answered, over the whole run
  uint64_t counted = 0;   ///< of these, from the warm-up to the last request
  uint64_t noops = 0;     ///< that moved its pipeline on
};

/// Connections of a service over streams.
struct StreamsRecord {
  uint64_t connections = 0;
  Time set_up = kNever;  ///< when the last one could be used
  // Over RDMA, of both ends:
  uint64_t writes = 0, written_bytes = 0;  ///< WRITE_WITH_IMM
  uint64_t registrations = 0;              ///< commands that registered a receive buffer
  uint64_t keepalives = 0;
};

struct KeyValueRecord final : ServiceRecord {
  std::vector<ServerProcessRecord> processes;
  std::vector<ServerProcessRecord> client_threads;  ///< of type redis; requests: replies that they took
  std::optional<StreamsRecord> streams;             ///< of type redis
  uint64_t hits = 0, misses = 0;  ///< GETs that were answered with a value, and those that were not
  uint64_t wrong = 0;             ///< answers with another value than was asked for
  uint64_t retried = 0;           ///< requests that clients sent again
  uint64_t stale_answers = 0;     ///< that came for a request which had its answer
  uint64_t reads = 0;             ///< that clients posted for their GETs
  uint64_t torn = 0;              ///< READs among these that returned half-written data
  uint64_t refused = 0;           ///< PUTs for which a table had no room, those that loaded it among them
  uint64_t evicted = 0;           ///< from indices
  uint64_t overwritten = 0;       ///< found in an index, and no longer in its log
};

}  // namespace headroom
