#include "analysis/bounds/dependency/buffer_dependency.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "analysis/bounds/dependency/turn_order.h"
#include "net/routing/dimension_order.h"

namespace headroom {
namespace {

/// Vertices are the directed links, and behind them the *turns*: a switch with a set of next hops. A link
/// leads to the turns of the frames that it carries, a turn to the links of its set. A dependency leads from
/// link to link through a turn; turns keep the number small where many links feed many others. If datelines
/// change priorities, there is a vertex for each priority of a link, and a turn also belongs to frames with
/// one priority and from one dimension.
class DependencyGraph {
 public:
  DependencyGraph(const Fabric& fabric, const std::vector<NodeId>& hosts)
      : fabric_(fabric),
        datelines_(DatelinesOf(fabric.scenario())),
        priorities_(datelines_.empty() ? 1 : kPriorities),
        links_(static_cast<uint32_t>(2 * fabric.topology().links.size()) * priorities_),
        hops_(2 * fabric.topology().links.size()),
        next_(links_) {
    for (const NodeId to : hosts) AddRoutes(to, hosts);
  }

  /// In the order of the cycle.
  std::vector<PathHop> Cycle() const {
    const std::optional<uint32_t> on_cycle = FindVertexOnCycle();
    if (!on_cycle) return {};
    std::vector<uint32_t> links = ShortestPathBackTo(*on_cycle);
    std::erase_if(links, [this](uint32_t v) { return v >= links_; });
    // The same cycle is always reported from the same start.
    std::ranges::rotate(links, std::ranges::min_element(links));
    std::vector<PathHop> cycle;
    for (const uint32_t link : links) cycle.push_back(hops_[link / priorities_]);
    return cycle;
  }

 private:
  /// A switch with a dateline.
  struct TorusSwitch {
    std::vector<TorusPorts::Exit> exits;
    Dateline dateline;
  };
  /// A frame that arrives at a switch.
  struct Arriving {
    NodeId node;
    uint16_t in;
    uint8_t priority;
  };

  /// Indexed by switch; empty if no switch has a dateline.
  static std::vector<std::optional<TorusSwitch>> DatelinesOf(const Scenario& s) {
    std::vector<std::optional<TorusSwitch>> datelines;
    if (std::ranges::none_of(s.switches, [](const auto& p) { return p.routing.dateline.has_value(); }))
      return datelines;
    const TorusPorts torus(s.topology);
    for (size_t i = 0; i < s.switches.size(); ++i) {
      datelines.emplace_back();
      if (!s.switches[i].routing.dateline) continue;
      const auto& exits = torus.Of(s.topology.hosts + static_cast<NodeId>(i));
      datelines.back().emplace(exits, Dateline(*s.switches[i].routing.dateline, exits));
    }
    return datelines;
  }
  /// The priorities that differ, as sent by hosts.
  std::vector<uint8_t> Starts() const {
    if (datelines_.empty()) return {0};
    std::vector<uint8_t> starts;
    for (const TrafficClass& c : fabric_.scenario().classes) {
      if (!c.name.empty() && c.lossless) starts.push_back(c.priority);
    }
    return starts;
  }
  const TorusSwitch* DatelineAt(NodeId node) const {
    const std::optional<TorusSwitch>* at =
        datelines_.empty() ? nullptr : &datelines_[node - fabric_.topology().hosts];
    return at != nullptr && at->has_value() ? &**at : nullptr;
  }
  /// The origin of frames, as far as the switch distinguishes it.
  int DimensionOf(const Arriving& s) const {
    const TorusSwitch* torus = DatelineAt(s.node);
    return torus == nullptr ? -1 : torus->exits[s.in].dimension;
  }
  uint8_t PriorityAfter(const Arriving& s, uint16_t out) const {
    const TorusSwitch* torus = DatelineAt(s.node);
    return torus == nullptr ? s.priority : torus->dateline.PriorityAfter(s.in, out, s.priority);
  }
  uint32_t VertexOf(const PathHop& hop, uint8_t priority) const {
    return fabric_.Direction(hop) * priorities_ + priority;
  }

  bool IsSwitch(NodeId n) const { return n >= fabric_.topology().hosts; }
  bool HasPfc(NodeId n) const {
    return fabric_.scenario().switches[n - fabric_.topology().hosts].pfc.enabled;
  }

  /// Adds everything on the paths of frames to one host.
  void AddRoutes(NodeId to, const std::vector<NodeId>& sources) {
    const size_t dimensions = datelines_.empty() ? 1 : 1 + fabric_.topology().torus.size();
    std::vector<bool> seen(fabric_.topology().nodes.size() * dimensions * priorities_);
    std::vector<Arriving> ahead;
    const auto visit = [&](const Arriving& s) {
      if (!IsSwitch(s.node)) return;
      const size_t dimension = static_cast<size_t>(DimensionOf(s) + 1);
      auto known = seen[(s.node * dimensions + dimension) * priorities_ + s.priority];
      if (!known) ahead.push_back(s);
      known = true;
    };
    const auto at_end_of = [](const PathHop& hop, uint8_t priority) {
      return Arriving{hop.to.node, static_cast<uint16_t>(hop.to.port_index), priority};
    };
    for (const NodeId from : sources) {
      if (from == to) continue;
      for (const uint16_t port : fabric_.routes()[from].NextHops(to)) {
        for (const uint8_t priority : Starts()) visit(at_end_of(fabric_.paths().HopAt(from, port), priority));
      }
    }
    while (!ahead.empty()) {
      const Arriving state = ahead.back();
      ahead.pop_back();
      for (const uint16_t port : fabric_.routes()[state.node].NextHops(to)) {
        const PathHop& hop = fabric_.paths().HopAt(state.node, port);
        const Arriving next = at_end_of(hop, PriorityAfter(state, port));
        visit(next);
        if (!IsSwitch(hop.to.node) || !HasPfc(state.node) || !HasPfc(hop.to.node)) continue;
        hops_[fabric_.Direction(hop)] = hop;
        const uint32_t link = VertexOf(hop, next.priority), turn = TurnAt(next, to);
        if (std::ranges::find(next_[link], turn) == next_[link].end()) next_[link].push_back(turn);
      }
    }
  }

  /// The vertex of a switch and its next hops to a host.
  uint32_t TurnAt(const Arriving& s, NodeId to) {
    const std::span<const uint16_t> ports = fabric_.routes()[s.node].NextHops(to);
    const auto [at, added] =
        turns_.try_emplace({s.node, ports.data(), ports.size(), DimensionOf(s), s.priority},
                           static_cast<uint32_t>(next_.size()));
    if (added) {
      std::vector<uint32_t>& links = next_.emplace_back();
      for (const uint16_t port : ports) {
        const PathHop& hop = fabric_.paths().HopAt(s.node, port);
        if (IsSwitch(hop.to.node) && HasPfc(hop.to.node))
          links.push_back(VertexOf(hop, PriorityAfter(s, port)));
      }
    }
    return at->second;
  }

  /// Depth first: finds a vertex that is reached again while its own successors are being visited.
  std::optional<uint32_t> FindVertexOnCycle() const {
    enum class State : uint8_t { fresh, open, done };
    std::vector<State> state(next_.size());
    struct Step {
      uint32_t vertex;
      size_t next;
    };
    std::vector<Step> path;
    for (uint32_t start = 0; start < next_.size(); ++start) {
      if (state[start] != State::fresh) continue;
      path.push_back({start, 0});
      while (!path.empty()) {
        const uint32_t vertex = path.back().vertex;
        state[vertex] = State::open;
        if (path.back().next == next_[vertex].size()) {
          state[vertex] = State::done;
          path.pop_back();
          continue;
        }
        const uint32_t to = next_[vertex][path.back().next++];
        if (state[to] == State::open) return to;
        if (state[to] == State::fresh) path.push_back({to, 0});
      }
    }
    return std::nullopt;
  }

  /// Breadth first: the vertices of the shortest path from `start` back to it.
  std::vector<uint32_t> ShortestPathBackTo(uint32_t start) const {
    constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
    std::vector<uint32_t> before(next_.size(), kNone);
    std::deque<uint32_t> ahead = {start};
    while (before[start] == kNone) {
      const uint32_t vertex = ahead.front();
      ahead.pop_front();
      for (const uint32_t to : next_[vertex]) {
        if (before[to] != kNone) continue;
        before[to] = vertex;
        ahead.push_back(to);
      }
    }
    std::vector<uint32_t> path = {start};
    for (uint32_t v = before[start]; v != start; v = before[v]) path.push_back(v);
    std::reverse(path.begin() + 1, path.end());
    return path;
  }

  const Fabric& fabric_;
  std::vector<std::optional<TorusSwitch>> datelines_;
  const uint32_t priorities_;                ///< vertices per directed link
  const uint32_t links_;                     ///< number of vertices of links
  std::vector<PathHop> hops_;                ///< indexed by directed link
  std::vector<std::vector<uint32_t>> next_;  ///< indexed by vertex
  /// Sets of next hops share their storage, so the address identifies a set. For look-ups only, never
  /// iterated.
  std::map<std::tuple<NodeId, const uint16_t*, size_t, int, uint8_t>, uint32_t> turns_;
};

}  // namespace

std::vector<PathHop> FindBufferCycle(const Fabric& fabric) {
  const std::vector<NodeId> hosts = OneHostOfEachPlace(fabric.topology());
  const bool one_priority = std::ranges::none_of(
      fabric.scenario().switches, [](const SwitchParameters& p) { return p.routing.dateline.has_value(); });
  if (one_priority && CannotWaitInCycle(fabric, hosts)) return {};
  return FindBufferCycle(fabric, hosts);
}

std::vector<PathHop> FindBufferCycle(const Fabric& fabric, const std::vector<NodeId>& places) {
  return DependencyGraph(fabric, places).Cycle();
}

}  // namespace headroom
