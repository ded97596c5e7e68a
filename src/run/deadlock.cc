#include "run/deadlock.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "scenario/fault_links.h"

namespace headroom {

namespace {

/// See DeadlockWatch::interval.
Time IntervalFor(const Scenario& s) {
  Time longest = Milliseconds(1);
  std::vector<Rate> slowest;
  for (const TopologyLink& l : s.topology.links) slowest.push_back(l.spec.rate);
  for (const Fault& fault : s.faults) {
    if (const auto* slow = std::get_if<LinkSpeedFault>(&fault)) {
      for (const uint32_t i : LinksOf(*slow, s.topology)) slowest[i] = std::min(slowest[i], slow->rate);
    }
  }
  for (size_t i = 0; i < slowest.size(); ++i) {
    const TopologyLink& l = s.topology.links[i];
    const Time lag = l.spec.reorder.probability > 0 ? l.spec.reorder.most : Time{};
    if (l.a.node < s.topology.hosts || l.b.node < s.topology.hosts) continue;
    const PfcParameters& a = s.switches[l.a.node - s.topology.hosts].pfc;
    const PfcParameters& b = s.switches[l.b.node - s.topology.hosts].pfc;
    const Time pause = QuantaTime(std::max(a.quanta, b.quanta), slowest[i]);
    // A frame in each direction, each behind another frame.
    const Time frame = SerializationTime(s.frames.OnWire(s.frames.Data(s.mtu, true)), slowest[i]);
    const Time round_trip =
        (l.spec.delay + l.spec.phy + std::max(a.response, b.response) + frame * 2 + lag) * 2;
    longest = std::max(longest, pause + round_trip);
  }
  return longest;
}

/// For each ingress port, the egress queues with frames of this group that arrived there.
std::vector<std::vector<PausedQueue>> HoldersByIngress(const Switch& s, NodeId node, uint8_t group) {
  std::vector<std::vector<PausedQueue>> holders(s.port_count());
  for (uint16_t egress = 0; egress < s.port_count(); ++egress) {
    for (uint8_t number = 0; number < kPriorities; ++number) {
      const PausedQueue queue{node, egress, number};
      const auto note = [&](const FrameFifo& frames) {
        for (const Frame* f = frames.head; f != nullptr; f = f->next) {
          if (f->group != group) continue;
          auto& of = holders[f->ingress];
          if (of.empty() || of.back() != queue) of.push_back(queue);
        }
      };
      note(s.port(egress).queue(number));
      const int cards = s.fabric() ? s.fabric()->line_cards() : 0;
      for (int card = 0; card < cards; ++card) note(s.fabric()->frames(egress, number, card));
    }
  }
  return holders;
}

/// The priorities, a bit each, whose pauses stop this queue.
uint8_t PrioritiesThatStop(const PortQos& qos, uint8_t queue) {
  unsigned mask = 0;
  for (int p = 0; p < kPriorities; ++p) mask |= qos.pfc_to_queue[p] == queue ? 1u << p : 0;
  return static_cast<uint8_t>(mask & qos.pfc_enable);
}

}  // namespace

DeadlockWatch::DeadlockWatch(Network& network)
    : network_(network),
      far_ends_(FarEnds(network.scenario().topology)),
      interval_(IntervalFor(network.scenario())) {}

std::vector<PausedQueue> DeadlockWatch::Paused() const {
  std::vector<PausedQueue> queues;
  const Topology& t = network_.scenario().topology;
  for (NodeId n = t.hosts; n < t.nodes.size(); ++n) {
    for (uint16_t i = 0; i < network_.ports()[n].size(); ++i) {
      if (network_.ports()[n][i]->paused() == 0) continue;
      for (uint8_t p = 0; p < kPriorities; ++p) queues.push_back({n, i, p});
    }
  }
  return queues;
}

/// The largest closed set among `queues`; ascending if they are.
std::vector<DeadlockWatch::Waiting> DeadlockWatch::ClosedSetWithin(
    const std::vector<PausedQueue>& queues) const {
  std::vector<Waiting> set;
  std::map<std::pair<NodeId, uint8_t>, std::vector<std::vector<PausedQueue>>> holders;
  for (const PausedQueue& q : queues) {
    const Port& port = *network_.ports()[q.node][q.port];
    if (((port.paused() >> q.priority) & 1) == 0 || port.queue(q.priority).Empty()) continue;
    const FarEnd far = far_ends_[q.node][q.port];
    if (far.node < network_.scenario().topology.hosts) continue;
    const Switch& s = network_.switch_at(far.node);
    const uint8_t stop = PrioritiesThatStop(network_.switch_at(q.node).qos(q.port), q.priority);
    Waiting waiting{q, {}};
    for (uint8_t group = 0; group < kPriorities; ++group) {
      if ((PrioritiesOf(s.qos(far.port), group) & stop) == 0 || !s.buffer().xoff(far.port, group)) continue;
      auto& at_far = holders[{far.node, group}];
      if (at_far.empty()) at_far = HoldersByIngress(s, far.node, group);
      waiting.holders.insert(waiting.holders.end(), at_far[far.port].begin(), at_far[far.port].end());
    }
    if (!waiting.holders.empty()) set.push_back(std::move(waiting));
  }
  // Removing a queue may remove a condition that others rely on.
  for (size_t before = SIZE_MAX; set.size() < before;) {
    before = set.size();
    std::vector<PausedQueue> members;
    for (const Waiting& w : set) members.push_back(w.queue);
    std::erase_if(set, [&members](const Waiting& w) {
      return w.holders.empty() ||
             !std::all_of(w.holders.begin(), w.holders.end(), [&members](const PausedQueue& h) {
               return std::binary_search(members.begin(), members.end(), h);
             });
    });
  }
  return set;
}

DeadlockWatch::Seen DeadlockWatch::Observe(const PausedQueue& q) const {
  const FarEnd far = far_ends_[q.node][q.port];
  const uint8_t stop = PrioritiesThatStop(network_.switch_at(q.node).qos(q.port), q.priority);
  uint64_t resumes = 0;
  for (int p = 0; p < kPriorities; ++p) {
    if ((stop >> p) & 1) resumes += network_.ports()[far.node][far.port]->resume_frames(p);
  }
  return {q, network_.ports()[q.node][q.port]->counters(q.priority).tx_packets, resumes};
}

bool DeadlockWatch::Look() {
  std::vector<PausedQueue> still;
  for (const Seen& s : seen_) {
    if (Observe(s.queue) == s) still.push_back(s.queue);
  }
  const std::vector<Waiting> dead = ClosedSetWithin(still);
  if (dead.empty()) {
    seen_.clear();
    for (const Waiting& w : ClosedSetWithin(Paused())) seen_.push_back(Observe(w.queue));
    return false;
  }
  // Each member waits for another member, so following the waits from any member leads back to one of them.
  cycle_ = {dead.front().queue};
  for (;;) {
    const auto at = std::lower_bound(dead.begin(), dead.end(), cycle_.back(),
                                     [](const Waiting& w, const PausedQueue& q) { return w.queue < q; });
    const PausedQueue next = at->holders.front();
    const auto met = std::find(cycle_.begin(), cycle_.end(), next);
    if (met != cycle_.end()) {
      cycle_.erase(cycle_.begin(), met);
      break;
    }
    cycle_.push_back(next);
  }
  // The same cycle is always reported from the same start.
  std::rotate(cycle_.begin(), std::min_element(cycle_.begin(), cycle_.end()), cycle_.end());
  return true;
}

std::string DeadlockWatch::Describe() const {
  const Topology& t = network_.scenario().topology;
  std::string text;
  const auto name = [&](const PausedQueue& q) {
    uint16_t index = 0;
    for (const TopologyLink& l : t.links) {
      for (const LinkEnd* end : {&l.a, &l.b}) {
        if (end->node == q.node && index++ == q.port) return t.nodes[q.node].name + ":" + end->port;
      }
    }
    return t.nodes[q.node].name;
  };
  for (const PausedQueue& q : cycle_) text += fmt::format("{} (priority {}) waits for ", name(q), q.priority);
  if (!cycle_.empty()) text += name(cycle_.front());
  return text;
}

}  // namespace headroom
