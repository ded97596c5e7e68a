// Reads the CSV files of a result.
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
using CsvColumns = std::vector<std::string>;

/// Calls `use` for each line, with the fields in these columns in this order; none: all columns, the header
/// first. REQUIRES: the file is one of ResultFiles(). The views are valid during the call. For files without
/// quoted fields: all except events.csv. Throws ResultError if the file cannot be read or lacks a column, or
/// if a line has another number of fields.
void ForEachCsvRow(const std::filesystem::path& path, const CsvColumns& columns,
                   const std::function<void(const CsvRow&)>& use);

/// Reads a whole number below 10^15. False for other texts.
bool ReadCount(std::string_view text, int64_t& value);

/// Reads "12.345" nanoseconds, always with three decimal places; an empty text does not change `time`. False
/// for other texts.
bool ReadNanoseconds(std::string_view text, Time& time);

/// Reports a field that Headroom does not write: throws a ResultError with the file, line, column and value.
[[noreturn]] void FailAt(const std::filesystem::path& path, size_t line, std::string_view column,
                         std::string_view value);

/// All fields are as Headroom writes them.
inline constexpr size_t kAsWritten = SIZE_MAX;

/// Reads records that a file has in the order of their starts. `read` fills a record from a row and returns
/// the place of the column that is not as Headroom writes it, or kAsWritten. `start` is the place of the
/// start. Throws ResultError under the conditions of ForEachCsvRow, and FailAt for a wrong column.
template <class Record>
void ForEachRecord(const std::filesystem::path& path, const CsvColumns& columns, size_t start,
                   size_t (*read)(const CsvRow&, Record&), const std::function<void(const Record&)>& use) {
  Time last;
  size_t number = 1;
  ForEachCsvRow(path, columns, [&](const CsvRow& row) {
    ++number;
    Record record;
    size_t wrong = read(row, record);
    if (wrong == kAsWritten && record.start < last) wrong = start;
    if (wrong != kAsWritten) FailAt(path, number, columns[wrong], row[wrong].substr(0, 40));
    last = record.start;
    use(record);
  });
}

/// A whole file, whose columns are found by name.
class CsvTable {
 public:
  /// Throws ResultError under the conditions of ForEachCsvRow.
  explicit CsvTable(const std::filesystem::path& path);

  size_t rows() const { return rows_.size(); }
  /// A field. Throws ResultError if the file has no such column: another version of Headroom wrote it.
  const std::string& At(size_t row, std::string_view column) const;
  /// The field as a number; 0 if it is empty. Throws ResultError if it is no number, or more than `most`.
  uint64_t NumberAt(size_t row, std::string_view column, uint64_t most = UINT64_MAX) const;
  /// The field as a decimal number. Throws ResultError if it is no number.
  double RealAt(size_t row, std::string_view column) const;
  /// FailAt of this field.
  [[noreturn]] void Fail(size_t row, std::string_view column) const;

 private:
  std::filesystem::path path_;
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace headroom
