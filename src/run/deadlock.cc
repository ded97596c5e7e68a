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

/// Bit mask of the priorities that stop this queue when they are paused.
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

std::vector<DeadlockWatch::PausedLink> DeadlockWatch::PausedHere() const {
  std::vector<PausedLink> links;
  const Topology& t = network_.scenario().topology;
  const auto seen = [this](NodeId n, uint16_t port) {
    return std::ranges::any_of(seen_,
                               [&](const Seen& s) { return s.queue.node == n && s.queue.port == port; });
  };
  for (NodeId n = t.hosts; n < t.nodes.size(); ++n) {
    if (!network_.IsHere(n)) continue;
    for (uint16_t i = 0; i < network_.ports()[n].size(); ++i) {
      const Port& port = *network_.ports()[n][i];
      if (port.paused() == 0 && !seen(n, i)) continue;
      PausedLink& link = links.emplace_back();
      link.node = n;
      link.port = i;
      for (uint8_t queue = 0; queue < kPriorities; ++queue) {
        if (((port.paused() >> queue) & 1) != 0 && !port.queue(queue).Empty())
          link.waiting |= static_cast<uint8_t>(1u << queue);
        link.sent[queue] = port.counters(queue).tx_packets;
        link.stopped_by[queue] = PrioritiesThatStop(network_.switch_at(n).qos(i), queue);
      }
    }
  }
  return links;
}

/// Fills in the far end of each link, if this rank runs the far end.
void DeadlockWatch::LookAtFarEnds(std::vector<PausedLink>& links) const {
  std::map<std::pair<NodeId, uint8_t>, std::vector<std::vector<PausedQueue>>> holders;
  for (PausedLink& link : links) {
    const FarEnd far = far_ends_[link.node][link.port];
    if (far.node < network_.scenario().topology.hosts || !network_.IsHere(far.node)) continue;
    const Switch& s = network_.switch_at(far.node);
    for (uint8_t group = 0; group < kPriorities; ++group) {
      link.pauses[group] = PrioritiesOf(s.qos(far.port), group);
      link.resumes[group] = network_.ports()[far.node][far.port]->statistics().resume_frames(group);
      if (!s.buffer().xoff(far.port, group)) continue;
      link.xoff |= static_cast<uint8_t>(1u << group);
      auto& at_far = holders[{far.node, group}];
      if (at_far.empty()) at_far = HoldersByIngress(s, far.node, group);
      link.holders[group] = at_far[far.port];
    }
  }
}

namespace {

/// The values of all ranks, in the order of the ranks.
template <class T>
std::vector<T> OfAllRanks(std::vector<T> own) {
  Parts& parts = Parts::Get();
  std::vector<Packet> out(static_cast<size_t>(parts.ranks()));
  for (Packet& packet : out) Packer{packet}(own);
  const std::vector<Packet> in = parts.Swap(std::move(out));
  std::vector<T> all;
  for (int r = 0; r < parts.ranks(); ++r) {
    std::vector<T> of_rank;
    if (r != parts.rank()) Unpacker{in[static_cast<size_t>(r)]}(of_rank);
    std::ranges::move(r == parts.rank() ? own : of_rank, std::back_inserter(all));
  }
  return all;
}

}  // namespace

void DeadlockWatch::LookAtLinks() {
  std::vector<PausedLink> links = PausedHere();
  if (Parts::Get().ranks() == 1) {
    LookAtFarEnds(links);
  } else {
    links = OfAllRanks(std::move(links));
    const size_t count = links.size();
    if (count > 0) {
      LookAtFarEnds(links);
      // Every rank has the same list. Each link is complete on the rank of its far end.
      std::vector<PausedLink> all = OfAllRanks(std::move(links));
      links.clear();
      for (size_t i = 0; i < all.size(); ++i) {
        const NodeId far = far_ends_[all[i].node][all[i].port].node;
        const int rank = Parts::Get().RankOf(Parts::Get().Of(network_.context(far)));
        if (static_cast<size_t>(rank) == i / count) links.push_back(std::move(all[i]));
      }
    }
  }
  links_.clear();
  for (PausedLink& link : links) {
    const std::pair at{link.node, link.port};
    links_.emplace(at, std::move(link));
  }
}

std::vector<PausedQueue> DeadlockWatch::Paused() const {
  std::vector<PausedQueue> queues;
  for (const auto& [at, link] : links_) {
    for (uint8_t p = 0; p < kPriorities; ++p) queues.push_back({at.first, at.second, p});
  }
  return queues;
}

/// The largest closed set among `queues`; ascending if they are.
std::vector<DeadlockWatch::Waiting> DeadlockWatch::ClosedSetWithin(
    const std::vector<PausedQueue>& queues) const {
  std::vector<Waiting> set;
  for (const PausedQueue& q : queues) {
    const PausedLink& link = links_.at({q.node, q.port});
    if (((link.waiting >> q.priority) & 1) == 0) continue;
    const FarEnd far = far_ends_[q.node][q.port];
    if (far.node < network_.scenario().topology.hosts) continue;
    Waiting waiting{q, {}};
    for (uint8_t group = 0; group < kPriorities; ++group) {
      if ((link.pauses[group] & link.stopped_by[q.priority]) == 0 || ((link.xoff >> group) & 1) == 0)
        continue;
      waiting.holders.insert(waiting.holders.end(), link.holders[group].begin(), link.holders[group].end());
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
  const PausedLink& link = links_.at({q.node, q.port});
  const uint8_t stop = link.stopped_by[q.priority];
  uint64_t resumes = 0;
  for (size_t p = 0; p < kPriorities; ++p) {
    if ((stop >> p) & 1) resumes += link.resumes[p];
  }
  return {q, link.sent[q.priority], resumes};
}

bool DeadlockWatch::Look() {
  LookAtLinks();
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
  const bool here = std::ranges::any_of(cycle_, [this](const PausedQueue& q) {
    return network_.IsHere(q.node) && network_.WatchdogActs(q.node, q.port, q.priority);
  });
  breaks_ = !Parts::Get().OnAll(!here);
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
