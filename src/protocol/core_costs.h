// Software costs on a core, in cycles; the core's clock converts them to times. Without a clock all costs are
// 0.
//
// Source: the provider of the numbers; docs/models/software-costs.md has a set with sources.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>

#include "net/identifiers.h"
#include "nic/bond_parameters.h"
#include "sim/units.h"

namespace headroom {

/// The kinds of work of a core.
enum class CoreWork : uint8_t {
  rdma,
  tcp,
  operation  ///< a host's costs for a request, except its transport
};
inline constexpr size_t kCoreWorks = 3;
constexpr const char* CoreWorkName(CoreWork work) {
  constexpr const char* names[] = {"rdma", "tcp", "operation"};
  return names[static_cast<size_t>(work)];
}
/// Times of a core for each CoreWork.
using CoreTimes = std::array<Time, kCoreWorks>;

/// The time that a core worked, and the time observed: from the end of the warm-up, or from the beginning,
/// until the last request.
struct CoreUse {
  CoreTimes busy_for{};
  Time span;

  Time busy() const { return std::accumulate(busy_for.begin(), busy_for.end(), Time()); }
  double Share() const { return span > Time(0) ? InSeconds(busy()) / InSeconds(span) : 0; }
};

/// Use of a host's core: one that services share, or, with a workload, the core of a posting loop.
struct CoreRecord : CoreUse {
  NodeId host = 0;
  int core = 0;  ///< number of the core at the host; for a posting loop, its number among those of the
                 ///< workload at the host
  int workload = -1;
};

struct RdmaCosts {
  double cycles_per_message = 0;  ///< for each completion, and each turn that posts
  double cycles_per_byte = 0;     ///< for bytes that the core copies or sums up
  bool operator==(const RdmaCosts&) const = default;
};

struct TcpCosts {
  /// The stack takes a message in pieces of at most this size, whatever the MTU is (TSO, GRO).
  static constexpr int64_t kAggregate = 64 * 1024;
  double cycles_per_message = 0;  ///< for each aggregate, at either end
  double cycles_per_byte_sent = 0, cycles_per_byte_received = 0;
  double cycles_per_byte_crc = 0;  ///< for data with a CRC, at either end
  bool operator==(const TcpCosts&) const = default;
};

struct OperationCosts {
  double cycles_per_request = 0;  ///< for a request that a host makes for its own disk, or executes
  bool operator==(const OperationCosts&) const = default;
};

struct CoreCosts {
  double clock_hz = 0;  ///< 0: software costs nothing
  RdmaCosts rdma;
  TcpCosts tcp;
  OperationCosts operation;

  /// The following results are rounded to picoseconds.
  Time Of(double cycles) const;
  Time OfRdma(int64_t messages, int64_t bytes) const;
  /// `summed`: number of bytes that have a CRC.
  Time OfTcpSent(int64_t aggregates, int64_t bytes, int64_t summed) const;
  Time OfTcpReceived(int64_t aggregates, int64_t bytes, int64_t summed) const;
  Time OfRequest() const { return Of(operation.cycles_per_request); }
  bool operator==(const CoreCosts&) const = default;
};

/// Cores of a host that only services use, and the software costs on them; and its ports.
struct HostParameters {
  int cores = 1;
  CoreCosts costs;
  std::optional<BondParameters> bond{};  ///< present if the host has two ports
  std::optional<int> nics{};  ///< number of NICs, if the section `hosts` gives it; the topology has them
  bool operator==(const HostParameters&) const = default;
};

/// How a thread waits: it sleeps in epoll_wait(2), or first polls for a time.
struct EventLoop {
  Time wake;   ///< from an event until the thread runs; the core is not busy
  Time turn;   ///< cost of each turn of the loop: epoll_wait, and arming its events
  Time polls;  ///< the time that it polls after its last work; meanwhile it sees events immediately, and the
               ///< core is busy
  bool operator==(const EventLoop&) const = default;
};

}  // namespace headroom
