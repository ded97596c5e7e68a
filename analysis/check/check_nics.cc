#include "analysis/check/check_nics.h"

#include <fmt/format.h>

#include <algorithm>

#include "nic/resources/nic_resources.h"
#include "report/text/text_table.h"
#include "scenario/keys/hosts/nic_keys.h"
#include "scenario/yaml/parse_yaml.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

using Limit = NicPath::Limit;
using Does = NicPath::Does;

/// Finds the differences between two trees of keys.
void Compare(const Node& own, const Node& of_set, const std::string& key,
             std::vector<NicCheck::Difference>& out) {
  if (!own.IsMap() || !of_set.IsMap()) {
    if (ToFlow(own) != ToFlow(of_set)) out.push_back({key, ToFlow(own), ToFlow(of_set)});
    return;
  }
  for (const Entry& entry : own.entries)
    Compare(entry.value, *of_set.Find(entry.key), key.empty() ? entry.key : key + "." + entry.key, out);
}

std::vector<NicCheck::Difference> DifferencesFromSet(const NicParameters& nic) {
  const ResourceSet set = FindResourceSet(nic.resources.set).value();
  NicParameters as_set;
  as_set.resources = set.resources;
  as_set.rx_buffer = set.rx_buffer;
  std::vector<NicCheck::Difference> differences;
  const auto tree = [](const NicParameters& parameters) {
    return ParseYaml(keys::NicResourceKeys().WriteLines(&parameters, {}), nullptr);
  };
  Compare(tree(nic), tree(as_set), "", differences);
  return differences;
}

/// The time of a packet of this payload.
NicPath PathOf(Does does, const NicParameters& nic, const FrameFormat& frames, Rate rate, int64_t payload) {
  const ResourceParameters& r = nic.resources;
  const Pcie pcie(r.pcie);
  NicPath path;
  path.does = does;
  path.line = SerializationTime(frames.OnWire(frames.Packet(payload, 0)), rate);
  path.engine = r.engine_message;
  if (does == Does::receives) {
    path.pipeline = r.rx_write;
    path.pcie = pcie.WriteTakes(payload);
    path.miss = r.contexts.Stall(ContextKind::rc_responder);
    return path;
  }
  const bool sends = does == Does::sends;
  path.pipeline = sends ? r.tx_fetched : r.read_segment * ReadSegments(payload);
  path.pcie = pcie.ReadTakes(payload);
  path.miss = r.contexts.Stall(sends ? ContextKind::rc_requester : ContextKind::rc_responder);
  return path;
}

NicPath FullPath(Does does, const NicParameters& nic, const Scenario& s, Rate rate) {
  NicPath path = PathOf(does, nic, s.frames, rate, s.mtu);
  for (int64_t payload = s.mtu; payload > 0; --payload) {
    if (PathOf(does, nic, s.frames, rate, payload).LimitedBy() != Limit::line) break;
    path.full_from = Bytes(payload);
  }
  return path;
}

void Judge(const NicCheck& nic, const NicParameters& parameters, const Scenario& s, Findings& findings) {
  for (const NicPath& path : nic.paths) {
    const Limit limit = path.LimitedBy();
    if (limit == Limit::line) continue;
    const double share = static_cast<double>(path.line.v) / static_cast<double>(path.Slowest().v);
    std::string what = fmt::format(
        "it {} at no more than {:.0f} % of its line rate: its {} serves {} M packets of {} B per second, "
        "but {} carries {} M",
        PathName(path.does), share * 100, LimitName(limit), FormatReadable(1e6 / path.Slowest().v), s.mtu,
        FormatRate(nic.rate), FormatReadable(1e6 / path.line.v));
    if (path.does == Does::receives)
      what += parameters.rx_buffer ? "; with more traffic, its receive buffer fills and it pauses its switch"
                                   : "; the excess waits in an unlimited receive buffer";
    findings.push_back({Finding::Severity::note,
                        fmt::format("NIC {}, {} (as {})", nic.set, FormatRate(nic.rate), nic.example), what});
  }
}

}  // namespace

Time NicPath::Slowest() const { return std::max({line, pipeline, engine, pcie}); }

NicPath::Limit NicPath::LimitedBy() const {
  const Time slowest = Slowest();
  return slowest == line       ? Limit::line
         : slowest == pipeline ? Limit::pipeline
         : slowest == pcie     ? Limit::pcie
                               : Limit::engine;
}

const char* PathName(NicPath::Does does) {
  constexpr const char* kNames[] = {"sends", "receives", "answers READs"};
  return kNames[static_cast<size_t>(does)];
}

const char* LimitName(NicPath::Limit limit) {
  constexpr const char* kNames[] = {"line", "pipeline", "engine", "PCIe"};
  return kNames[static_cast<size_t>(limit)];
}

std::vector<NicCheck> CheckNics(const Fabric& fabric, Findings& findings) {
  const Scenario& s = fabric.scenario();
  const bool reads =
      std::ranges::find(s.workloads, Operation::read_request, &WorkloadParameters::verb) != s.workloads.end();
  std::vector<NicCheck> checks;
  std::vector<const NicParameters*> kinds;  // one for each check
  for (NodeId host = 0; host < fabric.topology().hosts; ++host) {
    const NicParameters& nic = s.nics[host];
    if (nic.resources.Ideal()) continue;
    const Rate rate = fabric.Capacity(host);
    size_t i = 0;
    while (i < checks.size() && !(checks[i].rate == rate && kinds[i]->resources == nic.resources &&
                                  kinds[i]->rx_buffer == nic.rx_buffer)) {
      ++i;
    }
    if (i == checks.size()) {
      NicCheck& check = checks.emplace_back();
      check.set = nic.resources.set;
      check.differences = DifferencesFromSet(nic);
      check.example = fabric.node(host).name;
      check.rate = rate;
      for (const Does does : {Does::sends, Does::receives, Does::answers_reads}) {
        if (does != Does::answers_reads || reads) check.paths.push_back(FullPath(does, nic, s, rate));
      }
      kinds.push_back(&nic);
    }
    ++checks[i].hosts;
  }
  for (size_t i = 0; i < checks.size(); ++i) Judge(checks[i], *kinds[i], s, findings);
  return checks;
}

}  // namespace headroom
