// How `explain` varies a key, as the schema says it: the values that it tries, and what a change costs.
//
// Values to try, unless the key gives its own:
//
//   numbers, sizes, times, rates    four times and a quarter: "*4", "/4"
//   choices, flags, words           each of them
//
// Other values in a key's `tried`: "/2" is a factor; "without" leaves out one item of a list at a time;
// "priorities.*" is each name in that mapping, of the nearest mapping around the key that has it.
#pragma once

#include <string>
#include <vector>

#include "scenario/keys/keys.h"

namespace headroom::keys {

/// The values to try; none for a key that is fixed, or that has no such value.
std::vector<std::string> TriedOf(const Key& key, Cost cost);

/// "setting", …
std::string NameOf(Cost cost);

/// The cost of a key in a mapping whose own keys cost `of_section` by default.
Cost CostOf(const Key& key, Cost of_section);

/// The default for the keys of `keys`, which a key that costs `around` has.
Cost CostOf(const Keys& keys, Cost around);

}  // namespace headroom::keys
