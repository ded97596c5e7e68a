// A scenario as text with every default written out.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "scenario/load.h"

namespace headroom {

/// A file that the resolved scenario refers to, and its name beside it.
struct ReferencedFile {
  std::filesystem::path from;
  std::string name;
};

struct Resolved {
  std::string yaml;
  std::vector<ReferencedFile> files;  ///< to be copied beside the text
};

/// Loading the text, with the files beside it, gives an equal scenario; writing that gives the same text.
/// Values of
/// --set, vary and the seed are in it; vary, seeds and expect are not: it stands for one run.
Resolved WriteResolved(const ScenarioFile& file);

/// Names the copies of referenced files: input-NAME, numbered where two have one name.
class ReferencedFiles {
 public:
  /// The path to write for a file, relative to the scenario.
  std::string Add(const std::filesystem::path& from);
  const std::vector<ReferencedFile>& files() const { return files_; }

 private:
  std::vector<ReferencedFile> files_;
};

// Parts of the text; each ends with a line break.
std::string WriteTopology(const TopologySpec& spec, ReferencedFiles& files);
std::string WriteSwitch(const SwitchParameters& parameters, const TrafficClasses& classes,
                        ReferencedFiles& files);
std::string WriteSonicSource(const SonicSource& source, ReferencedFiles& files);
std::string WriteBuffer(const BufferParameters& buffer);
std::string WriteNic(const NicParameters& parameters);
/// Each key under `resources`, indented as there, even of ideal ones.
std::string WriteResourceKeys(const NicParameters& parameters);
std::string WriteWorkloads(const ScenarioFile& file, ReferencedFiles& files);
std::string WriteFault(const Fault& fault, const Topology& topology);

/// Entries with `match:` that give each of the names its text. `matches` are the patterns of the entries as
/// they were read; they are kept where one entry's names all have one text, and are lists of names elsewhere.
std::string WriteEntries(const std::vector<std::string>& names,
                         const std::vector<std::vector<std::string>>& matches,
                         const std::function<std::string(size_t)>& text_of);

}  // namespace headroom
