// Scenarios in the text of tests.
#pragma once

#include <string>

#include "scenario/read/load.h"

namespace headroom {

inline Scenario ScenarioOf(const std::string& yaml) { return LoadScenarioText(yaml, "test.yaml", "."); }

/// `hosts` hosts h0 … on one switch, 100 Gb/s and 5 m, and more keys of the scenario.
inline Scenario StarOf(int hosts, const std::string& more) {
  return ScenarioOf("name: star\nduration: 1ms\ntopology: {type: star, hosts: " + std::to_string(hosts) +
                    ", link: {rate: 100Gbps, length: 5m}}\n" + more);
}

}  // namespace headroom
