// Texts that stand once below a table, by the number of their first use.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace headroom {

class NumberedTexts {
 public:
  /// From 1 on; a text that was there before has the number that it had.
  size_t Number(const std::string& text) {
    const auto at = std::find(texts_.begin(), texts_.end(), text);
    const auto number = static_cast<size_t>(at - texts_.begin()) + 1;
    if (at == texts_.end()) texts_.push_back(text);
    return number;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_;
};

}  // namespace headroom
