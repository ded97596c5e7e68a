#include "switch/switch.h"

#include <ns3/pointer.h>

#include <algorithm>
#include <stdexcept>

namespace headroom {

NS_OBJECT_ENSURE_REGISTERED(Switch);

ns3::TypeId Switch::GetTypeId() {
  static ns3::TypeId tid =
      ns3::TypeId("headroom::Switch")
          .SetParent<ns3::Node>()
          .SetGroupName("Headroom")
          .AddConstructor<Switch>()
          .AddAttribute("Buffer", "The shared buffer.", ns3::TypeId::ATTR_GET, ns3::PointerValue(),
                        ns3::MakePointerAccessor(&Switch::buffer_), ns3::MakePointerChecker<SharedBuffer>());
  return tid;
}

void Switch::ReservePorts(size_t ports) {
  ports_.reserve(ports);
  out_.reserve(ports);
}

void Switch::AddPort(ns3::Ptr<Port> port) {
  AddDevice(port);
  port->SetReceiveCallback({});  // a switch passes no packet up to protocols
  ports_.emplace_back();
  ports_.back().port = port;
  out_.push_back(ns3::PeekPointer(port));
}

void Switch::Setup(const SwitchConfig& config, const BufferParameters& buffer,
                   const std::vector<BufferPort>& buffer_ports, const TrafficClasses& classes,
                   const RouteTable& routes) {
  name_ = config.name;
  latency_ = config.latency;
  pfc_ = config.pfc.enabled;
  hot_out_ = out_.data();
  routes_ = routes;
  ecmp_seed_ = config.ecmp_seed.value_or(EcmpSeed(config.name));
  buffer_ = ns3::CreateObject<SharedBuffer>();
  hot_buffer_ = ns3::PeekPointer(buffer_);
  try {
    buffer_->Setup(buffer, buffer_ports, classes, config.qos);
  } catch (const std::invalid_argument& e) {
    throw std::invalid_argument("switch " + name_ + ": " + e.what());
  }
  SetUpMaps(config, classes);
  marks_above_ = UINT16_MAX;
  for (uint32_t i = 0; i < ports_.size(); ++i) SetUpPort(i, config, buffer_ports[i].name);
  if (config.chassis) SetUpFabric(*config.chassis, config.entity);
  SetUpRouting(config);
  // The charge of a queue equals the bytes that wait at its port, unless frames wait elsewhere.
  ports_count_ = !config.chassis && !buffer_->unusual();
  if (ports_count_)
    buffer_->TakeQueuesFrom([this](uint32_t i, int queue) { return out_[i]->queue(queue).bytes; });
}

void Switch::SetUpRouting(const SwitchConfig& config) {
  chooser_ = MakeHopChooser(config.routing, name_, [this](const Frame& f, uint16_t out) {
    return out_[out]->link_up() ? std::optional(QueuedBytes(out, QueueOf(f.ingress, out, f.priority)))
                                : std::nullopt;
  });
  if (config.routing.dateline) dateline_.emplace(*config.routing.dateline, config.torus);
  usual_ = uniform_ && !chooser_ && !dateline_;
}

void Switch::SetUpFabric(const ChassisParameters& chassis, EntityId entity) {
  std::vector<VoqFabric::EgressPort> egress;
  for (uint32_t i = 0; i < ports_.size(); ++i) egress.push_back({out_[i], qos(i).scheduling});
  fabric_ = std::make_unique<VoqFabric>(chassis, this, egress, latency_, entity);
  chassis_ = true;
}

void Switch::SetUpMaps(const SwitchConfig& config, const TrafficClasses& classes) {
  qos_ = config.qos;
  if (qos_.empty()) qos_.push_back(QosOfClasses(classes, config.ecn));
  // Equal maps are shared: otherwise a thousand switches with equal maps at all ports would take some
  // megabytes.
  if (std::ranges::all_of(qos_, [&](const PortQos& q) { return q == qos_[0]; })) {
    qos_.resize(1);
    qos_.shrink_to_fit();
  }
  maps_.resize(qos_.size());
  for (size_t i = 0; i < qos_.size(); ++i) {
    for (uint8_t p = 0; p < kPriorities; ++p) {
      if (classes[p].name.empty()) continue;
      maps_[i].tc[p] = config.qos.empty() ? p : TcOf(qos_[i], classes[p]);
      maps_[i].group[p] = qos_[i].tc_to_group[maps_[i].tc[p]];
    }
    maps_[i].queue = qos_[i].tc_to_queue;
  }
  for (int p = 0; p < kPriorities; ++p) {
    if (classes[p].name.empty()) continue;
    for (const ClassMap& in : maps_) {
      groups_in_use_ |= static_cast<uint8_t>(1u << in.group[p]);
      for (const ClassMap& out : maps_) queues_in_use_ |= static_cast<uint8_t>(1u << out.queue[in.tc[p]]);
    }
  }
  uniform_ = std::all_of(maps_.begin(), maps_.end(), [&](const ClassMap& m) { return m == maps_[0]; });
  for (int p = 0; p < kPriorities; ++p) {
    group_.Set(p, maps_[0].group[p]);
    queue_.Set(p, maps_[0].queue[maps_[0].tc[p]]);
  }
}

void Switch::SetUpPort(uint32_t i, const SwitchConfig& config, const std::string& name) {
  PortState& s = ports_[i];
  const PortQos& q = qos(i);
  s.port->SetScheduling(q.scheduling);
  if (latency_ > Time{} && !config.chassis) s.port->SetPipeline(latency_);
  s.sender.Setup(ns3::PeekPointer(s.port), config.pfc);
  s.receiver.Setup(ns3::PeekPointer(s.port), config.pfc.response);
  s.receiver.SetQueues(q.pfc_to_queue);
  s.receiver.Honour(q.pfc_enable);
  for (int n = 0; n < kPriorities; ++n) {
    s.priorities[n] = PrioritiesOf(q, n);
    if (!q.ecn[n]) continue;
    s.red[n] =
        std::make_unique<RedMarker>(*q.ecn[n], s.port->rate(), name_ + "/" + name + "/" + std::to_string(n));
    marks_above_ = static_cast<uint16_t>(std::min<int64_t>(marks_above_, s.red[n]->kmin() / 1024));
  }
}

[[gnu::always_inline]] inline void Switch::FindPathByHash(Frame& frame) const {
  frame.egress = Route(frame);
  if (frame.egress == Frame::kNoEgress) return;
  frame.group = group_[frame.priority];
  frame.queue = queue_[frame.priority];
}

uint8_t Switch::QueueOf(uint16_t in, uint16_t out, uint8_t priority) const {
  return uniform_ ? queue_[priority] : maps_[out].queue[maps_[in].tc[priority]];
}

void Switch::FindPath(const Port& port, Frame& frame) {
  came_with_ = frame.priority;
  frame.ingress = port.index();
  if (chooser_) {
    const std::span<const uint16_t> ports = routes_.NextHops(frame.dst);
    frame.egress = ports.empty() ? Frame::kNoEgress : chooser_->Choose(frame, ports);
  } else {
    frame.egress = Route(frame);
  }
  if (frame.egress == Frame::kNoEgress) return;
  frame.group = uniform_ ? group_[frame.priority] : maps_[frame.ingress].group[frame.priority];
  if (dateline_) frame.priority = dateline_->PriorityAfter(frame.ingress, frame.egress, frame.priority);
  frame.queue = QueueOf(frame.ingress, frame.egress, frame.priority);
}

void Switch::Receive(Port& port, Frame* frame) {
  if (++frame->hops > kMaxHops) return Drop(port, frame, {DropReason::ttl});
  if (frame->egress == Frame::kNoEgress) {
    if (usual_) [[likely]]
      FindPathByHash(*frame);
    else
      FindPath(port, *frame);
    if (frame->egress == Frame::kNoEgress) return Drop(port, frame, {DropReason::no_route});
  }
  Port& out = *hot_out_[frame->egress];
  frame->egress = Frame::kNoEgress;

  frame->charge = hot_buffer_->Charge(frame->bytes);
  if (chassis_ && !fabric_->HasRoom(port.index(), frame->charge))
    return DropArriving(port, frame, fabric_->Full(port.index()));
  const SharedBuffer::Place at = PlaceOf(port.index(), out.index(), *frame);
  const auto admission =
      ports_count_ ? hot_buffer_->Admit(at, frame->charge, out.queue(frame->queue).bytes)
                   : hot_buffer_->Admit(at, frame->charge, SharedBuffer::FirstWindow{frame->OfFirstWindow()});
  if (counts_ && admission.admitted) [[unlikely]]
    Count(at, *frame);
  if (admission.signal == SharedBuffer::Signal::xoff && pfc_) {
    CountFromNow(admission.admitted ? frame : nullptr, at);
    SendXoff(port.index(), frame->group);
  }
  if (!admission.admitted) return Refuse(at, frame, admission.reason);
  frame->ingress = port.index();
  frame->ready = EventQueue::Get().now() + latency_;
  if (frame->extension != ExtensionId::none && out.keeps_itineraries()) [[unlikely]]
    out.NoteWaits(*frame);
  if (chassis_) {
    fabric_->Accept(port.index(), out.index(), frame->queue, frame);
  } else {
    out.Enqueue(frame, frame->queue);
  }
  if (check_) Check();
}

int Switch::GroupThatPauses(uint32_t port, int priority) const {
  int found = -1;
  for (int group = 0; group < kPriorities; ++group) {
    if (((ports_[port].priorities[group] >> priority) & 1) == 0) continue;
    if (buffer_->xoff(port, group)) return group;
    if (found < 0) found = group;
  }
  return found;
}

void Switch::SendXoff(uint32_t port, int group) {
  const uint8_t priorities = ports_[port].priorities[group];
  if (priorities == 0) return;
  ports_[port].sender.Xoff(priorities,
                           buffer_->group_used(port, group) + buffer_->group_headroom(port, group));
}

void Switch::Prepare(const Port& port, Frame& frame) const {
  if (!usual_) [[unlikely]]
    return PrepareUnusual(port, frame);
  FindPathByHash(frame);
  if (frame.egress == Frame::kNoEgress) return;
  hot_out_[frame.egress]->Prefetch(frame.queue);
  hot_buffer_->Prefetch(port.index(), frame.group);
}

/// The ports' maps differ, or the path is chosen later.
[[gnu::noinline]] void Switch::PrepareUnusual(const Port& port, Frame& frame) const {
  if (chooser_ || dateline_) return;
  frame.egress = Route(frame);
  if (frame.egress == Frame::kNoEgress) return;
  frame.group = maps_[port.index()].group[frame.priority];
  frame.queue = QueueOf(port.index(), frame.egress, frame.priority);
  hot_out_[frame.egress]->Prefetch(frame.queue);
  hot_buffer_->Prefetch(port.index(), frame.group);
}

[[gnu::always_inline]] inline void Switch::Release(const Port& port, const Frame& frame, int64_t left) {
  const SharedBuffer::Place at = PlaceOf(frame.ingress, port.index(), frame);
  const auto signal =
      ports_count_ ? hot_buffer_->Release(at, frame.charge, left) : hot_buffer_->Release(at, frame.charge);
  if (counts_) contents_.Remove(at, frame.tag, frame.charge);
  if (signal == SharedBuffer::Signal::xon && pfc_) {
    PortState& in = ports_[frame.ingress];
    if (in.priorities[frame.group] != 0) in.sender.Xon(in.priorities[frame.group]);
  }
}

/// A frame leaves the buffer for `port`; `left` bytes wait for the same queue.
[[gnu::always_inline]] inline void Switch::Leave(Port& port, Frame& frame, int64_t left) {
  Release(port, frame, left);
  // Only data frames are ECN-capable, and packets of ns-3 that declare it: no sender reacts to a mark on an
  // ACK, and a CNP must not be marked. Other frames are not dropped, as on switches whose WRED only marks.
  if (left > int64_t{marks_above_} * 1024 && frame.EcnCapable() && !frame.ce) {
    RedMarker* red = ports_[port.index()].red[frame.queue].get();
    if (red != nullptr && red->Marks(left)) {
      port.CountMark(frame);
      frame.ce = true;
    }
  }
  if (check_) Check();
}

void Switch::Dequeued(Port& port, Frame& frame, int64_t left) {
  if (chassis_) return fabric_->Sent(port.index(), frame.queue);
  Leave(port, frame, left);
}

void Switch::Discarded(Port& port, Frame& frame) {
  if (chassis_) return fabric_->Sent(port.index(), frame.queue);
  Release(port, frame, port.queue(frame.queue).bytes);
  if (check_) Check();
}

int64_t Switch::WaitsElsewhere(const Port& port) const {
  int64_t bytes = 0;
  for (int queue = 0; fabric_ != nullptr && queue < kPriorities; ++queue)
    bytes += fabric_->Waiting(port.index(), queue);
  return bytes;
}

void Switch::LeftVirtualQueue(Port& out, Frame& frame, int64_t left) { Leave(out, frame, left); }

void Switch::ReceivePfc(Port& port, const Frame& frame) {
  if (pfc_) ports_[port.index()].receiver.Receive(frame);
}

void Switch::ClearQueueWatermarks(Watermark set) {
  std::vector<int64_t> live;
  for (uint32_t i = 0; i < ports_.size(); ++i) {
    for (int q = 0; q < kPriorities; ++q) live.push_back(PeakNow(i, q));
  }
  queue_watermarks_.Clear(set, live);
  for (PortState& s : ports_) s.port->ResetPeaks();
  if (fabric_) fabric_->ResetPeaks();
}

/// At its ingress port, a frame counts with the priority with which it arrived.
void Switch::DropArriving(Port& port, Frame* frame, const DropCause& cause) {
  if (dateline_) frame->priority = came_with_;
  Drop(port, frame, cause);
}

/// The buffer has not admitted the frame.
void Switch::Refuse(const SharedBuffer::Place& at, Frame* frame, DropReason reason) {
  Port& out = *hot_out_[at.out];
  out.DrawLag();
  const DropCause cause =
      buffer_->CauseOf(reason, at, frame->charge, SharedBuffer::FirstWindow{frame->OfFirstWindow()});
  // Queue losses are reported at the queue's port.
  if (reason == DropReason::egress_limit) return Drop(out, frame, cause);
  DropArriving(*hot_out_[at.in], frame, cause);
}

void Switch::Drop(Port& port, Frame* frame, const DropCause& cause) {
  port.CountDrop(cause, *frame);
  port.pool().Give(frame);
}

void Switch::Check() const {
  if (!buffer_->Consistent() || (fabric_ && !fabric_->Consistent()))
    throw std::logic_error("switch " + name_ + ": the buffer's counters do not add up");
}

}  // namespace headroom
