// Reused objects that frames carry along: memory grows to the largest number in flight at the same time.
#pragma once

#include <memory>
#include <vector>

namespace headroom {

/// REQUIRES: T::Clear resets an object.
template <class T>
class ObjectPool {
 public:
  T* Take() {
    if (free_.empty()) {
      all_.push_back(std::make_unique<T>());
      return all_.back().get();
    }
    T* object = free_.back();
    free_.pop_back();
    return object;
  }
  void Give(T* object) {
    object->Clear();
    free_.push_back(object);
  }
  void Clear() {
    all_.clear();
    free_.clear();
  }

 private:
  std::vector<std::unique_ptr<T>> all_;
  std::vector<T*> free_;
};

}  // namespace headroom
