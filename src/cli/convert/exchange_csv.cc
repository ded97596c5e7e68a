// Lists of messages as CSV.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/convert/exchange.h"
#include "files/whole_text.h"
#include "scenario/write/write.h"
#include "scenario/yaml/document.h"
#include "scenario/yaml/line_reader.h"
#include "scenario/yaml/nearest.h"
#include "scenario/yaml/quantity.h"

namespace headroom {

namespace fs = std::filesystem;

namespace {

constexpr const char* kColumns =
    "expected: the columns src, dst, bytes and one of start_ns, start_us, start_ms, start_s; workload "
    "and verb are optional, and other columns are ignored";

struct CsvField {
  std::string text;
  int column = 1;
};

std::vector<CsvField> Fields(const std::string& line) {
  constexpr const char* kBlanks = " \t\r";
  std::vector<CsvField> fields;
  for (size_t at = 0; at <= line.size();) {
    const size_t comma = std::min(line.find(',', at), line.size());
    const std::string text = line.substr(at, comma - at);
    const size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
    fields.push_back(
        {text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin), static_cast<int>(at + begin) + 1});
    at = comma + 1;
  }
  return fields;
}

std::vector<std::string> VerbNames() {
  std::vector<std::string> names;
  for (const auto& [name, unused] : kVerbs) names.emplace_back(name);
  return names;
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

  std::vector<ListedWorkload> workloads;  ///< in the order in which the file first names them
  std::vector<std::string> passed_over;   ///< names of ignored columns

 private:
  void ReadHeader() {
    std::string line;
    if (!std::getline(stream_, line)) throw ScenarioError(where_, "the file is empty", kColumns);
    ++where_.line;
    if (line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // spreadsheets write a byte-order mark
    if (line.find(',') == std::string::npos && line.find(';') != std::string::npos)
      throw ScenarioError(where_, "the fields are separated by ';', but a CSV file has commas",
                          "separate the fields by commas");
    RefuseQuotes(line);
    std::vector<std::string> names;
    for (const CsvField& field : Fields(line)) names.push_back(field.text);
    columns_ = names.size();
    const auto find = [&](const char* name) {
      const auto at = std::find(names.begin(), names.end(), name);
      return at == names.end() ? -1 : static_cast<int>(at - names.begin());
    };
    for (const char* unit : {"ns", "us", "ms", "s"}) {
      const int at = find(("start_" + std::string(unit)).c_str());
      if (at < 0) continue;
      if (start_ >= 0) throw ScenarioError(where_, "two columns give the start time", kColumns);
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
      if (at < 0) RefuseMissing(name, Fields(line));
    for (int at = 0; at < static_cast<int>(names.size()); ++at) {
      const int taken[] = {start_, src_, dst_, bytes_, workload_, verb_};
      if (std::find(std::begin(taken), std::end(taken), at) == std::end(taken))
        passed_over.push_back(names[static_cast<size_t>(at)]);
    }
  }

  void RefuseQuotes(const std::string& line) {
    const size_t quote = line.find('"');
    if (quote == std::string::npos) return;
    where_.column = static_cast<int>(quote) + 1;
    throw ScenarioError(where_, "quoted fields are not supported", "write names and numbers without quotes");
  }

  /// Points at the column whose name resembles the missing one, if there is one.
  [[noreturn]] void RefuseMissing(const std::string& name, const std::vector<CsvField>& header) const {
    for (const CsvField& field : header) {
      const std::string near = Nearest(field.text, {"src", "dst", "bytes", "start_ns", "start_us", "start_ms",
                                                    "start_s", "workload", "verb"});
      const bool meant = near == '"' + name + '"' || (name == "start_ns" && near.starts_with("\"start_"));
      if (meant && near != '"' + field.text + '"')
        throw ScenarioError(Scalar(field).where, Quote(field.text) + " is not the name of a column", kColumns,
                            near);
    }
    throw ScenarioError(where_, fmt::format("there is no column {}", name), kColumns);
  }

  void ReadRows() {
    std::map<std::string, size_t> place;
    for (std::string line; std::getline(stream_, line);) {
      ++where_.line;
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      RefuseQuotes(line);
      const std::vector<CsvField> fields = Fields(line);
      if (fields.size() != columns_)
        throw ScenarioError(
            where_, fmt::format("the line has {} fields, but the header has {}", fields.size(), columns_));
      const auto field = [&](int at) { return Scalar(fields[static_cast<size_t>(at)]); };
      const std::string name = workload_ < 0 ? "messages" : ParseName(field(workload_));
      const std::string verb = verb_ < 0 ? "" : verbs_[ParseChoice(field(verb_), verbs_)];
      const auto [found, fresh] = place.emplace(name, workloads.size());
      if (fresh) workloads.push_back({name, verb, {}});
      ListedWorkload& workload = workloads[found->second];
      if (workload.verb != verb)
        throw ScenarioError(
            where_, fmt::format("workload {} has messages with {} and with {}, but a workload has one "
                                "verb",
                                name, workload.verb, verb));
      workload.messages.push_back(
          fmt::format("{{at: {}, from: {}, to: {}, size: {}B}}", FormatTime(Start(field(start_))),
                      WriteTexts({ParseName(field(src_))}), WriteTexts({ParseName(field(dst_))}),
                      ParseInteger(field(bytes_), 1, kLargestSize.v)));
    }
    if (workloads.empty()) throw ScenarioError(where_, "the file has no line with a message");
  }

  Time Start(const Node& field) const {
    const Time start = ParseBareTime(field, unit_);
    if (start > kLongestTime)
      throw ScenarioError(field.where, Quote(field.text) + " is out of range",
                          "allowed: up to " + FormatTime(kLongestTime));
    return start;
  }

  Node Scalar(const CsvField& field) const {
    Node node;
    node.kind = Node::Kind::scalar;
    node.text = field.text;
    node.where = where_;
    node.where.column = field.column;
    return node;
  }

  std::ifstream stream_;
  Position where_;
  size_t columns_ = 0;
  std::string unit_;
  const std::vector<std::string> verbs_ = VerbNames();
  int start_ = -1, src_ = -1, dst_ = -1, bytes_ = -1, workload_ = -1, verb_ = -1;
};

}  // namespace

Converted WorkloadsOfCsv(const fs::path& file) {
  const Messages messages(file);
  Converted out;
  if (!messages.passed_over.empty())
    out.notes.push_back(fmt::format("ignored columns: {}", fmt::join(messages.passed_over, ", ")));
  out.text = fmt::format("# From {}; include it in a scenario.\nworkloads:\n", file.filename().string());
  for (const ListedWorkload& w : messages.workloads) {
    out.text += fmt::format("  - name: {}\n    type: list\n", WriteTexts({w.name}));
    if (!w.verb.empty()) out.text += fmt::format("    verb: {}\n", w.verb);
    out.text += "    messages:\n";
    for (const std::string& message : w.messages) out.text += "      - " + message + "\n";
  }
  if (out.text.size() > kLargestScenarioFile)
    throw ScenarioError(WholeFile(file),
                        fmt::format("the messages need a scenario of {} bytes", out.text.size()),
                        fmt::format("allowed: up to {} bytes; give fewer messages", kLargestScenarioFile));
  return out;
}

}  // namespace headroom
