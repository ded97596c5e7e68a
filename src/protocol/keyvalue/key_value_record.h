// The results of a key-value service.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "net/topology/topology.h"
#include "protocol/core_costs.h"
#include "protocol/service_record.h"
#include "sim/units.h"

namespace headroom {

/// The work of a server's process.
struct ServerProcessRecord : CoreUse {
  NodeId host = 0;
  int process = 0;
  uint64_t requests = 0;  ///< requests answered over the whole run
  uint64_t counted = 0;   ///< requests answered from the warm-up to the last request
  uint64_t noops = 0;     ///< no-ops that advanced its pipeline
};

/// Connections of a service that uses streams.
struct StreamsRecord {
  uint64_t connections = 0;
  Time set_up = kNever;  ///< time when the last connection was usable
  // Over RDMA, for both ends:
  uint64_t writes = 0, written_bytes = 0;  ///< WRITE_WITH_IMM
  uint64_t registrations = 0;              ///< commands that registered a receive buffer
  uint64_t keepalives = 0;
};

struct KeyValueRecord final : ServiceRecord {
  std::vector<ServerProcessRecord> processes;
  std::vector<ServerProcessRecord>
      client_threads;                    ///< for type redis; requests: replies that the threads took
  bool polls = false;                    ///< for type redis: busy times of threads include polling for work
  std::optional<StreamsRecord> streams;  ///< for type redis
  uint64_t hits = 0, misses = 0;         ///< GETs answered with a value, and without one
  uint64_t wrong = 0;                    ///< answers with another value than requested
  uint64_t retried = 0;                  ///< requests that clients sent again
  uint64_t stale_answers = 0;            ///< answers to requests that already had an answer
  uint64_t reads = 0;                    ///< READs that clients posted for their GETs
  uint64_t torn = 0;                     ///< READs among these that returned half-written data
  uint64_t refused = 0;      ///< PUTs for which a table had no room, including those that loaded it
  uint64_t evicted = 0;      ///< entries evicted from indices
  uint64_t overwritten = 0;  ///< keys found in an index whose value was no longer in the log

  std::vector<ResourceUse> Uses() const override;
  void PackShare(Packer& to) const override;
  std::shared_ptr<const ServiceRecord> JoinedWith(Unpacker& share,
                                                  const std::function<bool(NodeId)>& there) const override;

 private:
  template <class P>
  void PackShareOf(P& pack) {
    pack(processes, hits, misses, wrong, retried, stale_answers, reads, torn, refused, evicted, overwritten);
  }
};

}  // namespace headroom
