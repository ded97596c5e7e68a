// A cable: an ns-3 channel between two ports. It is the only object that knows both ends, and so the place to
// cut a topology.
#pragma once

#include <ns3/channel.h>
#include <ns3/nstime.h>

#include <array>
#include <memory>
#include <vector>

#include "net/frame.h"
#include "net/link_timing.h"
#include "sim/random.h"

namespace headroom {

class Port;

class Link final : public ns3::Channel {
 public:
  static ns3::TypeId GetTypeId();

  /// Joins two ports. `name` seeds the loss streams. Attribute "Delay" is delay + phy, one way.
  void Connect(Port& a, Port& b, const LinkSpec& spec, const std::string& name);

  struct Impairment {
    double loss = 0;
    RandomStream random;
    std::vector<uint64_t> marks;
    size_t next_mark = 0;
    uint64_t mark_every = 0;
    uint64_t data_frames = 0;
  };
  /// One way through the cable: all that a transmission needs, in one cache line.
  struct alignas(64) Direction {
    Port* to = nullptr;
    EventTarget* pfc_target = nullptr;
    uint64_t arrival_order = 0;
    uint64_t pfc_order = 0;
    Time delay;
    Impairment* impairment = nullptr;
  };

  /// Takes a frame whose transmission starts now; it arrives at now + serialization + delay.
  static void Carry(Direction& d, Frame* frame, const LinkTiming::PerSize& timing) {
    if (d.impairment != nullptr) Impair(*d.impairment, *frame);
    EventQueue& queue = EventQueue::Get();
    const Time at = queue.now() + timing.serialization + d.delay;
    if (frame->kind == FrameKind::pfc) {
      queue.Push(timing.arrival, {at, d.pfc_order, d.pfc_target, reinterpret_cast<uint64_t>(frame)});
    } else {
      queue.Push(timing.arrival, {at, d.arrival_order, d.to, reinterpret_cast<uint64_t>(frame)});
    }
  }

  /// From the end `side` on: frames are lost with this probability.
  void SetLoss(int side, double probability);
  /// From the end `side` on: CE on the data frames of these numbers (sorted, counted from 0), and on every
  /// n-th (the numbers n−1, 2n−1, …) if every > 0.
  void SetMarks(int side, std::vector<uint64_t> packets, uint64_t every);

  std::size_t GetNDevices() const override { return 2; }
  ns3::Ptr<ns3::NetDevice> GetDevice(std::size_t i) const override;

 private:
  static void Impair(Impairment& i, Frame& frame);
  Impairment& ImpairmentOf(int side);
  ns3::Time GetDelay() const { return ns3::TimeStep(static_cast<uint64_t>(directions_[0].delay.v)); }

  std::array<Direction, 2> directions_;
  std::array<std::unique_ptr<Impairment>, 2> impairments_;
  std::string name_;
};

}  // namespace headroom
