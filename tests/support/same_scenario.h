// Whether two scenarios are equal, regardless of the places of their files.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "scenario/scenario.h"
#include "workload/types/poisson.h"

namespace headroom {

/// The name of a file before it was copied to the resolved scenario's folder.
inline std::string NameOfInput(const std::string& path) {
  const std::string prefix = "input-";
  const std::string name = std::filesystem::path(path).filename().string();
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

/// The scenario without the places of files; their names and contents remain.
inline Scenario WithoutPlaces(Scenario s) {
  s.file.clear();
  for (SwitchParameters& each : s.switches) {
    if (!each.sonic) continue;
    each.sonic->config = NameOfInput(each.sonic->config.string());
    each.sonic->lookup = NameOfInput(each.sonic->lookup.string());
  }
  for (Finding& finding : s.switch_findings) {
    for (std::string* text : {&finding.where, &finding.what, &finding.allowed})
      for (size_t at; (at = text->find("input-")) != std::string::npos;) text->erase(at, 6);
  }
  for (WorkloadParameters& workload : s.workloads) {
    const PoissonArrivals* const poisson = workload.arrivals->AsLoad();
    if (!poisson || !poisson->sizes) continue;
    SizeDistribution sizes = *poisson->sizes;
    sizes.name = NameOfInput(sizes.name);
    sizes.source = NameOfInput(sizes.source);
    workload.arrivals.As<PoissonArrivals>().sizes =
        std::make_shared<const SizeDistribution>(std::move(sizes));
  }
  return s;
}

/// Both are compared completely; the comparison of parts shows the place of a difference.
inline void ExpectSameScenario(const Scenario& first, const Scenario& second) {
  const Scenario a = WithoutPlaces(first), b = WithoutPlaces(second);
  if (a == b) return;
  ADD_FAILURE() << "the scenarios differ";
  EXPECT_TRUE(a.topology == b.topology);
  EXPECT_TRUE(a.classes == b.classes);
  EXPECT_EQ(a.switches.size(), b.switches.size());
  for (size_t i = 0; i < std::min(a.switches.size(), b.switches.size()); ++i) {
    SCOPED_TRACE("switch " + std::to_string(i));
    EXPECT_TRUE(a.switches[i].buffer == b.switches[i].buffer);
    EXPECT_TRUE(a.switches[i].ecn == b.switches[i].ecn);
    EXPECT_TRUE(a.switches[i].pfc == b.switches[i].pfc);
    EXPECT_TRUE(a.switches[i].qos == b.switches[i].qos);
    EXPECT_TRUE(a.switches[i].sonic == b.switches[i].sonic);
    EXPECT_TRUE(a.switches[i] == b.switches[i]);
  }
  EXPECT_TRUE(a.switch_findings == b.switch_findings);
  EXPECT_TRUE(a.nics == b.nics);
  EXPECT_TRUE(a.hosts == b.hosts);
  EXPECT_TRUE(a.services == b.services);
  EXPECT_TRUE(a.workloads == b.workloads);
  EXPECT_TRUE(a.faults == b.faults);
  EXPECT_TRUE(a.observe == b.observe);
}

}  // namespace headroom
