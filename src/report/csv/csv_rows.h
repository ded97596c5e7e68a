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

/// Calls `use` for each line, the header first; the views are valid during the call. For files without quoted
/// fields: all except events.csv. Throws ResultError if the file cannot be read, if its header does not begin
/// with `columns` (separated by commas), or if a line has another number of fields.
void ForEachCsvRow(const std::filesystem::path& path, std::string_view columns,
                   const std::function<void(const CsvRow&)>& use);

/// Reads a whole number below 10^15. False for other texts.
bool ReadCount(std::string_view text, int64_t& value);

/// Reads "12.345" nanoseconds, always with three decimal places; an empty text does not change `time`. False
/// for other texts.
bool ReadNanoseconds(std::string_view text, Time& time);

/// Reports a field that Headroom does not write: throws a ResultError with the file, line, column and value.
[[noreturn]] void FailAt(const std::filesystem::path& path, size_t line, std::string_view column,
                         std::string_view value);

/// Reads records that a file has in the order of their starts. `read` fills a record from a row and returns
/// the column that is not as Headroom writes it, or 0. `start` is the column of the start. Throws ResultError
/// under the conditions of ForEachCsvRow, and FailAt for a wrong column.
template <class Record>
void ForEachRecord(const std::filesystem::path& path, std::string_view columns, size_t start,
                   size_t (*read)(const CsvRow&, Record&), const std::function<void(const Record&)>& use) {
  std::vector<std::string> header;
  Time last;
  size_t number = 1;
  ForEachCsvRow(path, columns, [&](const CsvRow& row) {
    if (header.empty()) {
      header.assign(row.begin(), row.end());
      return;
    }
    ++number;
    Record record;
    size_t wrong = read(row, record);
    if (wrong == 0 && record.start < last) wrong = start;
    if (wrong != 0) FailAt(path, number, header[wrong], row[wrong].substr(0, 40));
    last = record.start;
    use(record);
  });
}

/// A whole file, whose columns are found by name.
class CsvTable {
 public:
  /// Throws ResultError under the conditions of ForEachCsvRow.
  CsvTable(const std::filesystem::path& path, std::string_view columns);

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
