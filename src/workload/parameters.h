// What arrives when: workloads as plain data, with the hosts they name already resolved.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "net/opcode.h"
#include "net/topology/topology.h"
#include "sim/shared_value.h"
#include "sim/units.h"
#include "workload/block_trace.h"
#include "workload/fio_job.h"
#include "workload/io_addresses.h"
#include "workload/operation_kind.h"

namespace headroom {

/// How far a sender's targets lie; each includes the one before.
enum class Scope { rack, cluster, datacenter, region };

/// A flow-size distribution: cumulative probability at sizes, linear between points.
struct SizeDistribution {
  struct Point {
    double bytes = 0;
    double cumulative = 0;  ///< 0 … 1, not decreasing, last is 1
    bool operator==(const Point&) const = default;
  };
  std::string name;
  std::string source;
  std::vector<Point> points;
  bool operator==(const SizeDistribution&) const = default;
};

struct PoissonArrivals {
  SharedValue<SizeDistribution> sizes;  ///< either this
  Bytes size;                           ///< or a fixed size
  double load = 0;                      ///< payload bytes offered per sender over its line rate
  std::vector<NodeId> from, to;
  Scope scope = Scope::region;
  bool operator==(const PoissonArrivals&) const = default;
};
/// `fan_in` senders drawn from `from` (all of them if `fan_in` is 0 or not less than their number), `size`
/// each.
struct IncastArrivals {
  Bytes size;
  std::vector<NodeId> from, to;  ///< one target of `to` a burst, drawn where there are several
  int fan_in = 0;
  Scope scope = Scope::region;
  Time at;
  Time every;  ///< between bursts
  int count = 1;
  bool operator==(const IncastArrivals&) const = default;
};
/// Every host of `hosts` sends to another, none receives from two (a cyclic permutation drawn by the seed).
struct PermutationArrivals {
  Bytes size;
  std::vector<NodeId> hosts;
  Time at;
  bool operator==(const PermutationArrivals&) const = default;
};
/// Each sender keeps `in_flight` messages outstanding to each target.
struct StreamArrivals {
  std::vector<NodeId> from, to;
  Bytes message;
  int in_flight = 1;
  Time start;
  std::optional<Time> stop;
  /// A host alone that sends to itself. In other streams nobody is his own target.
  bool Loopback() const { return from.size() == 1 && from == to; }
  bool operator==(const StreamArrivals&) const = default;
};
/// Processes that post verbs as fast as their window and their processor let them.
struct PostingArrivals {
  struct Reply {
    Operation verb = Operation::write;  ///< WRITE or SEND, of the same size
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
  int window = 16;  ///< open messages of a queue pair; with replies, between two processes; where targets are
                    ///< drawn, of a process
  int processes_from = 1, processes_to = 1;  ///< at each host of `from`, and of `to`
  bool random = false;                       ///< the next target is drawn; else they have turns
  Time cpu = Nanoseconds(150);               ///< of a process for each work request
  std::optional<Reply> reply;
  Time start;
  std::optional<Time> stop;
  bool operator==(const PostingArrivals&) const = default;
};
/// Reads and writes of a service's disks, one disk at each host of `from`. Jobs of fio and traces are these,
/// too: what is said here then holds of them in the mean, and they say what is beyond it.
struct IoArrivals {
  using Block = IoBlock;
  uint32_t service = 0;      ///< index into the scenario's services
  std::vector<NodeId> from;  ///< of the service's compute hosts
  std::vector<NodeId> to;    ///< its extent nodes
  std::vector<Block> blocks;
  std::vector<Block> write_blocks;  ///< of writes, where theirs are others
  double reads = 1;                 ///< share of the I/Os that read, drawn for each
  int depth = 1;                    ///< closed loop: I/Os of a host that are open; or
  double rate = 0;                  ///< open loop: I/Os a second of a host; 0: closed
  bool even = false;                ///< open loop: gaps are equal, else exponential
  Time think;  ///< closed loop: from the end of an I/O to the start of the next in its place
  IoAddresses addresses;
  Time ramp;   ///< I/Os that start less than this after `start` are not in the percentiles
  Time start;  ///< not before the host's disk is there
  std::optional<Time> stop;
  SharedValue<IoJob> job;         ///< none: of another type than fio
  SharedValue<BlockTrace> trace;  ///< none: of another type than trace

  const std::vector<Block>& BlocksOf(bool writes) const {
    return writes && !write_blocks.empty() ? write_blocks : blocks;
  }
  bool operator==(const IoArrivals&) const = default;
};
/// f(writes, size, share of all I/Os) for each size that there is.
template <class F>
void ForEachBlock(const IoArrivals& io, F&& f) {
  for (const bool writes : {false, true}) {
    const double of_all = writes ? 1 - io.reads : io.reads;
    if (of_all <= 0) continue;
    for (const IoBlock& b : io.BlocksOf(writes)) f(writes, b.size, b.share * of_all);
  }
}
inline double MeanBlock(const IoArrivals& io) {
  const auto mean_of = [&](bool writes) {
    double mean = 0;
    for (const IoBlock& b : io.BlocksOf(writes)) mean += b.share * static_cast<double>(b.size.v);
    return mean;
  };
  return io.write_blocks.empty() ? mean_of(false)
                                 : io.reads * mean_of(false) + (1 - io.reads) * mean_of(true);
}
inline Bytes LargestBlock(const IoArrivals& io) {
  Bytes largest;
  ForEachBlock(io, [&](bool, Bytes size, double) { largest = std::max(largest, size); });
  return largest;
}
/// Which key the next operation is of.
enum class KeyChoice : uint8_t { uniform, zipf, scrambled_zipf, latest, hotspot, sequential, exponential };
/// Operations on keys of a service, from processes of its clients: each asks for the next when one ends, or
/// at a rate.
struct KeyValueArrivals {
  uint32_t service = 0;          ///< index into the scenario's key-value services
  std::vector<NodeId> from, to;  ///< its clients and its servers
  int processes = 1;             ///< of each client
  int window = 1;            ///< operations that a process has open: all of them, always, in a closed loop
  int64_t keys = 1'000'000;  ///< that there are at the beginning
  Bytes key{16}, value{32};
  double puts = 0.05;  ///< shares of the operations; the others are GETs
  double inserts = 0, modifies = 0;
  KeyChoice choice = KeyChoice::uniform;
  double theta = 0.99;                          ///< of both Zipf distributions and of latest
  double hot_keys = 0.2, hot_operations = 0.8;  ///< hotspot: shares
  /// exponential: this share of the operations goes to this share of the keys, the last ones; YCSB's.
  double exponential_operations = 0.95, exponential_keys = 0.8571428571;
  double rate = 0;         ///< open loop: operations a second of a process; 0: closed
  double target = 0;       ///< closed loop: operations a second of all together at most; 0: any number
  int64_t threads = 0;     ///< closed loop: operations that all together have open; 0: all windows
  int64_t operations = 0;  ///< of all processes together at most; 0: any number
  Time start;
  std::optional<Time> stop;
  bool operator==(const KeyValueArrivals&) const = default;
};
/// Payloads on connections of a service, each client's: it asks for the next when one ends, or at a rate.
struct TransferArrivals {
  uint32_t service = 0;              ///< index into the scenario's services of connections
  std::vector<NodeId> from, to;      ///< its clients and its servers
  int connections = 1, threads = 1;  ///< of each client
  Bytes size;
  OperationKind kind = OperationKind::read;  ///< read, write, send or transfer
  bool random = false;  ///< a thread draws the connection of each; else every connection has its own
  int window = 1;       ///< closed loop: payloads that are open, of a connection, or of a thread that draws
  double rate = 0;  ///< open loop: payloads a second of a client, on connections that are drawn; 0: closed
  Time start;
  std::optional<Time> stop;
  bool operator==(const TransferArrivals&) const = default;
};
struct ListArrivals {
  struct Message {
    Time at;
    NodeId from = 0, to = 0;
    Bytes size;
    std::optional<uint8_t> priority;
    bool operator==(const Message&) const = default;
  };
  std::vector<Message> messages;  ///< sorted by time; type hpcc ends up here too
  bool operator==(const ListArrivals&) const = default;
};

/// The verbs a workload may use, under the names of scenario files and results.
inline constexpr std::pair<const char*, Operation> kVerbs[] = {{"write", Operation::write},
                                                               {"write_with_imm", Operation::write_imm},
                                                               {"send", Operation::send},
                                                               {"send_with_imm", Operation::send_imm},
                                                               {"send_with_invalidate", Operation::send_inv},
                                                               {"read", Operation::read_request}};
/// REQUIRES: one of them.
constexpr const char* VerbName(Operation verb) {
  for (const auto& [name, operation] : kVerbs) {
    if (operation == verb) return name;
  }
  return "";
}

struct WorkloadParameters {
  std::string name;
  std::string type;  ///< as written: poisson, incast, permutation, stream, list, hpcc, verbs, io, fio, trace,
                     ///< kv, ycsb, transfers
  Operation verb = Operation::write;  ///< a READ is posted by the receiver: the data go from `from` to `to`
  uint8_t priority = 0;
  bool registers = false;  ///< a memory registration is posted ahead of each message
  bool qp_per_message = false;
  int qps_per_pair = 1;
  std::variant<PoissonArrivals, IncastArrivals, PermutationArrivals, StreamArrivals, ListArrivals,
               PostingArrivals, IoArrivals, KeyValueArrivals, TransferArrivals>
      arrivals;
  bool operator==(const WorkloadParameters&) const = default;
};

/// What it offers are operations of a service, which are made of messages; else messages.
inline bool OffersOperations(const WorkloadParameters& w) {
  return std::holds_alternative<IoArrivals>(w.arrivals) ||
         std::holds_alternative<KeyValueArrivals>(w.arrivals) ||
         std::holds_alternative<TransferArrivals>(w.arrivals);
}

/// What its operations are of. REQUIRES: OffersOperations(w).
inline ServiceOperation::Of OperationsOf(const WorkloadParameters& w) {
  if (std::holds_alternative<KeyValueArrivals>(w.arrivals)) return ServiceOperation::Of::key;
  return std::holds_alternative<TransferArrivals>(w.arrivals) ? ServiceOperation::Of::connection
                                                              : ServiceOperation::Of::disk;
}

/// The kinds of operations that it may offer.
inline std::vector<OperationKind> KindsOf(const WorkloadParameters& w) {
  if (const auto* transfers = std::get_if<TransferArrivals>(&w.arrivals)) return {transfers->kind};
  const auto* keys = std::get_if<KeyValueArrivals>(&w.arrivals);
  if (keys == nullptr) return {OperationKind::read, OperationKind::write};
  std::vector<OperationKind> kinds{OperationKind::get, OperationKind::put};
  if (keys->inserts > 0) kinds.push_back(OperationKind::insert);
  if (keys->modifies > 0) kinds.push_back(OperationKind::read_modify_write);
  return kinds;
}

}  // namespace headroom
