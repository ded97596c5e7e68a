// The CSV files of a result, each described once: its columns, and how a row gives their values. Writers,
// readers, pages and `headroom columns` use this description.
//
// A file of any type registers itself: a Table in a .cc file of this room, or of your own program. Times are
// nanoseconds with three places (exact picoseconds); a field without a value is empty.
#pragma once

#include <algorithm>
#include <concepts>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/text_file.h"
#include "report/csv/port_directory.h"
#include "run/recording/records.h"
#include "scenario/scenario.h"

namespace headroom {

/// A run as rows see it.
struct ResultRun {
  const Scenario& scenario;
  const RunRecord& record;
  const PortDirectory ports{scenario.topology};

  std::string_view Node(NodeId node) const { return scenario.topology.nodes[node].name; }
  std::string_view Port(NodeId node, uint32_t port) const { return ports.At(node, port).name; }
  std::string_view Workload(size_t workload) const { return scenario.workloads[workload].name; }
};

/// When a run has a column that not every run has. These columns come together.
struct Condition {
  const char* words = nullptr;
  bool (*holds)(const ResultRun&) = nullptr;
};

/// The values of a column. `type`: name; text, quoted if necessary; index, a number that is a name; flag, 0
/// or 1; integer; number.
struct Kind {
  const char* type;
  const char* unit = nullptr;
  bool empty = false;  ///< a field may be empty
  int since = 1;       ///< the version of the file that added the column; older results do not have it
  Condition when{};
  bool part = false;                  ///< a part of the row's time; a row has all parts or none
  std::vector<std::string> values{};  ///< of a name: all that occur

  Kind MayBeEmpty() const { return With(&Kind::empty, true); }
  Kind Since(int version) const { return With(&Kind::since, version); }
  Kind When(Condition condition) const { return With(&Kind::when, condition); }
  Kind Part() const { return With(&Kind::part, true); }
  Kind OneOf(std::vector<std::string> all) const { return With(&Kind::values, all); }
  /// The names of the first `count` enumerators.
  template <class Enumeration>
  Kind OneOf(size_t count, const char* (*name)(Enumeration)) const {
    Kind changed = *this;
    for (size_t i = 0; i < count; ++i) changed.values.emplace_back(name(static_cast<Enumeration>(i)));
    return changed;
  }

 private:
  template <class Value>
  Kind With(Value Kind::*member, Value value) const {
    Kind changed = *this;
    changed.*member = std::move(value);
    return changed;
  }
};
namespace kinds {
inline const Kind kName{"name"}, kText{"text"}, kIndex{"index"}, kFlag{"flag"}, kCount{"integer"},
    kBytes{"integer", "B"}, kPackets{"integer", "packets"}, kBitRate{"integer", "bit/s"}, kNumber{"number"},
    kNs{"number", "ns"}, kUs{"number", "us"};
}  // namespace kinds

struct Column {
  std::string name;
  Kind kind;
  std::string help;  ///< one line
};

class ResultFile {
 public:
  /// The file NAME.csv, in runs for which `condition` holds; null: in all. `line`: its help. Registers it.
  ResultFile(std::string name, std::string line, bool (*condition)(const ResultRun&));
  virtual ~ResultFile() = default;
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  const std::string help;
  bool (*const is_in)(const ResultRun&);
  virtual std::vector<Column> Columns() const = 0;
  /// A header, and rows in an order that does not depend on how the records were gathered. Throws
  /// ResultError.
  void Write(const std::filesystem::path& path, const ResultRun& run) const;

 private:
  virtual void WriteTo(TextFile& file, const ResultRun& run) const = 0;
};

/// All files by name, without ".csv".
const std::map<std::string, const ResultFile*>& ResultFiles();

/// WORKLOAD/HOST/NUMBER, the name of a message or an operation.
struct RowName {
  std::string_view workload, host;
  uint64_t number;
};

inline void Put(TextFile& file, std::string_view text) { file.Write(text); }
template <std::integral Integer>
void Put(TextFile& file, Integer number) {
  const fmt::format_int digits(+number);
  file.Write({digits.data(), digits.size()});
}
inline void Put(TextFile& file, double number) { file.Print("{:.6f}", number); }
inline void Put(TextFile& file, Bytes bytes) { Put(file, bytes.v); }
inline void Put(TextFile& file, Rate rate) { Put(file, rate.v); }
/// Faster than the formatter of ExactNanoseconds: most columns of long files are times.
inline void Put(TextFile& file, Time time) {
  if (time < Time(0) || time == kNever) return file.Print("{}", ExactNanoseconds{time});
  Put(file, time.v / 1000);
  const auto digit = [ps = time.v](int64_t of) { return static_cast<char>('0' + ps / of % 10); };
  const char fraction[] = {'.', digit(100), digit(10), digit(1)};
  file.Write({fraction, sizeof fraction});
}
inline void Put(TextFile& file, const RowName& name) {
  file.Print("{}/{}/{}", name.workload, name.host, name.number);
}
template <class Value>
void Put(TextFile& file, const std::optional<Value>& value) {
  if (value) Put(file, *value);
}

/// A column, and its value in a row: get(run, row), get(row) or row.*get.
template <class Row>
struct ColumnOf {
  template <class Get>
  ColumnOf(std::string name, Kind kind, std::string help, Get get)
      : column{std::move(name), std::move(kind), std::move(help)},
        put([get](TextFile& file, const ResultRun& run, const Row& row) {
          if constexpr (std::is_invocable_v<Get, const Row&>) {
            Put(file, std::invoke(get, row));
          } else {
            Put(file, get(run, row));
          }
        }) {}
  Column column;
  std::function<void(TextFile&, const ResultRun&, const Row&)> put;
};

/// A file with a line for each Row.
template <class Row>
class Table : public ResultFile {
 public:
  using Rows = std::function<void(const ResultRun&, const std::function<void(const Row&)>&)>;
  /// `rows` visits the rows in the order of the file.
  Table(std::string name, std::string line, Rows rows, std::vector<ColumnOf<Row>> columns,
        bool (*condition)(const ResultRun&) = nullptr)
      : ResultFile(std::move(name), std::move(line), condition),
        rows_(std::move(rows)),
        columns_(std::move(columns)) {}

  std::vector<Column> Columns() const override {
    std::vector<Column> all;
    for (const ColumnOf<Row>& each : columns_) all.push_back(each.column);
    return all;
  }

 private:
  void WriteTo(TextFile& file, const ResultRun& run) const override {
    std::vector<const ColumnOf<Row>*> written;
    for (const ColumnOf<Row>& each : columns_) {
      const auto holds = each.column.kind.when.holds;
      if (holds && !holds(run)) continue;
      file.Print("{}{}", written.empty() ? "" : ",", each.column.name);
      written.push_back(&each);
    }
    rows_(run, [&](const Row& row) {
      const char* before = "\n";
      for (const ColumnOf<Row>* each : written) {
        file.Write(std::exchange(before, ","));
        each->put(file, run, row);
      }
    });
    file.Write("\n");
  }

  Rows rows_;
  std::vector<ColumnOf<Row>> columns_;
};

/// Pointers to `records`, stably sorted by each record's `key`.
template <class Record, class Key>
std::vector<const Record*> InOrder(const std::vector<Record>& records, Key key) {
  std::vector<const Record*> out;
  out.reserve(records.size());
  for (const Record& r : records) out.push_back(&r);
  const auto less = [&key](const Record* a, const Record* b) { return key(*a) < key(*b); };
  if (!std::is_sorted(out.begin(), out.end(), less)) std::stable_sort(out.begin(), out.end(), less);
  return out;
}

/// The rows of a list of records, sorted by `key`.
template <class Record, class Key>
auto Sorted(std::vector<Record> RunRecord::*list, Key key) {
  return [list, key](const ResultRun& run, const std::function<void(const Record&)>& use) {
    for (const Record* record : InOrder(run.record.*list, key)) use(*record);
  };
}

/// Values that records of many kinds have.
inline constexpr auto kNodeOf = [](const ResultRun& run, const auto& row) { return run.Node(row.node); };
inline constexpr auto kPortOf = [](const ResultRun& run, const auto& row) {
  return run.Port(row.node, row.port);
};
inline constexpr auto kHostOf = [](const ResultRun& run, const auto& row) { return run.Node(row.host); };

}  // namespace headroom
