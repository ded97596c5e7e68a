#include "net/link.h"

#include <algorithm>

#include "net/port.h"
#include "sim/parts.h"

namespace headroom {

NS_OBJECT_ENSURE_REGISTERED(Link);

ns3::TypeId Link::GetTypeId() {
  static ns3::TypeId tid =
      ns3::TypeId("headroom::Link")
          .SetParent<ns3::Channel>()
          .SetGroupName("Headroom")
          .AddConstructor<Link>()
          .AddAttribute("Delay",
                        "One-way delay from the last bit out to the last bit in: propagation and PHY.",
                        ns3::TypeId::ATTR_GET, ns3::TimeValue(ns3::TimeStep(0)),
                        ns3::MakeTimeAccessor(&Link::GetDelay), ns3::MakeTimeChecker());
  return tid;
}

void Link::Connect(const End& a, const End& b, const LinkSpec& spec, const std::string& name) {
  name_ = name;
  const std::array<End, 2> ends = {a, b};
  for (int side = 0; side < 2; ++side) {
    const End& to = ends[1 - side];
    directions_[side].to = to.port;
    directions_[side].pfc_target = to.port;
    directions_[side].arrival_order = TimedEvent::Order(EventClass::arrival, to.entity);
    directions_[side].pfc_order = TimedEvent::Order(EventClass::pfc, to.entity);
    directions_[side].delay = spec.delay + spec.phy;
    if (ends[side].port != nullptr) ends[side].port->Attach(this, &directions_[side], to.entity);
  }
  for (int side = 0; side < 2 && spec.loss > 0; ++side) SetLoss(side, spec.loss);
  for (int side = 0; side < 2 && spec.reorder.probability > 0; ++side) SetReorder(side, spec.reorder);
}

void Link::Connect(Port& a, Port& b, const LinkSpec& spec, const std::string& name) {
  Connect(End{&a, a.entity()}, End{&b, b.entity()}, spec, name);
}

Link::Impairment& Link::ImpairmentOf(int side) {
  Impairment& i = ImpairmentAt(side);
  if (!i.impairs) i.random = RandomStream(name_ + "/" + std::to_string(side) + "/loss");
  i.impairs = true;
  return i;
}

/// Returns the direction's impairment, which may have no effect yet.
Link::Impairment& Link::ImpairmentAt(int side) {
  if (!impairments_[side]) {
    impairments_[side] = std::make_unique<Impairment>();
    directions_[side].impairment = impairments_[side].get();
    if (Port* from = directions_[1 - side].to; from != nullptr) from->ShowLinkFrames();
  }
  return *impairments_[side];
}

void Link::Cut(const std::array<int, 2>& parts) {
  for (int side = 0; side < 2; ++side) {
    Impairment& i = ImpairmentAt(side);
    i.to_part = parts[1 - static_cast<size_t>(side)];
    i.away = !Parts::Get().Here(i.to_part);
  }
}

TimedEvent Link::ArrivalFromAway(int side, Time at, uint64_t order, Frame* frame) {
  const Direction& d = directions_[1 - side];
  const bool pfc = frame->kind == FrameKind::pfc;
  if (d.impairment->may_go_down) NoteOnTheWay(*d.impairment, *frame, at);
  return {at, order, pfc ? static_cast<void*>(d.pfc_target) : d.to, reinterpret_cast<uint64_t>(frame)};
}

/// From now on the frame belongs to the other part.
void Link::Cross(const Direction& d, Frame* frame, Time arrives, uint64_t order) {
  const bool pfc = frame->kind == FrameKind::pfc;
  const TimedEvent arrival{arrives, pfc ? d.pfc_order : order, pfc ? static_cast<void*>(d.pfc_target) : d.to,
                           reinterpret_cast<uint64_t>(frame)};
  Parts::Get().Send(d.impairment->to_part, arrival);
}

void Link::SetLoss(int side, double probability) {
  // A second cause of loss on one link is independent of the first.
  Impairment& i = ImpairmentOf(side);
  i.loss = 1 - (1 - i.loss) * (1 - probability);
}

void Link::SetReorder(int side, const LinkReorder& reorder) {
  Impairment& i = ImpairmentOf(side);
  i.reorder = reorder;
  i.reorder_random = RandomStream(name_ + "/" + std::to_string(side) + "/reorder");
}

void Link::SetMarks(int side, std::vector<uint64_t> packets, uint64_t every) {
  Impairment& i = ImpairmentOf(side);
  i.marks.insert(i.marks.end(), packets.begin(), packets.end());
  std::sort(i.marks.begin(), i.marks.end());
  if (every > 0) i.mark_every = every;
}

size_t Link::AddTimedLoss(int side, double probability) {
  std::vector<Impairment::TimedLoss>& timed = ImpairmentOf(side).timed;
  const std::string name = name_ + "/" + std::to_string(side) + "/loss/" + std::to_string(timed.size());
  timed.push_back({probability, false, RandomStream(name)});
  return timed.size() - 1;
}

void Link::MayGoDown() {
  for (int side = 0; side < 2; ++side) ImpairmentOf(side).may_go_down = true;
}

void Link::LoseOnTheWay() {
  const Time now = EventQueue::Get().now();
  for (int side = 0; side < 2; ++side) {
    auto& on_the_way = ImpairmentOf(side).on_the_way;
    for (; !on_the_way.Empty(); on_the_way.PopFront()) {
      if (on_the_way.Front().arrives >= now) on_the_way.Front().frame->lost = true;
    }
  }
}

void Link::SetPfcTarget(int side, EventTarget* target) {
  directions_[side].pfc_target = target != nullptr ? target : directions_[side].to;
}

Time Link::Lag(Impairment& i, const Frame& frame) {
  if (i.reorder.probability <= 0 || frame.kind == FrameKind::pfc) return {};
  if (i.reorder_random.Uniform() >= i.reorder.probability) return {};
  const int64_t span = (i.reorder.most - i.reorder.least).v + 1;
  return i.reorder.least + Time(static_cast<int64_t>(i.reorder_random.Uniform() * static_cast<double>(span)));
}

void Link::Impair(Impairment& i, Frame& frame, Time arrives) {
  if (frame.kind == FrameKind::data) {
    const uint64_t number = i.data_frames++;
    while (i.next_mark < i.marks.size() && i.marks[i.next_mark] < number) ++i.next_mark;
    if (i.next_mark < i.marks.size() && i.marks[i.next_mark] == number) frame.ce = true;
    if (i.mark_every > 0 && (number + 1) % i.mark_every == 0) frame.ce = true;
  }
  if (i.loss > 0 && i.random.Uniform() < i.loss) frame.lost = true;
  for (Impairment::TimedLoss& t : i.timed) {
    if (t.active && t.random.Uniform() < t.probability) frame.lost = true;
  }
  if (i.losing) frame.lost = true;
  if (((i.discarding >> frame.queue) & 1) != 0 && frame.kind != FrameKind::pfc) {
    frame.lost = frame.discarded = true;
    ++i.discarded[frame.queue];
  }
  if (i.may_go_down && !i.away) NoteOnTheWay(i, frame, arrives);
}

/// For LoseOnTheWay, on the rank that receives the frame.
void Link::NoteOnTheWay(Impairment& i, Frame& frame, Time arrives) {
  const Time now = EventQueue::Get().now();
  while (!i.on_the_way.Empty() && i.on_the_way.Front().arrives < now) i.on_the_way.PopFront();
  i.on_the_way.PushBack({arrives, &frame});
}

ns3::Ptr<ns3::NetDevice> Link::GetDevice(std::size_t i) const { return directions_[1 - i].to; }

}  // namespace headroom
