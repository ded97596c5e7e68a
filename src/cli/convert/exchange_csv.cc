// Lists of messages as CSV.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/convert/exchange.h"
#include "files/whole_text.h"
#include "scenario/write/write.h"
#include "scenario/yaml/line_reader.h"
#include "scenario/yaml/nearest.h"
#include "scenario/yaml/quantity.h"

namespace headroom {

namespace fs = std::filesystem;

namespace {

constexpr const char* kColumns =
    "expected: src, dst, bytes and one of start_ns, start_us, start_ms, start_s; workload and verb are "
    "optional, others are passed over";

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

struct ListedWorkload {
  std::string name, verb;
  std::vector<std::string> messages;  ///< lines of YAML
};

class Messages {
 public:
  explicit Messages(const fs::path& file) : where_(WholeFile(file)) {
    if (const std::string why = WhyNotRead(file); !why.empty()) throw ScenarioError(where_, why);
    stream_.open(file);
    if (!stream_) throw ScenarioError(where_, "cannot be read");
    ReadHeader();
    ReadRows();
  }

  std::vector<ListedWorkload> workloads;  ///< in the order in which they are first named
  std::vector<std::string> passed_over;   ///< names of columns

 private:
  void ReadHeader() {
    std::string line;
    if (!std::getline(stream_, line)) throw ScenarioError(where_, "the file is empty", kColumns);
    ++where_.line;
    if (line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // spreadsheets write a byte-order mark
    if (line.find(',') == std::string::npos && line.find(';') != std::string::npos)
      throw ScenarioError(where_, "fields are separated by ';'", "separate them by commas");
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
    verb_ = find("verb");
    for (const auto& [at, name] :
         {std::pair{start_, "start_ns"}, {src_, "src"}, {dst_, "dst"}, {bytes_, "bytes"}})
      if (at < 0) throw ScenarioError(where_, fmt::format("there is no column {}", name), kColumns);
    for (int at = 0; at < static_cast<int>(names.size()); ++at) {
      const int taken[] = {start_, src_, dst_, bytes_, workload_, verb_};
      if (std::find(std::begin(taken), std::end(taken), at) == std::end(taken))
        passed_over.push_back(names[static_cast<size_t>(at)]);
    }
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
      const std::string name = workload_ < 0 ? "messages" : Name(field(workload_));
      const std::string verb = verb_ < 0 ? "" : Name(field(verb_));
      const auto [found, fresh] = place.emplace(name, workloads.size());
      if (fresh) workloads.push_back({name, verb, {}});
      ListedWorkload& workload = workloads[found->second];
      if (workload.verb != verb)
        throw ScenarioError(
            where_, fmt::format("workload {} has messages with {} and {}; a workload has one verb", name,
                                workload.verb, verb));
      workload.messages.push_back(fmt::format(
          "{{at: {}, from: {}, to: {}, size: {}B}}", FormatTime(ParseTime(Scalar(field(start_) + unit_))),
          Name(field(src_)), Name(field(dst_)), ParseInteger(Scalar(field(bytes_)), 1, kLargestSize.v)));
    }
    if (workloads.empty()) throw ScenarioError(where_, "the file has no message");
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
  int start_ = -1, src_ = -1, dst_ = -1, bytes_ = -1, workload_ = -1, verb_ = -1;
};

}  // namespace

Converted WorkloadsOfCsv(const fs::path& file) {
  const Messages messages(file);
  Converted out;
  if (!messages.passed_over.empty())
    out.notes.push_back(
        fmt::format("columns that are passed over: {}", fmt::join(messages.passed_over, ", ")));
  out.text = fmt::format("# From {}; include it in a scenario.\nworkloads:\n", file.filename().string());
  for (const ListedWorkload& w : messages.workloads) {
    out.text += fmt::format("  - name: {}\n    type: list\n", w.name);
    if (!w.verb.empty()) out.text += fmt::format("    verb: {}\n", w.verb);
    out.text += "    messages:\n";
    for (const std::string& message : w.messages) out.text += "      - " + message + "\n";
  }
  return out;
}

}  // namespace headroom
