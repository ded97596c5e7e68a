// The keys and values of a server, in unlimited memory: none is forgotten. Loaded keys exist without being
// stored until a SET.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "protocol/keyvalue/versioned_value.h"

namespace headroom {

class RedisStore {
 public:
  /// `keys` were loaded, each with a value of `bytes` bytes.
  RedisStore(uint64_t keys, uint32_t bytes) : keys_(keys), loaded_(bytes) {}

  /// The result is valid until the next call; none means that there is no such key.
  std::optional<std::span<const uint8_t>> Get(const Key& key) {
    const auto stored = stored_.find(key.low);
    const bool is_stored = stored != stored_.end();
    const bool found = is_stored || RecordOf(key) < keys_;
    (found ? hits_ : misses_) += 1;
    if (is_stored) return stored->second;
    if (!found) return std::nullopt;
    FillVersion(key, 0, loaded_);
    return loaded_;
  }
  void Set(const Key& key, std::span<const uint8_t> value) {
    stored_[key.low].assign(value.begin(), value.end());
  }
  uint64_t hits() const { return hits_; }
  uint64_t misses() const { return misses_; }

  /// Bytes of this process's memory for each key with a SET, without its value.
  static constexpr size_t kStoredBytes =
      sizeof(std::pair<const uint64_t, std::vector<uint8_t>>) + 4 * sizeof(void*) + 16;

 private:
  struct AsItIs {
    size_t operator()(uint64_t spread) const { return spread; }
  };
  uint64_t keys_;
  std::vector<uint8_t> loaded_;
  std::unordered_map<uint64_t, std::vector<uint8_t>, AsItIs> stored_;  ///< keyed by the lower half of a key
  uint64_t hits_ = 0, misses_ = 0;
};

}  // namespace headroom
