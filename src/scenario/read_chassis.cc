#include "scenario/read_chassis.h"

namespace headroom {

ChassisParameters ReadChassis(const Node& node, Errors& errors) {
  ChassisParameters c;
  MapReader map(node, errors);
  map.Integer("line_cards", c.line_cards, 1, 64);
  map.Field("on_chip", c.on_chip, Bytes(1));
  map.Field("spill", c.spill);
  map.Fraction("deep_bandwidth", c.deep_bandwidth, false, 100);
  map.Field("credit", c.credit, Bytes(64), Bytes(1 << 20));
  map.Fraction("credit_speedup", c.credit_speedup, true, 10);
  map.Read("egress_queue", [&](const Node& value) {
    if (!value.IsScalar() || value.text != "auto") c.egress_queue = ParseSize(value);
  });
  map.Field("fabric_latency", c.fabric_latency, Time(0), Seconds(1));
  map.Finish();
  return c;
}

}  // namespace headroom
