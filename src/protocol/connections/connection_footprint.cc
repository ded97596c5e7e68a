// The memory of this process that services of connections use (footprint.h).
#include <cmath>

#include "nic/verbs/verbs_footprint.h"
#include "protocol/connections/daemon.h"
#include "protocol/connections/queue_pair_service.h"

namespace headroom {

namespace {

/// Memory of a connection at both ends: its slots, and a mark for each.
double ConnectionBytes(const ServiceLoad& load) {
  return sizeof(Connection) + load.open * (2 * PayloadMark::kBytes + 2 * sizeof(uint32_t)) + kAllocation;
}

Forecast Completions(double queues, Forecast open) {
  return queues * Forecast{CompletionQueueBytes(open.expected / queues / 8),
                           CompletionQueueBytes(open.worst / queues * 2)};
}

}  // namespace

Forecast QueuePairService::FootprintOf(const ConnectionParameters& p, const ServiceLoad& load,
                                       Forecast open) {
  const double clients = static_cast<double>(p.clients.size()), connections = clients * p.connections;
  const double groups = std::ceil(1.0 * p.threads_in_all() / p.share);
  // Threads that share queue pairs have together one queue pair per connection of one thread.
  const double joined =
      std::min(connections, clients * groups * std::ceil(1.0 * p.connections / p.threads_in_all()));
  const double each = sizeof(Joined) + sizeof(Ring<uint32_t>) + 3 * sizeof(void*) + RegionBytes(false) +
                      p.receives * PayloadMark::kBytes + 2 * kAllocation;
  const double depth = p.depth;
  const Forecast on_each{std::min(depth, open.expected / joined), std::min(depth, open.worst)};
  // Memory of a posted transfer: at its end, and its number in the order of completions.
  const auto posted = [](double n) { return QueuePairBytes(n, 0) + RingBytes(n, sizeof(uint32_t)); };
  Forecast all = Exactly(connections * (ConnectionBytes(load) + sizeof(uint32_t)));
  all += joined * Forecast{posted(on_each.expected), posted(on_each.worst)};
  all += Exactly(joined * (each + QueuePairBytes(0, p.receives)));
  return all + Completions(groups * (clients + static_cast<double>(p.servers.size())), open);
}

Forecast Daemon::FootprintOf(const ConnectionParameters& p, const ServiceLoad& load, Forecast open) {
  const auto clients = static_cast<double>(p.clients.size()), servers = static_cast<double>(p.servers.size());
  const double connections = clients * p.connections, hosts = clients + servers;
  const double receives =
      RingBytes(p.shared_receives, sizeof(ReceiveWork)) + p.shared_receives * PayloadMark::kBytes;
  const double depth = p.depth;
  constexpr double kPeer = sizeof(Peer) + 2 * 48;  // an entry found by host and by queue pair
  Forecast all = Exactly(connections * (ConnectionBytes(load) + sizeof(uint32_t) + 2 * sizeof(Virtual)));
  all += Exactly(hosts * (sizeof(Daemon) + receives));
  all +=
      2 * clients * servers *
      Forecast{kPeer + QueuePairBytes(std::min(depth, open.expected), 0), kPeer + QueuePairBytes(depth, 0)};
  // Each connection first sends a request to its peer.
  const Forecast asked{open.expected + connections / 2, open.worst + 2 * connections};
  all += 2 * GrownBytes(asked, sizeof(Request)) + GrownBytes(asked, sizeof(Posted));
  all += connections * Forecast{RingBytes(1, sizeof(Posted)), 2 * RingBytes(load.open, sizeof(Posted))};
  return all + Completions(hosts, {open.expected, open.worst + hosts * depth});
}

std::optional<Forecast> ConnectionParameters::Footprint(const Topology&, const ServiceLoad& load,
                                                        const ServiceDemand& demand) const {
  const Forecast& open = demand.open;
  constexpr size_t kTask = 80, kCaptures = 48;  // the core's task for it
  const Forecast all = GrownBytes(open, sizeof(Transfer) + kTask + kCaptures + sizeof(uint32_t));
  return all + (system == ConnectionSystem::rdmavisor ? Daemon::FootprintOf(*this, load, open)
                                                      : QueuePairService::FootprintOf(*this, load, open));
}

}  // namespace headroom
