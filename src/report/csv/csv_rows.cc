#include "report/csv/csv_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>

#include "files/staged_directory.h"
#include "files/whole_text.h"

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

bool BeginsWith(std::string_view header, std::string_view columns) {
  return header.starts_with(columns) && (header.size() == columns.size() || header[columns.size()] == ',');
}

}  // namespace

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

void ForEachCsvRow(const std::filesystem::path& path, std::string_view columns,
                   const std::function<void(const CsvRow&)>& use) {
  if (const std::string why = WhyNotRead(path, UINTMAX_MAX); !why.empty())
    throw ResultError(fmt::format("{}: {}", path.string(), why));
  std::ifstream in(path);
  if (!in) throw ResultError(fmt::format("{}: cannot be read", path.string()));
  std::string line;
  if (!std::getline(in, line))
    throw ResultError(fmt::format("{}: is empty; run the scenario again", path.string()));
  if (!BeginsWith(line, columns)) {
    throw ResultError(fmt::format(
        "{}:1: the header is \"{}\", but it must begin with {}; run the scenario again with this version",
        path.string(), line.substr(0, 60), columns));
  }
  CsvRow row;
  SplitRow(line, row);
  const size_t fields = row.size();
  use(row);
  for (size_t number = 2; std::getline(in, line); ++number) {
    SplitRow(line, row);
    if (row.size() != fields) {
      throw ResultError(
          fmt::format("{}:{}: has {} fields, its header {}", path.string(), number, row.size(), fields));
    }
    use(row);
  }
}

void FailAt(const std::filesystem::path& path, size_t line, std::string_view column, std::string_view value) {
  throw ResultError(fmt::format("{}:{}: {} is \"{}\", which headroom does not write; run the scenario again",
                                path.string(), line, column, value));
}

CsvTable::CsvTable(const std::filesystem::path& path, std::string_view columns) : path_(path) {
  ForEachCsvRow(path, columns, [this](const CsvRow& row) {
    std::vector<std::string> fields(row.begin(), row.end());
    if (header_.empty()) {
      header_ = std::move(fields);
    } else {
      rows_.push_back(std::move(fields));
    }
  });
}

const std::string& CsvTable::At(size_t row, std::string_view column) const {
  const auto found = std::find(header_.begin(), header_.end(), column);
  if (found == header_.end()) {
    throw ResultError(fmt::format("{}: has no column {}; run the scenario again with this version",
                                  path_.string(), column));
  }
  return rows_[row][static_cast<size_t>(found - header_.begin())];
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
