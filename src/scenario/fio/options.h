// The keys of a fio job, and their meaning here.
#pragma once

#include <string>

#include "scenario/fio/jobs.h"

namespace headroom::fio {

/// Where the values of keys go.
struct Reader {
  WrittenJob& written;
  int kb_base = 1024;
};

/// Throws a ScenarioError where fio does not know the key, where it is not for a simulated disk, or where its
/// value is wrong.
void ApplyOption(const Line& line, Reader& reader);

/// What holds of several keys together.
void CheckJob(const WrittenJob& written);

}  // namespace headroom::fio
