// links.csv
#include "report/csv/result_file.h"

namespace headroom {

namespace {

/// A link, seen from one end.
struct Direction {
  const LinkEnd& here;
  const LinkEnd& there;
  const LinkSpec& spec;
};

void ForEachDirection(const ResultRun& run, const std::function<void(const Direction&)>& use) {
  for (const TopologyLink& link : run.scenario.topology.links) {
    use({link.a, link.b, link.spec});
    use({link.b, link.a, link.spec});
  }
}

const Table<Direction> kLinks{
    "links",
    "the ports of the network: two lines for each link, in the order of the topology",
    ForEachDirection,
    {{"node", kinds::kName, "node of the port", [](auto& run, auto& d) { return run.Node(d.here.node); }},
     {"port", kinds::kName, "name of the port at its node",
      [](auto& d) -> std::string_view { return d.here.port; }},
     {"peer_node", kinds::kName, "node at the other end",
      [](auto& run, auto& d) { return run.Node(d.there.node); }},
     {"peer_port", kinds::kName, "port at the other end",
      [](auto& d) -> std::string_view { return d.there.port; }},
     {"rate_bps", kinds::kBitRate, "rate of the link, without faults", [](auto& d) { return d.spec.rate; }},
     {"delay_ns", kinds::kNs, "propagation and transceivers, one way",
      [](auto& d) { return d.spec.delay + d.spec.phy; }}}};

}  // namespace

}  // namespace headroom
