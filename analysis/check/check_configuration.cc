#include "analysis/check/check_configuration.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/text/text_table.h"
#include "switch/buffer/profiles.h"

namespace headroom {
namespace {

std::vector<ConfiguredPool> PoolsOf(const BufferParameters& buffer) {
  std::vector<ConfiguredPool> pools;
  for (const BufferPool& pool : buffer.pools) {
    if (pool.type != BufferPool::Type::egress && pool.xoff.v > 0) pools.push_back({pool.name, pool.xoff});
  }
  for (const ChipPort& port : buffer.chip_ports) {
    for (int group = 0; group < kPriorities; ++group) {
      const BufferProfile* profile = FindProfile(buffer, GroupProfileName(buffer, port.name, group, false));
      if (profile == nullptr || !profile->xoff) continue;
      const auto pool = std::ranges::find(pools, profile->pool, &ConfiguredPool::pool);
      if (pool == pools.end()) continue;
      ++pool->groups;
      pool->sum_xoff += ProfileAtPort(buffer, *profile, port.speed, port.delay).xoff.value_or(Bytes());
    }
  }
  return pools;
}

void Judge(const ConfigurationCheck& check, Findings& findings) {
  if (check.linked == check.ports) return;
  for (const ConfiguredPool& pool : check.pools) {
    if (pool.sum_xoff <= pool.size) continue;
    findings.push_back(
        {Finding::Severity::note, fmt::format("{}, headroom of {}", check.at, pool.pool),
         fmt::format("if all {} ports of the configuration were in use and their peers paused at once, {} "
                     "lossless groups would take {} of headroom, {:.1f} times the available {}; the scenario "
                     "links {} of the ports",
                     check.ports, pool.groups, FormatBytes(pool.sum_xoff),
                     static_cast<double>(pool.sum_xoff.v) / static_cast<double>(pool.size.v),
                     FormatBytes(pool.size), check.linked)});
  }
}

}  // namespace

std::vector<ConfigurationCheck> CheckConfigurations(const std::vector<SwitchClass>& switches,
                                                    Findings& findings) {
  std::vector<ConfigurationCheck> checks;
  for (const SwitchClass& c : switches) {
    const BufferParameters& buffer = c.parameters->buffer;
    if (buffer.chip_ports.empty()) continue;
    ConfigurationCheck check;
    check.at = c.name;
    check.switches = c.switches;
    for (const PortClass& port : c.ports) check.linked += port.ports;
    check.ports = static_cast<uint32_t>(buffer.chip_ports.size());
    check.pools = PoolsOf(buffer);
    Judge(check, findings);
    checks.push_back(std::move(check));
  }
  return checks;
}

}  // namespace headroom
