// Two ports joined by a cable, with a listener instead of a node at each end. A program has only one of these
// (support/in_child.h).
#pragma once

#include <ns3/nstime.h>
#include <ns3/simulator.h>

#include <functional>
#include <vector>

#include "net/port.h"
#include "sim/simulator.h"

namespace headroom {

inline ns3::Time ToNs3(Time t) { return ns3::TimeStep(static_cast<uint64_t>(t.v)); }

/// Calls `f` at this time, before all other events of that instant.
inline void At(Time time, std::function<void()> f) {
  ns3::Simulator::Schedule(ToNs3(time - EventQueue::Get().now()), [f = std::move(f)] { f(); });
}

/// Continues the simulation up to this time, inclusive except for events of ns-3 and of the model at that
/// very instant.
inline void RunUntil(Time time) {
  ns3::Simulator::Stop(ToNs3(time - EventQueue::Get().now()));
  ns3::Simulator::Run();
}

/// Records the frames that its port delivers.
class Listener final : public PortOwner {
 public:
  struct Arrival {
    Time at;
    uint32_t number = 0;
    uint8_t priority = 0;
    uint32_t bytes = 0;
    bool ce = false;
  };
  struct Pfc {
    Time at;
    uint8_t xoff = 0, xon = 0;
    uint16_t quanta = 0;
    bool operator==(const Pfc&) const = default;
  };

  void Receive(Port& port, Frame* f) override {
    arrivals.push_back({EventQueue::Get().now(), f->psn, f->priority, f->bytes, f->ce});
    port.pool().Give(f);
  }
  void Prepare(const Port&, Frame&) const override {}
  void ReceivePfc(Port& port, const Frame& f) override {
    pfc.push_back({EventQueue::Get().now(), f.pfc.xoff, f.pfc.xon, f.pfc.quanta});
    if (on_pfc) on_pfc(port, f);
  }
  void Dequeued(Port&, Frame&, int64_t bytes_left) override { left.push_back(bytes_left); }

  /// The numbers of the frames, in the order of their arrival.
  std::vector<uint32_t> Numbers() const {
    std::vector<uint32_t> numbers;
    for (const Arrival& a : arrivals) numbers.push_back(a.number);
    return numbers;
  }

  std::vector<Arrival> arrivals;
  std::vector<Pfc> pfc;
  std::vector<int64_t> left;
  std::function<void(Port&, const Frame&)> on_pfc;
};

/// Eight classes of weight 1, none of them strict.
inline TrafficClasses EqualClasses() {
  TrafficClasses classes;
  for (int p = 0; p < kPriorities; ++p) {
    classes[p].name = "p" + std::to_string(p);
    classes[p].priority = static_cast<uint8_t>(p);
  }
  return classes;
}

class Cable {
 public:
  explicit Cable(const LinkSpec& spec, const TrafficClasses& classes = EqualClasses(),
                 const FrameFormat& format = {}, const std::string& name = "a:p0")
      : timing_(spec.rate, spec.delay + spec.phy, format.gap) {
    StartSimulator(1);
    a = ns3::CreateObject<Port>();
    b = ns3::CreateObject<Port>();
    a->Setup(&at_a, &pool, &timing_, format, classes, 0, EventQueue::Get().AddEntity(0));
    b->Setup(&at_b, &pool, &timing_, format, classes, 0, EventQueue::Get().AddEntity(1));
    link = ns3::CreateObject<Link>();
    link->Connect(*a, *b, spec, name);
    Port::InstallHandlers(EventQueue::Get(), *a);
  }
  ~Cable() { ns3::Simulator::Destroy(); }

  /// Adds a data frame to the queue at end a now; it may start at `ready` at the earliest. Frames are
  /// numbered from 0.
  void Send(int priority, uint32_t bytes, Time ready = Time{}, FrameKind kind = FrameKind::data) {
    Frame* f = pool.Take();
    f->kind = kind;
    f->priority = static_cast<uint8_t>(priority);
    f->bytes = f->charge = bytes;
    f->psn = next_++;
    f->ready = ready;
    a->Enqueue(f);
  }

 private:
  LinkTiming timing_;
  uint32_t next_ = 0;

 public:
  FramePool pool;
  Listener at_a, at_b;
  ns3::Ptr<Port> a, b;
  ns3::Ptr<Link> link;
};

}  // namespace headroom
