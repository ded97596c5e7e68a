// Sanitized runs in child processes take some thirty times as long: tests over random scenarios then use
// fewer.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace headroom {

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kFewerScenarios = true;
#else
inline constexpr bool kFewerScenarios = false;
#endif

/// Whether the test program was asked for its longest form: `./test long`.
inline bool RunsAll() { return std::getenv("HEADROOM_EQUALITY") != nullptr; }
/// 25 times as many in that form: 3,600 random scenarios in parts.
inline uint64_t MoreIfLong(uint64_t usual) { return RunsAll() ? 25 * usual : usual; }
/// A sixth of `all` under AddressSanitizer.
constexpr uint64_t FewerIfSanitized(uint64_t all) { return kFewerScenarios ? (all + 5) / 6 : all; }
/// The least number of scenarios with some property, among all; 0 among fewer.
constexpr int LeastOf(int all) { return kFewerScenarios ? 0 : all; }

}  // namespace headroom
