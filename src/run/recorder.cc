#include "run/recorder.h"

#include <ns3/callback.h>

#include <algorithm>

#include "scenario/senders.h"
#include "scenario/yaml/pattern.h"

namespace headroom {

Recorder::Recorder(const Scenario& scenario, Network& network, Traffic& traffic,
                   std::shared_ptr<EndedRecords> ended, MessageTimes* times)
    : scenario_(scenario), network_(network), traffic_(traffic), ended_(std::move(ended)), times_(times) {
  traffic.SetLog(*this);
  if (Parts::Get().ranks() > 1) Parts::Get().Add(*ended_);
  std::vector<std::vector<const std::string*>> names(scenario.topology.nodes.size());
  place_of_.resize(network.first_port());
  for (const TopologyLink& l : scenario.topology.links) {
    for (const LinkEnd* end : {&l.a, &l.b}) {
      names[end->node].push_back(&end->port);
      place_of_.push_back({end->node, static_cast<uint16_t>(end->port_index)});
    }
  }
  const Observations& o = scenario.observe;
  // The ports share one callback.
  const auto on_pause = ns3::MakeCallback(&Recorder::OnPause, this);
  for (NodeId n = 0; n < network.ports().size(); ++n) {
    for (uint16_t i = 0; i < network.ports()[n].size(); ++i) {
      Port& port = *network.ports()[n][i];
      port.TraceConnectWithoutContext("Pause", on_pause);
      if (o.drops && Matches(*o.drops, n, *names[n][i])) {
        port.TraceConnectWithoutContext("Drop", ns3::MakeCallback(&Recorder::OnDrop, this));
      }
      if (!network.IsHere(n)) continue;
      if (o.queues && Matches(o.queues->match, n, *names[n][i])) queue_places_.push_back({n, i});
      if (o.groups && n >= scenario.topology.hosts && Matches(o.groups->match, n, *names[n][i])) {
        group_places_.push_back({n, i});
      }
    }
    if (!network.IsHere(n)) continue;
    if (o.rates && n < scenario.topology.hosts && Matches(o.rates->match, n, "")) rate_hosts_.push_back(n);
    if (o.cnps && n < scenario.topology.hosts && Matches(*o.cnps, n, "")) {
      network.nic(n).TraceConnectWithoutContext("Notification",
                                                ns3::MakeCallback(&Recorder::OnNotification, this));
    }
  }
  if (o.estats) {
    estats_.emplace(o.estats->every, scenario.warmup);
    for (NodeId h = 0; h < scenario.topology.hosts; ++h) {
      if (network.IsHere(h) && Matches(o.estats->match, h, "")) estats_->Watch(network.nic(h));
    }
  }
  open_pauses_.resize(place_of_.size());
  if (o.causes) causes_.emplace(network, TagCount(scenario));
  sent_seen_.resize(rate_hosts_.size());
  goodput_seen_.assign(scenario.workloads.size(), 0);

  if (scenario.warmup > Time{}) {
    EventQueue::Get().PushTarget(scenario.warmup, TimedEvent::Order(EventClass::fault, 0), this, kWarmup);
  }
  if (o.queues) Schedule(kQueues, Time{});
  if (o.groups) Schedule(kGroups, Time{});
  if (o.rates) Schedule(kRates, Time{});
  if (o.goodput) {
    traffic.CountDelivered(Bytes(scenario.mtu));
    Schedule(kGoodput, o.goodput->every);
  }
}

bool Recorder::Matches(const std::vector<std::string>& patterns, NodeId node, const std::string& port) const {
  const std::string& name = scenario_.topology.nodes[node].name;
  return MatchesPort(patterns, name, port);
}

void Recorder::Schedule(Sample sample, Time at) {
  EventQueue::Get().PushTarget(at, TimedEvent::Order(EventClass::sample, 0, sample), this, sample);
}

void Recorder::OnEvent(uint64_t arg) {
  const Time now = EventQueue::Get().now();
  switch (static_cast<Sample>(arg)) {
    case kWarmup:
      return EndWarmup();
    case kQueues:
      SampleQueues();
      return Schedule(kQueues, now + scenario_.observe.queues->every);
    case kGroups:
      SampleGroups();
      return Schedule(kGroups, now + scenario_.observe.groups->every);
    case kRates:
      SampleRates();
      return Schedule(kRates, now + scenario_.observe.rates->every);
    case kGoodput:
      SampleGoodput(now);
      return Schedule(kGoodput, now + scenario_.observe.goodput->every);
  }
}

void Recorder::OnPause(const Port& port, const PauseChange& change) {
  OpenPause& open = open_pauses_[port.entity()].Make()[change.sent][change.priority];
  const Place& at = place_of_[port.entity()];
  switch (change.kind) {
    case PauseChange::Kind::begin: {
      if (open.causes++ > 0) break;
      const Begun begun = begun_pauses_.Next();
      open.number = begun.number;
      BegunPause& pause = pauses_.Add(begun.number);
      pause = {{}, begun.place};
      PauseRecord& r = pause.record;
      r.start = EventQueue::Get().now();
      r.node = at.node;
      r.port = at.port;
      r.priority = change.priority;
      r.direction = change.sent ? PauseRecord::Direction::tx : PauseRecord::Direction::rx;
      r.group_bytes = Bytes(change.group_bytes);
      r.storm = change.storm;
      break;
    }
    case PauseChange::Kind::refresh:
      if (open.number != OpenPause::kNone) ++pauses_.Find(open.number)->record.refreshes;
      break;
    case PauseChange::Kind::end:
      break;
  }
  if (causes_ && open.number != OpenPause::kNone) causes_->OnPause(at.node, at.port, change, open.number);
  if (change.kind != PauseChange::Kind::end || open.number == OpenPause::kNone || --open.causes > 0) return;
  BegunPause& pause = *pauses_.Find(open.number);
  pause.record.end = EventQueue::Get().now();
  ended_->Add(pause.record, {open.number, pause.place});
  pauses_.Remove(open.number);
  open.number = OpenPause::kNone;
}

/// A message of whose time another part has a share waits for the end of the window in which it ended.
void Recorder::Add(const Begun& begun, const MessageRecord& message) {
  if (times_ == nullptr) return ended_->Add(MessageView{message, nullptr, {}}, begun);
  while (!waiting_.empty() && times_->HasShareOf(waiting_.front().begun.number)) {
    AddSplit(waiting_.front().begun, waiting_.front().message);
    waiting_.pop_front();
  }
  if (times_->HasShareOf(begun.number)) return AddSplit(begun, message);
  waiting_.push_back({begun, message});
}

/// Time that is not accounted for, such as that of messages posted by programs of verbs, counts as `other`.
void Recorder::AddSplit(const Begun& begun, const MessageRecord& message) {
  MessageParts parts = times_->Take(begun.number, message.completed, taken_waits_);
  if (message.Finished()) parts[MessagePart::other] += message.completed - message.start - parts.Sum();
  ended_->Add(MessageView{message, &parts, InRecords(taken_waits_)}, begun);
}

std::span<const WaitRecord> Recorder::InRecords(const std::vector<Itinerary::Wait>& waits) {
  wait_records_.clear();
  for (const Itinerary::Wait& wait : waits) {
    const Place& at = place_of_[wait.port];
    wait_records_.push_back({at.node, at.port, wait.queue, wait.back, wait.since, wait.queued, wait.paused});
  }
  return wait_records_;
}

/// The run is over: the records of what has not ended.
void Recorder::AddOpen() {
  if (times_ != nullptr) {
    times_->Settle();
    times_->JoinShares();
  }
  traffic_.GiveOpen();
  for (const Ended& one : waiting_) AddSplit(one.begun, one.message);
  waiting_.clear();
  pauses_.ForEach([this](uint32_t number, const BegunPause& pause) {
    ended_->Add(pause.record, {number, pause.place});
  });
}

void Recorder::OnNotification(const Nic& nic, uint32_t qp, bool cut) {
  record_.cnps.push_back({EventQueue::Get().now(), nic.host(), qp, cut});
  cnps_.Note();
}

void Recorder::OnDrop(const Port& port, const Frame& frame, const DropCause& cause) {
  const Place& at = place_of_[port.entity()];
  DropRecord d;
  d.time = EventQueue::Get().now();
  d.node = at.node;
  d.port = at.port;
  d.priority = frame.priority;
  d.reason = cause.reason;
  d.queue = static_cast<int8_t>(cause.queue);
  d.limit = Bytes(cause.limit);
  d.fill = Bytes(cause.fill);
  d.bytes = frame.bytes;
  d.kind = frame.kind;
  d.src = frame.src;
  d.dst = frame.dst;
  const bool data = frame.kind == FrameKind::data, ask = frame.kind == FrameKind::ask;
  if ((data || ask) && IsBulk(frame.message)) d.message = frame.message;
  if (data || (ask && !frame.about.credits) || frame.kind == FrameKind::ack || frame.kind == FrameKind::nak)
    d.psn = frame.psn;
  record_.drops.push_back(d);
  drops_.Note();
}

Nic::Counters Recorder::NicTotals() const {
  Nic::Counters sum;
  for (const Nic* nic : network_.nics()) {
    if (nic == nullptr || !network_.IsHere(nic->host())) continue;
    const Nic::Counters& c = nic->counters();
    sum.sent_bytes += c.sent_bytes;
    sum.delivered_bytes += c.delivered_bytes;
    sum.data_packets += c.data_packets;
    sum.marked_packets += c.marked_packets;
    sum.cnp_sent += c.cnp_sent;
    sum.cnp_handled += c.cnp_handled;
    sum.cnp_ignored += c.cnp_ignored;
    sum.retransmitted_packets += c.retransmitted_packets;
    sum.naks += c.naks;
    sum.timeouts += c.timeouts;
  }
  return sum;
}

void Recorder::EndWarmup() {
  baseline_.resize(network_.ports().size());
  for (NodeId n = 0; n < network_.ports().size(); ++n) {
    for (Port* port : network_.ports()[n]) {
      Baseline b;
      for (int p = 0; p < kPriorities; ++p) {
        b.counters[p] = port->counters(p);
        b.drops[p] = port->statistics().drops(p);
        b.pause_frames[p] = port->statistics().pause_frames(p);
        b.resume_frames[p] = port->statistics().resume_frames(p);
        b.pfc_frames_received[p] = port->statistics().pfc_frames_received(p);
      }
      baseline_[n].push_back(b);
      for (size_t p = 0; p < kPriorities && network_.IsHere(n); ++p) {
        for (size_t r = 0; r < kDropReasons; ++r) record_.warmup.drops[p][r] += b.drops[p].packets[r];
        record_.warmup.pause_frames += b.pause_frames[p];
      }
      if (n < scenario_.topology.hosts) port->ResetPeaks();
    }
  }
  for (NodeId n = scenario_.topology.hosts; n < scenario_.topology.nodes.size(); ++n) {
    if (!network_.IsHere(n)) continue;
    network_.switch_at(n).buffer().ResetPeaks();
    network_.switch_at(n).ClearQueueWatermarks(Watermark::run);
  }
  nic_baseline_ = NicTotals();
  record_.warmup.marked_packets = nic_baseline_.marked_packets;
  record_.warmup.cnp_sent = nic_baseline_.cnp_sent;
  record_.warmup.retransmitted_packets = nic_baseline_.retransmitted_packets;
  record_.warmup.naks = nic_baseline_.naks;
  record_.warmup.timeouts = nic_baseline_.timeouts;
}

/// The queues that classes use at this node, one bit each.
uint8_t Recorder::QueuesInUse(NodeId node) const {
  if (node >= scenario_.topology.hosts) return network_.switch_at(node).queues_in_use();
  unsigned mask = 0;
  for (int p = 0; p < kPriorities; ++p) mask |= scenario_.classes[p].name.empty() ? 0 : 1u << p;
  return static_cast<uint8_t>(mask);
}

void Recorder::SampleQueues() {
  const Time now = EventQueue::Get().now();
  for (const Place& at : queue_places_) {
    const Port& port = *network_.ports()[at.node][at.port];
    const uint8_t used = QueuesInUse(at.node);
    const bool is_switch = at.node >= scenario_.topology.hosts;
    for (int p = 0; p < kPriorities; ++p) {
      if (((used >> p) & 1) == 0) continue;
      const int64_t bytes =
          is_switch ? network_.switch_at(at.node).QueuedBytes(at.port, p) : port.queue(p).bytes;
      record_.queues.push_back({now, at.node, at.port, static_cast<uint8_t>(p), Bytes(bytes)});
    }
  }
}

void Recorder::SampleGroups() {
  const Time now = EventQueue::Get().now();
  for (const Place& at : group_places_) {
    const SharedBuffer& buffer = network_.switch_at(at.node).buffer();
    const uint8_t used = network_.switch_at(at.node).groups_in_use();
    for (int p = 0; p < kPriorities; ++p) {
      if (((used >> p) & 1) == 0) continue;
      record_.groups.push_back({now, at.node, at.port, static_cast<uint8_t>(p),
                                Bytes(buffer.group_used(at.port, p)),
                                Bytes(buffer.group_headroom(at.port, p)),
                                Bytes(buffer.lossless(at.port, p) ? buffer.XoffAt(at.port, p) : -1)});
    }
  }
}

void Recorder::SampleRates() {
  const Time now = EventQueue::Get().now();
  for (size_t h = 0; h < rate_hosts_.size(); ++h) {
    const Nic& nic = network_.nic(rate_hosts_[h]);
    std::vector<int64_t>& seen = sent_seen_[h];
    seen.resize(nic.requester_count());
    for (uint32_t q = 0; q < nic.requester_count(); ++q) {
      const Requester& r = nic.requester(q);
      if (r.rate.line == Rate{}) continue;
      record_.rates.push_back(
          {now, rate_hosts_[h], q, nic.AllowedRate(r), Bytes(r.wire_bytes - seen[q]), r.peer});
      seen[q] = r.wire_bytes;
    }
  }
}

void Recorder::SampleGoodput(Time at) {
  for (uint32_t w = 0; w < goodput_seen_.size(); ++w) {
    const uint64_t total = traffic_.delivered_bytes()[w];
    record_.goodput.push_back({at, w, Bytes(static_cast<int64_t>(total - goodput_seen_[w]))});
    goodput_seen_[w] = total;
  }
  traffic_.EndInterval();
}

}  // namespace headroom
