// A scenario file as one tree: included files are merged in, and settings from outside are applied.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scenario/yaml/node.h"

namespace headroom {

inline constexpr uintmax_t kLargestScenarioFile = uintmax_t{16} << 20;

/// `include:` has a path or a list of paths. Mappings merge key by key; the including file takes precedence.
/// `switches`, `nics`, `hosts`, `faults`, `services` and `workloads` are concatenated, the included entries
/// first; a service or workload with the same name merges into the included one. A `topology` of another
/// type, `vary`, `expect` and every other value is replaced.
///
/// Errors: ScenarioError for a file that cannot be read, is not a YAML mapping, is larger than 16 MiB,
/// includes itself, or includes more than 100 files; and for sets whose path does not exist.
Node ReadDocument(const std::filesystem::path& path, const std::vector<std::string>& sets);

/// Reads a text like a file; messages call it `name`, and its paths are relative to `directory`.
Node ReadDocumentText(const std::string& text, const std::string& name,
                      const std::filesystem::path& directory, const std::vector<std::string>& sets);

}  // namespace headroom
