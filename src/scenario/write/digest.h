// Decides whether two scenarios are equal.
#pragma once

#include <string>

#include "scenario/read/load.h"

namespace headroom {

/// Sixteen hexadecimal digits that are equal for equal runs. They cover everything that a run depends on,
/// with the files that it refers to, except the seed. Parts without effect on a run (comments, vary, expect)
/// do not count. FNV-1a with 64 bits (Fowler, Noll, Vo, RFC 9923): it detects a changed scenario, not a
/// forged one. Throws ScenarioError if a file can no longer be read.
std::string DigestOf(const ScenarioFile& file);

}  // namespace headroom
