#include "sonic/tables/missing_group.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sonic/tables/expand.h"

namespace headroom {

namespace {

std::string SpeedText(Rate speed) { return fmt::format("{} Mb/s", speed / MegabitsPerSecond(1)); }

/// The cable lengths for which the table has a row at this speed, for example "5m, 300m".
std::string CablesAt(const PgProfileLookup& lookup, Rate speed) {
  std::vector<std::string> cables;
  for (const PgProfileRow& row : lookup.rows)
    if (row.speed == speed) cables.push_back(row.cable);
  return fmt::format("{}", fmt::join(cables, ", "));
}

}  // namespace

MissingGroup WhyNoLosslessGroup(const SonicConfig& config, const SonicPort& port) {
  if (config.device.dynamic())
    return {"BUFFER_PG has no row with profile NULL",
            "add BUFFER_PG rows with profile NULL, or take the priority out of pfc_enable"};
  if (!port.cable) return {"the port has no cable length", "give a cable length in CABLE_LENGTH|AZURE"};
  if (port.cable_m == 0)
    return {
        fmt::format("SONiC creates no lossless group for a cable of {}", *port.cable),
        "give the cable's length in CABLE_LENGTH|AZURE, or add a BUFFER_PG row with a profile that has xoff"};
  if (!config.lookup)
    return {"BUFFER_PG has none",
            "add a row with a profile that has xoff; or, because a fresh switch creates rows from its "
            "pg_profile_lookup.ini, give that file as lookup"};
  if (!port.speed) return {"the port has no speed", "give a speed in PORT"};
  if (SkipsPortsDown(config.device) && !port.up())
    return {"the port is down, and on this platform SONiC creates no lossless group for such a port",
            "set admin_status of the port to up"};
  const std::string file = config.lookup->file, cables = CablesAt(*config.lookup, *port.speed);
  return {fmt::format("{} has no row for {} and {}{}", file, SpeedText(*port.speed), *port.cable,
                      cables.empty() ? ", and no row for this speed" : ": for this speed it has " + cables),
          "add the row to the lookup table, or change speed and cable length to values that it has"};
}

}  // namespace headroom
