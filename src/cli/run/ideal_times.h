// The ideal completion time of every message of a run: the time of the same message on the same path without
// other traffic.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "analysis/bounds/ideal_path.h"
#include "net/topology/routing.h"
#include "scenario/paths/flow_paths.h"
#include "scenario/scenario.h"
#include "workload/message_record.h"

namespace headroom {

class IdealTimes {
 public:
  /// REQUIRES: `scenario` outlives this object.
  explicit IdealTimes(const Scenario& scenario);
  ~IdealTimes();
  IdealTimes(const IdealTimes&) = delete;
  IdealTimes& operator=(const IdealTimes&) = delete;

  /// MessageRecord::ideal; 0 if there is no ideal time.
  Time Of(const MessageRecord& message);

 private:
  const Scenario& scenario_;
  const std::vector<RouteTable> routes_;
  const EcmpPaths ecmp_;
  const FlowPaths flow_paths_;
  std::map<std::tuple<NodeId, NodeId, uint16_t>, IdealPath> paths_;  ///< by source, destination and port
};

/// Fills MessageRecord::ideal.
void FillIdealTimes(const Scenario& scenario, std::vector<MessageRecord>& messages);

}  // namespace headroom
