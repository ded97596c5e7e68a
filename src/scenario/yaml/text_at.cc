#include "scenario/yaml/text_at.h"

namespace headroom {

size_t TextAt(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
  const auto first = byte(0);
  if (first < 0x80) return first < ' ' || first == 127 ? 0 : 1;
  const size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  for (size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const auto second = byte(1);
  const bool longer_than_need_be = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool surrogate = first == 0xed && second >= 0xa0, beyond = first == 0xf4 && second >= 0x90;
  const bool control = first == 0xc2 && second < 0xa0;
  return longer_than_need_be || surrogate || beyond || control ? 0 : size;
}

size_t FirstNotText(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t size = text[at] == '\t' ? 1 : TextAt(text.substr(at));
    if (size == 0) return at;
    at += size;
  }
  return std::string_view::npos;
}

}  // namespace headroom
