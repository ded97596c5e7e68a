// A value that takes memory only from its first change on.
#pragma once

#include <memory>

namespace headroom {

/// Reads see T() until Make is called.
template <class T>
class Lazy {
 public:
  const T& operator*() const {
    static const T unchanged{};
    return made_ ? *made_ : unchanged;
  }
  const T* operator->() const { return &**this; }
  T& Make() {
    if (!made_) made_ = std::make_unique<T>();
    return *made_;
  }
  bool made() const { return made_ != nullptr; }

 private:
  std::unique_ptr<T> made_;
};

}  // namespace headroom
