#include "sonic/tables/lookup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "sonic/tables/read.h"
#include "sonic/tables/row_reader.h"

namespace headroom {

namespace {

const std::vector<std::string> kColumns = {"speed", "cable",     "size",      "xon",
                                           "xoff",  "threshold", "xon_offset"};
constexpr size_t kLeastColumns = 6;

struct LookupWord {
  std::string text;
  int column = 1;
};

std::vector<LookupWord> WordsOf(const std::string& line) {
  std::vector<LookupWord> words;
  for (size_t at = 0;;) {
    at = line.find_first_not_of(" \t\r", at);
    if (at == std::string::npos) return words;
    const size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    words.push_back({line.substr(at, end - at), static_cast<int>(at) + 1});
    at = end;
  }
}

class Reader {
 public:
  explicit Reader(const std::string& file) { lookup_.file = file; }

  void Line(const std::string& line, int number) {
    line_ = number;
    const size_t hash = line.find('#');
    if (hash != std::string::npos) Header(line.substr(hash + 1), static_cast<int>(hash) + 1);
    const std::vector<LookupWord> words = WordsOf(line.substr(0, hash));
    if (!words.empty()) Row(words);
  }

  PgProfileLookup Take() { return std::move(lookup_); }

 private:
  [[noreturn]] void Fail(int column, const std::string& what) const {
    throw SonicSyntaxError(lookup_.file, line_, column, what);
  }

  /// Checks a comment of at least two words that begins with "speed".
  void Header(const std::string& comment, int column) const {
    std::vector<std::string> names;
    for (const LookupWord& word : WordsOf(comment)) names.push_back(word.text);
    if (names.size() < 2 || names[0] != "speed" || names[1] != "cable") return;
    const bool fits = names.size() >= kLeastColumns && names.size() <= kColumns.size() &&
                      std::equal(names.begin(), names.end(), kColumns.begin());
    if (!fits)
      Fail(column, fmt::format("the columns have the names \"{}\", but SONiC reads the columns as \"{} "
                               "[xon_offset]\"",
                               fmt::join(names, " "),
                               fmt::join(kColumns.begin(), kColumns.begin() + kLeastColumns, " ")));
  }

  void Row(const std::vector<LookupWord>& words) {
    if (words.size() < kLeastColumns || words.size() > kColumns.size())
      Fail(words[0].column, fmt::format("the row has {} columns; allowed: {} or {}: {}", words.size(),
                                        kLeastColumns, kColumns.size(), fmt::join(kColumns, " ")));
    PgProfileRow row;
    row.line = line_;
    row.speed = MegabitsPerSecond(Number(words, 0, 1, 3'200'000));
    row.cable = words[1].text;
    if (row.cable.size() < 2 || row.cable.back() != 'm' ||
        row.cable.find_first_not_of("0123456789") != row.cable.size() - 1)
      Fail(words[1].column,
           fmt::format("\"{}\" is not a cable length; give a length in metres, such as \"300m\"", row.cable));
    row.size = Bytes(Number(words, 2, 0, kLargestSonicSize));
    row.xon = Bytes(Number(words, 3, 0, kLargestSonicSize));
    row.xoff = Bytes(Number(words, 4, 0, kLargestSonicSize));
    row.threshold = Number(words, 5, -8, kLargestSonicSize);
    if (words.size() == kColumns.size()) row.xon_offset = Bytes(Number(words, 6, 0, kLargestSonicSize));
    if (const PgProfileRow* other = lookup_.Find(row.speed, row.cable))
      Fail(words[0].column,
           fmt::format("line {} already has a row for {} and {}", other->line, words[0].text, row.cable));
    lookup_.rows.push_back(row);
  }

  int64_t Number(const std::vector<LookupWord>& words, size_t index, int64_t least, int64_t most) const {
    const LookupWord& word = words[index];
    int64_t n = 0;
    const char* end = word.text.data() + word.text.size();
    const auto [stop, error] = std::from_chars(word.text.data(), end, n);
    if (error != std::errc() || stop != end || n < least || n > most)
      Fail(word.column, fmt::format("{} \"{}\" is not a whole number from {} to {}", kColumns[index],
                                    word.text, least, most));
    return n;
  }

  PgProfileLookup lookup_;
  int line_ = 0;
};

}  // namespace

const PgProfileRow* PgProfileLookup::Find(Rate speed, const std::string& cable) const {
  const auto found = std::ranges::find_if(
      rows, [&](const PgProfileRow& row) { return row.speed == speed && row.cable == cable; });
  return found == rows.end() ? nullptr : &*found;
}

PgProfileLookup ReadPgProfileLookup(const std::string& text, const std::string& file) {
  Reader reader(file);
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) reader.Line(line, ++number);
  return reader.Take();
}

}  // namespace headroom
