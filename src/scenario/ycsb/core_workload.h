// The requests of a workload file of YCSB: the keys of its CoreWorkload and client (brianfrankcooper/YCSB,
// CoreWorkload.java, Client.java).
#pragma once

#include <vector>

#include "scenario/ycsb/properties.h"
#include "workload/key_value_arrivals.h"

namespace headroom::ycsb {

struct CoreWorkload {
  KeyValueArrivals arrivals;  ///< without a service and times
  double seconds = 0;         ///< YCSB's maxexecutiontime; 0: none
  Position seconds_where, value_where, threads_where;
};

/// `where`: position for errors about missing keys. Throws a ScenarioError for keys that YCSB does not know,
/// and for work that a store of one value per key cannot do.
CoreWorkload ReadCoreWorkload(const std::vector<Property>& properties, const Position& where);

}  // namespace headroom::ycsb
