// An immutable value that several objects share.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

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

}  // namespace headroom
