#include "analysis/switch_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/text_table.h"
#include "scenario/quantity.h"
#include "switch/profiles.h"

namespace headroom {
namespace {

bool SameSetup(const SwitchParameters& a, const SwitchParameters& b) {
  return a.latency == b.latency && a.ecn == b.ecn && a.pfc == b.pfc && a.buffer == b.buffer &&
         a.chassis == b.chassis;
}

bool SameKind(const PortClass& a, const PortClass& b) {
  return a.peer == b.peer && a.link == b.link && a.peer_obeys == b.peer_obeys &&
         a.peer_response == b.peer_response && a.groups == b.groups && a.queues == b.queues;
}

bool SamePorts(const std::vector<PortClass>& a, const std::vector<PortClass>& b) {
  return std::ranges::equal(
      a, b, [](const PortClass& x, const PortClass& y) { return x.ports == y.ports && SameKind(x, y); });
}

class Classifier {
 public:
  explicit Classifier(const Fabric& fabric) : fabric_(fabric), ports_(fabric.topology().nodes.size()) {
    const std::vector<TopologyLink>& links = fabric.topology().links;
    for (uint32_t l = 0; l < links.size(); ++l) {
      AddPort(links[l].a, links[l].b.node, l);
      AddPort(links[l].b, links[l].a.node, l);
    }
  }

  std::vector<SwitchClass> Classify() {
    std::vector<SwitchClass> classes;
    for (NodeId n = fabric_.topology().hosts; n < ports_.size(); ++n) {
      const SwitchParameters& parameters = ParametersOf(n);
      const auto at = std::ranges::find_if(classes, [&](const SwitchClass& c) {
        return fabric_.node(c.example).tier == fabric_.node(n).tier && SamePorts(c.ports, ports_[n]) &&
               SameSetup(*c.parameters, parameters);
      });
      if (at != classes.end()) {
        ++at->switches;
        at->members.push_back(n);
      } else {
        classes.push_back({"", n, 1, {n}, &parameters, std::move(ports_[n])});
      }
    }
    NameThem(classes);
    return classes;
  }

 private:
  bool IsHost(NodeId n) const { return n < fabric_.topology().hosts; }
  const SwitchParameters& ParametersOf(NodeId n) const {
    return fabric_.scenario().switches[n - fabric_.topology().hosts];
  }

  void AddPort(const LinkEnd& end, NodeId peer, uint32_t link) {
    if (IsHost(end.node)) return;
    const SwitchParameters& own = ParametersOf(end.node);
    PortClass port;
    port.peer = fabric_.node(peer).tier;
    port.link = fabric_.topology().links[link].spec;
    port.peer_obeys = IsHost(peer) || ParametersOf(peer).pfc.enabled;
    port.peer_response = IsHost(peer) ? own.pfc.response : ParametersOf(peer).pfc.response;
    port.ports = 1;
    port.link_index = link;
    port.port = end.port;
    for (const TrafficClass& c : fabric_.scenario().classes) {
      if (c.name.empty()) continue;
      const BufferParameters& b = own.buffer;
      if (const auto* group = FindProfile(b, GroupProfileName(b, end.port, c.priority, c.lossless)))
        port.groups[c.priority] = ProfileAtPort(b, *group, port.link.rate, port.link.delay);
      if (const auto* queue = FindProfile(b, QueueProfileName(b, end.port, c.priority, c.lossless)))
        port.queues[c.priority] = *queue;
    }
    std::vector<PortClass>& known = ports_[end.node];
    const auto at = std::ranges::find_if(known, [&](const PortClass& p) { return SameKind(p, port); });
    if (at != known.end()) {
      ++at->ports;
    } else {
      known.push_back(std::move(port));
    }
  }

  void NameThem(std::vector<SwitchClass>& classes) const {
    const auto tier_of = [&](const SwitchClass& c) -> const std::string& {
      return fabric_.node(c.example).tier;
    };
    std::map<std::string, int> of_tier, numbered;
    for (const SwitchClass& c : classes) ++of_tier[tier_of(c)];
    for (SwitchClass& c : classes) {
      const std::string& tier = tier_of(c);
      c.name = of_tier[tier] == 1 ? tier : fmt::format("{}#{}", tier, ++numbered[tier]);
    }
  }

  const Fabric& fabric_;
  std::vector<std::vector<PortClass>> ports_;  ///< by node
};

}  // namespace

Bytes SwitchClass::SharedBytes(const BufferPool& pool, bool egress) const {
  Bytes left = pool.size;
  for (const PortClass& port : ports) {
    for (const auto& profile : egress ? port.queues : port.groups) {
      if (!profile || profile->pool != pool.name) continue;
      left -= profile->size * port.ports;
      if (!egress && parameters->buffer.rules.headroom_from_link && profile->xoff)
        left -= *profile->xoff * port.ports;
    }
  }
  return left;
}

std::vector<SwitchClass> ClassifySwitches(const Fabric& fabric) { return Classifier(fabric).Classify(); }

const BufferPool* FindPool(const BufferParameters& buffer, const std::string& name) {
  const auto at = std::ranges::find(buffer.pools, name, &BufferPool::name);
  return at == buffer.pools.end() ? nullptr : &*at;
}

std::string LinkText(const LinkSpec& link) {
  const double micros = InMicroseconds(link.delay + link.phy);
  const std::string delay =
      micros < 1 ? FormatReadable(micros * 1e3) + " ns" : FormatReadable(micros) + " µs";
  return FormatRate(link.rate) + ", " + delay;
}

}  // namespace headroom
