#include "dcqcn/generations.h"

#include <algorithm>

namespace headroom {
namespace {

using Coalescing = NpParameters::Coalescing;

/// The defaults of DcqcnParameters are the paper's.
DcqcnGeneration Paper(std::string name) { return {std::move(name), DcqcnParameters{}, Time()}; }

/// DCQCN in firmware: the receiver coalesces CNPs, frames leave in bursts, and loss recovery is slow.
DcqcnGeneration Gen1() {
  DcqcnGeneration g = Paper("gen1");
  g.dcqcn.limiter = {LimiterParameters::Granularity::burst, Kibibytes(16)};
  g.dcqcn.np.nic_interval = Nanoseconds(2'500);
  g.recovery_delay = Microseconds(200);
  return g;
}

/// DCQCN in hardware with its factory settings: the receiver sends a CNP for every mark, and the sender
/// coalesces CNPs.
DcqcnGeneration Stock(std::string name, Time nic_interval) {
  DcqcnGeneration g = Paper(std::move(name));
  g.dcqcn.np.coalescing = Coalescing::per_packet;
  g.dcqcn.np.min_cnp_interval = Time();
  g.dcqcn.np.nic_interval = nic_interval;
  g.dcqcn.rp.reduce_window = Microseconds(50);
  return g;
}

/// The hardware of gen2, with settings to work beside gen1: CNPs as gen1 sends them, nearly every CNP cuts,
/// and frames leave in bursts.
DcqcnGeneration Interop(std::string name, Time nic_interval) {
  DcqcnGeneration g = Paper(std::move(name));
  g.dcqcn.np.nic_interval = nic_interval;
  g.dcqcn.rp.reduce_window = Microseconds(1);
  g.dcqcn.limiter = {LimiterParameters::Granularity::burst, Kibibytes(16)};
  return g;
}

DcqcnGeneration HpccSimulator() {
  DcqcnGeneration g = Paper("hpcc-sim");
  g.dcqcn.np.coalescing = Coalescing::ack_flag;
  g.dcqcn.np.min_cnp_interval = Time();
  g.dcqcn.limiter.granularity = LimiterParameters::Granularity::simulator;
  RpParameters& rp = g.dcqcn.rp;
  rp.machine = RpParameters::Machine::hpcc;
  rp.alpha_timer = Microseconds(1);
  rp.reduce_window = Microseconds(4);
  rp.increase_timer = Microseconds(300);
  rp.byte_counter = Bytes();
  rp.fast_recovery = 1;
  rp.rate_ai = MegabitsPerSecond(20);
  rp.rate_hai = MegabitsPerSecond(200);
  rp.min_rate = MegabitsPerSecond(1000);
  return g;
}

DcqcnGeneration ConnectxDefault() {
  DcqcnGeneration g = Paper("connectx-default");
  g.dcqcn.np.min_cnp_interval = Microseconds(4);  // min_time_between_cnps
  RpParameters& rp = g.dcqcn.rp;
  rp.machine = RpParameters::Machine::vendor;
  rp.reduce_window = Microseconds(4);     // rate_reduce_monitor_period
  rp.g = 5.0 / 1024;                      // dce_tcp_g 1019: the share that is kept
  rp.alpha_timer = Microseconds(1);       // dce_tcp_rtt
  rp.increase_timer = Microseconds(300);  // rpg_time_reset
  rp.byte_counter = Bytes(32'767 * 64);   // rpg_byte_reset
  rp.fast_recovery = 1;                   // rpg_threshold
  rp.rate_ai = MegabitsPerSecond(5);      // rpg_ai_rate
  rp.rate_hai = MegabitsPerSecond(50);    // rpg_hai_rate
  rp.min_rate = MegabitsPerSecond(1);     // rpg_min_rate
  return g;                               // the vendor's other values are RpParameters' defaults
}

const std::vector<DcqcnGeneration>& Generations() {
  constexpr Time kGen2 = Nanoseconds(250), kGen3{};  // interval between CNPs of a NIC
  static const std::vector<DcqcnGeneration> all{Paper("dcqcn-paper"),
                                                Gen1(),
                                                Stock("gen2", kGen2),
                                                Stock("gen3", kGen3),
                                                Interop("gen2-interop", kGen2),
                                                Interop("gen3-interop", kGen3),
                                                ConnectxDefault(),
                                                HpccSimulator()};
  return all;
}

}  // namespace

std::optional<DcqcnGeneration> FindGeneration(std::string_view name) {
  const auto at = std::ranges::find(Generations(), name, &DcqcnGeneration::name);
  if (at == Generations().end()) return std::nullopt;
  return *at;
}

std::vector<std::string> GenerationNames() {
  std::vector<std::string> names;
  for (const DcqcnGeneration& g : Generations()) names.push_back(g.name);
  return names;
}

}  // namespace headroom
