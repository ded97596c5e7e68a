// Sizes of messages or I/Os from a file, one size per line: `size share`, separated by blanks, commas,
// semicolons or tabs; `#` begins a comment.
//
// Sizes are in bytes or have a unit as elsewhere in a scenario; they do not decrease. Shares are cumulative
// up to 1 or 100, as in published CDFs. A first line of names changes this: in a column named share,
// probability, pdf, pmf, weight or frequency, each line has its own share. A column named size or bytes may
// come second.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "scenario/yaml/error.h"
#include "workload/distributions/distributions.h"
#include "workload/io_addresses.h"

namespace headroom {

/// Reads sizes of messages. Between the points of a cumulative file sizes are spread evenly, as in
/// SampleSize. The name is the path. Errors about the file as a whole are reported at `where`. Throws a
/// ScenarioError, like the function below.
std::shared_ptr<const SizeDistribution> ReadSizeFile(const std::filesystem::path& file,
                                                     const Position& where);

/// Reads sizes of I/Os: each size in the file with its share.
std::vector<IoBlock> ReadBlockFile(const std::filesystem::path& file, Bytes most, const Position& where);

}  // namespace headroom
