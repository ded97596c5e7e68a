#include "scenario/size_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "scenario/yaml/nearest.h"
#include "scenario/yaml/other_file.h"
#include "scenario/yaml/quantity.h"

namespace headroom {

namespace {

/// 1 PB: larger than any message, and still exact as a double and as picoseconds on a wire.
constexpr double kLargestFileSize = 1e15;
constexpr const char* kSeparators = " \t\r,;";
constexpr const char* kLine = "write each line as SIZE SHARE, such as `4096 0.35`, `4KiB,35` or `4096;35%`";

struct Field {
  std::string text;
  Position where;
};

struct SizePoint {
  double bytes = 0, share = 0;
  Position size_where, share_where;
};

/// The points of a file, cumulative up to 1.
struct SizePoints {
  std::vector<SizePoint> points;
  bool own_shares = false;  ///< each size has its own share, and no sizes lie between
};

/// Whether a word is the unit of the number before it, with blanks between: "64 KB", "35 %".
bool IsUnitOf(const Field& number, std::string_view blanks, const std::string& text) {
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0; };
  const bool of_size = std::string_view("BKMGTbkmgt").find(text[0]) != std::string_view::npos;
  const bool digits = std::isdigit(static_cast<unsigned char>(number.text.back())) != 0;
  return digits && blanks.find_first_not_of(" \t") == std::string_view::npos &&
         (text == "%" || (of_size && std::ranges::all_of(text, is_letter)));
}

std::vector<Field> FieldsOf(std::string line, Position where) {
  line = line.substr(0, line.find('#'));
  std::vector<Field> fields;
  size_t before = 0;
  for (size_t at = line.find_first_not_of(kSeparators); at != std::string::npos;) {
    const size_t end = std::min(line.find_first_of(kSeparators, at), line.size());
    const std::string text = line.substr(at, end - at);
    where.column = static_cast<int>(at) + 1;
    if (!fields.empty() && IsUnitOf(fields.back(), std::string_view(line).substr(before, at - before), text))
      fields.back().text += text;
    else
      fields.push_back({text, where});
    before = end;
    at = line.find_first_not_of(kSeparators, end);
  }
  return fields;
}

/// The words of a column's name in lower case: "Size (bytes)" gives size and bytes.
std::vector<std::string> WordsOfName(const std::string& name) {
  std::vector<std::string> words(1);
  for (const unsigned char c : name) {
    if (std::isalpha(c)) {
      words.back() += static_cast<char>(std::tolower(c));
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  return words;
}

bool Names(const std::string& name, std::initializer_list<const char*> any) {
  for (const std::string& word : WordsOfName(name))
    if (std::ranges::count(any, word) > 0) return true;
  return false;
}

class SizeReader {
 public:
  SizePoints Read(const std::filesystem::path& file, const Position& where) {
    std::istringstream lines(TextOfOtherFile(file, where));
    Position at = BeforeFirstLine(file, where);
    bool first = true;
    for (std::string line; std::getline(lines, line);) {
      ++at.line;
      if (at.line == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
      const std::vector<Field> fields = FieldsOf(line, at);
      if (fields.empty()) continue;
      if (std::exchange(first, false) && IsHeader(fields)) {
        ReadHeader(fields);
      } else {
        ReadLine(fields);
      }
    }
    if (read_.points.empty()) throw ScenarioError(WholeFile(file), "the file has no line with a size", kLine);
    Settle();
    return std::move(read_);
  }

 private:
  static bool IsHeader(const std::vector<Field>& fields) {
    return std::ranges::all_of(fields, [](const Field& f) {
      const unsigned char c = static_cast<unsigned char>(f.text[0]);
      const bool quoted_number = c == '"' && f.text.find_first_of("0123456789") == 1;
      return c >= 0x80 || std::isalpha(c) || (c == '"' && !quoted_number) || c == '(';
    });
  }

  void ReadHeader(const std::vector<Field>& fields) {
    std::string names;
    for (const Field& f : fields) names += f.text + ' ';
    if (Names(names, {"kb", "kib", "mb", "mib", "gb", "gib", "packets", "packet", "pkts", "segments"}))
      throw ScenarioError(fields[0].where, "the header names a unit of sizes",
                          "give sizes in bytes, or each with its unit, such as 4KiB");
    const bool size_first = Names(fields[0].text, {"size", "sizes", "bytes", "length"});
    const bool size_last = Names(fields.back().text, {"size", "sizes", "bytes", "length"});
    swapped_ = size_last && !size_first;
    const bool cumulative = Names(names, {"cdf", "cumulative", "cum", "cumul", "percentile"});
    read_.own_shares = !cumulative && Names(names, {"share", "shares", "probability", "prob", "pdf", "pmf",
                                                    "weight", "weights", "frequency", "freq"});
  }

  void ReadLine(const std::vector<Field>& fields) {
    for (const Field& f : fields)
      if (f.text.find('"') != std::string::npos)
        throw ScenarioError(f.where, "quoted fields are not supported", "numbers without quotes");
    if (fields.size() == 1) throw ScenarioError(fields[0].where, "the share is missing", kLine);
    if (fields.size() > 2) throw ScenarioError(fields[2].where, "a third value", kLine);
    const Field &size = fields[swapped_ ? 1 : 0], &share = fields[swapped_ ? 0 : 1];
    SizePoint point{BytesIn(size), ShareIn(share), size.where, share.where};
    if (!read_.points.empty() && point.bytes < read_.points.back().bytes)
      throw ScenarioError(size.where, "this size is smaller than the size in the line before",
                          "give sizes in ascending order");
    if (!read_.own_shares && !read_.points.empty() && point.share < read_.points.back().share)
      throw ScenarioError(share.where, "this share is smaller than the share in the line before",
                          "give cumulative shares; or name the column share, to give each size its own "
                          "share");
    read_.points.push_back(point);
  }

  static double BytesIn(const Field& field) {
    double bytes = 0;
    const char* const end = field.text.data() + field.text.size();
    const auto [stop, error] = std::from_chars(field.text.data(), end, bytes);
    if (error != std::errc() || stop != end || !std::isfinite(bytes)) {
      Node node;
      node.kind = Node::Kind::scalar;
      node.text = field.text;
      node.where = field.where;
      bytes = static_cast<double>(ParseSize(node).v);
    }
    if (bytes < 0)
      throw ScenarioError(field.where, Quote(field.text) + " is negative", "give a size of 0 or more");
    if (bytes > kLargestFileSize || (bytes > 0 && bytes < 1))
      throw ScenarioError(field.where, Quote(field.text) + " is out of range",
                          "allowed: 0, and 1 to 1000000000000000 bytes");
    return bytes;
  }

  double ShareIn(const Field& field) {
    const bool percent = field.text.ends_with('%');
    double share = 0;
    const char* const end = field.text.data() + field.text.size() - (percent ? 1 : 0);
    const auto [stop, error] = std::from_chars(field.text.data(), end, share);
    if (error != std::errc() || stop != end || !(share >= 0 && share <= kPercent))
      throw ScenarioError(field.where, Quote(field.text) + " is not a share",
                          "allowed: 0 to 1, or 0 to 100%");
    percent_ |= percent;
    return share;
  }

  /// Makes shares cumulative up to 1.
  void Settle() {
    std::vector<SizePoint>& points = read_.points;
    double sum = 0;
    for (SizePoint& point : points) {
      if (read_.own_shares) point.share = sum += point.share;
    }
    const double last = points.back().share;
    const double whole = std::abs(last - kPercent) < kRounding * kPercent ? kPercent
                         : std::abs(last - 1) < kRounding && !percent_    ? 1
                                                                          : 0;
    if (whole == 0)
      throw ScenarioError(
          points.back().share_where,
          fmt::format("{} {:g}", read_.own_shares ? "the shares sum to" : "the last share is", last),
          percent_ ? "100%" : "allowed: 1, or 100 if shares are percentages");
    for (SizePoint& point : points) point.share /= whole;
    for (auto p = points.rbegin(); p != points.rend() && p->share > 1 - kRounding; ++p) p->share = 1;
  }

  static constexpr double kPercent = 100, kRounding = 1e-6;
  SizePoints read_;
  bool swapped_ = false, percent_ = false;
};

}  // namespace

std::shared_ptr<const SizeDistribution> ReadSizeFile(const std::filesystem::path& file,
                                                     const Position& where) {
  const SizePoints read = SizeReader().Read(file, where);
  SizeDistribution sizes{file.string(), "file " + file.string(), {}};
  double before = 0;
  for (const SizePoint& point : read.points) {
    if (point.bytes == 0 && point.share > 0)
      throw ScenarioError(point.size_where, "the file allows messages of 0 bytes",
                          "allowed: 1 byte or more, and a first point of 0 bytes with share 0");
    if (read.own_shares && !sizes.points.empty()) sizes.points.push_back({point.bytes, before});
    sizes.points.push_back({point.bytes, before = point.share});
  }
  return std::make_shared<const SizeDistribution>(std::move(sizes));
}

std::vector<IoBlock> ReadBlockFile(const std::filesystem::path& file, Bytes most, const Position& where) {
  constexpr size_t kMostBlocks = 4096;
  std::vector<IoBlock> blocks;
  double before = 0;
  for (const SizePoint& point : SizeReader().Read(file, where).points) {
    const double share = point.share - std::exchange(before, point.share);
    if (share == 0) continue;
    const Bytes size(std::llround(point.bytes));
    if (size < Bytes(1) || size > most || static_cast<double>(size.v) != point.bytes)
      throw ScenarioError(point.size_where, fmt::format("the file has I/Os of {:g} bytes", point.bytes),
                          fmt::format("allowed: whole bytes, 1B to {}", FormatSize(most)));
    if (!blocks.empty() && blocks.back().size == size) {
      blocks.back().share += share;
    } else {
      blocks.push_back({size, share});
    }
    if (blocks.size() > kMostBlocks)
      throw ScenarioError(point.size_where, "the file has more than 4096 sizes of I/Os",
                          "allowed: up to 4096");
  }
  return blocks;
}

}  // namespace headroom
