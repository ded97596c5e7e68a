// Switches and NICs of a resolved scenario: every key of an entry but `match`.
#include <fmt/format.h>

#include <algorithm>

#include "scenario/keys/nic_keys.h"
#include "scenario/write.h"
#include "scenario/yaml/quantity.h"

namespace headroom {

namespace {

std::string Curve(const std::optional<EcnParameters>& ecn) {
  if (!ecn) return "none";
  return fmt::format("{{kmin: {}, kmax: {}, pmax: {}{}}}", FormatSize(ecn->kmin), FormatSize(ecn->kmax),
                     FormatNumber(ecn->pmax),
                     ecn->per_rate ? ", per_rate: " + FormatRate(*ecn->per_rate) : "");
}

}  // namespace

std::string WriteSwitch(const SwitchParameters& p, const TrafficClasses& classes, ReferencedFiles& files) {
  std::string text = fmt::format("    latency: {}\n{}", FormatTime(p.latency),
                                 p.sonic ? WriteSonicSource(*p.sonic, files) : WriteBuffer(p.buffer));
  // Of a SONiC configuration what the scenario says in its place.
  const auto own = [&](const TrafficClass& c) { return !p.sonic || p.sonic->own_ecn[c.priority]; };
  if (std::ranges::any_of(classes, [&](const TrafficClass& c) { return !c.name.empty() && own(c); }))
    text += "    ecn:\n";
  for (const TrafficClass& c : classes)
    if (!c.name.empty() && own(c))
      text += fmt::format("      {}: {}\n", WriteTexts({c.name}), Curve(p.ecn[c.priority]));
  const bool own_watchdogs = !p.sonic || p.sonic->own_watchdogs;
  text += fmt::format(
      "    pfc: {{enabled: {}, response: {}, quanta: {}, refresh: {}{}}}\n", p.pfc.enabled,
      FormatTime(p.pfc.response), p.pfc.quanta, p.pfc.refresh ? FormatTime(*p.pfc.refresh) : "auto",
      own_watchdogs ? ",\n          watchdog: " + keys::Watchdogs().write(p.pfc.watchdogs, {}) : "");
  if (const auto& c = p.chassis) {
    text += fmt::format(
        "    chassis: {{line_cards: {}, on_chip: {}, spill: {}, deep_bandwidth: {}, credit: {},\n"
        "              credit_speedup: {}, egress_queue: {}, fabric_latency: {}}}\n",
        c->line_cards, FormatSize(c->on_chip), FormatSize(c->spill), FormatNumber(c->deep_bandwidth),
        FormatSize(c->credit), FormatNumber(c->credit_speedup),
        c->egress_queue.v > 0 ? FormatSize(c->egress_queue) : "auto", FormatTime(c->fabric_latency));
  }
  return text;
}

std::string WriteNic(const NicParameters& p) { return keys::NicKeys().WriteLines(&p, {.indent = 4}); }

std::string WriteResourceKeys(const NicParameters& p) {
  return keys::NicResourceKeys().WriteLines(&p, {.indent = 6});
}

}  // namespace headroom
