// Of distributions.h: a distribution of sizes read from a file of points.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "workload/distributions.h"

namespace headroom {
namespace {

/// 1 PB: beyond any message, and still exact as a double and as picoseconds on a wire.
constexpr double kLargestSize = 1e15;

constexpr const char* kBlanks = " \t\r";

struct Word {
  std::string_view text;
  size_t column = 1;  ///< counted from 1
};

std::vector<Word> WordsOf(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::vector<Word> words;
  for (size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.push_back({line.substr(at, end - at), at + 1});
    at = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

class PointReader {
 public:
  explicit PointReader(const std::string& path) : path_(path) {}

  void ReadLine(std::string_view text) {
    ++line_;
    const std::vector<Word> words = WordsOf(text);
    if (words.empty()) return;
    if (words.size() == 1) {
      Fail(words[0].column + words[0].text.size(), "the percentage is missing; a line is `size percent`");
    }
    if (words.size() > 2) Fail(words[2].column, "one word too many; a line is `size percent`");

    const double bytes = Number(words[0], "a size in bytes", kLargestSize);
    const double percent = Number(words[1], "a percentage", 100);
    if (!points_.empty() && bytes < points_.back().bytes) {
      Fail(words[0].column, "this size is less than the one before; sizes must not decrease");
    }
    if (!points_.empty() && percent / 100 < points_.back().cumulative) {
      Fail(words[1].column, "this percentage is less than the one before; percentages are cumulative");
    }
    points_.push_back({bytes, percent / 100});
    last_ = {line_, words[1].column};
  }

  std::vector<SizeDistribution::Point> Take() {
    if (points_.empty()) FailAt(1, 1, "no point; a line is `size percent`");
    if (points_.back().cumulative != 1) FailAt(last_.line, last_.column, "the last percentage is not 100");
    return std::move(points_);
  }

 private:
  struct Place {
    size_t line = 1, column = 1;
  };

  double Number(const Word& word, const char* what, double largest) {
    double value = 0;
    const char* end = word.text.data() + word.text.size();
    const auto [stop, error] = std::from_chars(word.text.data(), end, value);
    if (error != std::errc() || stop != end || !std::isfinite(value)) {
      Fail(word.column, std::string(word.text) + " is not " + what);
    }
    if (value < 0 || value > largest) {
      Fail(word.column,
           std::string(word.text) + " is not " + what + "; 0 to " + std::to_string(std::llround(largest)));
    }
    return value;
  }

  [[noreturn]] void Fail(size_t column, const std::string& message) { FailAt(line_, column, message); }
  [[noreturn]] void FailAt(size_t line, size_t column, const std::string& message) {
    throw std::invalid_argument(path_ + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " +
                                message);
  }

  const std::string& path_;
  std::vector<SizeDistribution::Point> points_;
  size_t line_ = 0;
  Place last_;
};

}  // namespace

std::shared_ptr<const SizeDistribution> ReadDistribution(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::invalid_argument(path + ":1:1: cannot be read");
  PointReader reader(path);
  for (std::string line; std::getline(file, line);) reader.ReadLine(line);
  if (file.bad()) throw std::invalid_argument(path + ":1:1: cannot be read");
  return std::make_shared<const SizeDistribution>(SizeDistribution{path, "file " + path, reader.Take()});
}

}  // namespace headroom
