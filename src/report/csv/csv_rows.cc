#include "report/csv/csv_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>

#include "files/staged_directory.h"
#include "files/whole_text.h"

namespace headroom {

void ForEachCsvRow(const std::filesystem::path& path, const std::function<void(const CsvRow&)>& use) {
  if (const std::string why = WhyNotRead(path, UINTMAX_MAX); !why.empty())
    throw ResultError(fmt::format("{}: {}", path.string(), why));
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
  if (header_.empty()) throw ResultError(fmt::format("{}: is empty; run the scenario again", path_.string()));
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

void CsvTable::Fail(size_t row, std::string_view column) const {
  throw ResultError(
      fmt::format("{}:{}: {} is \"{}\", which is not as headroom writes it; run the scenario again",
                  path_.string(), row + 2, column, At(row, column)));
}

}  // namespace headroom
