// A value of a SONiC table with its place in the text.
#pragma once

#include <optional>
#include <string>

namespace headroom {

/// Table, key and field as in the file; `field` is empty for a whole row, `key` also for a whole table.
struct SonicPlace {
  std::string table, key, field;
  bool operator==(const SonicPlace&) const = default;
};

/// For example "BUFFER_PROFILE|pg_lossless, field xoff".
std::string ToString(const SonicPlace& place);

/// A field of a row. The place is set even if the file lacks the field, for errors.
template <class T>
struct SonicValue {
  std::optional<T> value;  ///< none: the field is absent, or its text was invalid (then there is a finding)
  SonicPlace place;

  explicit operator bool() const { return value.has_value(); }
  const T& operator*() const { return *value; }
  const T* operator->() const { return &*value; }
  T value_or(T otherwise) const { return value.value_or(std::move(otherwise)); }
  bool operator==(const SonicValue&) const = default;
};

}  // namespace headroom
