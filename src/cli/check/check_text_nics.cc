// NICs with resources in the text of a check.
#include <fmt/format.h>

#include "cli/check/check_text.h"
#include "cli/quantity_text.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

/// The rate of operations that take `each`, in millions per second.
std::string MillionsText(Time each) {
  return each.v == 0 ? "-" : FormatReadable(1e6 / static_cast<double>(each.v));
}

/// For example "rx_buffer.size 64KiB (256KiB), …".
std::string DifferencesText(const NicCheck& nic) {
  std::string text;
  for (const NicCheck::Difference& d : nic.differences)
    text += fmt::format("{}{} {} ({})", text.empty() ? "" : ", ", d.key, d.value, d.of_set);
  return text;
}

}  // namespace

std::string DescribeNics(const std::vector<NicCheck>& nics, int64_t mtu) {
  if (nics.empty()) return "";
  TextTable table("lrlrrrrrlr", {"resources", "hosts", "M packets/s", "line", "pipeline", "missing", "engine",
                                 "PCIe", "limit", "full from"});
  std::string own;
  for (const NicCheck& nic : nics) {
    for (const NicPath& path : nic.paths) {
      const bool first = &path == &nic.paths.front();
      table.AddRow({first ? Shorten(nic.set, 18) : "", first ? std::to_string(nic.hosts) : "",
                    path.does == NicPath::Does::answers_reads ? "answers" : PathName(path.does),
                    MillionsText(path.line), MillionsText(path.pipeline),
                    path.miss.v == 0 ? "-" : MillionsText(path.pipeline + path.miss),
                    MillionsText(path.engine), MillionsText(path.pcie), LimitName(path.LimitedBy()),
                    path.full_from ? fmt::format("{} B", path.full_from->v) : "never"});
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
  TextTable table("lrlrrrrr",
                  {"receive buffer", "hosts", "rate, one way", "size", "xoff", "above it", "need", "ratio"});
  for (const NicHeadroomCheck& nic : nics) {
    const Bytes need = nic.need.Total();
    table.AddRow({"NIC ← " + Shorten(nic.from, 10), std::to_string(nic.hosts), LinkText(nic.link),
                  SizeText(nic.size), SizeText(nic.xoff), SizeText(nic.Room()), SizeText(need),
                  fmt::format("{:.2f}", static_cast<double>(nic.Room().v) / static_cast<double>(need.v))});
  }
  return table.ToString() +
         "  need: bytes that still arrive after the NIC has paused its switch, computed as for a switch\n";
}

}  // namespace headroom
