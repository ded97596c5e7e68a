#include "analysis/check/buffers/check_headroom.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "analysis/bounds/headroom.h"
#include "analysis/check/buffers/check_overrun.h"
#include "pfc/headroom_formulas.h"
#include "report/text/text_table.h"
#include "scenario/yaml/quantity.h"
#include "sonic/chip/dynamic_headroom.h"
#include "switch/buffer/profiles.h"

namespace headroom {
namespace {

using Severity = Finding::Severity;

std::string LengthText(int64_t metres) {
  return metres >= 1000 ? fmt::format("{:g} km", static_cast<double>(metres) / 1000)
                        : fmt::format("{} m", metres);
}

/// Finds the source of a group's xoff.
void FindBasis(const BufferParameters& buffer, const BufferProfile& profile, HeadroomCheck& check) {
  const HeadroomRow* row = FindHeadroomRow(buffer, check.link.rate, check.link.delay);
  if (profile.own.xoff) {
    check.basis = "buffer.tables";
  } else if (buffer.rules.headroom_from_link) {
    check.basis = "3 · rate · delay";
  } else if (row != nullptr) {
    check.basis = "row " + LengthText(row->cable_m);
  } else if (buffer.headroom.empty()) {
    check.basis = "profile " + profile.name;
  } else {
    check.basis = "profile, no row";
    check.has_row = false;
  }
}

/// A built-in profile with a row that covers the need; empty if there is none.
std::string ProfileThatFits(const HeadroomCheck& check) {
  for (const std::string& name : BufferProfileNames()) {
    const auto buffer = FindBufferProfile(name);
    const HeadroomRow* row = FindHeadroomRow(*buffer, check.link.rate, check.link.delay);
    LinkHeadroomInput in = check.input;
    in.cell = buffer->cell;
    if (row != nullptr && row->xoff >= HeadroomAfterXoff(in).Total()) return name;
  }
  return "";
}

std::vector<Remedy> HowToFit(const HeadroomCheck& check) {
  const std::string buffer = "switches.*.buffer.";
  std::vector<Remedy> remedies = {
      {fmt::format("{}tables.BUFFER_PROFILE.{}.xoff={}", buffer, check.profile, check.need.Total().v)}};
  if (const std::string fitting = ProfileThatFits(check); check.built_in && !fitting.empty())
    remedies.insert(remedies.begin(), {buffer + "profile=" + fitting});
  return remedies;
}

void JudgeLink(const HeadroomCheck& check, Findings& findings) {
  const std::string where =
      fmt::format("{} ← {}, {}, {} (as {})", check.at, check.from, LinkText(check.link),
                  check.ports == 1 ? "1 port" : fmt::format("{} ports", check.ports), check.example);
  const std::string no_row =
      check.has_row
          ? ""
          : fmt::format("; the profile has no row for {} over this distance, so its own xoff applies",
                        FormatRate(check.link.rate));
  const std::string against = fmt::format("has {} ({})", FormatBytes(check.configured), check.basis);
  const std::string beyond =
      check.need.Total() > check.memory
          ? fmt::format("; the switch's memory of {} cannot serve this link", FormatBytes(check.memory))
          : "";
  if (!check.pauses || check.configured.v <= 0) return;
  if (check.configured < check.ForSure()) {
    findings.push_back({Severity::error, where,
                        fmt::format("up to {} arrive over the wire ({}), {} in the buffer, in small frames "
                                    "{}; the group {}: lossless frames may be dropped{}{}",
                                    FormatBytes(check.need.OnWire()), WireSum(check.need),
                                    FormatBytes(check.need.of_largest_frames),
                                    FormatBytes(check.need.Total()), against, no_row, beyond),
                        HowToFit(check)});
  } else if (check.configured < check.need.Total()) {
    findings.push_back(
        {Severity::warning, where,
         fmt::format("up to {} arrive over the wire ({}), in small frames {} in the buffer; the group {}{}{}",
                     FormatBytes(check.need.OnWire()), WireSum(check.need), FormatBytes(check.need.Total()),
                     against, no_row, beyond),
         HowToFit(check)});
  } else if (!check.has_row) {
    findings.push_back(
        {Severity::warning, where,
         fmt::format("the profile has no row for {} over this distance; its own xoff, {}, covers the {} "
                     "needed in this scenario",
                     FormatRate(check.link.rate), FormatBytes(check.configured),
                     FormatBytes(check.need.Total())),
         HowToFit(check)});
  }
}

OtherFormulas ByOthers(const LinkHeadroomInput& in, const LinkSpec& link, const std::string& asic) {
  constexpr Bytes kJumbo{9216};
  OtherFormulas others;
  others.least = LeastHeadroom(in.rate, in.one_way, in.largest_frame);
  if (const auto value = IeeeDelayValue(in.rate, in.one_way, kJumbo, kJumbo)) {
    others.ieee = value->Total();
    others.ieee_at_least = !value->interface;
  }
  // Some of Broadcom's ASICs have the cells of a Spectrum, but not its buffer.
  if (!asic.empty() && !asic.starts_with("spectrum")) return others;
  for (int generation = 1; generation <= 6 && !others.sonic; ++generation) {
    const SpectrumAsic spectrum = *FindSpectrum(generation);
    if (spectrum.cell != in.cell) continue;
    others.sonic = ComputeDynamicHeadroom({.asic = spectrum,
                                           .speed = in.rate,
                                           .cable_m = (link.delay.v + 4'999) / 5'000,  // 5 ns per metre
                                           .port_mtu = kJumbo,
                                           .shared_headroom = true})
                       .xoff;
  }
  return others;
}

/// Whether one line can state both: the same link with the same headroom.
bool SameNeed(const HeadroomCheck& a, const HeadroomCheck& b) {
  return a.from == b.from && a.link == b.link && a.configured == b.configured && a.basis == b.basis &&
         a.need.Total() == b.need.Total() && a.pauses == b.pauses;
}

std::vector<HeadroomCheck> CheckLinks(const Fabric& fabric, const SwitchClass& c) {
  std::vector<HeadroomCheck> checks;
  for (const TrafficClass& traffic : fabric.scenario().classes) {
    if (traffic.name.empty() || !traffic.lossless) continue;
    const size_t first = checks.size();
    for (const PortClass& port : c.ports) {
      const ClassAtPort& at = port.classes[traffic.priority];
      if (!at.group_profile) continue;
      HeadroomCheck check{.at = c.name,
                          .from = port.peer,
                          .link = port.link,
                          .ports = port.ports * c.switches,
                          .example = fabric.node(c.example).name + ":" + port.port,
                          .classes = traffic.name,
                          .input = {},
                          .need = {},
                          .configured = at.Xoff(),
                          .basis = ""};
      check.input =
          HeadroomInputOfLink(fabric.scenario(), fabric.topology().links[port.link_index], c.example);
      check.need = HeadroomAfterXoff(check.input);
      check.others = ByOthers(check.input, port.link, c.parameters->buffer.asic);
      check.pauses = at.pfc && port.peer_obeys;
      FindBasis(c.parameters->buffer, *at.group_profile, check);
      check.profile = at.group_profile->name;
      check.built_in = !c.parameters->buffer.profile.empty();
      check.memory = c.parameters->buffer.size;
      const auto& sonic = c.parameters->sonic;
      if (sonic && !sonic->lookup.empty() && check.profile.starts_with("pg_lossless_"))
        check.basis += ", which SONiC takes from its look-up table by speed and CABLE_LENGTH";
      // Ports that differ, for example, only in their slice share a line.
      const auto same = std::find_if(checks.begin() + static_cast<std::ptrdiff_t>(first), checks.end(),
                                     [&](const HeadroomCheck& h) { return SameNeed(h, check); });
      if (same != checks.end()) {
        same->ports += check.ports;
      } else {
        checks.push_back(std::move(check));
      }
    }
    // Classes with the same numbers share a line, too.
    for (size_t i = first; i < checks.size();) {
      const auto same = std::find_if(
          checks.begin(), checks.begin() + static_cast<std::ptrdiff_t>(first),
          [&](const HeadroomCheck& h) { return SameNeed(h, checks[i]) && h.ports == checks[i].ports; });
      if (same == checks.begin() + static_cast<std::ptrdiff_t>(first)) {
        ++i;
        continue;
      }
      same->classes += ", " + traffic.name;
      checks.erase(checks.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return checks;
}

void JudgePool(const HeadroomPoolCheck& pool, const std::string& overrun, uint8_t slices,
               Findings& findings) {
  const std::string where = fmt::format("{}, headroom of {}", pool.at, pool.pool);
  const std::string name = pool.pool.substr(0, pool.pool.find(','));
  const std::vector<Remedy> larger = {
      {fmt::format("switches.*.buffer.tables.BUFFER_POOL.{}.xoff={}", name, pool.sum_need.v * slices)}};
  if (pool.none_fits) {
    findings.push_back({Severity::error, where,
                        fmt::format("its {} cannot hold the bytes that a single link sends after a pause",
                                    FormatBytes(pool.size)),
                        larger});
  } else if (pool.sum_need > pool.size) {
    std::string what = fmt::format(
        "{} serves {} groups that may need {} together; only {} groups can use headroom at the same "
        "time, and with more groups lossless frames may be lost",
        FormatBytes(pool.size), pool.groups, FormatBytes(pool.sum_need), pool.at_need);
    if (!overrun.empty()) what += ". " + overrun;
    findings.push_back({overrun.empty() ? Severity::warning : Severity::error, where, what, larger});
  } else if (pool.sum_xoff > pool.size) {
    findings.push_back({Severity::note, where,
                        fmt::format("oversubscribed {:.1f} times: {} for xoffs of {} together; all {} groups "
                                    "need {} at once in this "
                                    "scenario, which fits",
                                    static_cast<double>(pool.sum_xoff.v) / static_cast<double>(pool.size.v),
                                    FormatBytes(pool.size), FormatBytes(pool.sum_xoff), pool.groups,
                                    FormatBytes(pool.sum_need))});
  }
}

/// How many of the numbers, the largest first, fit into `size` together.
uint32_t HowManyFit(std::vector<std::pair<Bytes, uint32_t>> numbers, Bytes size) {
  std::ranges::sort(numbers, std::greater<>());
  uint32_t fit = 0;
  for (const auto& [each, count] : numbers) {
    const int64_t here = each.v <= 0 ? count : std::min<int64_t>(count, size.v / each.v);
    fit += static_cast<uint32_t>(here);
    size -= each * here;
    if (here < count) break;
  }
  return fit;
}

/// The groups that use one headroom pool, in one slice.
struct Drawing {
  std::vector<std::pair<Bytes, uint32_t>> xoffs, needs;
};

std::vector<HeadroomPoolCheck> CheckPools(const Fabric& fabric, const SwitchClass& c, Findings& findings) {
  std::map<uint16_t, std::pair<HeadroomPoolCheck, Drawing>> pools;
  for (const PortClass& port : c.ports) {
    const LinkHeadroom need =
        HeadroomOfLink(fabric.scenario(), fabric.topology().links[port.link_index], c.example);
    for (const TrafficClass& traffic : fabric.scenario().classes) {
      if (traffic.name.empty()) continue;
      const ClassAtPort& at = port.classes[traffic.priority];
      if (!at.pfc || !at.ingress || at.ingress->headroom == 0 || at.ingress->pool_headroom == 0) continue;
      auto& [check, drawing] = pools[at.ingress->pool];
      check.at = c.name;
      check.switches = c.switches;
      check.pool = at.group_profile->pool;
      check.size = Bytes(at.ingress->pool_headroom);
      const Bytes xoff(at.ingress->headroom), brings = std::min(need.Total(), xoff);
      check.none_fits |= std::min(need.for_sure, xoff) > check.size;
      drawing.xoffs.emplace_back(xoff, port.ports);
      drawing.needs.emplace_back(brings, port.ports);
      check.groups += port.ports;
      check.sum_xoff += xoff * port.ports;
      check.sum_need += brings * port.ports;
    }
  }
  std::vector<HeadroomPoolCheck> checks;
  for (auto& [pool, found] : pools) {
    auto& [check, drawing] = found;
    check.at_full_xoff = HowManyFit(std::move(drawing.xoffs), check.size);
    check.at_need = HowManyFit(std::move(drawing.needs), check.size);
    if (c.parameters->buffer.slices > 1) check.pool += ", a slice";
    const bool known = std::ranges::any_of(checks, [&check = check](const HeadroomPoolCheck& other) {
      return other.pool == check.pool && other.groups == check.groups && other.sum_need == check.sum_need &&
             other.sum_xoff == check.sum_xoff;
    });
    if (!known) checks.push_back(std::move(check));
  }
  // The slice with the largest need represents all slices of a pool.
  std::set<std::string> said;
  for (const HeadroomPoolCheck& check : checks) {
    if (!said.insert(check.pool).second) continue;
    const HeadroomPoolCheck& most =
        *std::ranges::max_element(checks, {}, [&](const HeadroomPoolCheck& other) {
          return other.pool == check.pool ? std::pair(other.sum_need, other.sum_xoff)
                                          : std::pair(Bytes(-1), Bytes());
        });
    const bool may_overrun = !most.none_fits && most.sum_need > most.size;
    JudgePool(most, may_overrun ? OverrunText(fabric, c, DropReason::headroom_full) : "",
              c.parameters->buffer.slices, findings);
  }
  return checks;
}

void JudgePauses(const Fabric& fabric, const SwitchClass& c, Findings& findings) {
  const PfcParameters& pfc = c.parameters->pfc;
  std::string lossless;
  for (const TrafficClass& traffic : fabric.scenario().classes) {
    if (!traffic.name.empty() && traffic.lossless) lossless += (lossless.empty() ? "" : ", ") + traffic.name;
  }
  if (lossless.empty()) return;
  if (!pfc.enabled) {
    findings.push_back(
        {Severity::warning,
         c.name,
         fmt::format(
             "PFC is off at {}, which neither sends nor obeys pauses, so the frames of class {} are not "
             "lossless there",
             c.switches == 1 ? "this switch" : fmt::format("{} switches", c.switches), lossless),
         {Remedy{"switches.*.pfc.enabled=true"}}});
    return;
  }
  for (const PortClass& port : c.ports) {
    const Time lasts = QuantaTime(pfc.quanta, port.link.rate);
    if (!pfc.refresh || *pfc.refresh <= lasts) continue;
    const std::string then = lasts > pfc.response
                                 ? "the link sends in between"
                                 : fmt::format(
                                       "the receiver takes {} µs to react, so the pause has no "
                                       "effect",
                                       FormatReadable(InMicroseconds(pfc.response)));
    findings.push_back({Severity::warning,
                        fmt::format("{} ← {}, {}", c.name, port.peer, LinkText(port.link)),
                        fmt::format("a pause of {} quanta lasts {} µs, but the next pause frame follows "
                                    "only after {} µs: {}",
                                    pfc.quanta, FormatReadable(InMicroseconds(lasts)),
                                    FormatReadable(InMicroseconds(*pfc.refresh)), then),
                        {Remedy{"switches.*.pfc.refresh=auto"}}});
  }
}

}  // namespace

Bytes HeadroomCheck::ForSure() const {
  const Bytes over_limit = input.cell * ((input.largest_frame.v + input.cell.v - 1) / input.cell.v);
  return over_limit + need.for_sure;
}

std::string WireSum(const LinkHeadroom& n) {
  std::string text =
      fmt::format("{} over the limit + {} of cable", FormatBytes(n.over_limit), FormatBytes(n.cable));
  if (n.pause_waits.v > 0) text += fmt::format(" + {} ahead of the pause", FormatBytes(n.pause_waits));
  text += fmt::format(" + {} pause", FormatBytes(n.pause_frame));
  if (n.response.v > 0) text += fmt::format(" + {} of response", FormatBytes(n.response));
  return text + fmt::format(" + {} begun", FormatBytes(n.frame_begun));
}

HeadroomChecks CheckHeadroom(const Fabric& fabric, const std::vector<SwitchClass>& switches,
                             Findings& findings) {
  HeadroomChecks checks;
  for (const SwitchClass& c : switches) {
    for (HeadroomCheck& check : CheckLinks(fabric, c)) {
      JudgeLink(check, findings);
      checks.links.push_back(std::move(check));
    }
    for (HeadroomPoolCheck& pool : CheckPools(fabric, c, findings)) checks.pools.push_back(std::move(pool));
    JudgePauses(fabric, c, findings);
  }
  return checks;
}

}  // namespace headroom
