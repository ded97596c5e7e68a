// Texts that appear once below a table, numbered by their first use.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace headroom {

class NumberedTexts {
 public:
  /// Returns a number from 1; a repeated text keeps its number.
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
