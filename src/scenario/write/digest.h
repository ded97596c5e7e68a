// Whether two scenarios are the same.
#pragma once

#include <string>

#include "scenario/read/load.h"

namespace headroom {

/// Sixteen hexadecimal digits that are equal for equal runs. They cover everything that a run depends on,
/// with the files that it refers to, except the seed. Parts without effect on a run (comments, vary, expect)
/// are not in it. FNV-1a with 64 bits (Fowler, Noll, Vo, RFC 9923): it tells a changed scenario, not a forged
/// one. Throws ScenarioError where a file cannot be read any more.
std::string DigestOf(const ScenarioFile& file);

}  // namespace headroom
