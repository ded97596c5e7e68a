// Faults of a resolved scenario.
#include <fmt/format.h>

#include "scenario/write.h"
#include "scenario/yaml/quantity.h"

namespace headroom {

namespace {

class FaultWriter {
 public:
  explicit FaultWriter(const Topology& topology) : topology_(topology) {}

  std::string operator()(const MarkFault& f) const {
    const std::string link = Link(Name(f.from), Name(f.to));
    if (f.every > 0) return fmt::format("type: mark, {}, every: {}", link, f.every);
    return fmt::format("type: mark, {}, packets: [{}]", link, fmt::join(f.packets, ", "));
  }
  std::string operator()(const LossFault& f) const {
    return fmt::format("type: loss, {}, probability: {}{}", Link(Name(f.from), Name(f.to)),
                       FormatNumber(f.probability), Times(f.times));
  }
  std::string operator()(const PauseStormFault& f) const {
    constexpr const char* kFrames[] = {"pfc", "global", "disabled"};
    const PauseStormParameters& s = f.storm;
    return fmt::format("type: pause_storm, port: {}, frames: {}{}, quanta: {}, interval: {}, end: {}{}",
                       WriteTexts({PortName(f.node, f.port)}), kFrames[static_cast<int>(s.frames)],
                       Priorities(s.priorities), s.quanta, s.interval ? FormatTime(*s.interval) : "auto",
                       s.xon ? "xon" : "expire", Times(f.times));
  }
  std::string operator()(const SlowReceiverFault& f) const {
    return fmt::format("type: slow_receiver, node: {}, rate: {}{}", WriteTexts({Name(f.host)}),
                       FormatRate(f.rate), Times(f.times));
  }
  std::string operator()(const LinkDownFault& f) const {
    const auto end = [this](NodeId node, const std::optional<uint32_t>& port) {
      return port ? PortName(node, *port) : Name(node);
    };
    return fmt::format("type: link_down, {}, convergence: {}{}", Link(end(f.a, f.port_a), end(f.b, f.port_b)),
                       f.convergence == kNever ? "never" : FormatTime(f.convergence), Times(f.times));
  }
  std::string operator()(const MacsecFault& f) const {
    const auto ends = [&](bool a, bool b) {
      return fmt::format("[{}{}{}]", a ? WriteTexts({Name(f.a)}) : "", a && b ? ", " : "",
                         b ? WriteTexts({Name(f.b)}) : "");
    };
    return fmt::format("type: macsec, {}, encrypts: {}, expects: {}{}", Link(Name(f.a), Name(f.b)),
                       ends(f.a_encrypts, f.b_encrypts), ends(f.a_expects, f.b_expects), Times(f.times));
  }
  std::string operator()(const PortBlockedFault& f) const {
    return fmt::format("type: port_blocked, port: {}{}{}", WriteTexts({PortName(f.node, f.port)}),
                       Priorities(f.priorities), Times(f.times));
  }

 private:
  const std::string& Name(NodeId node) const { return topology_.nodes[node].name; }
  std::string PortName(NodeId node, uint32_t port) const {
    for (const TopologyLink& link : topology_.links) {
      for (const LinkEnd* end : {&link.a, &link.b}) {
        if (end->node == node && end->port_index == port) return Name(node) + ":" + end->port;
      }
    }
    return Name(node);
  }
  static std::string Link(const std::string& a, const std::string& b) {
    return "link: " + WriteTexts({a, b});
  }
  static std::string Priorities(uint8_t mask) {
    std::vector<int> priorities;
    for (int p = 0; p < kPriorities; ++p) {
      if (((mask >> p) & 1) != 0) priorities.push_back(p);
    }
    return priorities.empty() ? "" : fmt::format(", priority: [{}]", fmt::join(priorities, ", "));
  }
  static std::string Times(const FaultTimes& t) {
    std::string text = ", start: " + FormatTime(t.start);
    if (t.stop != kNever) text += ", stop: " + FormatTime(t.stop);
    if (t.count > 1) text += fmt::format(", repeat: {{every: {}, count: {}}}", FormatTime(t.every), t.count);
    return text;
  }

  const Topology& topology_;
};

}  // namespace

std::string WriteFault(const Fault& fault, const Topology& topology) {
  return fmt::format("  - {{{}}}\n", std::visit(FaultWriter(topology), fault));
}

}  // namespace headroom
