// A list of values in which equal values share memory, for lists with one entry for each host or switch.
#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <vector>

#include "sim/shared_value.h"

namespace headroom {

/// Has the interface of a vector, as far as it is used. `assign` and Put share one value. A value that others
/// share is copied before a caller may change it, so reading through a list that is not const costs memory.
template <class T>
class SharedList {
  template <bool kConst>
  class Iterator {
    using List = std::conditional_t<kConst, const SharedList, SharedList>;

   public:
    using iterator_concept = std::random_access_iterator_tag;
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using reference = std::conditional_t<kConst, const T&, T&>;
    using pointer = std::conditional_t<kConst, const T*, T*>;

    Iterator() = default;
    Iterator(List* list, size_t at) : list_(list), at_(at) {}
    reference operator*() const { return (*list_)[at_]; }
    pointer operator->() const { return &**this; }
    reference operator[](difference_type n) const { return *(*this + n); }
    Iterator& operator+=(difference_type n) {
      at_ += static_cast<size_t>(n);
      return *this;
    }
    Iterator& operator-=(difference_type n) { return *this += -n; }
    Iterator& operator++() { return *this += 1; }
    Iterator& operator--() { return *this -= 1; }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    Iterator operator--(int) {
      Iterator before = *this;
      --*this;
      return before;
    }
    friend Iterator operator+(Iterator i, difference_type n) { return i += n; }
    friend Iterator operator+(difference_type n, Iterator i) { return i += n; }
    friend Iterator operator-(Iterator i, difference_type n) { return i -= n; }
    friend difference_type operator-(const Iterator& a, const Iterator& b) {
      return static_cast<difference_type>(a.at_) - static_cast<difference_type>(b.at_);
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }
    friend auto operator<=>(const Iterator& a, const Iterator& b) { return a.at_ <=> b.at_; }

   private:
    List* list_ = nullptr;
    size_t at_ = 0;
  };

 public:
  using value_type = T;
  using iterator = Iterator<false>;
  using const_iterator = Iterator<true>;

  SharedList() = default;
  explicit SharedList(size_t n) { resize(n); }

  size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  void assign(size_t n, const T& value) { values_.assign(n, std::make_shared<T>(value)); }
  void resize(size_t n) {
    if (n > size()) {
      values_.resize(n, std::make_shared<T>());
    } else {
      values_.resize(n);
    }
  }
  /// Entry i shares this value. REQUIRES: not null, and nobody else changes it.
  void Put(size_t i, std::shared_ptr<T> value) { values_[i] = std::move(value); }

  const T& operator[](size_t i) const { return *values_[i]; }
  T& operator[](size_t i) {
    if (values_[i].use_count() > 1) values_[i] = std::make_shared<T>(*values_[i]);
    return *values_[i];
  }
  const T& front() const { return *values_.front(); }
  /// The value of entry i, for users that keep it. It does not change any more.
  SharedValue<T> Shared(size_t i) const { return std::shared_ptr<const T>(values_[i]); }

  iterator begin() { return {this, 0}; }
  iterator end() { return {this, size()}; }
  const_iterator begin() const { return {this, 0}; }
  const_iterator end() const { return {this, size()}; }

  friend bool operator==(const SharedList& a, const SharedList& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) {
      if (a.values_[i] != b.values_[i] && !(a[i] == b[i])) return false;
    }
    return true;
  }

 private:
  std::vector<std::shared_ptr<T>> values_;
};

}  // namespace headroom
