// A growable first-in first-out array: it does not allocate once it has reached its working size.
#pragma once

#include <cstdint>
#include <vector>

namespace headroom {

template <class T>
class Ring {
 public:
  bool Empty() const { return head_ == tail_; }
  uint32_t Size() const { return tail_ - head_; }
  T& operator[](uint32_t i) { return items_[(head_ + i) & mask_]; }
  const T& operator[](uint32_t i) const { return items_[(head_ + i) & mask_]; }
  T& Front() { return (*this)[0]; }
  const T& Front() const { return (*this)[0]; }
  T& Back() { return (*this)[Size() - 1]; }
  void PopFront() { ++head_; }
  void PushBack(const T& item) {
    if (Size() == items_.size()) Grow();
    items_[tail_++ & mask_] = item;
  }
  /// Appends an item, to be filled: it contains the old item of its place.
  T& Extend() {
    if (Size() == items_.size()) Grow();
    return items_[tail_++ & mask_];
  }
  void PopBack() { --tail_; }
  void Clear() { head_ = tail_; }

 private:
  void Grow() {
    const uint32_t n = Size();
    std::vector<T> items(n ? 2 * n : 2);
    for (uint32_t i = 0; i < n; ++i) items[i] = (*this)[i];
    items_.swap(items);
    mask_ = static_cast<uint32_t>(items_.size()) - 1;
    head_ = 0;
    tail_ = n;
  }
  std::vector<T> items_;
  uint32_t mask_ = 0;
  uint32_t head_ = 0, tail_ = 0;
};

}  // namespace headroom
