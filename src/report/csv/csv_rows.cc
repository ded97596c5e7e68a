#include "report/csv/csv_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>

#include "files/staged_directory.h"
#include "files/whole_text.h"
#include "report/csv/result_file.h"

namespace headroom {

namespace {

/// Splits a line into its fields, as views into it.
void SplitRow(std::string_view text, CsvRow& row) {
  row.clear();
  for (size_t from = 0; from <= text.size();) {
    const size_t comma = std::min(text.find(',', from), text.size());
    row.push_back(text.substr(from, comma - from));
    from = comma + 1;
  }
}

/// Throws ResultError if there is no such column.
size_t PlaceOf(const std::filesystem::path& path, const auto& header, std::string_view column) {
  const auto found = std::ranges::find(header, column);
  if (found == header.end())
    throw ResultError(fmt::format("{}:1: has no column {}; run the scenario again with this version",
                                  path.string(), column));
  return static_cast<size_t>(found - header.begin());
}

}  // namespace

/// The columns that the file has in each of its versions.
static CsvColumns ColumnsOfAllVersions(const std::filesystem::path& path) {
  CsvColumns names;
  for (const Column& column : ResultFiles().at(path.stem())->Columns())
    if (column.kind.since == 1 && !column.kind.when.holds) names.push_back(column.name);
  return names;
}

bool ReadCount(std::string_view text, int64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= 0 &&
         value < 1'000'000'000'000'000;
}

bool ReadNanoseconds(std::string_view text, Time& time) {
  if (text.empty()) return true;
  int64_t ns = 0, ps = 0;
  const size_t dot = text.find('.');
  if (dot == std::string_view::npos || text.size() != dot + 4) return false;
  if (!ReadCount(text.substr(0, dot), ns) || !ReadCount(text.substr(dot + 1), ps)) return false;
  time = Picoseconds(ns * 1000 + ps);
  return true;
}

void ForEachCsvRow(const std::filesystem::path& path, const CsvColumns& columns,
                   const std::function<void(const CsvRow&)>& use) {
  if (const std::string why = WhyNotRead(path, UINTMAX_MAX); !why.empty())
    throw ResultError(fmt::format("{}: {}", path.string(), why));
  std::ifstream in(path);
  if (!in) throw ResultError(fmt::format("{}: cannot be read", path.string()));
  std::string line;
  if (!std::getline(in, line))
    throw ResultError(fmt::format("{}: is empty; run the scenario again", path.string()));
  CsvRow row, wanted(columns.size());
  SplitRow(line, row);
  std::vector<size_t> places;
  for (const std::string& column : columns.empty() ? ColumnsOfAllVersions(path) : columns)
    places.push_back(PlaceOf(path, row, column));
  const size_t fields = row.size();
  if (columns.empty()) use(row);
  for (size_t number = 2; std::getline(in, line); ++number) {
    SplitRow(line, row);
    if (row.size() != fields) {
      throw ResultError(
          fmt::format("{}:{}: has {} fields, its header {}", path.string(), number, row.size(), fields));
    }
    for (size_t i = 0; i < wanted.size(); ++i) wanted[i] = row[places[i]];
    use(columns.empty() ? row : wanted);
  }
}

void FailAt(const std::filesystem::path& path, size_t line, std::string_view column, std::string_view value) {
  throw ResultError(fmt::format("{}:{}: {} is \"{}\", which headroom does not write; run the scenario again",
                                path.string(), line, column, value));
}

CsvTable::CsvTable(const std::filesystem::path& path) : path_(path) {
  ForEachCsvRow(path, {}, [this](const CsvRow& row) {
    std::vector<std::string> fields(row.begin(), row.end());
    if (header_.empty()) {
      header_ = std::move(fields);
    } else {
      rows_.push_back(std::move(fields));
    }
  });
}

const std::string& CsvTable::At(size_t row, std::string_view column) const {
  return rows_[row][PlaceOf(path_, header_, column)];
}

uint64_t CsvTable::NumberAt(size_t row, std::string_view column, uint64_t most) const {
  const std::string& text = At(row, column);
  if (text.empty()) return 0;
  uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value > most) Fail(row, column);
  return value;
}

double CsvTable::RealAt(size_t row, std::string_view column) const {
  const std::string& text = At(row, column);
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value)) Fail(row, column);
  return value;
}

void CsvTable::Fail(size_t row, std::string_view column) const {
  FailAt(path_, row + 2, column, At(row, column));
}

}  // namespace headroom
