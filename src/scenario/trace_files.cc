#include "scenario/trace_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fstream>
#include <limits>
#include <string_view>
#include <unordered_map>

#include "scenario/yaml/nearest.h"
#include "scenario/yaml/node.h"
#include "scenario/yaml/other_file.h"
#include "scenario/yaml/reader.h"

namespace headroom {

namespace {

struct TraceColumns {
  const char* line;  ///< format of a line, for messages
  size_t count, time, device, operation, offset, bytes;
  int64_t tick_ns;
  const char* tick;  ///< unit of its times, for messages
};
constexpr TraceColumns kMsr{
    "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime", 7, 0, 1, 3, 4, 5, 100, "units of 100 ns"};
constexpr TraceColumns kAlibaba{
    "device_id,opcode,offset,length,timestamp", 5, 4, 0, 1, 2, 3, 1000, "microseconds"};

class TraceReader {
 public:
  TraceReader(const std::filesystem::path& file, TraceFormat format, const Position& where)
      : format_(format),
        columns_(format == TraceFormat::msr ? kMsr : kAlibaba),
        at_(BeforeFirstLine(file, where)) {}

  void ReadLine(std::string_view line) {
    ++at_.line;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos) return;
    SplitFields(line);
    if (fields_.size() != columns_.count)
      Fail(0, fmt::format("{} column{}", fields_.size(), fields_.size() == 1 ? "" : "s"),
           fmt::format("expected: {}", columns_.line));
    if (trace_.ios.empty() && !header_ && IsHeader()) {
      header_ = true;
      return;
    }
    RecordedTrace::Io io;
    const int64_t ticks = Integer(columns_.time, "a timestamp", 0);
    io.at_ns = ticks;
    if (trace_.ios.empty() || ticks < first_.ticks) first_ = TimestampAt(ticks);
    if (trace_.ios.empty() || ticks > last_.ticks) last_ = TimestampAt(ticks);
    io.device = DeviceOf();
    io.writes = Writes();
    io.offset = Integer(columns_.offset, "an offset in bytes", 0);
    io.bytes = Integer(columns_.bytes, "a size in bytes", 1);
    if (io.bytes > kMostRecorded)
      Fail(columns_.bytes, OutOf(columns_.bytes), "allowed: 1 to 1073741824 bytes");
    if (io.offset > kLargestSize.v) Fail(columns_.offset, OutOf(columns_.offset), "allowed: up to 1024TiB");
    trace_.ios.push_back(io);
  }

  RecordedTrace Take() {
    if (trace_.ios.empty()) {
      at_.line = 1;
      Fail(0, "the file has no I/O", fmt::format("expected: {}", columns_.line));
    }
    std::ranges::stable_sort(trace_.ios, {}, &RecordedTrace::Io::at_ns);
    CheckLength();
    for (RecordedTrace::Io& io : trace_.ios) io.at_ns = (io.at_ns - first_.ticks) * columns_.tick_ns;
    return std::move(trace_);
  }

 private:
  static constexpr int64_t kMostRecorded = int64_t{1} << 30;
  static constexpr int64_t kLongestRecorded = int64_t{366} * 86'400 * 1'000'000'000;

  struct Field {
    std::string_view text;
    size_t column = 1;
  };

  struct Timestamp {
    int64_t ticks = 0;
    int line = 0, column = 0;
  };

  Timestamp TimestampAt(int64_t ticks) const {
    return {ticks, at_.line, static_cast<int>(fields_[columns_.time].column)};
  }

  /// A time far from most others is an error.
  void CheckLength() const {
    if (last_.ticks - first_.ticks <= kLongestRecorded / columns_.tick_ns) return;
    const int64_t middle = trace_.ios[trace_.ios.size() / 2].at_ns;
    const Timestamp& far = middle - first_.ticks > last_.ticks - middle ? first_ : last_;
    throw ScenarioError(
        {at_.file, far.line, far.column},
        fmt::format("the timestamp \"{}\" is more than a year from the other timestamps", far.ticks),
        fmt::format("{} throughout", columns_.tick));
  }

  void SplitFields(std::string_view line) {
    fields_.clear();
    for (size_t begin = 0;;) {
      const size_t end = std::min(line.find(',', begin), line.size());
      fields_.push_back({line.substr(begin, end - begin), begin + 1});
      if (end == line.size()) return;
      begin = end + 1;
    }
  }

  /// Whether the first line has names instead of numbers.
  bool IsHeader() const {
    return std::ranges::all_of(std::array{columns_.time, columns_.offset, columns_.bytes},
                               [&](size_t column) {
                                 const std::string_view text = fields_[column].text;
                                 return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0]));
                               });
  }

  int64_t Integer(size_t column, const char* what, int64_t least) {
    const std::string_view text = fields_[column].text;
    int64_t value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range && !text.starts_with('-'))
      Fail(column, fmt::format("{} is too large for {}", Quote(text), what),
           fmt::format("up to {}", std::numeric_limits<int64_t>::max()));
    if (error != std::errc() || stop != text.data() + text.size() || value < least)
      Fail(column, fmt::format("{} is not {}", Quote(text), what),
           fmt::format("allowed: whole numbers from {}", least));
    return value;
  }

  bool Writes() {
    const std::string_view text = fields_[columns_.operation].text;
    const bool msr = format_ == TraceFormat::msr;
    const std::string_view reads = msr ? "Read" : "R", writes = msr ? "Write" : "W";
    if (text != reads && text != writes)
      Fail(columns_.operation, Quote(text) + " is no operation",
           fmt::format("allowed: {}, {}", reads, writes));
    return text == writes;
  }

  uint32_t DeviceOf() {
    name_ = fields_[columns_.device].text;
    const bool msr = format_ == TraceFormat::msr;
    if (name_.empty())
      Fail(columns_.device, msr ? "the host name is missing" : "the device is missing",
           fmt::format("expected: {}", columns_.line));
    if (msr) {
      Integer(columns_.device + 1, "a disk number", 0);
      (name_ += '_') += fields_[columns_.device + 1].text;
    }
    const auto [found, is_new] = device_of_.try_emplace(name_, static_cast<uint32_t>(trace_.devices.size()));
    if (is_new) trace_.devices.push_back(name_);
    return found->second;
  }

  std::string OutOf(size_t column) const { return Quote(fields_[column].text) + " is out of range"; }

  [[noreturn]] void Fail(size_t column, const std::string& wrong, const std::string& allowed) {
    at_.column = column < fields_.size() ? static_cast<int>(fields_[column].column) : 1;
    throw ScenarioError(at_, wrong, allowed);
  }

  const TraceFormat format_;
  const TraceColumns& columns_;
  Position at_;
  bool header_ = false;
  Timestamp first_, last_;
  std::vector<Field> fields_;
  std::string name_;
  std::unordered_map<std::string, uint32_t> device_of_;  ///< looked up, never iterated
  RecordedTrace trace_;
};

}  // namespace

RecordedTrace ReadTraceFile(const std::filesystem::path& file, TraceFormat format, const Position& where) {
  RequireReadable(file, where);
  std::ifstream in(file);
  if (!in) RefuseUnreadable(file, where);
  TraceReader reader(file, format, where);
  for (std::string line; std::getline(in, line);) reader.ReadLine(line);
  if (in.bad()) RefuseUnreadable(file, where);
  return reader.Take();
}

}  // namespace headroom
