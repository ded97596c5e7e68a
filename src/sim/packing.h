// Values as bytes, for another process of the same program. One function describes both directions: it calls
// the packer, or the unpacker, with its fields.
#pragma once

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace headroom {

using Packet = std::vector<std::byte>;

/// Appends values.
class Packer {
 public:
  explicit Packer(Packet& to) : to_(to) {}
  template <class... T>
  void operator()(T&... values) {
    (Put(values), ...);
  }

 private:
  template <class T>
  void Put(T& value) {
    if constexpr (requires { value.Pack(*this); }) {
      value.Pack(*this);
    } else {
      static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
      Copy(&value, sizeof value);
    }
  }
  template <class T>
  void Put(std::vector<T>& values) {
    uint64_t size = values.size();
    Put(size);
    if constexpr (std::is_trivially_copyable_v<T>) {
      Copy(values.data(), size * sizeof(T));
    } else {
      for (T& value : values) Put(value);
    }
  }
  void Put(std::string& text) {
    uint64_t size = text.size();
    Put(size);
    Copy(text.data(), size);
  }
  void Copy(const void* from, size_t size) {
    const auto* bytes = static_cast<const std::byte*>(from);
    to_.insert(to_.end(), bytes, bytes + size);
  }

  Packet& to_;
};

/// Takes values out, in the same order. Throws std::logic_error beyond the end.
class Unpacker {
 public:
  explicit Unpacker(const Packet& from) : from_(from) {}
  template <class... T>
  void operator()(T&... values) {
    (Take(values), ...);
  }
  bool AtEnd() const { return at_ == from_.size(); }

 private:
  template <class T>
  void Take(T& value) {
    if constexpr (requires { value.Pack(*this); }) {
      value.Pack(*this);
    } else {
      static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
      Copy(&value, sizeof value);
    }
  }
  template <class T>
  void Take(std::vector<T>& values) {
    const uint64_t size = Size();
    if constexpr (std::is_trivially_copyable_v<T>) {
      values.resize(size);
      Copy(values.data(), size * sizeof(T));
    } else {
      values.clear();
      for (uint64_t i = 0; i < size; ++i) Take(values.emplace_back());
    }
  }
  void Take(std::string& text) {
    text.resize(Size());
    Copy(text.data(), text.size());
  }
  /// Of a list, which has at least as many bytes.
  uint64_t Size() {
    uint64_t size = 0;
    Take(size);
    if (size > from_.size() - at_) throw std::logic_error("a packet between processes is too short");
    return size;
  }
  void Copy(void* to, size_t size) {
    if (size > from_.size() - at_) throw std::logic_error("a packet between processes is too short");
    if (size > 0) std::memcpy(to, from_.data() + at_, size);
    at_ += size;
  }

  const Packet& from_;
  size_t at_ = 0;
};

}  // namespace headroom
