// The `hosts:` section.
#pragma once

#include "protocol/core_costs.h"
#include "scenario/read/matched_entries.h"

namespace headroom {

/// Parameters for each named host; `list` may be absent.
std::vector<HostParameters> ReadHosts(const Node* list, const std::vector<std::string>& names,
                                      Errors& errors);

}  // namespace headroom
