#include "run/pause_causes.h"

#include <ns3/callback.h>

#include <algorithm>
#include <unordered_map>

#include "run/pause_roots.h"
#include "sim/parts.h"

namespace headroom {

PauseCauses::PauseCauses(Network& network, int tags)
    : network_(network),
      far_ends_(FarEnds(network.scenario().topology)),
      nodes_(network.scenario().topology.nodes.size()),
      ranks_(static_cast<uint32_t>(Parts::Get().ranks())),
      begun_at_cuts_(ranks_) {
  if (ranks_ > 1) Parts::Get().Add(*this);
  const auto on_block = ns3::MakeCallback(&PauseCauses::OnBlock, this);  // the ports share it
  for (NodeId n = 0; n < nodes_.size(); ++n) {
    nodes_[n].ports.resize(far_ends_[n].size());
    if (!IsSwitch(n) || !network.IsHere(n)) continue;
    network.switch_at(n).CountContents(network.scenario().classes, tags);
    for (Port* port : network.ports()[n]) {
      if (port->entity() >= node_of_.size()) node_of_.resize(port->entity() + 1);
      node_of_[port->entity()] = n;
      port->TraceConnectWithoutContext("Block", on_block);
    }
  }
}

void PauseCauses::OnPause(NodeId node, uint16_t port, const PauseChange& change, uint32_t pause) {
  if (change.sent) {
    if (change.kind == PauseChange::Kind::begin) Begin(node, port, change, pause);
    if (change.kind == PauseChange::Kind::end) End(node, pause);
    return;
  }
  if (!IsSwitch(node)) return;
  // A refresh may belong to another pause, if the resume between them was lost.
  uint32_t& by = nodes_[node].ports[port].Make().stopped_by[change.priority];
  by = change.kind == PauseChange::Kind::end ? kNobody : PauseOf(node, port, change);
  UpdateHolders(node, port);
}

void PauseCauses::Begin(NodeId node, uint16_t port, const PauseChange& change, uint32_t pause) {
  NodeState& n = nodes_[node];
  auto& begun = n.ports[port].Make().begun;
  begun.push_back({static_cast<uint32_t>(begun.size()) + 1, pause, change.priority});
  if (const NodeId far = far_ends_[node][port].node; !network_.IsHere(far)) {
    const int rank = Parts::Get().RankOf(Parts::Get().Of(network_.context(far)));
    begun_at_cuts_[static_cast<size_t>(rank)].push_back({node, port, begun.back()});
  }
  if (!IsSwitch(node) || change.storm) return;
  Switch& s = network_.switch_at(node);
  const int group = s.GroupThatPauses(port, change.priority);
  if (group < 0 || !s.contents().Counts(port, group)) return;
  // Bytes accumulated until now belong to the pauses that are already open.
  const auto same = [&](const Open& o) { return o.in == port && o.group == group; };
  if (std::any_of(n.open.begin(), n.open.end(), same)) {
    s.contents().Settle(port, group, [&](const GroupContents::Part& part, double weight) {
      Note(node, port, static_cast<uint8_t>(group), part, weight);
    });
  }
  s.BeginSpan(port, group);
  n.open.push_back({pause, port, static_cast<uint8_t>(group)});
}

void PauseCauses::End(NodeId node, uint32_t pause) {
  NodeState& n = nodes_[node];
  const auto open =
      std::find_if(n.open.begin(), n.open.end(), [&](const Open& o) { return o.pause == pause; });
  if (open == n.open.end()) return;
  const Open ended = *open;
  GroupContents& contents = network_.switch_at(node).contents();
  contents.Settle(ended.in, ended.group, [&](const GroupContents::Part& part, double weight) {
    Note(node, ended.in, ended.group, part, weight);
  });
  contents.End(ended.in, ended.group);
  n.open.erase(open);
}

/// Assigns a group's accumulated bytes to its open pauses.
void PauseCauses::Note(NodeId node, uint16_t in, uint8_t group, const GroupContents::Part& part,
                       double weight) {
  const uint32_t holder = nodes_[node].ports[part.out]->holder[part.queue];
  for (const Open& o : nodes_[node].open) {
    if (o.in != in || o.group != group) continue;
    const uint32_t count = o.pause / ranks_;
    if (count >= held_.size()) held_.resize(count + 1);
    const auto same = [&](const Held& h) {
      return h.holder == holder && h.out == part.out && h.queue == part.queue && h.tag == part.tag;
    };
    auto& of = held_[count];
    auto at = std::find_if(of.begin(), of.end(), same);
    if (at == of.end())
      at = of.insert(of.end(), {holder, static_cast<uint16_t>(part.out), part.queue, part.tag, 0});
    at->weight += weight;
  }
}

/// The pause of the peer that a received frame belongs to: the last that had begun when the frame was
/// requested.
uint32_t PauseCauses::PauseOf(NodeId node, uint16_t port, const PauseChange& change) const {
  const FarEnd far = far_ends_[node][port];
  const auto& begun = nodes_[far.node].ports[far.port]->begun;
  const auto all = static_cast<uint32_t>(begun.size());
  // Frames carry 24 bits of the number.
  const uint32_t asked = all - ((all - change.number) & PauseChange::kNumbers);
  for (size_t i = asked; i-- > 0;) {
    if (begun[i].priority == change.priority) return begun[i].pause;
  }
  return kNobody;
}

void PauseCauses::UpdateHolders(NodeId node, uint16_t port) {
  const PortState& p = *nodes_[node].ports[port];
  const PauseReceiver& receiver = network_.switch_at(node).pause_receiver(port);
  const uint8_t blocked = network_.ports()[node][port]->blocked();
  for (int queue = 0; queue < kPriorities; ++queue) {
    uint32_t holder = ((blocked >> queue) & 1) != 0 ? kBlocked : kNobody;
    for (int priority = 0; priority < kPriorities && holder == kNobody; ++priority) {
      if (receiver.queue_of(priority) == queue) holder = p.stopped_by[priority];
    }
    if (holder != p.holder[queue]) SetHolder(node, port, queue, holder);
  }
}

void PauseCauses::SetHolder(NodeId node, uint16_t port, int queue, uint32_t holder) {
  NodeState& n = nodes_[node];
  GroupContents& contents = network_.switch_at(node).contents();
  for (const Open& o : n.open) {
    // If a group has two pauses, the first takes the accumulated bytes for both.
    contents.Settle(o.in, o.group, port, queue, [&](const GroupContents::Part& part, double weight) {
      Note(node, o.in, o.group, part, weight);
    });
  }
  n.ports[port].Make().holder[queue] = holder;
}

void PauseCauses::OnBlock(const Port& port) { UpdateHolders(node_of_[port.entity()], port.index()); }

void PauseCauses::OnDeadlock(const std::vector<PausedQueue>& cycle) {
  ++deadlocks_;
  for (const PausedQueue& q : cycle) {
    if (!network_.IsHere(q.node)) continue;
    const uint32_t holder = nodes_[q.node].ports[q.port]->holder[q.priority];
    if (holder != kNobody && holder != kBlocked) circular_.push_back({holder, cycle.front(), deadlocks_});
  }
}

void PauseCauses::Close() {
  for (NodeId n = 0; n < nodes_.size(); ++n) {
    while (!nodes_[n].open.empty()) End(n, nodes_[n].open.back().pause);
  }
}

void PauseCauses::Pack(int to_rank, Packer& to) {
  auto& begun = begun_at_cuts_[static_cast<size_t>(to_rank)];
  to(begun);
  begun.clear();
}

void PauseCauses::Unpack(int, Unpacker& from) {
  std::vector<BegunAtCut> all;
  from(all);
  for (const BegunAtCut& b : all) nodes_[b.node].ports[b.port].Make().begun.push_back(b.begun);
}

/// Adds what the other ranks know. From now on a pause is called by its index among all.
void PauseCauses::Join(const std::vector<PauseRecord>& pauses, const std::vector<uint32_t>& numbers,
                       const std::vector<Packet>& shares) {
  std::vector<std::vector<std::vector<Held>>> held(ranks_);  // by rank and count
  held[0] = std::move(held_);
  for (size_t r = 1; r < shares.size(); ++r) {
    std::vector<Circular> circular;
    Unpacker{shares[r]}(held[r], circular);
    std::ranges::move(circular, std::back_inserter(circular_));
  }
  held_.assign(pauses.size(), {});
  std::unordered_map<uint32_t, uint32_t> now;
  for (uint32_t i = 0; i < numbers.size(); ++i) {
    now[numbers[i]] = i;
    auto& of_rank = held[numbers[i] % ranks_];
    if (const uint32_t count = numbers[i] / ranks_; count < of_rank.size())
      held_[i] = std::move(of_rank[count]);
  }
  for (auto& of_pause : held_) {
    for (Held& h : of_pause) h.holder = h.holder < kBlocked ? now.at(h.holder) : h.holder;
  }
  for (Circular& circular : circular_) circular.pause = now.at(circular.pause);
  std::ranges::stable_sort(circular_, {}, &Circular::deadlock);
}

std::vector<PauseCause> PauseCauses::Resolve(const std::vector<PauseRecord>& pauses,
                                             const std::vector<uint32_t>& numbers,
                                             const std::vector<Packet>& shares) {
  Join(pauses, numbers, shares);
  // Storms and NICs are roots wherever a path reaches them.
  const auto kind = [&](uint32_t pause) {
    if (pauses[pause].storm) return PauseRoot::Kind::storm;
    return IsSwitch(pauses[pause].node) ? PauseRoot::Kind::queue : PauseRoot::Kind::receiver;
  };
  std::vector<const PausedQueue*> circular(pauses.size(), nullptr);
  for (const Circular& c : circular_) circular[c.pause] = &c.first;

  std::vector<PauseParts> parts(pauses.size());
  for (uint32_t i = 0; i < pauses.size(); ++i) {
    const PauseRecord& p = pauses[i];
    if (p.direction != PauseRecord::Direction::tx) continue;
    if (kind(i) != PauseRoot::Kind::queue) {
      parts[i].roots.push_back({{kind(i), p.node, p.port, p.priority, 0}, 1});
      continue;
    }
    for (const Held& h : held_[i]) {
      PauseRoot here{PauseRoot::Kind::queue, p.node, h.out, h.queue, h.tag};
      if (const PausedQueue* first = circular[i]; first != nullptr) {
        here = {PauseRoot::Kind::cycle, first->node, first->port, first->priority, h.tag};
        parts[i].roots.push_back({here, h.weight});
      } else if (h.holder == kNobody || h.holder == kBlocked) {
        if (h.holder == kBlocked) here.kind = PauseRoot::Kind::blocked;
        parts[i].roots.push_back({here, h.weight});
      } else if (kind(h.holder) != PauseRoot::Kind::queue) {
        const PauseRecord& far = pauses[h.holder];
        parts[i].roots.push_back({{kind(h.holder), far.node, far.port, far.priority, h.tag}, h.weight});
      } else {
        parts[i].beyond.push_back({h.holder, here, h.weight});
      }
    }
  }
  std::vector<PauseCause> causes;
  const auto roots = ResolveRoots(parts);
  for (uint32_t i = 0; i < pauses.size(); ++i) {
    for (const RootShare& r : roots[i]) causes.push_back({i, r.root, r.share});
  }
  return causes;
}

}  // namespace headroom
