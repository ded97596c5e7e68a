#include "support/random_scenario.h"

#include "support/random_parts.h"

namespace headroom {

namespace {

/// Classes with the DSCP and priority that the tests' SONiC files also have.
std::vector<RandomClass> DrawClasses(Dice& d) {
  std::vector<RandomClass> classes = {{"storage", "{priority: 3, dscp: 3, lossless: true", true}};
  if (d.OneIn(2)) classes.push_back({"bulk", "{priority: 1, dscp: 0, lossless: false"});
  if (d.OneIn(3)) classes.push_back({"second", "{priority: 4, dscp: 4, lossless: true", true});
  if (d.OneIn(3)) classes.push_back({"tcp", "{priority: 2, dscp: 5, lossless: false"});
  for (RandomClass& c : classes)
    c.text += d.OneIn(2)   ? "}"
              : d.OneIn(6) ? ", strict: true}"
                           : fmt::format(", weight: {}}}", d.Between(1, 4));
  return classes;
}

std::string ClassesText(RandomDraft& r) {
  if (r.classes.size() == 1 && r.d.OneIn(2)) return "";
  std::string text = "priorities:\n";
  for (const RandomClass& c : r.classes) text += "  " + c.name + ": " + c.text + "\n";
  return text + "  cnp: {priority: 6, dscp: 48, strict: true}\n";
}

/// An entry for all names, or none, and some for a few of them.
template <class Keys>
std::string Entries(RandomDraft& r, const char* section, const std::vector<std::string>& names, Keys&& keys) {
  std::string text;
  const auto add = [&](const std::string& match) { text += "  - {match: " + match + keys() + "}\n"; };
  if (!r.d.OneIn(4)) add("\"*\"");
  for (int64_t n = r.d.Between(0, 2); n > 0; --n) {
    if (r.d.OneIn(4) && !r.hpcc) {
      add("[\"*0\", " + names.front() + "]");
    } else {
      add(ListText(r.d.Some(names, 1, std::max<size_t>(1, names.size() / 2))));
    }
  }
  return text.empty() ? "" : std::string(section) + ":\n" + text;
}

std::string Ecn(RandomDraft& r) {
  Dice& d = r.d;
  if (d.OneIn(6)) return "none";
  std::string text;
  for (const RandomClass& c : r.classes) {
    if (d.OneIn(3) && !text.empty()) continue;
    text += (text.empty() ? "" : ", ") + c.name + ": ";
    text += d.OneIn(8)
                ? "none"
                : fmt::format("{{kmin: {}KB, kmax: {}KB, pmax: {}%{}}}", d.Between(1, 50), d.Between(60, 400),
                              d.Between(1, 100), d.OneIn(4) ? ", per_rate: 100Gbps" : "");
  }
  return "{" + text + "}";
}

/// Tables for the classes of DrawClasses, large enough for most cables: losses by missing headroom are
/// possible.
std::string OwnTables(Dice& d) {
  return fmt::format(
      "{{size: {}MB, cell: {}B, tables: {{BUFFER_POOL: {{in: {{type: ingress, mode: dynamic, size: {}, xoff: "
      "{}}}, out: {{type: egress, mode: "
      "dynamic, size: {}}}}}, BUFFER_PROFILE: {{lossless: {{pool: in, size: 1248, xon: 1248, xon_offset: "
      "2496, xoff: {}, dynamic_th: {}}}, "
      "lossy: {{pool: in, size: 0, dynamic_th: 0}}, queue: {{pool: out, size: 0, dynamic_th: {}}}}}, "
      "BUFFER_PG: {{\"*|3-4\": {{profile: "
      "lossless}}, \"*|0-2\": {{profile: lossy}}, \"*|5-6\": {{profile: lossy}}}}, BUFFER_QUEUE: "
      "{{\"*|0-6\": {{profile: queue}}}}}}}}",
      d.Between(8, 24), d.OneOf<int64_t>({1, 80, 208, 256}), d.Between(1, 5) * 1000000,
      d.Between(1, 2) * 1000000, d.Between(4, 7) * 1000000, d.Between(50, 200) * 1000, d.Between(-4, 1),
      d.Between(-2, 3));
}

std::string Sonic(RandomDraft& r) {
  Dice& d = r.d;
  if (r.network.most_ports <= 4 && d.OneIn(2))
    return "{sonic: tests/sonic/data/" +
           d.Text(
               {"rack.config_db.json, ports: order}", "rack_dynamic.json, ports: order}",
                "rack_flat.json, ports: order}", "spine.config_db.json, ports: order}",
                "rack.init.json, lookup: tests/sonic/data/pg_profile_lookup.ini, asic: th2, ports: order}"});
  return "{sonic: scenarios/own-switch/config_db.json, ports: order}";
}

/// The draws for the buffer are the same as without a policy.
std::string WithPolicy(std::string buffer, Dice d) {
  if (!d.OneIn(3)) return buffer;
  std::vector<std::string> policies = {"dynamic", "abm", "reverie",
                                       "{type: abm, interval: 5us, congested: 50%}",
                                       "{type: reverie, gamma: 0.9, congested_at: 4KiB}"};
  if (buffer.find(", alpha") == std::string::npos) {
    policies.push_back("complete_sharing");
    policies.push_back(fmt::format("{{type: static, limit: {}KB}}", d.Between(100, 2000)));
  }
  const auto which = static_cast<size_t>(d.Between(0, static_cast<int64_t>(policies.size()) - 1));
  buffer.insert(buffer.size() - 1, ", policy: " + policies[which]);
  return buffer;
}

std::string PlainBuffer(Dice& d) {
  switch (d.Between(0, 3)) {
    case 0:
      return "{profile: " + d.Text({"azure-24mb", "azure-deep", "azure-deep-hub"}) + "}";
    case 1:
      return "{profile: azure-24mb, alpha: " + d.Text({"1/64", "1/8", "1", "0.37"}) + "}";
    case 2:
      return fmt::format(
          "{{profile: azure-24mb, tables: {{BUFFER_PROFILE: {{ingress_lossless: {{xoff: {}}}}}}}}}",
          d.Between(60, 150) * 1000);
    default:
      return OwnTables(d);
  }
}

std::string Buffer(RandomDraft& r) {
  if (r.kinds.sonic && r.network.most_ports <= 12 && r.d.OneIn(3)) return Sonic(r);
  const std::string buffer = PlainBuffer(r.d);
  return WithPolicy(buffer, r.d);
}

std::string Watchdog(Dice& d) {
  if (d.OneIn(4)) return "none";
  return fmt::format(
      "{{detection: {}us, restoration: {}us, poll: {}us, action: {}, vendor: {}, limits: false}}",
      d.Between(20, 80), d.Between(20, 80), d.Between(5, 20), d.Text({"drop", "alert"}),
      d.Text({"broadcom", "mellanox", "cisco"}));
}

/// Adaptive routing of lossless classes is refused on a torus.
std::string Routing(const RandomDraft& r, Dice& d) {
  const bool torus = r.network.type == "torus";
  return d.Text({"ecmp", "spray", torus ? "dimension_order" : "adaptive",
                 fmt::format("{{type: flowlet, timeout: {}ns}}", d.Between(50, 20000))});
}

std::string SwitchKeys(RandomDraft& r) {
  Dice& d = r.d;
  std::string text;
  if (d.OneIn(3)) text += fmt::format(", latency: {}ns", d.Between(0, 1000));
  if (!d.OneIn(3)) text += ", buffer: " + Buffer(r);
  // The values of a SONiC file apply unless the scenario has its own.
  if (d.OneIn(2)) text += ", ecn: " + Ecn(r);
  if (d.OneIn(3)) {
    std::string pfc = d.OneIn(5) ? ", enabled: false" : "";
    if (d.OneIn(2)) pfc += fmt::format(", response: {}ns", d.Between(0, 500));
    if (d.OneIn(3)) pfc += fmt::format(", quanta: {}", d.OneOf<int64_t>({65535, 2000, 300}));
    if (d.OneIn(3)) pfc += ", watchdog: " + Watchdog(d);
    if (!pfc.empty()) text += ", pfc: {" + pfc.substr(2) + "}";
  }
  Dice own = d;  // the rest is drawn as without it
  if (r.kinds.splits && own.OneIn(3)) text += ", routing: " + Routing(r, own);
  return text;
}

std::string Resources(Dice& d) {
  const std::string set = d.Text({"ideal", "gen1", "gen2", "gen3", "connectx3-pcie3-x8"});
  if (d.OneIn(2)) return set;
  return "{set: " + set + ", " +
         d.Text({"rx_buffer: {size: 256KiB, xoff: 96KiB, xon: 48KiB}", "rx_buffer: none",
                 "pcie: {bandwidth: 50Gbps}", "tx_buffer: 16KiB",
                 "context_cache: {entries: 8, miss: 500ns}"}) +
         "}";
}

std::string NicKeys(RandomDraft& r) {
  Dice& d = r.d;
  std::string text;
  if (r.hpcc || d.OneIn(2))
    text += ", generation: " + (r.hpcc ? "hpcc-sim"
                                       : d.Text({"dcqcn-paper", "gen1", "gen2", "gen3", "gen2-interop",
                                                 "gen3-interop", "connectx-default"}));
  if (d.OneIn(4)) text += ", congestion_control: " + d.Text({"dcqcn", "none", "none"});
  if (d.OneIn(4))
    text += fmt::format(", tx_latency: {}ns, rx_latency: {}ns", d.Between(0, 1000), d.Between(0, 1000));
  if (d.OneIn(3)) text += ", resources: " + Resources(d);
  if (d.OneIn(3)) {
    const int64_t rto = d.Between(200, 2000);
    constexpr const char* kWindows[] = {"", ", window: bdp", ", window: 32KiB"};
    text += fmt::format(", transport: {{rto: {}us, ack_every: {}, ack_priority: {}, recovery_delay: {}us{}}}",
                        rto, d.OneOf<int64_t>({1, 1, 4}), d.Text({"same", "cnp"}),
                        d.OneOf<int64_t>({0, 0, 20}), kWindows[rto % 3]);
  }
  if (d.OneIn(4))
    text +=
        ", dcqcn: {" +
        d.Text({"rp: {g: 1/64}", "rp: {rate_ai: 100Mbps}", "np: {cnp_delay: 1us}", "roce_cc_prio_mask: 0x08",
                "limiter: {granularity: burst, burst: 16KiB}}, bugs: {congestion_leaking: true"}) +
        "}";
  if (d.OneIn(6)) text += ", registration_latency: 2us";
  if (d.OneIn(8) && text.find("bugs") == std::string::npos) text += ", bugs: {hidden_fence: true}";
  if (d.OneIn(8)) text += ", clock: {offset: 3us, drift: 20ppm, sync: 50us}";
  if (d.OneIn(8)) text += ", pfc: {watchdog: " + Watchdog(d) + "}";
  return text;
}

/// All hosts have it, because both ends of a queue pair take part. Marks on ACKs need an ACK for each packet.
std::string Recovery(uint64_t n, bool hpcc) {
  constexpr const char* kRecoveries[] = {
      "selective_repeat",
      "{type: selective_repeat, nack_after: 3, rto_low: 300us, rto_high: 1ms}",
      "{type: selective_repeat, nack_after: 5us, low_packets: 0}",
      "{type: receiver_window, message_id: MESSAGE_ID}, ack_every: 1, window: none",
      "{type: receiver_window, packets: 6, contexts: 2, ahead: 3, timer: 50us, message_id: MESSAGE_ID}, "
      "ack_every: 1, window: none",
      "{type: sender_window, packets: 12}, ack_every: 1, window: none",
      "{type: counter, timer: 60us, ahead: 2}, ack_every: 1, window: none"};
  std::string recovery = kRecoveries[n % (hpcc ? 3 : 7)];
  constexpr std::string_view kId = "MESSAGE_ID";
  if (const size_t id = recovery.find(kId); id != std::string::npos)
    recovery.replace(id, kId.size(), n / 7 % 2 == 0 ? "false" : "true");
  constexpr const char* kBalancings[] = {"none", "oblivious", "bitmap, entropies: 4", "reps",
                                         "mixed, entropies: 1024"};
  return fmt::format("  - {{match: \"*\", transport: {{recovery: {}, balancing: {}}}}}\n", recovery,
                     kBalancings[n / 14 % std::size(kBalancings)]);
}

/// Some hosts or all have it.
std::string CongestionControl(uint64_t n) {
  constexpr const char* kControls[] = {
      "{type: hpcc, hops: 15}",
      "{type: hpcc, hops: 15, reaction: per_ack, max_stage: 0, additive: 2KB}",
      "{type: hpcc, hops: 15, reaction: per_rtt, eta: 80%, rescale_wait: true, min_rate: 100Mbps}",
      "dctcp",
      "{type: dctcp, g: 1/4, initial_window: 1, additive: 5KB}",
      "{type: dctcp, variant: simulator, min_rate: 1Gbps}",
      "{type: timely, low: 5us, high: 50us, least_trip: 2us, additive: 100Mbps, header: 8}",
      "{type: timely, variant: patched, low: 3us, high: 100us, segment: 4KB, initial_rate: 1Gbps}",
      "{type: timely, variant: simulator, low: 10us}",
      "{type: swift, base: 5us, hop: 500ns, scaling: 10us, header: 12}",
      "{type: swift, base: 2us, scaling: 0us, least_window: 0.01, initial_window: 3}",
      "{type: receiver_credit, priority: same}",
      "{type: receiver_credit, priority: same, share: 50%, free: 2KB, retry: 20us}"};
  return fmt::format("  - {{match: \"{}\", congestion_control: {}}}\n", n % 4 == 0 ? "*[02468]" : "*",
                     kControls[n / 4 % std::size(kControls)]);
}

std::string HostKeys(Dice& d) {
  std::string text;
  if (!d.OneIn(3)) text += fmt::format(", cores: {}", d.Between(1, 4));
  text += ", clock: " + d.Text({"1GHz", "2.5GHz"});
  if (d.OneIn(2))
    text += fmt::format(", rdma: {{cycles_per_message: {}, cycles_per_byte: 0.1}}", d.Between(0, 3000));
  if (d.OneIn(2))
    text += fmt::format(
        ", tcp: {{cycles_per_message: {}, cycles_per_byte_sent: 0.3, cycles_per_byte_received: 0.5}}",
        d.Between(0, 5000));
  if (d.OneIn(2)) text += fmt::format(", operation: {{cycles_per_request: {}}}", d.Between(0, 9000));
  return text;
}

std::string ObserveText(RandomDraft& r) {
  Dice& d = r.d;
  std::vector<std::string> keys = {"queues: {every: 10us}",
                                   "groups: {every: 10us}",
                                   "rates: {every: 10us}",
                                   "goodput: {every: 20us}",
                                   "estats: {every: 50us}",
                                   "cnps: {}",
                                   "drops: {}",
                                   "messages: 1/7",
                                   "operations: none",
                                   "causes: false",
                                   "parts: false"};
  return "observe: {" + fmt::format("{}", fmt::join(d.Some(keys, 1, 4), ", ")) + "}\n";
}

/// An entry for the clocks of nodes, or none: exact for all or for one, or of another kind.
std::string Oscillators(uint64_t n, const std::string& one) {
  switch (n % 6) {
    case 2:
      return "  - {match: \"*\", oscillator: exact}\n";
    case 3:
      return "  - {match: " + one + ", oscillator: exact}\n";
    case 4:
      return "  - {match: \"*\", oscillator: {ppm: 400, jitter: 1ns}}\n";
    case 5:
      return "  - {match: " + one + ", oscillator: {ppm: 0}}\n";
    default:
      return "";
  }
}

}  // namespace

std::string RandomScenarioText(uint64_t seed, const RandomScenarioKinds& kinds) {
  RandomDraft r{Dice(seed), kinds};
  Dice& d = r.d;
  r.duration_us = d.Between(20, 120);
  r.network = DrawNetwork(d, kinds);
  r.hpcc = r.network.type == "hpcc";
  r.reads = seed % 6 == 1;  // among those with a recovery
  r.classes =
      r.hpcc ? std::vector<RandomClass>{{"storage", "{priority: 3, lossless: true}", true}} : DrawClasses(d);
  std::string text = fmt::format("name: random-{}\nseed: {}\nduration: {}us\ndeadline: 5ms\n", seed,
                                 d.Between(1, 1000), r.duration_us);
  if (d.OneIn(3)) text += fmt::format("warmup: {}us\n", d.Between(0, 15));
  if (r.hpcc) text += "frames: hpcc\n";
  if (d.OneIn(2)) text += "mtu: " + d.Text({"512", "1024", "4096", "4096"}) + "\n";
  text += "topology:" + r.network.text + "\n" + ClassesText(r);
  std::string switches = Entries(r, "switches", r.network.switches, [&] { return SwitchKeys(r); });
  const std::string switch_clocks = Oscillators(seed / 6, r.network.switches.front()),
                    nic_clocks = Oscillators(seed, r.network.hosts.front());
  if (!switch_clocks.empty()) switches += (switches.empty() ? "switches:\n" : "") + switch_clocks;
  text += switches;
  std::string nics = Entries(r, "nics", r.network.hosts, [&] { return NicKeys(r); });
  const std::string hosts =
      kinds.hosts && d.OneIn(2) ? Entries(r, "hosts", r.network.hosts, [&] { return HostKeys(d); }) : "";
  const std::string services = DrawServices(r), workloads = DrawWorkloads(r);
  const std::string faults = kinds.faults && d.OneIn(2) ? DrawFaults(r) : "";
  if (!r.slow_receiver.empty())
    nics += (nics.empty() ? "nics:\n" : "") +
            fmt::format(
                "  - {{match: {}, resources: {{rx_buffer: {{size: 512KiB, xoff: 128KiB, xon: 64KiB}}}}}}\n",
                r.slow_receiver);
  if (seed % 3 == 1) nics += (nics.empty() ? "nics:\n" : "") + Recovery(seed / 3, r.hpcc);
  if (seed % 3 == 2 && workloads.find("transport: u") == std::string::npos)
    nics += (nics.empty() ? "nics:\n" : "") + CongestionControl(seed / 3);
  // NAKs of disorder, and losses, reach the control.
  if (seed % 12 == 8 && !r.hpcc) nics += (nics.empty() ? "nics:\n" : "") + Recovery(seed / 12, true);
  if (!nic_clocks.empty()) nics += (nics.empty() ? "nics:\n" : "") + nic_clocks;
  text += nics + hosts;
  if (!services.empty()) text += "services:\n" + services;
  text += "workloads:\n" + workloads;
  if (!faults.empty()) text += "faults:\n" + faults;
  if (kinds.observations && d.OneIn(2)) text += ObserveText(r);
  return text;
}

std::filesystem::path RandomScenarioFolder() { return HEADROOM_SOURCE_DIR; }

ScenarioFile LoadRandomScenario(uint64_t seed, const RandomScenarioKinds& kinds) {
  return LoadScenarioFileText(RandomScenarioText(seed, kinds), "random.yaml", RandomScenarioFolder());
}

}  // namespace headroom
