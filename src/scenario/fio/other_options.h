// Keys of fio without an effect here, and refused keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenario/fio/job_file.h"

namespace headroom::fio {

/// Keys without effect on a simulated disk: about reports, logs, files, the content of buffers, or the
/// machine under fio.
const std::vector<std::string_view>& KeysThatChangeNothing();

/// Returns true if the key changes nothing. Throws a ScenarioError, with the reason, for other keys of fio,
/// unless their value turns them off; returns false if fio has no such key.
bool ApplyOther(const Line& line);

/// Throws a ScenarioError unless the engine accesses a disk.
std::string EngineOf(const Text& value);
/// Whether the engine has one open I/O, whatever iodepth is.
bool IsSynchronous(const std::string& engine);

}  // namespace headroom::fio
