// Converts the counters of ports, switches and NICs to the record of the run.
#include <algorithm>
#include <iterator>
#include <numeric>

#include "run/recorder.h"

namespace headroom {

RunRecord Recorder::Collect(RunStatus status) {
  record_.status = status;
  record_.end = EventQueue::Get().now();
  if (status == RunStatus::deadline) record_.end = scenario_.deadline;
  if (services_ != nullptr) services_->Collect(record_.end, record_);
  AddOpen();
  CollectNodes();
  std::vector<Packet> causes;
  if (Parts::Get().ranks() > 1) {
    causes = JoinRanks();
    if (Parts::Get().rank() > 0) return {};
  }
  OrderLogs();
  if (scenario_.results == Results::stream) record_.ended = ended_;
  const std::vector<uint32_t> pauses =
      ended_->MoveTo(record_, [this](const ArrivedPackets& packets, const MessageRecord& m) {
        const auto payload = [&](bool last) { return Traffic::PayloadOf(m, scenario_.mtu, last); };
        const size_t sample = packets.interval * scenario_.workloads.size() + m.workload;
        record_.goodput[sample].delivered +=
            Bytes(packets.packets * payload(false) + (packets.last ? payload(true) : 0));
      });
  if (causes_) record_.pause_causes = causes_->Resolve(record_.pauses, pauses, causes);
  causes_.reset();  // its tables by node and port are as large as the records that follow
  CollectPauses();
  if (estats_) CollectEstats();
  traffic_.AddCores(record_.cores);
  return std::move(record_);
}

/// All that this rank's nodes know.
void Recorder::CollectNodes() {
  record_.events = Parts::Get().executed();
  if (scenario_.observe.goodput) EndGoodput();
  if (scenario_.warmup > Time{} && baseline_.empty())
    EndWarmup();  // all counts precede the end of the warm-up
  record_.conservation.in_flight = network_.pool().BytesInUse();
  network_.pool().Clear();  // the record of a large network takes as much memory again
  if (causes_) causes_->Close();
  if (estats_) AddFailures();
  CollectPorts();
  CollectSwitches();
  CollectNics();
  CollectFirsts();
  CollectFaults();
  CollectWatchdogs();
}

/// Sorts the logs into the order in which a run in one part would have written them.
void Recorder::OrderLogs() {
  PutInOrder(record_.cnps, cnps_.Order());
  PutInOrder(record_.drops, drops_.Order());
  OrderEvents();
}

void Recorder::OrderEvents() {
  std::vector<EventRecord>& log = record_.events_log;
  PutInOrder(log, noted_.Order());
  PutInOrder(unordered_.faults, unordered_.faults_order.Order());
  for (auto* more : {&unordered_.firsts, &unordered_.faults, &unordered_.watchdogs})
    std::ranges::move(*more, std::back_inserter(log));
  std::ranges::stable_sort(log, {}, &EventRecord::time);
}

/// The end of the run may shorten the last interval of the series.
void Recorder::EndGoodput() {
  const Time last = record_.goodput.empty() ? Time{} : record_.goodput.back().time;
  if (last < record_.end) SampleGoodput(record_.end);
}

/// The counters of one priority since the end of the warm-up.
PortPriorityCounters Recorder::CountersOf(NodeId n, uint16_t i, int p) const {
  const Port& port = *network_.ports()[n][i];
  const PriorityCounters& c = port.counters(p);
  const PriorityDrops& d = port.statistics().drops(p);
  const Baseline* b = baseline_.empty() ? nullptr : &baseline_[n][i];
  const PriorityCounters c0 = b ? b->counters[p] : PriorityCounters{};
  const PriorityDrops d0 = b ? b->drops[p] : PriorityDrops{};
  PortPriorityCounters out;
  out.tx_bytes = c.tx_bytes - c0.tx_bytes;
  out.tx_packets = c.tx_packets - c0.tx_packets;
  out.rx_bytes = c.rx_bytes - c0.rx_bytes;
  out.rx_packets = c.rx_packets - c0.rx_packets;
  out.tx_wire_bytes = out.tx_bytes + static_cast<uint64_t>(scenario_.frames.gap) * out.tx_packets;
  out.marked_packets = c.marked_packets - c0.marked_packets;
  for (int k = 0; k < kDropReasons; ++k) out.drops[k] = d.packets[k] - d0.packets[k];
  out.pause_frames_tx = port.statistics().pause_frames(p) - (b ? b->pause_frames[p] : 0);
  out.resume_frames_tx = port.statistics().resume_frames(p) - (b ? b->resume_frames[p] : 0);
  out.pfc_frames_rx = port.statistics().pfc_frames_received(p) - (b ? b->pfc_frames_received[p] : 0);
  out.peak_queue = Bytes(port.peak_queue(p));
  if (n < scenario_.topology.hosts) return out;
  const Switch& owner = network_.switch_at(n);
  const SharedBuffer& buffer = owner.buffer();
  out.peak_queue = Bytes(owner.peak_queue(Watermark::run, i, p));
  out.peak_group = Bytes(buffer.peak_group(i, p));
  out.peak_headroom = Bytes(buffer.peak_headroom(i, p));
  if (buffer.lossless(i, p)) out.headroom_configured = Bytes(buffer.headroom_cap(i, p));
  out.peak_group_shared = Bytes(buffer.watermark(Watermark::run, SharedBuffer::Measure::group_shared, i, p));
  out.peak_queue_shared = Bytes(owner.queue_watermark(Watermark::run, i, p));
  return out;
}

void Recorder::CollectPorts() {
  const Time now = EventQueue::Get().now();
  record_.ports.reserve(2 * scenario_.topology.links.size());
  for (NodeId n = 0; n < network_.ports().size(); ++n) {
    if (!network_.IsHere(n)) continue;
    for (uint16_t i = 0; i < network_.ports()[n].size(); ++i) {
      const Port& port = *network_.ports()[n][i];
      PortRecord r;
      r.node = n;
      r.port = i;
      r.rate = port.rate();
      for (int p = 0; p < kPriorities; ++p) {
        record_.packet_hops += port.counters(p).tx_packets;
        record_.data_packet_hops += port.counters(p).data_tx_packets;
        for (const uint64_t bytes : port.statistics().drops(p).bytes) record_.conservation.dropped += bytes;
        const PortPriorityCounters out = CountersOf(n, i, p);
        if (out != PortPriorityCounters{}) r.priority[p] = out;
      }
      // A transmission in progress is not a packet-hop yet.
      if (const FrameKind* kind = port.Transmitting(now); kind != nullptr && *kind != FrameKind::pfc) {
        --record_.packet_hops;
        record_.data_packet_hops -= *kind == FrameKind::data;
      }
      record_.ports.push_back(std::move(r));
    }
  }
}

/// Pauses count if they begin after the warm-up; paused time counts from the end of the warm-up. The paused
/// time of both ends is the time for which the queue stood still: a pause that expires, is refused or is lost
/// does not last as long as its sender means.
void Recorder::CollectPauses() {
  std::vector<size_t> first_port(scenario_.topology.nodes.size() + 1, 0);
  for (const TopologyLink& l : scenario_.topology.links) {
    for (const NodeId n : {l.a.node, l.b.node}) ++first_port[n + 1];
  }
  std::partial_sum(first_port.begin(), first_port.end(), first_port.begin());
  const auto place = [&](NodeId node, size_t port) { return first_port[node] + port; };
  std::vector<size_t> peer(record_.ports.size());
  for (const TopologyLink& l : scenario_.topology.links) {
    const size_t a = place(l.a.node, l.a.port_index), b = place(l.b.node, l.b.port_index);
    peer[a] = b;
    peer[b] = a;
  }
  ForEachPause(record_, [&](const PauseRecord& pause) {
    const size_t at = place(pause.node, pause.port);
    PortPriorityCounters& c = record_.ports[at].priority[pause.priority];
    const bool tx = pause.direction == PauseRecord::Direction::tx;
    if (pause.start >= scenario_.warmup) ++(tx ? c.pauses_tx : c.pauses_rx);
    const Time from = std::max(pause.start, scenario_.warmup);
    const Time to = std::min(pause.end, record_.end);
    if (tx || to <= from) return;
    c.paused_rx += to - from;
    record_.ports[peer[at]].priority[pause.priority].paused_tx += to - from;
  });
}

namespace {

/// The two directions of a pool that serves both form one record.
std::vector<PoolRecord> PoolsOf(const SharedBuffer& buffer) {
  std::vector<PoolRecord> pools;
  for (const auto& w : buffer.pool_watermarks(SharedBuffer::Watermark::run)) {
    auto pool =
        std::find_if(pools.begin(), pools.end(), [&](const PoolRecord& p) { return p.name == w.pool; });
    if (pool == pools.end()) pool = pools.insert(pools.end(), PoolRecord{w.pool, {}, {}, {}});
    if (w.egress) {
      pool->peak_egress = Bytes(w.shared);
    } else {
      pool->peak_ingress = Bytes(w.shared);
      pool->peak_headroom = Bytes(w.headroom);
    }
  }
  return pools;
}

}  // namespace

void Recorder::CollectSwitches() {
  for (NodeId n = scenario_.topology.hosts; n < scenario_.topology.nodes.size(); ++n) {
    if (!network_.IsHere(n)) continue;
    const SharedBuffer& b = network_.switch_at(n).buffer();
    SwitchRecord r;
    r.node = n;
    r.peak = Bytes(b.peak_resident());
    r.peak_headroom = Bytes(b.peak_headroom_total());
    r.headroom_configured = Bytes(b.headroom_configured());
    r.peak_ingress_pool = Bytes(b.peak_ingress_pool());
    r.closest_to_xoff = b.closest_to_xoff();
    r.pools = PoolsOf(b);
    record_.switches.push_back(r);
    if (!b.Consistent()) record_.conservation.pools_ok = false;
  }
}

void Recorder::CollectNics() {
  const Nic::Counters now = NicTotals();
  const Nic::Counters& then = nic_baseline_;
  record_.data_packets_delivered = now.data_packets - then.data_packets;
  record_.marked_packets = now.marked_packets - then.marked_packets;
  record_.cnp_sent = now.cnp_sent - then.cnp_sent;
  record_.cnp_handled = now.cnp_handled - then.cnp_handled;
  record_.cnp_ignored = now.cnp_ignored - then.cnp_ignored;
  record_.retransmitted_packets = now.retransmitted_packets - then.retransmitted_packets;
  record_.naks = now.naks - then.naks;
  record_.timeouts = now.timeouts - then.timeouts;
  for (const Nic* nic : network_.nics()) {
    if (nic == nullptr || nic->contexts() == nullptr || !network_.IsHere(nic->host())) continue;
    record_.contexts_used = std::max(record_.contexts_used.value_or(0), nic->contexts()->most());
    record_.contexts_refused += nic->contexts()->refused();
  }
  record_.conservation.sent = now.sent_bytes;
  record_.conservation.delivered = now.delivered_bytes;
}

void Recorder::CollectFirsts() {
  std::vector<EventRecord>& firsts = unordered_.firsts;
  for (NodeId n = 0; n < network_.ports().size(); ++n) {
    if (!network_.IsHere(n)) continue;
    for (uint16_t i = 0; i < network_.ports()[n].size(); ++i) {
      const Port& port = *network_.ports()[n][i];
      for (int p = 0; p < kPriorities; ++p) {
        if (port.statistics().first_mark(p) != kNever)
          firsts.push_back({port.statistics().first_mark(p), "first_mark", n, i, p, ""});
        if (port.statistics().first_drop(p) != kNever) {
          firsts.push_back({port.statistics().first_drop(p), "first_drop", n, i, p,
                            DropReasonName(port.statistics().first_drop_reason(p))});
        }
      }
    }
  }
}

}  // namespace headroom
