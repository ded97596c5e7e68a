// A text file written through one large buffer; every failure is an error.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>

#include "files/staged_directory.h"
#include "sim/units.h"

namespace headroom {

class TextFile {
 public:
  /// Creates or empties the file. Throws ResultError.
  explicit TextFile(const std::filesystem::path& path) : TextFile(path, path) {}
  /// The same; messages call the file `name`.
  TextFile(const std::filesystem::path& path, const std::filesystem::path& name);
  /// Continues at the current position of `descriptor`, which stays open.
  TextFile(int descriptor, const std::filesystem::path& name);
  ~TextFile();
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  /// Appends the text of a line; throws ResultError if the disk is full.
  template <class... Args>
  void Print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    if (buffer_.size() >= kFlushAt) Flush();
  }
  void Write(std::string_view text);

  /// Writes the rest of the buffer and closes the file. Throws ResultError. Without this call the file is
  /// incomplete.
  void Close();

 private:
  TextFile(std::FILE* file, const std::filesystem::path& name);
  static constexpr size_t kFlushAt = 1 << 18;
  void Flush();
  [[noreturn]] void Fail(int error) const;

  std::filesystem::path name_;
  std::FILE* file_ = nullptr;
  fmt::memory_buffer buffer_;
};

/// Whether WriteWhole would replace a file.
bool TakesAPlace(const std::filesystem::path& path);

/// Throws ResultError if WriteWhole would replace a file.
void RequireFree(const std::filesystem::path& path);

/// Writes a file completely, or leaves it as it was. A file that is not regular is written in place. The same
/// holds for a file that the process has open, if `path` names it so (/dev/stdout, /dev/fd/3), or if it is
/// stdout or stderr. Throws ResultError.
void WriteWhole(const std::filesystem::path& path, std::string_view text);

/// A time as nanoseconds with three decimal places, which is exact; empty for kNever.
struct ExactNanoseconds {
  Time time;
};

/// `text` as a CSV field: quoted if it contains a comma, a quote or a line break (RFC 4180).
std::string CsvField(std::string_view text);

}  // namespace headroom

template <>
struct fmt::formatter<headroom::ExactNanoseconds> {
  constexpr auto parse(format_parse_context& context) { return context.begin(); }
  template <class Context>
  auto format(headroom::ExactNanoseconds t, Context& context) const {
    if (t.time == headroom::kNever) return context.out();
    const int64_t ps = t.time.v;
    return fmt::format_to(context.out(), "{}{}.{:03}", ps < 0 ? "-" : "", ps < 0 ? -(ps / 1000) : ps / 1000,
                          ps < 0 ? -(ps % 1000) : ps % 1000);
  }
};
