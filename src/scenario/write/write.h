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
  std::vector<ReferencedFile> files;  ///< to be copied beside the text
};

/// Loading the text, with the files beside it, gives an equal scenario; writing that gives the same text.
/// Values of
/// --set, vary and the seed are in it; vary, seeds and expect are not: it stands for one run.
Resolved WriteResolved(const ScenarioFile& file);
/// The same with another seed.
Resolved WriteResolved(const ScenarioFile& file, uint64_t seed);

/// Entries with `match:` that give each of the names its text. Entries are laid on one another when they are
/// read, with `whole` as for Merge; what one text leaves out must not come from another. So the patterns of
/// the entries as read (`matches`) are kept only if one entry's names all have one text. Other entries that
/// match the same names must have all keys of this one. Elsewhere names are listed.
std::string WriteEntries(const std::vector<std::string>& names,
                         const std::vector<std::vector<std::string>>& matches,
                         const std::vector<std::string>& whole,
                         const std::function<std::string(size_t)>& text_of);

}  // namespace headroom
