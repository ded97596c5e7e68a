#include "analysis/check/check_fluid_bottleneck.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/bounds/ideal_path.h"
#include "analysis/fluid/fluid_fixed_point.h"
#include "dcqcn/machines.h"
#include "report/text/text_table.h"
#include "scenario/packet_headers.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

/// If a receiver owes more CNPs than this share of its limit, the limit delays too many to be ignored.
constexpr double kMostCnpLoad = 0.25;

bool WithDcqcn(const NicParameters& nic) {
  return nic.congestion_control == NicParameters::CongestionControl::dcqcn;
}

/// The time from a mark to the arrival of the frames that its cut changes: the base RTT of one frame, with a
/// CNP instead of the ACK. Frames are marked when they leave, so the queue itself adds no delay.
Time LoopDelay(const Fabric& fabric, const SharedFlow& flow) {
  const Scenario& s = fabric.scenario();
  const FlowHops back = fabric.flow_paths().Of(flow.flow.to, flow.flow.from, flow.flow.source_port);
  IdealPath path =
      IdealPathOf(s, LongestHops(s, flow.hops), LongestHops(s, back), flow.flow.from, flow.flow.to);
  path.frames.ack = path.frames.cnp;
  return IdealCompletion(path, Bytes(s.mtu)) + s.nics[flow.flow.to].dcqcn.np.cnp_delay;
}

std::optional<EcnCurve> EcnAt(const Fabric& fabric, const Bottleneck& at) {
  const Scenario& s = fabric.scenario();
  const SwitchParameters& parameters = s.switches[at.hop.from.node - s.topology.hosts];
  std::optional<EcnParameters> ecn = parameters.ecn[at.priority];
  if (!parameters.qos.empty()) {
    const PortQos& maps = parameters.qos[at.hop.from.port_index];
    ecn = maps.ecn[QueueOf(maps, maps, s.classes[at.priority])];
  }
  if (!ecn) return std::nullopt;
  return CurveAt(*ecn, fabric.LinkOf(at.hop).spec.rate);
}

/// Bytes of full frames in the switch's buffer, in whole cells.
double QueuedBytes(const Scenario& s, const FrameFormat& frames, const Bottleneck& at) {
  const int64_t cell = s.switches[at.hop.from.node - s.topology.hosts].buffer.cell.v;
  const int64_t frame = frames.Data(s.mtu, false).v;
  return static_cast<double>((frame + cell - 1) / cell * cell);
}

/// Settings that all flows share; if they differ, the reason for the refusal.
FluidSettings CommonSettings(const Scenario& s, const SharedFlows& shared, const Bottleneck& at) {
  std::optional<FluidSettings> common;
  for (const size_t f : at.flows) {
    const Flow& flow = shared.flows[f].flow;
    const NicParameters &sender = s.nics[flow.from], &receiver = s.nics[flow.to];
    FluidSettings own = FluidSettingsOf(sender, receiver);
    if (own.refusal.empty() && !IsOnePath(shared.flows[f].hops))
      own.refusal = "packets of one flow take several paths, but the model covers only one queue";
    if (own.refusal.empty() && !(sender.Reacts(at.priority) && receiver.Notifies(at.priority)))
      own.refusal = fmt::format("roce_cc_prio_mask leaves out class {}, but the model covers only DCQCN",
                                s.classes[at.priority].name);
    if (!own.refusal.empty()) return own;
    if (common && *common != own) {
      own.refusal =
          "flows with different settings of DCQCN meet here, but the model covers only equal "
          "settings";
      return own;
    }
    common = own;
  }
  return *common;
}

/// The flows' CNPs at the fixed point, as a share of the CNPs that nic_interval permits a receiver.
double CnpLoad(const SharedFlows& shared, const Bottleneck& at, const FluidBottleneck& b) {
  std::map<NodeId, double> flows;
  for (const size_t f : at.flows) ++flows[shared.flows[f].flow.to];
  const double most = std::ranges::max_element(flows, {}, [](const auto& of) { return of.second; })->second;
  const FluidFixedPoint rest = SolveFixedPoint(b.parameters);
  const double each = b.settings.cnp_for_each_mark
                          ? rest.p * rest.rate
                          : EventsAt(b.parameters, rest.lambda, rest.rate).value.cuts;
  return most * each * InSeconds(b.settings.nic_interval);
}

double PacketsPerSecond(Rate rate, double wire_bits) { return static_cast<double>(rate.v) / wire_bits; }

FluidParameters ParametersOf(const Fabric& fabric, const SharedFlows& shared, const Bottleneck& at,
                             const FluidBottleneck& b) {
  Rate line;
  for (const size_t f : at.flows) line = std::max(line, fabric.LineRate(shared.flows[f].flow.from));
  const FluidSettings& s = b.settings;
  return {.flows = static_cast<double>(at.flows.size()),
          .capacity = at.share_bps / b.wire_bits,
          .line = PacketsPerSecond(line, b.wire_bits),
          .least_rate = PacketsPerSecond(s.min_rate, b.wire_bits),
          .tau = InSeconds(s.cut_interval),
          .alpha_timer = InSeconds(s.alpha_timer),
          .increase_timer = InSeconds(s.increase_timer),
          .byte_counter = static_cast<double>(s.byte_counter.v) * 8 / b.wire_bits,
          .fast_recovery = static_cast<double>(s.fast_recovery),
          .rate_ai = PacketsPerSecond(s.rate_ai, b.wire_bits),
          .g = s.g,
          .kmin = static_cast<double>(b.ecn->kmin.v) / b.queued_bytes,
          .kmax = static_cast<double>(b.ecn->kmax.v) / b.queued_bytes,
          .pmax = b.ecn->pmax,
          .line_goes_on = false,
          .delays = {}};
}

}  // namespace

FluidSettings FluidSettingsOf(const NicParameters& sender, const NicParameters& receiver) {
  FluidSettings settings;
  const NpParameters& np = receiver.dcqcn.np;
  const RpParameters& rp = sender.dcqcn.rp;
  if (!WithDcqcn(sender) || !WithDcqcn(receiver)) {
    const NicParameters& other = WithDcqcn(sender) ? receiver : sender;
    settings.refusal =
        fmt::format("congestion_control: {} among its senders or receivers; the model covers only DCQCN",
                    other.HasControl() ? other.control->name() : "none");
    return settings;
  }
  const bool published = WithMachine(rp, [](const auto& machine) { return machine.kPublished; });
  if (!published || np.coalescing == NpParameters::Coalescing::ack_flag) {
    settings.refusal = fmt::format(
        "the reaction point of {} is not the published algorithm; the model covers only "
        "machine: paper",
        sender.generation);
    return settings;
  }
  if (rp.max_rate.v > 0 || sender.congestion_leaking || HasWindow(sender)) {
    settings.refusal =
        fmt::format("{} is not part of the model", rp.max_rate.v > 0           ? "max_rate"
                                                   : sender.congestion_leaking ? "congestion_leaking"
                                                                               : "window");
    return settings;
  }
  const Time cnps = np.coalescing == NpParameters::Coalescing::per_packet ? Time() : np.min_cnp_interval;
  const Time cuts = rp.reduce_window;
  settings.cut_interval =
      cnps.v == 0 || cuts <= cnps ? std::max(cnps, cuts) : cnps * ((cuts.v + cnps.v - 1) / cnps.v);
  if (settings.cut_interval.v == 0) {
    settings.refusal =
        "every marked packet cuts a rate (min_cnp_interval and reduce_window are 0); the model needs a "
        "minimum time between cuts";
  }
  settings.nic_interval = np.nic_interval;
  settings.cnp_for_each_mark = np.coalescing == NpParameters::Coalescing::per_packet;
  settings.alpha_timer = rp.alpha_timer;
  settings.increase_timer = rp.increase_timer;
  settings.byte_counter = rp.byte_counter;
  settings.fast_recovery = rp.fast_recovery;
  settings.rate_ai = rp.rate_ai;
  settings.min_rate = rp.min_rate;
  settings.g = rp.g;
  if (rp.rate_ai.v == 0) settings.refusal = "rate_ai is 0: the rates have no equilibrium";
  return settings;
}

FluidBottleneck FluidBottleneckOf(const Fabric& fabric, const SharedFlows& shared, const Bottleneck& at) {
  const Scenario& s = fabric.scenario();
  FluidBottleneck b;
  for (const size_t f : at.flows) ++b.delays[LoopDelay(fabric, shared.flows[f])];
  const FrameFormat frames = FramesOf(s, shared.flows[at.flows.front()].flow.from);
  b.wire_bits = 8 * static_cast<double>(frames.OnWire(frames.Data(s.mtu, false)).v);
  b.queued_bytes = QueuedBytes(s, frames, at);
  b.ecn = EcnAt(fabric, at);
  b.settings = CommonSettings(s, shared, at);
  b.refusal = b.settings.refusal;
  if (b.refusal.empty() && !b.ecn)
    b.refusal = fmt::format("ECN is off for class {} here, so nothing notifies senders of this queue",
                            s.classes[at.priority].name);
  if (!b.refusal.empty()) return b;
  const double least = static_cast<double>(b.settings.min_rate.v) * static_cast<double>(at.flows.size());
  if (least >= at.share_bps) {
    b.refusal = fmt::format(
        "{} flows at min_rate, {}, are {} Gb/s already: DCQCN cannot hold them to {} Gb/s, and the queue "
        "grows "
        "until PFC or drops stop it",
        at.flows.size(), FormatRate(b.settings.min_rate), FormatReadable(least / 1e9),
        FormatReadable(at.share_bps / 1e9));
    return b;
  }
  b.parameters = ParametersOf(fabric, shared, at, b);
  for (const auto& [delay, flows] : b.delays)
    b.parameters.delays.push_back({static_cast<double>(flows), InSeconds(delay)});
  if (const double load = CnpLoad(shared, at, b); load > kMostCnpLoad) {
    b.refusal = fmt::format(
        "nic_interval, {}, is not in the model, and its flows would take {:.0f} % of the CNPs that it allows",
        FormatTime(b.settings.nic_interval), 100 * load);
  }
  return b;
}

}  // namespace headroom
