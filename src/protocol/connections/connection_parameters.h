// Services of connections as plain data: many connections between hosts, and what carries them.
//
// Sources: Wang et al., RDMAvisor, 2017 (daemon, one queue pair for each peer, shared objects); Kalia et al.,
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
  rdmavisor,    ///< a daemon at each host, one queue pair for each peer
  queue_pairs,  ///< a queue pair for each connection
  locked        ///< one for as many threads as `share`, under a lock
};
constexpr const char* ConnectionSystemName(ConnectionSystem system) {
  constexpr const char* names[] = {"rdmavisor", "queue_pairs", "locked"};
  return names[static_cast<size_t>(system)];
}

/// What software spends, of a thread or of the daemon.
struct ConnectionCosts {
  Time post = Nanoseconds(150);       ///< to post a work request, or the first of a batch
  Time chained = Nanoseconds(30);     ///< to post each further one of a batch; ours
  Time completion = Nanoseconds(50);  ///< to poll a completion; ours
  Time hand_over = Nanoseconds(100);  ///< of a lock, for each thread that waits for it
  // Of the daemon and its applications, all ours.
  Time submit = Nanoseconds(300);       ///< of an application: a request to shared memory, and an event
  Time request = Nanoseconds(50);       ///< of a worker, to take a request
  Time notify = Nanoseconds(300);       ///< of a poller, an event to an application that results wait for
  Time wake = Microseconds(2);          ///< until an application that sleeps runs
  Time result = Nanoseconds(100);       ///< of an application, to take a result
  Time registration = Microseconds(5);  ///< to register a payload and undo it
  Rate copy = GigabitsPerSecond(80);    ///< of payloads that are copied
  bool operator==(const ConnectionCosts&) const = default;
};

struct ConnectionParameters : ServiceParameters {
  std::string name;
  ConnectionSystem system = ConnectionSystem::rdmavisor;
  std::vector<NodeId> clients, servers;  ///< a host may be both
  uint8_t priority = 0;
  int connections = 1;   ///< of each client, over its threads and the servers in turn
  int applications = 1;  ///< of each host
  int threads = 1;       ///< of each application
  int share = 1;         ///< locked: threads that share queue pairs
  int depth = 128;       ///< work requests of a queue pair
  int receives = 16;     ///< RECVs of a queue pair
  Bytes receive_buffer = Kibibytes(4);
  ConnectionCosts costs;
  // Of the daemon.
  int workers = 1;
  int batch = 16;               ///< requests that a worker, or completions that the poller, takes at once
  int shared_receives = 512;    ///< of the queue that all applications of a host share
  Bytes small = Kibibytes(4);   ///< so much, at most, goes by SEND where the daemon chooses
  Bytes copied = Kibibytes(4);  ///< and is copied; what is larger is registered
  double busy = 0.8;            ///< a worker that is busier has large payloads fetched by the peer
  Time load_window = Microseconds(100);  ///< in which it looks how busy it is
  bool zero_copy = false;                ///< receivers work on the buffer itself

  int threads_in_all() const { return applications * threads; }
  bool operator==(const ConnectionParameters&) const = default;
};

/// What a queue pair's end takes of a host's memory, in bytes.
struct ConnectionMemory {
  static constexpr int64_t kContext = 375;  ///< Kalia et al., eRPC, NSDI 2019, section 4.1.3
  static constexpr int64_t kSendWork = 64, kReceiveWork = 16, kCompletion = 64;  ///< ConnectX-3's formats
  static constexpr int64_t kVirtual = 64;  ///< of the daemon for a connection; ours
};

}  // namespace headroom
