#include "analysis/check/buffers/burst_replay.h"

#include <algorithm>
#include <deque>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

namespace headroom {
namespace {

/// Classes share a wire by weight, strict ones first: the next class is the one with the earliest start tag.
class Turns {
 public:
  /// Selects the next of the priorities in `ready` (one bit each, not 0) to send.
  uint8_t Next(unsigned ready, const TrafficClasses& classes) {
    int next = -1;
    for (int p = kPriorities - 1; p >= 0; --p) {
      if ((ready >> p & 1) == 0) continue;
      if (classes[p].strict) return static_cast<uint8_t>(p);
      if (next < 0 || Tag(p) < Tag(next)) next = p;
    }
    now_ = Tag(next);
    return static_cast<uint8_t>(next);
  }
  void Count(const TrafficClass& c, Bytes wire) {
    end_[c.priority] = Tag(c.priority) + static_cast<double>(wire.v) / c.weight;
  }

 private:
  double Tag(int p) const { return std::max(end_[p], now_); }
  std::array<double, kPriorities> end_{};
  double now_ = 0;
};

enum class Kind : uint8_t { feed, arrival, drain, pause, resume, renew, slow };
struct Held {
  size_t flow = 0;
  Bytes bytes;
  bool last = false;  ///< last frame of a message
  Time ready;
};
struct Event {
  Time at;
  uint64_t turn = 0;  ///< order among events at one instant
  Kind kind{};
  uint32_t port = 0;
  uint8_t group = 0;
  Held frame;
  bool operator>(const Event& o) const { return std::tie(at, turn) > std::tie(o.at, o.turn); }
};
struct Port {
  LinkSpec link;
  Time response;  ///< response time of the peer to a pause
  // Arriving side:
  std::vector<size_t> flows;
  size_t turn = 0;
  uint8_t paused = 0;  ///< paused groups, one bit each
  Time sends_at;
  Turns in_turns;
  // Departing side:
  std::array<std::deque<Held>, kPriorities> queues;
  Time drains_at;
  Turns out_turns;
};

struct Sender {
  Time sends_at;             ///< time of the next frame
  std::set<uint32_t> ports;  ///< ports of the switch at which its frames arrive
};

class Replay {
 public:
  Replay(const Fabric& fabric, NodeId node, const std::vector<ReplayFlow>& flows)
      : scenario_(fabric.scenario()),
        node_(node),
        parameters_(scenario_.switches[node - scenario_.topology.hosts]),
        flows_(flows),
        slows_(flows.size()),
        senders_(kPortsOfHost * scenario_.topology.hosts) {
    SetUpPorts(fabric, node);
    for (size_t i = 0; i < flows.size(); ++i) {
      left_.push_back(flows[i].size);
      Port& in = ports_[flows[i].in];
      in.flows.push_back(i);
      senders_[SenderOf(flows[i])].ports.insert(flows[i].in);
      Push(flows[i].start, Kind::feed, flows[i].in);
    }
  }

  std::optional<Overrun> Run(int64_t& steps) {
    while (!events_.empty() && steps > 0) {
      steps -= 1 + std::exchange(looked_at_, 0);
      const Event e = events_.top();
      events_.pop();
      now_ = e.at;
      if (now_ > scenario_.deadline) break;
      switch (e.kind) {
        case Kind::feed:
          Feed(e.port);
          break;
        case Kind::arrival:
          if (auto overrun = Arrive(e.frame)) return overrun;
          break;
        case Kind::drain:
          Drain(e.port);
          break;
        case Kind::pause:
        case Kind::resume:
          ports_[e.port].paused ^= static_cast<uint8_t>(1u << e.group);
          Feed(e.port);
          break;
        case Kind::renew:
          if (now_ >= flows_[e.frame.flow].stop) break;
          left_[e.frame.flow] += *flows_[e.frame.flow].again;
          Feed(flows_[e.frame.flow].in);
          break;
        case Kind::slow:
          left_[e.frame.flow] = Bytes();
          break;
      }
    }
    return std::nullopt;
  }

 private:
  void SetUpPorts(const Fabric& fabric, NodeId node) {
    std::vector<BufferPort> ports;
    for (const TopologyLink& link : scenario_.topology.links) {
      for (const auto& [own, peer] : {std::pair(&link.a, &link.b), std::pair(&link.b, &link.a)}) {
        if (own->node != node) continue;
        ports.push_back({own->port, link.spec.rate, link.spec.delay});
        ports_.emplace_back().link = link.spec;
        ports_.back().response = fabric.node(peer->node).is_host
                                     ? parameters_.pfc.response
                                     : scenario_.switches[peer->node - scenario_.topology.hosts].pfc.response;
      }
    }
    buffer_ = ns3::CreateObject<SharedBuffer>();
    buffer_->SetClock([this] { return now_; });
    buffer_->Setup(parameters_.buffer, ports, scenario_.classes, parameters_.qos);
  }

  void Push(Time at, Kind kind, uint32_t port, uint8_t group = 0, Held frame = {}) {
    events_.push({at, turns_++, kind, port, group, frame});
  }
  uint8_t Group(uint32_t in, uint8_t priority) const {
    const auto& qos = parameters_.qos;
    return qos.empty() ? priority : GroupOf(qos[in], scenario_.classes[priority]);
  }
  SharedBuffer::Place PlaceOf(const ReplayFlow& f) const {
    const auto& qos = parameters_.qos;
    const uint8_t queue =
        qos.empty() ? f.priority : QueueOf(qos[f.in], qos[f.out], scenario_.classes[f.priority]);
    return {f.in, f.out, Group(f.in, f.priority), queue};
  }
  static constexpr size_t kPortsOfHost = 2;  ///< at most
  static size_t SenderOf(const ReplayFlow& f) { return kPortsOfHost * f.from + f.by; }
  bool MaySend(size_t i) const {
    const ReplayFlow& f = flows_[i];
    return left_[i].v > 0 && f.start <= now_ && senders_[SenderOf(f)].sends_at <= now_ &&
           (ports_[f.in].paused >> Group(f.in, f.priority) & 1) == 0;
  }

  /// The senders behind a port begin the next frame; flows of a class are served in round-robin order.
  void Feed(uint32_t in) {
    Port& port = ports_[in];
    if (now_ < port.sends_at) return;
    unsigned ready = 0;
    looked_at_ += static_cast<int64_t>(port.flows.size());
    for (const size_t i : port.flows) ready |= MaySend(i) ? 1u << flows_[i].priority : 0u;
    if (ready == 0) return;
    const uint8_t priority = port.in_turns.Next(ready, scenario_.classes);
    do port.turn = (port.turn + 1) % port.flows.size();
    while (!MaySend(port.flows[port.turn]) || flows_[port.flows[port.turn]].priority != priority);
    const size_t i = port.flows[port.turn];
    const FrameFormat& format = scenario_.frames;
    const WorkloadParameters& workload = scenario_.workloads[flows_[i].workload];
    const Bytes message = flows_[i].again.value_or(flows_[i].size);
    const Bytes of_message = (left_[i] - Bytes(1)) - message * ((left_[i] - Bytes(1)) / message) + Bytes(1);
    const Bytes payload = std::min(of_message, Bytes(scenario_.mtu));
    const bool last = payload == of_message;
    const Bytes frame = format.Data(workload.verb, payload.v, of_message == message, last);
    left_[i] -= payload;
    port.in_turns.Count(scenario_.classes[priority], format.OnWire(frame));
    port.sends_at = now_ + SerializationTime(format.OnWire(frame), port.link.rate);
    Push(port.sends_at, Kind::feed, in);
    Sender& sender = senders_[SenderOf(flows_[i])];
    sender.sends_at = now_ + SerializationTime(format.OnWire(frame), flows_[i].rate);
    for (const uint32_t p : sender.ports) Push(sender.sends_at, Kind::feed, p);
    Push(port.sends_at + port.link.delay + port.link.phy, Kind::arrival, in, 0, {i, frame, last, {}});
  }

  std::optional<Overrun> Arrive(Held frame) {
    const ReplayFlow& flow = flows_[frame.flow];
    const SharedBuffer::Place place = PlaceOf(flow);
    const auto admission = buffer_->Admit(place, buffer_->Charge(static_cast<uint32_t>(frame.bytes.v)));
    if (admission.signal == SharedBuffer::Signal::xoff) Tell(Kind::pause, flow.in, place.group);
    if (!admission.admitted) {
      if (!scenario_.classes[flow.priority].lossless) return std::nullopt;
      return OverrunBy(flow, admission.reason);
    }
    frame.ready = now_ + parameters_.latency;
    ports_[flow.out].queues[flow.priority].push_back(frame);
    Push(frame.ready, Kind::drain, flow.out);
    return std::nullopt;
  }

  /// Begins the next departing frame, which then is no longer in the buffer.
  void Drain(uint32_t out) {
    Port& port = ports_[out];
    if (now_ < port.drains_at) return;
    unsigned ready = 0;
    for (int p = 0; p < kPriorities; ++p)
      ready |= !port.queues[p].empty() && port.queues[p].front().ready <= now_ ? 1u << p : 0u;
    if (ready == 0) return;
    const uint8_t priority = port.out_turns.Next(ready, scenario_.classes);
    const Held frame = port.queues[priority].front();
    port.queues[priority].pop_front();
    const ReplayFlow& flow = flows_[frame.flow];
    const SharedBuffer::Place place = PlaceOf(flow);
    const Bytes wire = scenario_.frames.OnWire(frame.bytes);
    if (buffer_->Release(place, buffer_->Charge(static_cast<uint32_t>(frame.bytes.v))) ==
        SharedBuffer::Signal::xon)
      Tell(Kind::resume, flow.in, place.group);
    port.out_turns.Count(scenario_.classes[priority], wire);
    port.drains_at = now_ + SerializationTime(wire, port.link.rate);
    Push(port.drains_at, Kind::drain, out);
    if (flow.reacts && !slows_[frame.flow]) Push(port.drains_at + flow.back, Kind::slow, 0, 0, frame);
    slows_[frame.flow] = true;
    if (frame.last && flow.again && !flow.reacts) Push(port.drains_at + flow.back, Kind::renew, 0, 0, frame);
  }

  /// A pause, or its end, takes effect at the peer.
  void Tell(Kind kind, uint32_t in, uint8_t group) {
    const Port& port = ports_[in];
    const FrameFormat& format = scenario_.frames;
    Push(now_ + SerializationTime(format.OnWire(format.Pfc()), port.link.rate) + port.link.delay +
             port.link.phy + port.response,
         kind, in, group);
  }

  Overrun OverrunBy(const ReplayFlow& flow, DropReason reason) const {
    Overrun overrun{{}, node_, flow.to, flow.priority, reason, now_, 0, {}};
    std::set<uint32_t> workloads{flow.workload}, in{flow.in};
    for (uint32_t out = 0; out < ports_.size(); ++out) {
      if (reason == DropReason::egress_limit && out != flow.out) continue;
      for (int p = 0; p < kPriorities; ++p) {
        if (!scenario_.classes[p].lossless) continue;
        if (reason == DropReason::egress_limit && p != flow.priority) continue;
        for (const Held& frame : ports_[out].queues[p]) {
          workloads.insert(flows_[frame.flow].workload);
          in.insert(flows_[frame.flow].in);
          overrun.held += Bytes(buffer_->Charge(static_cast<uint32_t>(frame.bytes.v)));
        }
      }
    }
    overrun.workloads.assign(workloads.begin(), workloads.end());
    overrun.ports = static_cast<uint32_t>(in.size());
    return overrun;
  }

  const Scenario& scenario_;
  NodeId node_;
  const SwitchParameters& parameters_;
  const std::vector<ReplayFlow>& flows_;
  std::vector<Bytes> left_;      ///< bytes to send, indexed by flow
  std::vector<bool> slows_;      ///< time when a frame's CNP has arrived, indexed by flow
  std::vector<Sender> senders_;  ///< indexed by SenderOf
  std::vector<Port> ports_;
  ns3::Ptr<SharedBuffer> buffer_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  uint64_t turns_ = 0;
  int64_t looked_at_ = 0;  ///< number of flows examined since the last event
  Time now_;
};

}  // namespace

std::optional<Overrun> ReplayBursts(const Fabric& fabric, NodeId node, const std::vector<ReplayFlow>& flows,
                                    int64_t& steps) {
  return Replay(fabric, node, flows).Run(steps);
}

}  // namespace headroom
