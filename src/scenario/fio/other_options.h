// Keys of fio that change nothing here, and those that are refused.
#pragma once

#include <string>

#include "scenario/fio/job_file.h"

namespace headroom::fio {

/// True where the key changes nothing of what a simulated disk would do: it is about reports, files, or the
/// content of buffers. Throws a ScenarioError for keys, and values of some, that are of no simulated disk;
/// false: fio has no such key.
bool ApplyOther(const Line& line);

/// Throws a ScenarioError unless it does I/Os of a disk.
std::string EngineOf(const Text& value);
/// It has one I/O open, whatever iodepth says.
bool IsSynchronous(const std::string& engine);

}  // namespace headroom::fio
