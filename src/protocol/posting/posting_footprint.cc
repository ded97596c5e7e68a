// Part of posting_loops.h: the memory of this process that posting loops use.
#include <algorithm>

#include "nic/verbs/verbs_footprint.h"
#include "protocol/posting/posting_loops.h"

namespace headroom {

namespace {

/// The most work requests or RECVs of a queue pair for datagrams.
constexpr double kDatagrams = 1 << 20;

/// The traffic on lanes in one direction.
struct Direction {
  double lanes = 0, posters = 0, takers = 0;  ///< posters: sending processes; takers: receiving processes
  Forecast posted;                            ///< posted on a lane at the same time
  double receives = 0;                        ///< RECVs per lane
};

/// A queue pair at both ends of each lane.
Forecast ConnectedBytes(const Direction& d) {
  const double idle = QueuePairBytes(0, 0), taking = QueuePairBytes(0, d.receives);
  return d.lanes * Forecast{QueuePairBytes(d.posted.expected, 0) + taking,
                            2 * QueuePairBytes(d.posted.worst, 0) - idle + taking};
}

/// One queue pair at each process, for all its lanes.
Forecast DatagramBytes(const Direction& d) {
  const double receives = std::min(d.receives * d.lanes / d.takers, kDatagrams);
  const double taking = d.takers * QueuePairBytes(0, receives);
  const double sends = std::min(d.posted.worst * d.lanes / d.posters, kDatagrams);
  return {d.posters * QueuePairBytes(2, 0) + taking, d.posters * QueuePairBytes(sends, 0) + taking};
}

}  // namespace

/// Every pair of processes has a lane, and its own queue pairs unless it uses datagrams. The number of lanes
/// is the product of the processes at both ends.
Forecast PostingLoops::FootprintOf(const PostingArrivals& a, Operation requests, Forecast messages) {
  const double from = static_cast<double>(a.from.size()) * a.processes_from;
  const double to = static_cast<double>(a.to.size()) * a.processes_to;
  const auto both =
      std::ranges::count_if(a.from, [&](NodeId host) { return std::ranges::count(a.to, host) > 0; });
  const double lanes = from * to - static_cast<double>(both) * a.processes_from * a.processes_to;
  if (lanes <= 0) return {};
  const double window = a.random ? std::max(1.0, a.window * from / lanes) : a.window;
  const Forecast open{std::min(window, messages.expected / lanes),
                      std::min<double>(a.window, messages.worst / lanes + 1)};

  Direction d{lanes, from, to, {open.expected, a.window + 1.0}, 0};
  Forecast all = Exactly((from + to) * sizeof(Process)) + GrownBytes(Exactly(lanes), sizeof(Lane)) +
                 GrownBytes(Exactly(lanes), sizeof(uint32_t));
  const double completions = std::min(2 * d.posted.worst * lanes / std::min(from, to), kDatagrams);
  all += (from + to) * Forecast{CompletionQueueBytes(2), CompletionQueueBytes(completions)};
  const auto noted = [&](double messages_of_lane) {
    return RingBytes(messages_of_lane, sizeof(Message)) + 2 * RingBytes(messages_of_lane, sizeof(uint32_t));
  };
  all += lanes * Forecast{noted(open.expected), noted(open.worst)};

  const auto add = [&](Transport transport, Operation verb, bool has_pair) {
    const bool sends = verb == Operation::send;
    d.receives = sends ? a.window + kReceivesBeyond : 0;
    if (!sends) all += Exactly(lanes * RegionBytes(verb != Operation::read_request));
    if (transport == Transport::ud) {
      all += DatagramBytes(d);
    } else if (!has_pair) {
      all += ConnectedBytes(d) + Exactly(lanes * 2 * sizeof(SendQueue));
    } else {  // answers return on the requests' queue pairs
      all += lanes * Forecast{QueuePairBytes(open.expected, d.receives) - QueuePairBytes(0, 0),
                              QueuePairBytes(0, d.receives) - QueuePairBytes(0, 0)};
    }
  };
  add(a.transport, requests, false);
  std::swap(d.posters, d.takers);
  if (a.reply) add(a.reply->transport, a.reply->verb, a.reply->transport == a.transport);
  return all;
}

}  // namespace headroom
