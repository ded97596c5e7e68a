#include "analysis/bounds/switch_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "report/text/text_table.h"
#include "scenario/yaml/quantity.h"
#include "switch/buffer/profiles.h"

namespace headroom {
namespace {

bool SameSetup(const SwitchParameters& a, const SwitchParameters& b) {
  return a.latency == b.latency && a.ecn == b.ecn && a.pfc == b.pfc && a.buffer == b.buffer &&
         a.qos == b.qos && a.chassis == b.chassis;
}

bool SameKind(const PortClass& a, const PortClass& b) {
  return a.peer == b.peer && a.link == b.link && a.peer_obeys == b.peer_obeys &&
         a.peer_response == b.peer_response && a.classes == b.classes;
}

bool SamePorts(const std::vector<PortClass>& a, const std::vector<PortClass>& b) {
  return std::ranges::equal(
      a, b, [](const PortClass& x, const PortClass& y) { return x.ports == y.ports && SameKind(x, y); });
}

void AddTo(std::vector<PortClass>& known, PortClass port) {
  const auto at = std::ranges::find_if(known, [&](const PortClass& p) { return SameKind(p, port); });
  if (at != known.end()) {
    ++at->ports;
  } else {
    known.push_back(std::move(port));
  }
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
      std::vector<PortClass> kinds;
      for (const PortClass& port : ports_[n]) AddTo(kinds, port);
      const auto at = std::ranges::find_if(classes, [&](const SwitchClass& c) {
        return fabric_.node(c.example).tier == fabric_.node(n).tier && SamePorts(c.ports, kinds) &&
               SameSetup(*c.parameters, parameters);
      });
      if (at != classes.end()) {
        ++at->switches;
        at->members.push_back(n);
      } else {
        classes.push_back({"", n, 1, {n}, &parameters, std::move(kinds), {}, {}});
      }
    }
    for (SwitchClass& c : classes) SetUp(c);
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
    const size_t index = ports_[end.node].size();
    for (const TrafficClass& c : fabric_.scenario().classes) {
      if (!c.name.empty()) port.classes[c.priority] = At(own, index, end.port, port.link, c);
    }
    ports_[end.node].push_back(std::move(port));
  }

  /// Uses names only: the buffer is set up for just one switch of a kind.
  static ClassAtPort At(const SwitchParameters& own, size_t index, const std::string& name,
                        const LinkSpec& link, const TrafficClass& c) {
    ClassAtPort at;
    at.group = at.queue = c.priority;
    at.pfc = own.pfc.enabled && c.lossless;
    at.ecn = own.ecn[c.priority];
    if (!own.qos.empty()) {
      const PortQos& maps = own.qos[index];
      at.group = GroupOf(maps, c);
      at.queue = QueueOf(maps, maps, c);
      at.pfc = own.pfc.enabled && PrioritiesOf(maps, at.group) != 0;
      at.ecn = maps.ecn[at.queue];
    }
    const BufferParameters& b = own.buffer;
    if (const auto* group = FindProfile(b, GroupProfileName(b, name, at.group, c.lossless)))
      at.group_profile = ProfileAtPort(b, *group, link.rate, link.delay);
    if (const auto* queue = FindProfile(b, QueueProfileName(b, name, at.queue, c.lossless)))
      at.queue_profile = *queue;
    return at;
  }

  /// The example's buffer provides the limits of its ports; ports with other limits belong to another kind.
  void SetUp(SwitchClass& c) {
    std::vector<BufferPort> ports;
    for (const PortClass& port : ports_[c.example])
      ports.push_back({port.port, port.link.rate, port.link.delay});
    c.buffer = ns3::CreateObject<SharedBuffer>();
    try {
      c.buffer->Setup(c.parameters->buffer, ports, fabric_.scenario().classes, c.parameters->qos);
    } catch (const std::invalid_argument& e) {
      c.buffer = nullptr;
      c.problem = e.what();
      return;
    }
    c.ports.clear();
    for (uint32_t i = 0; i < ports.size(); ++i) {
      PortClass port = ports_[c.example][i];
      for (const TrafficClass& traffic : fabric_.scenario().classes) {
        if (traffic.name.empty()) continue;
        ClassAtPort& at = port.classes[traffic.priority];
        if (at.group_profile) at.ingress = c.buffer->group_allowance(i, at.group);
        if (at.queue_profile) at.egress = c.buffer->queue_allowances(i, at.queue);
      }
      AddTo(c.ports, std::move(port));
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
  std::vector<std::vector<PortClass>> ports_;  ///< indexed by node, each port separately
};

}  // namespace

std::vector<SwitchClass> ClassifySwitches(const Fabric& fabric) { return Classifier(fabric).Classify(); }

const BufferPool* FindPool(const BufferParameters& buffer, const std::string& name) {
  const auto at = std::ranges::find(buffer.pools, name, &BufferPool::name);
  return at == buffer.pools.end() ? nullptr : &*at;
}

bool LimitsAreKnown(const SwitchClass& c) {
  const BufferParameters& buffer = c.parameters->buffer;
  return !buffer.policy.HasMemory();
}

std::string LinkText(const LinkSpec& link) {
  const double micros = InMicroseconds(link.delay + link.phy);
  const std::string delay =
      micros < 1 ? FormatReadable(micros * 1e3) + " ns" : FormatReadable(micros) + " µs";
  return FormatRate(link.rate) + ", " + delay;
}

}  // namespace headroom
