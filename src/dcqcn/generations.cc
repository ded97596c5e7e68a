#include "dcqcn/generations.h"

#include <algorithm>

namespace headroom {
namespace {

using Coalescing = NpParameters::Coalescing;

/// The defaults of DcqcnParameters are the paper's.
DcqcnGeneration Paper(std::string name) { return {std::move(name), DcqcnParameters{}, Time()}; }

/// DCQCN in firmware: the receiver coalesces, frames leave in bursts, and loss recovery is slow.
DcqcnGeneration Gen1() {
  DcqcnGeneration g = Paper("gen1");
  g.dcqcn.limiter = {LimiterParameters::Granularity::burst, Kibibytes(16)};
  g.recovery_delay = Microseconds(200);
  return g;
}

/// DCQCN in hardware as delivered: a CNP for every mark, the sender coalesces.
DcqcnGeneration Stock(std::string name) {
  DcqcnGeneration g = Paper(std::move(name));
  g.dcqcn.np.coalescing = Coalescing::per_packet;
  g.dcqcn.np.min_cnp_interval = Time();
  g.dcqcn.rp.reduce_window = Microseconds(50);
  return g;
}

/// The same hardware set up to live with gen1: CNPs as gen1 sends them, nearly every one cuts, bursts.
DcqcnGeneration Interop(std::string name) {
  DcqcnGeneration g = Paper(std::move(name));
  g.dcqcn.rp.reduce_window = Microseconds(1);
  g.dcqcn.limiter = {LimiterParameters::Granularity::burst, Kibibytes(16)};
  return g;
}

DcqcnGeneration HpccSimulator() {
  DcqcnGeneration g = Paper("hpcc-sim");
  g.dcqcn.np.coalescing = Coalescing::ack_flag;
  g.dcqcn.np.min_cnp_interval = Time();
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

const std::vector<DcqcnGeneration>& Generations() {
  static const std::vector<DcqcnGeneration> all{
      Paper("dcqcn-paper"),    Gen1(),         Stock("gen2"), Stock("gen3"), Interop("gen2-interop"),
      Interop("gen3-interop"), HpccSimulator()};
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
