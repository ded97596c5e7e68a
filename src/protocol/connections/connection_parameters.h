// Services of connections as plain data: many connections between hosts, and the queue pairs that carry them.
//
// Sources: Wang et al., RDMAvisor, 2017 (daemon, one queue pair per peer, shared objects); Kalia et al.,
// HERD, SIGCOMM 2014 (150 ns to post). Costs of a shared queue pair: Kalia et al., FaSST, OSDI 2016. A field
// without a source says "ours".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "net/topology/topology.h"
#include "protocol/service_parameters.h"
#include "sim/units.h"

namespace headroom {

enum class ConnectionSystem : uint8_t {
  rdmavisor,    ///< a daemon at each host, with one queue pair per peer
  queue_pairs,  ///< a queue pair for each connection
  locked        ///< one queue pair for `share` threads, under a lock
};
constexpr const char* ConnectionSystemName(ConnectionSystem system) {
  constexpr const char* names[] = {"rdmavisor", "queue_pairs", "locked"};
  return names[static_cast<size_t>(system)];
}

/// Software costs, of a thread or of the daemon.
struct ConnectionCosts {
  Time post = Nanoseconds(150);       ///< cost to post a work request, or the first of a batch
  Time chained = Nanoseconds(30);     ///< cost to post each further work request of a batch; ours
  Time completion = Nanoseconds(50);  ///< cost to poll a completion; ours
  Time hand_over = Nanoseconds(100);  ///< cost to hand over a lock, for each thread that waits for it
  // Costs of the daemon and its applications, all ours.
  Time submit = Nanoseconds(300);       ///< application: a request to shared memory, and an event
  Time request = Nanoseconds(50);       ///< worker: to take a request
  Time notify = Nanoseconds(300);       ///< poller: an event to an application that waits for results
  Time wake = Microseconds(2);          ///< time until a sleeping application runs
  Time result = Nanoseconds(100);       ///< application: to take a result
  Time registration = Microseconds(5);  ///< cost to register a payload and deregister it
  Rate copy = GigabitsPerSecond(80);    ///< speed of copying payloads
  bool operator==(const ConnectionCosts&) const = default;
};

struct ConnectionParameters final : ServiceParametersOf<ConnectionParameters> {
  ConnectionSystem system = ConnectionSystem::rdmavisor;
  int connections = 1;   ///< per client; assigned to its threads and the servers in round-robin order
  int applications = 1;  ///< per host
  int threads = 1;       ///< per application
  int share = 1;         ///< locked: number of consecutive threads that share the same queue pairs
  int depth = 128;       ///< work requests per queue pair
  int receives = 16;     ///< RECVs per queue pair
  Bytes receive_buffer = Kibibytes(4);
  ConnectionCosts costs;
  // Settings of the daemon.
  int workers = 1;
  int batch = 16;  ///< the most requests that a worker, or completions that the poller, takes at once
  int shared_receives = 512;             ///< RECVs of the queue that all applications of a host share
  Bytes small = Kibibytes(4);            ///< largest payload that uses SEND if the daemon chooses
  Bytes copied = Kibibytes(4);           ///< largest payload that is copied; a larger payload is registered
  double busy = 0.8;                     ///< if a worker is busier, the peer fetches large payloads
  Time load_window = Microseconds(100);  ///< window over which it measures how busy it is
  bool zero_copy = false;                ///< receivers work directly on the buffer

  int threads_in_all() const { return applications * threads; }
  /// Whether it chooses the verb of a payload that names none.
  bool ChoosesVerbs() const { return system == ConnectionSystem::rdmavisor; }
  /// A lower bound of the time when all connections of a client exist; its workloads request nothing before.
  Time Connected() const;
  bool operator==(const ConnectionParameters&) const = default;

  bool Acknowledged() const override { return true; }
  ServiceDivision Division() const override {
    return system == ConnectionSystem::rdmavisor ? ServiceDivision::none : ServiceDivision::parts;
  }
  void ForEachPort(const Topology& topology, const UsePort& use) const override;
  std::optional<Forecast> Footprint(const Topology& topology, const ServiceLoad& load,
                                    const ServiceDemand& demand) const override;
  std::string LessMemory() const override { return "give fewer connections, or a smaller window"; }
};

/// A host's memory for one end of a queue pair, in bytes.
struct ConnectionMemory {
  static constexpr int64_t kContext = 375;  ///< from Kalia et al., eRPC, NSDI 2019, section 4.1.3
  static constexpr int64_t kSendWork = 64, kReceiveWork = 16, kCompletion = 64;  ///< ConnectX-3's formats
  static constexpr int64_t kVirtual = 64;  ///< the daemon's memory for a connection; ours
};

}  // namespace headroom
