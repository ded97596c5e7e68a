#include "cli/show/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "cli/show/control_report.h"
#include "cli/show/fio_report.h"
#include "cli/show/kv_report.h"
#include "cli/show/operator_tables.h"
#include "report/text/text_table.h"
#include "scenario/yaml/nearest.h"
#include "scenario/yaml/pattern.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

/// The words as typed, without the words that begin SONiC's own commands: `pfcwd show stats` becomes "pfcwd
/// stats".
std::string Words(std::string text) {
  if (text.starts_with("show ")) text.erase(0, 5);
  if (text == "pfcwd show stats") text = "pfcwd stats";
  return text;
}

constexpr const char* kIo = "io";
constexpr const char* kKv = "kv";
constexpr const char* kRedis = "redis";
constexpr const char* kControl = "control";
constexpr const char* kControlSays = "what the congestion controls of hosts need of switches and NICs";
constexpr const char* kKvSays = "for workloads of keys: YCSB's report, per workload, with --node per host";
constexpr const char* kRedisSays = "for workloads of keys: redis-benchmark's columns, with --node per host";
constexpr const char* kIoSays = "for workloads of type io: fio's report, per workload, with --node per host";

const OperatorView& ViewOf(const std::string& typed) {
  const std::string words = Words(typed);
  std::vector<std::string> names, longer;
  for (const OperatorView& view : OperatorViews()) {
    if (words == view.name) return view;
    names.emplace_back(view.name);
    if (names.back().starts_with(words + ' ')) longer.push_back('"' + names.back() + '"');
  }
  names.emplace_back(kIo);
  names.emplace_back(kKv);
  names.emplace_back(kRedis);
  names.emplace_back(kControl);
  std::string near = Nearest(words, names);
  if (near.empty()) near = Join(longer);
  throw std::invalid_argument(
      fmt::format("there is no table \"{}\"; {}", typed,
                  near.empty() ? "there are: " + Join(names) : "did you mean " + near + "?"));
}

/// Returns "host" or "switch" if the run had a node with this name, or one that the pattern matches.
std::string KindOf(const RunFiles& run, const std::string& pattern) {
  const Topology& t = run.scenario().topology;
  for (NodeId n = 0; n < t.nodes.size(); ++n) {
    if (MatchesNode(pattern, t.nodes[n].name)) return n < t.hosts ? "host" : "switch";
  }
  return {};
}

std::vector<std::string> NodesOf(const RunFiles& run, const OperatorView& view,
                                 const std::optional<std::string>& pattern) {
  const std::vector<std::string> all = view.hosts ? view.hosts(run) : run.switches();
  if (!pattern) return all;
  std::vector<std::string> nodes;
  for (const std::string& name : all) {
    if (MatchesNode(*pattern, name)) nodes.push_back(name);
  }
  if (!nodes.empty()) return nodes;
  const std::string there_are = "there are: " + Shorten(Join(all), 200);
  if (const std::string other = KindOf(run, *pattern); !other.empty() && view.hosts) {
    throw std::invalid_argument(
        fmt::format("{}: \"{}\" is a {}; the table \"{}\" covers hosts that kept any; {}", run.dir().string(),
                    *pattern, other, view.name, there_are));
  } else if (!other.empty()) {
    throw std::invalid_argument(fmt::format(
        "{}: \"{}\" is a {}; the table \"{}\" covers switches; {} (for hosts use the table \"estats\")",
        run.dir().string(), *pattern, other, view.name, there_are));
  }
  const std::string near = Nearest(*pattern, all);
  throw std::invalid_argument(fmt::format("{}: there is no {} \"{}\"; {}", run.dir().string(),
                                          view.hosts ? "host" : "switch", *pattern,
                                          near.empty() ? there_are : "did you mean " + near + "?"));
}

/// Whether the cell holds a number, or two numbers with a slash between, and one of them is not 0.
bool Counted(const ordered_json& cell) {
  if (cell.is_number()) return cell != 0;
  const std::string text = cell.is_string() ? cell.get<std::string>() : std::string();
  return text.find_first_not_of("0123456789/") == std::string::npos &&
         text.find_first_of("123456789") != std::string::npos;
}

void DropZeroRows(OperatorTable& table) {
  std::erase_if(table.rows, [](const auto& row) { return std::none_of(row.begin(), row.end(), Counted); });
}

std::string CellText(const ordered_json& cell) {
  return cell.is_string() ? cell.get<std::string>() : cell.dump();
}

std::string TextOf(const OperatorTable& table) {
  // In SONiC's tables a column is at least two characters wider than its header.
  std::vector<std::string> header;
  for (const std::string& name : table.header) header.push_back("  " + name);
  TextTable text(std::string(header.size(), 'r'), header);
  text.Underline();
  for (const auto& row : table.rows) {
    std::vector<std::string> cells;
    for (const ordered_json& cell : row) cells.push_back(CellText(cell));
    text.AddRow(std::move(cells));
  }
  return (table.title.empty() ? "" : table.title + '\n') + text.ToString();
}

ordered_json JsonOf(const char* kind, const std::string& node, const OperatorTable& table) {
  ordered_json out;
  out[kind] = node;
  if (!table.title.empty()) out["title"] = table.title;
  auto& rows = out["rows"] = ordered_json::array();
  for (const auto& row : table.rows) {
    ordered_json& one = rows.emplace_back(ordered_json::object());
    for (size_t i = 0; i < row.size(); ++i) one[table.header[i]] = row[i];
  }
  return out;
}

}  // namespace

void Show(const std::filesystem::path& dir, const ShowOptions& options, std::ostream& out) {
  if (Words(options.table) == kIo) return ShowIo(RunFiles(dir), options, out);
  if (Words(options.table) == kKv) return ShowKv(RunFiles(dir), options, out);
  if (Words(options.table) == kRedis) return ShowRedis(RunFiles(dir), options, out);
  if (Words(options.table) == kControl) return ShowControls(RunFiles(dir), options, out);
  const OperatorView& view = ViewOf(options.table);
  const RunFiles run(dir);
  ordered_json json = {{"table", view.name}, {"tables", ordered_json::array()}};
  std::string text;
  const char* kind = view.hosts ? "host" : "switch";
  for (const std::string& node : NodesOf(run, view, options.node)) {
    std::string of_node;
    for (OperatorTable& table : view.tables(run, node)) {
      if (options.nonzero) DropZeroRows(table);
      if (options.nonzero && table.rows.empty()) continue;
      json["tables"].push_back(JsonOf(kind, node, table));
      of_node += (of_node.empty() ? "" : "\n") + TextOf(table);
    }
    if (!of_node.empty()) text += (text.empty() ? "" : "\n") + (kind + (' ' + node) + '\n') + of_node;
  }
  if (options.json) {
    out << json.dump(2) << '\n';
  } else {
    out << (text.empty() ? "nothing was counted\n" : text);
  }
}

std::string ListOfTables() {
  std::string out;
  for (const OperatorView& view : OperatorViews()) out += fmt::format("  {:<36}{}\n", view.name, view.says);
  out += fmt::format("  {:<36}{}\n", kControl, kControlSays);
  out += fmt::format("  {:<36}{}\n", kIo, kIoSays);
  out += fmt::format("  {:<36}{}\n", kKv, kKvSays);
  out += fmt::format("  {:<36}{}\n", kRedis, kRedisSays);
  return out;
}

}  // namespace headroom
