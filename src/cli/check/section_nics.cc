// NICs with resources in a check.
#include <fmt/format.h>

#include "cli/check/columns.h"
#include "cli/check/sections.h"
#include "cli/labelled_line.h"

namespace headroom {
namespace {

/// The rate per second of operations that take `each`; none means no limit.
std::optional<double> PerSecond(Time each) {
  if (each.v == 0) return std::nullopt;
  return 1e12 / static_cast<double>(each.v);
}
std::string Millions(const std::optional<double>& rate) { return rate ? FormatReadable(*rate / 1e6) : "-"; }

const auto kPaths =
    Columns<NicPath>()
        .Both(
            "way", "M packets/s", [](const NicPath& p) { return std::string(PathName(p.does)); },
            [](const std::string& name) {
              return name == PathName(NicPath::Does::answers_reads) ? "answers" : name;
            })
        .Both(
            "line", "line", [](const NicPath& p) { return PerSecond(p.line); }, Millions)
        .Both(
            "pipeline", "pipeline", [](const NicPath& p) { return PerSecond(p.pipeline); }, Millions)
        .Both(
            "pipeline_all_missing", "missing",
            [](const NicPath& p) { return p.miss.v == 0 ? std::nullopt : PerSecond(p.pipeline + p.miss); },
            Millions)
        .Both(
            "engine", "engine", [](const NicPath& p) { return PerSecond(p.engine); }, Millions)
        .Both(
            "pcie", "PCIe", [](const NicPath& p) { return PerSecond(p.pcie); }, Millions)
        .Both("limit", "limit", [](const NicPath& p) { return std::string(LimitName(p.LimitedBy())); })
        .Both("full_from_bytes", "full from", &NicPath::full_from,
              [](const std::optional<Bytes>& from) { return from ? fmt::format("{} B", from->v) : "never"; });

const auto kNicHeadroom =
    Columns<NicHeadroomCheck>()
        .InText("receive buffer", [](const NicHeadroomCheck& n) { return "NIC ← " + Shorten(n.from, 10); })
        .Both("hosts", "hosts", &NicHeadroomCheck::hosts)
        .InJson("as", &NicHeadroomCheck::example)
        .InJson("from", &NicHeadroomCheck::from)
        .InJson("rate_bps", [](const NicHeadroomCheck& n) { return n.link.rate; })
        .InJson("one_way_us", [](const NicHeadroomCheck& n) { return n.link.delay + n.link.phy; })
        .InText("rate, one way", [](const NicHeadroomCheck& n) { return LinkText(n.link); })
        .Both("size_bytes", "size", &NicHeadroomCheck::size)
        .Both("xoff_bytes", "xoff", &NicHeadroomCheck::xoff)
        .InText("above it", &NicHeadroomCheck::Room)
        .Both("need_bytes", "need", [](const NicHeadroomCheck& n) { return n.need.Total(); })
        .InText(
            "ratio",
            [](const NicHeadroomCheck& n) {
              return static_cast<double>(n.Room().v) / static_cast<double>(n.need.Total().v);
            },
            [](double ratio) { return fmt::format("{:.2f}", ratio); });

/// For example "rx_buffer.size 64KiB (256KiB), …".
std::string DifferencesText(const NicCheck& nic) {
  std::string text;
  for (const NicCheck::Difference& d : nic.differences)
    text += fmt::format("{}{} {} ({})", text.empty() ? "" : ", ", d.key, d.value, d.of_set);
  return text;
}

}  // namespace

nlohmann::ordered_json NicJson(const NicCheck& nic) {
  nlohmann::ordered_json json{{"resources", nic.set},
                              {"hosts", nic.hosts},
                              {"as", nic.example},
                              {"rate_bps", nic.rate.v},
                              {"not_as_the_set", nlohmann::ordered_json::object()}};
  for (const NicCheck::Difference& d : nic.differences) json["not_as_the_set"][d.key] = {d.value, d.of_set};
  json["packets_per_second"] = kPaths.Json(nic.paths);
  return json;
}

nlohmann::ordered_json NicHeadroomJson(const std::vector<NicHeadroomCheck>& nics) {
  return kNicHeadroom.Json(nics);
}

std::string DescribeNics(const std::vector<NicCheck>& nics, int64_t mtu) {
  if (nics.empty()) return "";
  TextTable table("lrlrrrrrlr", {"resources", "hosts", "M packets/s", "line", "pipeline", "missing", "engine",
                                 "PCIe", "limit", "full from"});
  std::string own;
  for (const NicCheck& nic : nics) {
    for (const NicPath& path : nic.paths) {
      const bool first = &path == &nic.paths.front();
      std::vector<std::string> cells = kPaths.Cells(path);
      cells.insert(cells.begin(),
                   {first ? Shorten(nic.set, 18) : "", first ? std::to_string(nic.hosts) : ""});
      table.AddRow(std::move(cells));
    }
    if (nic.differences.empty()) continue;
    own += "  " +
           Wrapped(fmt::format("{} at {} changes these keys of its set: {}", nic.set, nic.example,
                               DifferencesText(nic)),
                   98, 4) +
           '\n';
  }
  const std::string legend = fmt::format(
      "packets of {} B; answers: READ responses; missing: if the NIC must fetch the connection's state "
      "for every packet; full from: the smallest payload that fills the line",
      mtu);
  return table.ToString() + "  " + Wrapped(legend, 98, 2) + '\n' + own;
}

std::string DescribeNicHeadroom(const std::vector<NicHeadroomCheck>& nics) {
  if (nics.empty()) return "";
  return kNicHeadroom.Text(nics) +
         "  need: bytes that still arrive after the NIC has paused its switch, computed as for a switch\n";
}

}  // namespace headroom
