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

void Switch::AddPort(ns3::Ptr<Port> port) {
  AddDevice(port);
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
  routes_ = routes;
  ecmp_seed_ = EcmpSeed(config.name);
  buffer_ = ns3::CreateObject<SharedBuffer>();
  hot_buffer_ = ns3::PeekPointer(buffer_);
  try {
    buffer_->Setup(buffer, buffer_ports, classes);
  } catch (const std::invalid_argument& e) {
    throw std::invalid_argument("switch " + name_ + ": " + e.what());
  }
  red_floor_.fill(INT64_MAX);
  for (uint32_t i = 0; i < ports_.size(); ++i) {
    PortState& s = ports_[i];
    s.sender.Setup(ns3::PeekPointer(s.port), config.pfc);
    if (latency_ > Time{}) s.port->SetPipeline(latency_);
    s.receiver.Setup(ns3::PeekPointer(s.port), config.pfc.response);
    for (int p = 0; p < kPriorities; ++p) {
      if (!config.ecn[p]) continue;
      s.red[p] = std::make_unique<RedMarker>(*config.ecn[p], s.port->rate(),
                                             name_ + "/" + buffer_ports[i].name + "/" + std::to_string(p));
      red_floor_[p] = std::min(red_floor_[p], s.red[p]->kmin());
    }
  }
}

void Switch::Receive(Port& port, Frame* frame) {
  if (++frame->hops > kMaxHops) return Drop(port, frame, DropReason::ttl);
  const uint16_t egress = frame->egress != Frame::kNoEgress ? frame->egress : Route(*frame);
  frame->egress = Frame::kNoEgress;
  if (egress == Frame::kNoEgress) return Drop(port, frame, DropReason::no_route);
  Port& out = *out_[egress];

  frame->charge = hot_buffer_->Charge(frame->bytes);
  const auto admission = hot_buffer_->Admit(port.index(), out.index(), frame->priority, frame->charge);
  if (admission.signal == SharedBuffer::Signal::xoff && pfc_) {
    ports_[port.index()].sender.Xoff(frame->priority,
                                     hot_buffer_->group_used(port.index(), frame->priority) +
                                         hot_buffer_->group_headroom(port.index(), frame->priority));
  }
  if (!admission.admitted) {
    // Who asks why a queue loses frames looks at the queue's port.
    Port& at = admission.reason == DropReason::egress_limit ? out : port;
    return Drop(at, frame, admission.reason);
  }
  frame->ingress = port.index();
  frame->ready = EventQueue::Get().now() + latency_;
  out.Enqueue(frame);
  if (check_) Check();
}

void Switch::Prepare(const Port& port, Frame& frame) const {
  frame.egress = Route(frame);
  if (frame.egress == Frame::kNoEgress) return;
  out_[frame.egress]->Prefetch(frame.priority);
  hot_buffer_->Prefetch(port.index(), frame.egress, frame.priority);
}

void Switch::Dequeued(Port& port, Frame& frame, int64_t left) {
  const auto signal = hot_buffer_->Release(frame.ingress, port.index(), frame.priority, frame.charge);
  if (signal == SharedBuffer::Signal::xon && pfc_) ports_[frame.ingress].sender.Xon(frame.priority);
  // Only data frames are ECN-capable: nothing reacts to a mark on an ACK, and a CNP is not to be marked.
  if (left > red_floor_[frame.priority] && frame.kind == FrameKind::data && !frame.ce) {
    RedMarker* red = ports_[port.index()].red[frame.priority].get();
    if (red->Marks(left)) {
      port.CountMark(frame);
      frame.ce = true;
    }
  }
  if (check_) Check();
}

void Switch::ReceivePfc(Port& port, const Frame& frame) {
  if (pfc_) ports_[port.index()].receiver.Receive(frame);
}

void Switch::Drop(Port& port, Frame* frame, DropReason reason) {
  port.CountDrop(reason, *frame);
  port.pool().Give(frame);
}

void Switch::Check() const {
  if (!buffer_->Consistent())
    throw std::logic_error("switch " + name_ + ": the buffer's counters do not add up");
}

}  // namespace headroom
