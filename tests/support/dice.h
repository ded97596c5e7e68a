// Random choices of tests, from a seed. The numbers are the same on every machine, which those of std's
// distributions are not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

namespace headroom {

class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}
  int64_t Between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random_() % static_cast<uint64_t>(high - low + 1));
  }
  bool OneIn(int64_t n) { return Between(1, n) == 1; }
  template <class T>
  T OneOf(const std::vector<T>& values) {
    return values[static_cast<size_t>(Between(0, static_cast<int64_t>(values.size()) - 1))];
  }
  template <class T>
  T OneOf(std::initializer_list<T> values) {
    return OneOf(std::vector<T>(values));
  }
  std::string Text(std::initializer_list<std::string> values) { return OneOf(values); }
  /// Returns between `least` and `most` of the values, in their order.
  template <class T>
  std::vector<T> Some(const std::vector<T>& values, size_t least, size_t most) {
    most = std::min(most, values.size());
    auto wanted =
        static_cast<size_t>(Between(static_cast<int64_t>(std::min(least, most)), static_cast<int64_t>(most)));
    std::vector<T> some;
    for (size_t i = 0; i < values.size() && wanted > 0; ++i) {
      if (Between(1, static_cast<int64_t>(values.size() - i)) > static_cast<int64_t>(wanted)) continue;
      some.push_back(values[i]);
      --wanted;
    }
    return some;
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace headroom
