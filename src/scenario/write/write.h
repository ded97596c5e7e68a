// A scenario as text with every default written out.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "scenario/read/load.h"
#include "scenario/referenced_files.h"

namespace headroom {

struct Resolved {
  std::string yaml;
  std::vector<ReferencedFile> files;  ///< files to copy beside the text
};

/// Loading the text, with these files beside it, gives an equal scenario; writing that one gives the same
/// text. The text includes values of --set, vary and the seed, but not vary, seeds and expect: it describes
/// one run.
Resolved WriteResolved(const ScenarioFile& file);
/// The text of the scenario with another seed.
Resolved WriteResolved(const ScenarioFile& file, uint64_t seed);

/// Writes entries with `match:` that assign each of the names the text of its value, of `values`. Entries are
/// applied on top of each other when they are read, with `whole` as for Merge; values that one text omits
/// must not come from another entry. So the patterns of the entries as read (`matches`) are kept only if all
/// names of one entry have the same text. Other entries that match the same names must have all keys of this
/// one. In other cases names are listed.
std::string WriteEntries(const std::vector<std::string>& names,
                         const std::vector<std::vector<std::string>>& matches,
                         const std::vector<std::string>& whole, const std::vector<const void*>& values,
                         const std::function<std::string(const void*)>& text_of);

}  // namespace headroom
