// A value that several objects share and none changes.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace headroom {

/// A pointer, perhaps null, that is compared by the value behind it.
template <class T>
struct SharedValue : std::shared_ptr<const T> {
  using std::shared_ptr<const T>::shared_ptr;
  SharedValue(std::shared_ptr<const T> from)  // NOLINT: as pointers convert
      : std::shared_ptr<const T>(std::move(from)) {}
  friend bool operator==(const SharedValue& a, const SharedValue& b) {
    return a.get() == b.get() || (a && b && *a == *b);
  }
  friend bool operator==(const SharedValue& a, std::nullptr_t) { return !a; }
};

}  // namespace headroom
