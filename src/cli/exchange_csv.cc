// Lists of messages as CSV.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/exchange.h"
#include "scenario/line_reader.h"
#include "scenario/nearest.h"
#include "scenario/quantity.h"
#include "scenario/write.h"

namespace headroom {

namespace fs = std::filesystem;

namespace {

constexpr const char* kColumns =
    "expected: src, dst, bytes and one of start_ns, start_us, start_ms, start_s; workload is optional, "
    "others are "
    "passed over";

std::vector<std::string> Fields(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == ',') {
      fields.emplace_back();
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  for (std::string& f : fields) {
    const size_t begin = f.find_first_not_of(" \t"), end = f.find_last_not_of(" \t");
    f = begin == std::string::npos ? "" : f.substr(begin, end - begin + 1);
  }
  return fields;
}

class Messages {
 public:
  explicit Messages(const fs::path& file) : stream_(file) {
    where_.file = std::make_shared<SourceFile>(SourceFile{file.string(), file.parent_path()});
    where_.line = 0;
    if (!stream_) throw ScenarioError(where_, "cannot be read");
    ReadHeader();
    ReadRows();
  }

  /// Lines of YAML by workload, in the order in which they are first named.
  std::vector<std::pair<std::string, std::vector<std::string>>> rows;

 private:
  void ReadHeader() {
    std::string line;
    if (!std::getline(stream_, line)) throw ScenarioError(where_, "the file is empty", kColumns);
    ++where_.line;
    const std::vector<std::string> names = Fields(line);
    columns_ = names.size();
    const auto find = [&](const char* name) {
      const auto at = std::find(names.begin(), names.end(), name);
      return at == names.end() ? -1 : static_cast<int>(at - names.begin());
    };
    for (const char* unit : {"ns", "us", "ms", "s"}) {
      const int at = find(("start_" + std::string(unit)).c_str());
      if (at < 0) continue;
      if (start_ >= 0) throw ScenarioError(where_, "the start stands in two columns", kColumns);
      start_ = at;
      unit_ = unit;
    }
    src_ = find("src");
    dst_ = find("dst");
    bytes_ = find("bytes");
    workload_ = find("workload");
    for (const auto& [at, name] :
         {std::pair{start_, "start_ns"}, {src_, "src"}, {dst_, "dst"}, {bytes_, "bytes"}})
      if (at < 0) throw ScenarioError(where_, fmt::format("there is no column {}", name), kColumns);
  }

  void ReadRows() {
    std::map<std::string, size_t> place;
    for (std::string line; std::getline(stream_, line);) {
      ++where_.line;
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      if (line.find('"') != std::string::npos) throw ScenarioError(where_, "quoted fields are not supported");
      const std::vector<std::string> fields = Fields(line);
      if (fields.size() != columns_)
        throw ScenarioError(where_, fmt::format("{} fields, the header has {}", fields.size(), columns_));
      const auto field = [&](int at) { return fields[static_cast<size_t>(at)]; };
      const std::string workload = workload_ < 0 ? "messages" : Name(field(workload_));
      const auto [found, fresh] = place.emplace(workload, rows.size());
      if (fresh) rows.emplace_back(workload, std::vector<std::string>());
      rows[found->second].second.push_back(fmt::format(
          "{{at: {}, from: {}, to: {}, size: {}B}}", FormatTime(ParseTime(Scalar(field(start_) + unit_))),
          Name(field(src_)), Name(field(dst_)), ParseInteger(Scalar(field(bytes_)), 0, kLargestSize.v)));
    }
    if (rows.empty()) throw ScenarioError(where_, "the file has no message");
  }

  Node Scalar(const std::string& text) const {
    Node node;
    node.kind = Node::Kind::scalar;
    node.text = text;
    node.where = where_;
    return node;
  }

  std::string Name(const std::string& text) const {
    const bool fits = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
      return std::isalnum(c) || c == '_' || c == '-';
    });
    if (!fits) throw ScenarioError(where_, Quote(text) + " is no name", "allowed: letters, digits, _ and -");
    return text;
  }

  std::ifstream stream_;
  Position where_;
  size_t columns_ = 0;
  std::string unit_;
  int start_ = -1, src_ = -1, dst_ = -1, bytes_ = -1, workload_ = -1;
};

}  // namespace

Exchange WorkloadsOfCsv(const fs::path& file) {
  const Messages messages(file);
  Exchange out;
  out.text = fmt::format("# From {}; include it in a scenario.\nworkloads:\n", file.filename().string());
  for (const auto& [workload, rows] : messages.rows) {
    out.text += fmt::format("  - name: {}\n    type: list\n    messages:\n", workload);
    for (const std::string& row : rows) out.text += "      - " + row + "\n";
  }
  return out;
}

}  // namespace headroom
