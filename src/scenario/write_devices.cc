// Switches and NICs of a resolved scenario: every key of an entry but `match`.
#include <fmt/format.h>

#include <algorithm>

#include "scenario/quantity.h"
#include "scenario/read_clock.h"
#include "scenario/read_watchdog.h"
#include "scenario/write.h"

namespace headroom {

namespace {

std::string Curve(const std::optional<EcnParameters>& ecn) {
  if (!ecn) return "none";
  return fmt::format("{{kmin: {}, kmax: {}, pmax: {}{}}}", FormatSize(ecn->kmin), FormatSize(ecn->kmax),
                     FormatNumber(ecn->pmax),
                     ecn->per_rate ? ", per_rate: " + FormatRate(*ecn->per_rate) : "");
}

const char* CoalescingName(NpParameters::Coalescing coalescing) {
  switch (coalescing) {
    case NpParameters::Coalescing::per_packet:
      return "per_packet";
    case NpParameters::Coalescing::per_qp:
      return "per_qp";
    case NpParameters::Coalescing::ack_flag:
      break;
  }
  return "ack_flag";
}

const char* MachineName(RpParameters::Machine machine) {
  constexpr const char* kNames[] = {"paper", "hpcc", "vendor"};
  return kNames[static_cast<size_t>(machine)];
}

std::string Dcqcn(const DcqcnParameters& d) {
  const RpParameters& rp = d.rp;
  std::string text = fmt::format(
      "    dcqcn:\n      np: {{coalescing: {}, min_cnp_interval: {}, nic_interval: {}, cnp_delay: {}, "
      "roce_cc_prio_mask: {}}}\n",
      CoalescingName(d.np.coalescing), FormatTime(d.np.min_cnp_interval), FormatTime(d.np.nic_interval),
      FormatTime(d.np.cnp_delay), d.np.priorities.mask);
  text += fmt::format(
      "      rp: {{machine: {}, reduce_window: {}, g: {}, alpha_timer: {}, increase_timer: {}, byte_counter: "
      "{},\n"
      "           fast_recovery: {}, rate_ai: {}, rate_hai: {}, min_rate: {}, max_rate: {}, clamp_target: "
      "{},\n"
      "           clamp_tgt_rate_after_time_inc: {}, rpg_gd: {}, rpg_min_dec_fac: {}, initial_alpha_value: "
      "{},\n"
      "           rate_to_set_on_first_cnp: {}, roce_cc_prio_mask: {}}}\n",
      MachineName(rp.machine), FormatTime(rp.reduce_window), FormatNumber(rp.g), FormatTime(rp.alpha_timer),
      FormatTime(rp.increase_timer), FormatSize(rp.byte_counter), rp.fast_recovery, FormatRate(rp.rate_ai),
      FormatRate(rp.rate_hai), FormatRate(rp.min_rate), FormatRate(rp.max_rate), rp.clamp_target,
      rp.clamp_after_time_increase, rp.cut_shift, rp.least_kept, rp.initial_alpha,
      rp.rate_on_first_cnp / MegabitsPerSecond(1), rp.priorities.mask);
  text += fmt::format("      limiter: {{granularity: {}, burst: {}}}\n",
                      d.limiter.granularity == LimiterParameters::Granularity::packet ? "packet" : "burst",
                      FormatSize(d.limiter.burst));
  return text;
}

std::string Extras(const NicParameters& p) {
  std::string text = WriteNicResources(p);
  text += fmt::format("    clock: {}\n", WriteClock(p.clock));
  text += fmt::format("    bugs: {{congestion_leaking: {}, hidden_fence: {}}}\n", p.congestion_leaking,
                      p.hidden_fence);
  return text + fmt::format("    pfc: {{watchdog: {}}}\n", WriteWatchdogs(p.watchdogs));
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
  text += fmt::format("    pfc: {{enabled: {}, response: {}, quanta: {}, refresh: {}{}}}\n", p.pfc.enabled,
                      FormatTime(p.pfc.response), p.pfc.quanta,
                      p.pfc.refresh ? FormatTime(*p.pfc.refresh) : "auto",
                      own_watchdogs ? ",\n          watchdog: " + WriteWatchdogs(p.pfc.watchdogs) : "");
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

std::string WriteNic(const NicParameters& p) {
  const TransportParameters& t = p.transport;
  return fmt::format(
             "    generation: {}\n    tx_latency: {}\n    rx_latency: {}\n    registration_latency: {}\n"
             "    congestion_control: {}\n",
             p.generation, FormatTime(p.tx_latency), FormatTime(p.rx_latency),
             FormatTime(p.registration_latency),
             p.congestion_control == NicParameters::CongestionControl::dcqcn ? "dcqcn" : "none") +
         fmt::format(
             "    transport: {{ack_every: {}, ack_priority: {}, rto: {}, retry: {}, recovery_delay: {}}}\n",
             t.ack_every, t.ack_priority == TransportParameters::AckPriority::same ? "same" : "cnp",
             FormatTime(t.rto), t.retry, FormatTime(t.recovery_delay)) +
         Dcqcn(p.dcqcn) + Extras(p);
}

}  // namespace headroom
