// Keys of fio without an effect here, and refused ones.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenario/fio/job_file.h"

namespace headroom::fio {

/// Keys without effect on a simulated disk: about reports, logs, files, the content of buffers, or the
/// machine under fio.
std::span<const std::string_view> KeysThatChangeNothing();

/// True where the key changes nothing. Throws a ScenarioError, with the reason, for other keys of fio, unless
/// their value turns them off; false: fio has no such key.
bool ApplyOther(const Line& line);

/// Throws a ScenarioError unless it does I/Os of a disk.
std::string EngineOf(const Text& value);
/// It has one I/O open, whatever iodepth is.
bool IsSynchronous(const std::string& engine);

}  // namespace headroom::fio
