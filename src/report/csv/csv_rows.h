// Reading the CSV files of a result back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/units.h"

namespace headroom {

using CsvRow = std::vector<std::string_view>;

/// Calls `use` for each line, the header first; the views are valid during the call. For files whose fields
/// are never quoted: all but events.csv. Throws ResultError where the file cannot be read,
/// its header does not begin with `columns` (with commas between), or a line has not as many fields as it.
void ForEachCsvRow(const std::filesystem::path& path, std::string_view columns,
                   const std::function<void(const CsvRow&)>& use);

/// A whole number below 10^15. False of any other text.
bool ReadCount(std::string_view text, int64_t& value);

/// "12.345" nanoseconds, always with three places; of an empty text `time` stays. False of any other text.
bool ReadNanoseconds(std::string_view text, Time& time);

/// A whole file, its columns found by name.
class CsvTable {
 public:
  /// Throws ResultError, as ForEachCsvRow does.
  CsvTable(const std::filesystem::path& path, std::string_view columns);

  size_t rows() const { return rows_.size(); }
  /// A field. Throws ResultError where the file has no such column: another version of Headroom wrote it.
  const std::string& At(size_t row, std::string_view column) const;
  /// The field as a number; 0 where it is empty. Throws ResultError if it is no number, or more than `most`.
  uint64_t NumberAt(size_t row, std::string_view column, uint64_t most = UINT64_MAX) const;
  /// The field as a decimal number. Throws ResultError if it is no number.
  double RealAt(size_t row, std::string_view column) const;
  /// Throws a ResultError that names the field, which is not as Headroom writes it.
  [[noreturn]] void Fail(size_t row, std::string_view column) const;

 private:
  std::filesystem::path path_;
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace headroom
