#include "scenario/deadlock.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace headroom {

namespace {

using Key = std::tuple<NodeId, uint16_t, uint8_t>;

bool HoldsFramesFrom(const Port& port, int priority, uint16_t ingress) {
  for (const Frame* f = port.queue(priority).head; f != nullptr; f = f->next) {
    if (f->ingress == ingress) return true;
  }
  return false;
}

bool IsStuck(const Port& port, int priority) {
  return ((port.paused() >> priority) & 1) != 0 && !port.queue(priority).Empty();
}

struct FarEnd {
  NodeId node;
  uint16_t port;
};

/// Far ends by node and port.
std::vector<std::vector<FarEnd>> FarEnds(const Topology& t) {
  std::vector<std::vector<FarEnd>> ends(t.nodes.size());
  for (const TopologyLink& l : t.links) {
    const auto a = static_cast<uint16_t>(ends[l.a.node].size());
    ends[l.a.node].push_back({});
    const auto b = static_cast<uint16_t>(ends[l.b.node].size());
    ends[l.b.node].push_back({l.a.node, a});
    ends[l.a.node][a] = {l.b.node, b};
  }
  return ends;
}

/// The stuck queues that `q` waits for.
std::vector<PausedQueue> Blockers(Network& network, const std::vector<std::vector<FarEnd>>& ends, const PausedQueue& q) {
  std::vector<PausedQueue> blockers;
  const FarEnd far = ends[q.node][q.port];
  if (far.node < network.scenario().topology.hosts) return blockers;
  Switch& s = network.switch_at(far.node);
  if (!s.buffer().xoff(far.port, q.priority)) return blockers;
  for (uint16_t i = 0; i < s.port_count(); ++i) {
    if (IsStuck(s.port(i), q.priority) && HoldsFramesFrom(s.port(i), q.priority, far.port)) {
      blockers.push_back({far.node, i, q.priority});
    }
  }
  return blockers;
}

}  // namespace

std::vector<PausedQueue> FindPauseCycle(Network& network) {
  const Topology& t = network.scenario().topology;
  std::vector<PausedQueue> stuck;
  for (NodeId n = t.hosts; n < t.nodes.size(); ++n) {
    for (uint16_t i = 0; i < network.ports()[n].size(); ++i) {
      for (int p = 0; p < kPriorities; ++p) {
        if (IsStuck(*network.ports()[n][i], p)) stuck.push_back({n, i, static_cast<uint8_t>(p)});
      }
    }
  }
  if (stuck.size() < 2) return {};

  const auto ends = FarEnds(t);
  enum class Colour { white, grey, black };
  std::map<Key, Colour> colour;
  std::vector<PausedQueue> path;
  // Depth first; a queue met again while on the path closes a cycle.
  struct Step {
    std::vector<PausedQueue> next;
    size_t at = 0;
  };
  for (const PausedQueue& start : stuck) {
    if (colour[{start.node, start.port, start.priority}] != Colour::white) continue;
    std::vector<Step> steps;
    const auto enter = [&](const PausedQueue& q) {
      colour[{q.node, q.port, q.priority}] = Colour::grey;
      path.push_back(q);
      steps.push_back({Blockers(network, ends, q), 0});
    };
    enter(start);
    while (!steps.empty()) {
      Step& step = steps.back();
      if (step.at == step.next.size()) {
        const PausedQueue& q = path.back();
        colour[{q.node, q.port, q.priority}] = Colour::black;
        path.pop_back();
        steps.pop_back();
        continue;
      }
      const PausedQueue q = step.next[step.at++];
      switch (colour[{q.node, q.port, q.priority}]) {
        case Colour::white:
          enter(q);
          break;
        case Colour::grey:
          return {std::find(path.begin(), path.end(), q), path.end()};
        case Colour::black:
          break;
      }
    }
  }
  return {};
}

uint64_t DeadlockWatch::Sent() const {
  uint64_t sum = 0;
  for (const PausedQueue& q : cycle_) sum += network_.ports()[q.node][q.port]->counters(q.priority).tx_packets;
  return sum;
}

bool DeadlockWatch::Look() {
  std::vector<PausedQueue> cycle = FindPauseCycle(network_);
  // The search may enter one and the same cycle elsewhere: compare from a fixed start.
  if (!cycle.empty()) {
    const auto first = std::min_element(cycle.begin(), cycle.end(), [](const auto& a, const auto& b) {
      return Key(a.node, a.port, a.priority) < Key(b.node, b.port, b.priority);
    });
    std::rotate(cycle.begin(), first, cycle.end());
  }
  const bool same = !cycle.empty() && cycle == cycle_ && Sent() == sent_;
  cycle_ = std::move(cycle);
  sent_ = Sent();
  return same;
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
