// A scenario file as one tree: what it includes merged in, what is set from outside applied.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scenario/yaml/node.h"

namespace headroom {

inline constexpr uintmax_t kLargestScenarioFile = uintmax_t{16} << 20;

/// `include:` takes a path or a list of them. Mappings merge key by key and the including file wins.
/// `switches`, `nics`, `hosts`, `faults`, `services` and `workloads` are joined, the included entries first;
/// a service or workload of the same name merges into the included one. A `topology` of another type, `vary`,
/// `expect` and every other value is replaced.
///
/// Errors: ScenarioError for what cannot be read, is no YAML mapping, is larger than 16 MiB, includes itself,
/// or includes more than 100 files; and for sets that lead nowhere.
Node ReadDocument(const std::filesystem::path& path, const std::vector<std::string>& sets);

/// The same for a text; `name` is for messages, paths in it are relative to `directory`.
Node ReadDocumentText(const std::string& text, const std::string& name,
                      const std::filesystem::path& directory, const std::vector<std::string>& sets);

}  // namespace headroom
