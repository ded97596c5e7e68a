// An immutable value that several objects share.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace headroom {

/// A pointer, possibly null, whose comparison compares the values.
template <class T>
struct SharedValue : std::shared_ptr<const T> {
  using std::shared_ptr<const T>::shared_ptr;
  SharedValue(std::shared_ptr<const T> from)  // NOLINT: converts like pointers
      : std::shared_ptr<const T>(std::move(from)) {}
  friend bool operator==(const SharedValue& a, const SharedValue& b) {
    return a.get() == b.get() || (a && b && *a == *b);
  }
  friend bool operator==(const SharedValue& a, std::nullptr_t) { return !a; }
};

/// One object for all equal values that are in use.
template <class T>
std::shared_ptr<const T> Interned(T value) {
  static std::vector<std::weak_ptr<const T>> known;
  std::erase_if(known, [](const auto& k) { return k.expired(); });
  for (const auto& k : known) {
    if (auto same = k.lock(); *same == value) return same;
  }
  auto added = std::make_shared<const T>(std::move(value));
  known.push_back(added);
  return added;
}

}  // namespace headroom
