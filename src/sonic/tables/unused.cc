// Tables that concern buffers, queues or PFC and that Headroom does not use.
#include <algorithm>
#include <array>
#include <string_view>

#include "sonic/tables/tables.h"

namespace headroom {

namespace {

/// Parts of the names of such tables. The name of a table in a later SONiC probably contains one of them,
/// too.
constexpr std::array<std::string_view, 13> kTouching = {"BUFFER", "QUEUE",    "PFC",     "WRED", "SCHEDULER",
                                                        "QOS",    "TRIMMING", "POLICER", "DSCP", "DOT1P",
                                                        "TC_",    "STORM",    "TUNNEL"};

}  // namespace

void NoteUnusedTables(const SonicTables& tables, SonicFindings& findings) {
  for (const auto& [name, rows] : tables.left()) {
    const auto part_of = [&name = name](std::string_view part) {
      return name.find(part) != std::string::npos;
    };
    if (rows.empty() || !std::ranges::any_of(kTouching, part_of)) continue;
    findings.Note({name, "", ""}, "Headroom does not use this table, but keeps it");
  }
}

}  // namespace headroom
