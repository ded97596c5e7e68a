// A cable: an ns-3 channel between two ports. Only this object knows both ends, so a topology can be cut
// here.
#pragma once

#include <ns3/channel.h>
#include <ns3/nstime.h>

#include <array>
#include <memory>
#include <vector>

#include "net/frame.h"
#include "net/link_spec.h"
#include "net/link_timing.h"
#include "net/traffic_class.h"
#include "sim/random.h"
#include "sim/ring.h"

namespace headroom {

class Port;

class Link final : public ns3::Channel {
 public:
  static ns3::TypeId GetTypeId();

  struct End {
    Port* port = nullptr;  ///< null: this process has no port there, and nothing arrives there
    EntityId entity = 0;   ///< the port's
  };
  /// Joins two ports. `name` seeds the random streams of losses. Attribute "Delay" is delay + phy, one way.
  void Connect(const End& a, const End& b, const LinkSpec& spec, const std::string& name);
  void Connect(Port& a, Port& b, const LinkSpec& spec, const std::string& name);

  /// Possible impairments of frames in one direction of the cable; absent if there are none.
  struct Impairment {
    static constexpr int kUncut = -1;
    int to_part = kUncut;  ///< the part of the network that receives the frames, if the cable is cut
    bool away = false;     ///< another rank receives the frames (sim/parts.h)
    bool impairs = false;  ///< the cable may do more to frames than carry them to another part
    double loss = 0;
    RandomStream random;
    LinkReorder reorder;
    RandomStream reorder_random;
    uint64_t delayable =
        0;  ///< with `reorder`: number of frames, which orders those that arrive at one instant
    struct TimedLoss {
      double probability = 0;
      bool active = false;
      RandomStream random;
    };
    std::vector<TimedLoss> timed;
    bool losing = false;     ///< all frames are lost
    uint8_t discarding = 0;  ///< frames of these queues are lost
    std::array<uint64_t, kPriorities> discarded{};
    struct OnTheWay {
      Time arrives;
      Frame* frame = nullptr;
    };
    bool may_go_down = false;
    Ring<OnTheWay>
        on_the_way;  ///< in the order of transmission, if the link may go down; some frames have arrived
    std::vector<uint64_t> marks;
    size_t next_mark = 0;
    uint64_t mark_every = 0;
    uint64_t data_frames = 0;
  };
  /// One direction of the cable. Contains state that few transmissions need; the port has the rest.
  struct Direction {
    Port* to = nullptr;
    EventTarget* pfc_target = nullptr;
    uint64_t arrival_order = 0;
    uint64_t pfc_order = 0;
    Time delay;
    Impairment* impairment = nullptr;
  };

  /// Takes a frame whose transmission starts now and lasts until `end`. `lane`: for its arrival.
  static void Carry(Direction& d, Frame* frame, Time end, LaneId lane) {
    EventQueue& queue = EventQueue::Get();
    Time at = end + d.delay;
    uint64_t order = d.arrival_order;
    if (d.impairment != nullptr) {
      Impairment& i = *d.impairment;
      if (i.impairs) {
        const Time more = Lag(i, *frame);
        if (more > Time{}) lane = kNoLane;  // a lane holds only events in order
        at += more;
        if (i.reorder.probability > 0) order |= i.delayable++;
        Impair(i, *frame, at);
      }
      if (i.to_part != Impairment::kUncut) return Cross(d, frame, at, order);
    }
    if (frame->kind == FrameKind::pfc) {
      queue.Push(lane, {at, d.pfc_order, d.pfc_target, reinterpret_cast<uint64_t>(frame)});
    } else {
      queue.Push(lane, {at, order, d.to, reinterpret_cast<uint64_t>(frame)});
    }
  }

  /// The ends belong to two parts of the network: `parts` are those of ports a and b.
  void Cut(const std::array<int, 2>& parts);
  /// A frame that another rank sent arrives at the end `side`.
  TimedEvent ArrivalFromAway(int side, Time at, uint64_t order, Frame* frame);
  /// Frames from the end `side` are lost with this probability.
  void SetLoss(int side, double probability);
  /// Frames from the end `side` are delayed at random.
  void SetReorder(int side, const LinkReorder& reorder);
  /// Adds a cause of loss that begins and ends, with random numbers of its own. Returns the number of this
  /// cause.
  size_t AddTimedLoss(int side, double probability);
  void SetTimedLoss(int side, size_t number, bool active) {
    ImpairmentOf(side).timed[number].active = active;
  }
  /// The link may go down, so the frames in flight are recorded from now on.
  void MayGoDown();
  /// The frames in flight, in both directions, do not arrive. REQUIRES: MayGoDown before any traffic.
  void LoseOnTheWay();
  /// Sets whether all frames of this direction are lost.
  void SetLosing(const Direction& d, bool losing) { ImpairmentOf(SideOf(d)).losing = losing; }
  /// For a watchdog: frames of these queues, in this direction of the link, are lost when they leave.
  void SetDiscarding(const Direction& d, uint8_t mask) { ImpairmentOf(SideOf(d)).discarding = mask; }
  uint64_t discarded(const Direction& d, int queue) const {
    return d.impairment != nullptr ? d.impairment->discarded[queue] : 0;
  }
  /// Sets the receiver of the PFC frames that the end `side` sends; null means the port at the far end.
  void SetPfcTarget(int side, EventTarget* target);
  /// Sets CE on data frames from the end `side`: those with these numbers (sorted, counted from 0), and every
  /// n-th (the numbers n−1, 2n−1, …) if every > 0.
  void SetMarks(int side, std::vector<uint64_t> packets, uint64_t every);

  std::size_t GetNDevices() const override { return 2; }
  ns3::Ptr<ns3::NetDevice> GetDevice(std::size_t i) const override;

 private:
  static void NoteOnTheWay(Impairment& i, Frame& frame, Time arrives);
  static void Impair(Impairment& i, Frame& frame, Time arrives);
  static void Cross(const Direction& d, Frame* frame, Time arrives, uint64_t order);
  /// The additional delay of this frame.
  static Time Lag(Impairment& i, const Frame& frame);
  int SideOf(const Direction& d) const { return &d == &directions_[0] ? 0 : 1; }
  Impairment& ImpairmentOf(int side);
  Impairment& ImpairmentAt(int side);
  ns3::Time GetDelay() const { return ns3::TimeStep(static_cast<uint64_t>(directions_[0].delay.v)); }

  std::array<Direction, 2> directions_;
  std::array<std::unique_ptr<Impairment>, 2> impairments_;
  std::string name_;
};

}  // namespace headroom
