// Sorts records by a key, without copying them.
#pragma once

#include <algorithm>
#include <vector>

namespace headroom {

/// Pointers to `records`, stably sorted by each record's `key`.
template <class Record, class Key>
std::vector<const Record*> InOrder(const std::vector<Record>& records, Key key) {
  std::vector<const Record*> out;
  out.reserve(records.size());
  for (const Record& r : records) out.push_back(&r);
  const auto less = [&key](const Record* a, const Record* b) { return key(*a) < key(*b); };
  if (!std::is_sorted(out.begin(), out.end(), less)) std::stable_sort(out.begin(), out.end(), less);
  return out;
}

}  // namespace headroom
