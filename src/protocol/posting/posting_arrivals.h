// Processes that post verbs, as plain data.
#pragma once

#include <optional>
#include <vector>

#include "net/opcode.h"
#include "net/topology/topology.h"
#include "sim/units.h"
#include "workload/arrivals.h"

namespace headroom {

/// Processes that post verbs as fast as their window and their processor let them.
struct PostingArrivals {
  struct Reply {
    Operation verb = Operation::write;  ///< WRITE or SEND, with the same size
    Transport transport = Transport::rc;
    bool inlined = false;
    int signal_every = 1;
    bool operator==(const Reply&) const = default;
  };
  std::vector<NodeId> from, to;
  Bytes message;
  Transport transport = Transport::rc;
  bool inlined = false;
  int signal_every = 1;  ///< every n-th work request of a queue pair is signalled
  int window = 16;       ///< open messages per queue pair; with replies, per pair of processes; with random
                         ///< targets, per process
  int processes_from = 1, processes_to = 1;  ///< at each host of `from`, and at each host of `to`
  bool random = false;          ///< the next target is drawn at random; otherwise in round-robin order
  Time cpu = Nanoseconds(150);  ///< a process's time for each work request
  std::optional<Reply> reply;
  Time start;
  std::optional<Time> stop;
  bool operator==(const PostingArrivals&) const = default;
};

std::unique_ptr<Arrivals> ArrivalsFrom(PostingArrivals a);

}  // namespace headroom
