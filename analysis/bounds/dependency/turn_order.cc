#include "analysis/bounds/dependency/turn_order.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace headroom {
namespace {

/// The graph of buffer_dependency.cc, for frames of all destinations at every switch. The vertices are the
/// links, by their sending ports, and behind them the turns.
class TurnGraph {
 public:
  TurnGraph(const Fabric& fabric, const std::vector<NodeId>& places)
      : fabric_(fabric), hosts_(fabric.topology().hosts), spans_(fabric.topology().nodes.size() - hosts_) {
    std::vector<uint32_t> ports(spans_.size());
    for (const TopologyLink& link : fabric.topology().links) {
      for (const NodeId n : {link.a.node, link.b.node}) {
        if (n >= hosts_) ++ports[n - hosts_];
      }
    }
    for (const uint32_t count : ports) {
      first_link_.push_back(links_);
      links_ += count;
    }
    next_.resize(links_);
    for (NodeId n = hosts_; n < fabric.topology().nodes.size(); ++n) {
      if (HasPfc(n)) FindTurns(n, places);
    }
    for (NodeId n = hosts_; n < fabric.topology().nodes.size(); ++n) AddLinksOf(n);
  }

  /// Kahn's algorithm: removes vertices to which no other vertex leads, until none is left or a cycle.
  bool Acyclic() const {
    std::vector<uint32_t> leading(next_.size());
    for (const std::vector<uint32_t>& to : next_) {
      for (const uint32_t vertex : to) ++leading[vertex];
    }
    std::vector<uint32_t> free;
    for (uint32_t vertex = 0; vertex < leading.size(); ++vertex) {
      if (leading[vertex] == 0) free.push_back(vertex);
    }
    size_t removed = 0;
    for (; !free.empty(); ++removed) {
      const uint32_t vertex = free.back();
      free.pop_back();
      for (const uint32_t to : next_[vertex]) {
        if (--leading[to] == 0) free.push_back(to);
      }
    }
    return removed == next_.size();
  }

 private:
  /// Destinations one after another with the same turn at a switch. In a regular network a switch has few
  /// spans.
  struct Span {
    uint32_t end = 0;   ///< index of the first destination behind it
    uint32_t turn = 0;  ///< vertex
  };

  bool HasPfc(NodeId n) const { return n >= hosts_ && fabric_.scenario().switches[n - hosts_].pfc.enabled; }
  NodeId Behind(NodeId n, uint16_t port) const { return fabric_.paths().HopAt(n, port).to.node; }

  void FindTurns(NodeId n, const std::vector<NodeId>& places) {
    std::map<std::pair<const uint16_t*, size_t>, uint32_t> known;  // for look-ups only, never iterated
    std::vector<Span>& spans = spans_[n - hosts_];
    for (uint32_t i = 0; i < places.size(); ++i) {
      const std::span<const uint16_t> ports = fabric_.routes()[n].NextHops(places[i]);
      const auto [at, added] =
          known.try_emplace({ports.data(), ports.size()}, static_cast<uint32_t>(next_.size()));
      if (added) {
        std::vector<uint32_t>& links = next_.emplace_back();
        for (const uint16_t port : ports) {
          if (HasPfc(Behind(n, port))) links.push_back(first_link_[n - hosts_] + port);
        }
      }
      if (spans.empty() || spans.back().turn != at->second) spans.push_back({i, at->second});
      spans.back().end = i + 1;
    }
  }

  /// Each link leads to the turns of the frames that it carries.
  void AddLinksOf(NodeId n) {
    uint32_t begin = 0;
    for (const Span& span : spans_[n - hosts_]) {
      for (const uint32_t link : next_[span.turn])
        AddTurns(link, Behind(n, static_cast<uint16_t>(link - first_link_[n - hosts_])), begin, span.end);
      begin = span.end;
    }
  }

  /// The turns at the switch `to` for the destinations from `begin` to `end`.
  void AddTurns(uint32_t link, NodeId to, uint32_t begin, uint32_t end) {
    const std::vector<Span>& spans = spans_[to - hosts_];
    for (auto at = std::ranges::upper_bound(spans, begin, {}, &Span::end); at != spans.end(); ++at) {
      std::vector<uint32_t>& turns = next_[link];
      const bool ends = next_[at->turn].empty();  // at hosts
      if (!ends && std::ranges::find(turns, at->turn) == turns.end()) turns.push_back(at->turn);
      if (at->end >= end) break;
    }
  }

  const Fabric& fabric_;
  const NodeId hosts_;
  uint32_t links_ = 0;
  std::vector<uint32_t> first_link_;         ///< indexed by switch: the vertex of its first port's link
  std::vector<std::vector<Span>> spans_;     ///< indexed by switch, in the order of destinations
  std::vector<std::vector<uint32_t>> next_;  ///< indexed by vertex
};

}  // namespace

std::vector<NodeId> OneHostOfEachPlace(const Topology& topology) {
  std::vector<std::vector<NodeId>> neighbours(topology.hosts);
  for (const TopologyLink& link : topology.links) {
    if (link.a.node < topology.hosts) neighbours[link.a.node].push_back(link.b.node);
    if (link.b.node < topology.hosts) neighbours[link.b.node].push_back(link.a.node);
  }
  std::set<std::vector<NodeId>> known;
  std::vector<NodeId> hosts;
  for (NodeId h = 0; h < neighbours.size(); ++h) {
    std::ranges::sort(neighbours[h]);
    if (known.insert(neighbours[h]).second) hosts.push_back(h);
  }
  return hosts;
}

bool CannotWaitInCycle(const Fabric& fabric, const std::vector<NodeId>& places) {
  return TurnGraph(fabric, places).Acyclic();
}

}  // namespace headroom
