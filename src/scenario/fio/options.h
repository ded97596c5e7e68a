// The keys of a fio job, and their effect here.
#pragma once

#include <string>

#include "scenario/fio/jobs.h"

namespace headroom::fio {

/// Destinations of the keys' values.
struct Reader {
  WrittenJob& written;
  int kb_base = 1024;
};

/// Throws a ScenarioError if fio does not know the key, if it does not suit a simulated disk, or if its value
/// is wrong.
void ApplyOption(const Line& line, Reader& reader);

/// Checks rules across several keys.
void CheckJob(const WrittenJob& written);

}  // namespace headroom::fio
