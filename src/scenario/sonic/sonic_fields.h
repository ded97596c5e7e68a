// Fields of a SONiC configuration that a scenario changes: `tables:` beside `sonic:`.
#pragma once

#include <string>
#include <vector>

#include "scenario/yaml/reader.h"
#include "sonic/tables/source.h"

namespace headroom {

/// {TABLE: {key: {field: value}}}. `places`, if given, gets the position of each.
std::vector<SonicField> ReadSonicFields(const Node& node, std::vector<Position>* places = nullptr);

/// The configuration's text with these fields changed, or added if another row of the table has them. Throws
/// a ScenarioError at `where` for other rows and fields, because a misspelt one would have no effect. A text
/// that is not JSON stays unchanged.
std::string WithSonicFields(std::string text, const std::string& file, const std::vector<SonicField>& fields,
                            const Position& where);

/// The fields as the value of `tables:`, on one line.
std::string WriteSonicFields(const std::vector<SonicField>& fields);

}  // namespace headroom
