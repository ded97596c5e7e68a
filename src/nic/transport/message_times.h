// Splits the time of messages of bulk into parts, where it passes: at their queue pair until the packet
// leaves that ends them, then along that packet's way and its ACK's, which an Itinerary brings back.
//
// Every message has a mark up to which its time is accounted for, and each call moves one mark on by what it
// adds to a part. So the parts sum to the whole, whatever happens.
#pragma once

#include <vector>

#include "net/port.h"
#include "nic/transport/message_parts.h"
#include "sim/ring.h"

namespace headroom {

class MessageTimes {
 public:
  /// `hops`: switches on the longest way.
  MessageTimes(FramePool& frames, size_t hops) : frames_(frames), own_(hops) {}
  OwnPackets& own_packets() { return own_; }

  /// A message is posted, behind a registration that takes `registers`.
  void OnPosted(uint32_t message, uint64_t packets, Time now, Time registers);
  /// Its work request is in the NIC only then.
  void OnAvailable(uint32_t message, Time at) { states_[message].available = at; }
  /// A queue pair that had nothing to do has something, not before `earliest`.
  void OnWoken(NodeId host, uint32_t requester, Time now, Time earliest);
  /// How a data frame was made.
  struct Made {
    Time eligible;         ///< not before, for the limiter
    Time piped;            ///< through the transmit pipeline
    bool repeats = false;  ///< it was sent before
  };
  /// It waits for the port behind what its queue pair has made before.
  void OnMade(NodeId host, uint32_t requester, const Made& made);
  /// The frame that this queue pair made last is through the transmit pipeline only then.
  void OnPiped(NodeId host, uint32_t requester, Time ready);
  /// The transmission of the oldest frame that the queue pair has made, or of one that it makes now, starts,
  /// and ends at `end`.
  void OnSent(NodeId host, uint32_t requester, Frame& frame, const Port& port, Time now, Time end);
  void OnSent(NodeId host, uint32_t requester, const Made& made, Frame& frame, const Port& port, Time now,
              Time end);
  /// What the host's queue pairs have made and not sent is gone.
  void OnDropped(NodeId host);
  /// A frame takes effect at the host that it was sent to. Until OnEffectOver it is what ends messages.
  void OnEffect(Frame& frame, Time now);
  void OnEffectOver() { effect_ = nullptr; }
  /// An ACK leaves for the wire, caused by what takes effect: it goes on with that frame's itinerary.
  /// `ready`: when it may be sent.
  void OnAnswer(Frame& answer, Time ready);
  /// What takes effect ends a message at its sender's NIC.
  void OnEnded(uint32_t message, Time now);
  /// The program hears of that.
  void OnCompleted(uint32_t message, Time at);

  /// By message; those of messages that are not complete cover what is accounted for.
  std::vector<MessageParts>& parts() { return parts_; }
  const std::vector<Itinerary::Wait>& waits() const { return waits_; }

 private:
  /// What a message was accounted up to, and what it needs until it is sent.
  struct State {
    Time mark;
    Time available;
    Time registers;
    bool begun = false;     ///< its first frame is sent
    bool closed = false;    ///< its last frame is sent
    bool answered = false;  ///< of a READ: its request took effect, the responses are on
  };
  /// A queue pair's sending half.
  struct Sender {
    Time until;  ///< end of its last transmission
    Time woken, earliest;
    bool went_back = false;  ///< it sends what it has sent before
    Ring<Made> made;         ///< and not sent
  };
  Sender& SenderOf(NodeId host, uint32_t requester);
  void Add(uint32_t message, MessagePart part, Time until);
  void AddWaitForPort(uint32_t message, const Port& port, int queue, Time until);
  void AddSending(uint32_t message, const Sender& sender, const Made& made, const Frame& frame,
                  const Port& port, Time now, Time end);
  void AddFirst(uint32_t message, const Sender& sender, Time now);
  bool Merge(uint32_t message, const Itinerary& itinerary);
  void Keep(uint32_t message, const std::vector<Itinerary::Wait>& waits);

  FramePool& frames_;
  OwnPackets own_;
  Frame* effect_ = nullptr;
  std::vector<MessageParts> parts_;
  std::vector<State> states_;
  std::vector<std::vector<Sender>> senders_;  ///< by host and requester
  std::vector<Itinerary::Wait> waits_;
};

}  // namespace headroom
