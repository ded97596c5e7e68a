#include "report/csv_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>

#include "report/staged_directory.h"

namespace headroom {

void ForEachCsvRow(const std::filesystem::path& path, const std::function<void(const CsvRow&)>& use) {
  std::ifstream in(path);
  if (!in) throw ResultError(fmt::format("{}: cannot be read", path.string()));
  CsvRow row;
  for (std::string line; std::getline(in, line);) {
    row.clear();
    const std::string_view text = line;
    for (size_t from = 0; from <= text.size();) {
      const size_t comma = std::min(text.find(',', from), text.size());
      row.push_back(text.substr(from, comma - from));
      from = comma + 1;
    }
    use(row);
  }
}

CsvTable::CsvTable(const std::filesystem::path& path) : path_(path) {
  ForEachCsvRow(path, [this](const CsvRow& row) {
    std::vector<std::string> fields(row.begin(), row.end());
    if (header_.empty()) {
      header_ = std::move(fields);
    } else if (fields.size() == header_.size()) {
      rows_.push_back(std::move(fields));
    } else {
      throw ResultError(fmt::format("{}:{}: has {} fields, its header {}", path_.string(), rows_.size() + 2,
                                    fields.size(), header_.size()));
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

uint64_t CsvTable::NumberAt(size_t row, std::string_view column) const {
  const std::string& text = At(row, column);
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace headroom
