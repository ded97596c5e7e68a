// The JSON Schema of scenarios, for editors.
#pragma once

#include <string>

namespace headroom::keys {

std::string ScenarioSchema();

}  // namespace headroom::keys
