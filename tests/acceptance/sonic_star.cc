#include "acceptance/sonic_star.h"

#include "scenario/read/load.h"

namespace headroom {

Scenario SonicStar(const std::string& file) {
  const std::string text =
      "topology:\n"
      "  type: custom\n"
      "  hosts: [h0, h1, h2, h3]\n"
      "  switches: [s0]\n"
      "  links:\n"
      "    - {ends: [h0, s0], rate: 40Gbps, length: 5m}\n"
      "    - {ends: [h1, s0], rate: 40Gbps, length: 5m}\n"
      "    - {ends: [h2, s0], rate: 100Gbps, length: 40m}\n"
      "    - {ends: [h3, s0], rate: 100Gbps, length: 40m}\n"
      "priorities: {storage: {priority: 3, dscp: 3, lossless: true},\n"
      "             second: {priority: 4, dscp: 4, lossless: true}}\n"
      "switches: [{match: \"*\", buffer: {sonic: " +
      file +
      "}}]\n"
      "nics: [{match: \"*\", congestion_control: none, transport: {rto: 1s}}]\n"
      "workloads: [{name: any, type: permutation, size: 1KB, priority: storage}]\n";
  const auto data = std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests/sonic/data";
  return LoadScenarioFileText(text, "x.yaml", data).scenario;
}

}  // namespace headroom
