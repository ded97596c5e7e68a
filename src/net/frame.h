// A frame in flight: a small pooled struct. Headers are only counted in bytes; nothing is serialized on the
// hot path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "net/frame_extension.h"
#include "net/frame_kind.h"
#include "net/identifiers.h"
#include "sim/units.h"

namespace headroom {

/// Flags of a data frame. One byte, of which a bit is free: it serves a frame that a switch has trimmed.
struct DataFlags {
  bool first : 1, last : 1;  ///< first, last frame of its message
  bool solicited : 1;        ///< asks for an event at its completion
  bool of_several : 1;       ///< if itineraries are kept: its message has several packets
  bool first_window : 1;     ///< set only if a buffer policy needs it (OfFirstWindow)
  bool reads_acks : 1;       ///< its sender's congestion control reads ACKs, not CNPs
  bool balanced : 1;         ///< its sender chose its source port for it alone
  uint8_t : 1;
};
/// Flags of an ACK or a NAK.
struct AckFlags {
  bool echoes_mark : 1;  ///< a marked packet caused it (NpParameters::Coalescing::ack_flag)
  bool path_marked : 1;  ///< the balanced packet that caused it had a mark; it has the packet's source port
};
/// Flags of a packet of ns-3.
struct ForeignFlags {
  bool ect : 1;           ///< ECN-capable according to its IP header
  bool first_window : 1;  ///< as for data
};
/// Flags of a request and its answer.
struct CreditFlags {
  bool credits : 1;  ///< it is about credits, not about a context
};
static_assert(sizeof(DataFlags) == 1);

/// One cache line. It contains everything that crosses a link. It has no pointer into another node. Members
/// of a union belong to different kinds of frames, or to phases that do not overlap: the code that begins a
/// phase sets its member.
///
/// Free are a flag of data, all but one or two of the other kinds, and the highest bit of `hops`. A sender
/// that chooses a path for each packet (nic/transport/balancing.h) sets its entropy in `source_port`, and
/// `flow_hash` from it.
struct alignas(64) Frame {
  constexpr Frame() {}    // NOLINT: a union of times has no default constructor
  Frame* next = nullptr;  ///< in a queue or in the pool's free list
  union {
    Time ready{};       ///< ahead of a queue and at its tail: the earliest time at which the frame may leave
    Time ready_behind;  ///< in a queue, with a frame behind: the `ready` of that frame (FrameFifo)
    Time came;          ///< in a receiving NIC with resources: the arrival of its last bit
  };
  uint16_t bytes = 0;        ///< with FCS, without preamble and gap: the size that buffers count
  uint16_t source_port = 0;  ///< UDP source port, the entropy in `flow_hash`; foreign: 0
  FrameKind kind : 3 = FrameKind::data;
  bool ce : 1 = false;       ///< ECN: congestion experienced
  bool lost : 1 = false;     ///< on a link: will not arrive
  uint8_t priority : 3 = 0;  ///< the number of its traffic class
  uint8_t tag = 0;           ///< set by the sender; a switch counts by it but does not interpret it
  union {                    ///< flags by kind; those of the other kinds are false
    DataFlags data{};
    AckFlags ack;
    ForeignFlags foreign;
    CreditFlags about;
  };
  union {
    uint8_t opcode = 0;  ///< data, ack, cnp: opcode of the BTH (net/opcode.h); ask for a context: opcode of
                         ///< its message as if in one packet
    uint8_t syndrome;    ///< nak, grant of a context: syndrome of the AETH
  };
  uint16_t ingress = 0;         ///< in a switch: the port at which it arrived
  uint16_t egress = kNoEgress;  ///< on arrival at a switch: the port by which it will leave, once computed;
                                ///< group and queue are then set, too
  static constexpr uint16_t kNoEgress = UINT16_MAX;
  NodeId src = 0, dst = 0;  ///< hosts
  uint32_t flow_hash = 0;   ///< hash of the five-tuple
  uint32_t qp = 0;          ///< queue pair at the destination; `named_by_sender`: at the source
  union {
    uint32_t psn = 0;  ///< The low bits of a PSN. data: its own; ack: the last one received; nak: the one
                       ///< expected; ask, grant: the first of its message; credits: their number so far
    uint32_t pauses_begun;  ///< pfc: number of pauses that its sender has begun (PauseChange::number)
  };
  union {
    uint32_t message = 0;  ///< data, ask: number of the message record
    uint32_t executed;     ///< ack, nak, grant: number of messages that the responder has executed
    struct {
      uint8_t xoff, xon;  ///< priorities to pause, to resume
      uint16_t quanta;
    } pfc;
  };
  union {
    uint32_t charge =
        0;  ///< the size that the queues of its node count: `bytes`; in a switch rounded up to cells
    uint32_t looped_by;  ///< from the transmit pipeline of a NIC to its own receive pipeline: the requester
    uint32_t landing;    ///< behind the receive pipeline of a NIC: time to memory, in ps
  };
  ExtensionId extension{};           ///< optional contents; most frames have none
  uint8_t hops = 0;                  ///< number of switches passed
  uint8_t group : 3 = 0;             ///< in a switch: its priority group at the ingress port
  bool discarded : 1 = false;        ///< lost, because a watchdog at its sender drops it
  bool named_by_sender : 1 = false;  ///< `qp` is the number of the queue pair at the sender
  uint8_t queue : 3 = 0;             ///< at a port: the queue that holds it, or that it left
  uint16_t generation = 0;  ///< data, ask: number of restarts of its queue pair; others: that number of the
                            ///< frame that caused them

  /// Whether the frame was sent before its sender could learn of congestion.
  bool OfFirstWindow() const {
    return kind == FrameKind::data ? data.first_window : kind == FrameKind::foreign && foreign.first_window;
  }
  /// Whether a switch may mark the frame. Data always permit it.
  bool EcnCapable() const { return kind == FrameKind::data || (kind == FrameKind::foreign && foreign.ect); }
};
static_assert(sizeof(Frame) == 64);

/// All frames of a run. Memory grows in blocks to the largest number of frames in use at the same time, and
/// is then reused.
class FramePool {
 public:
  [[gnu::always_inline]] Frame* Take() {
    ++in_use_;
    return TakeCrossing();
  }
  /// The same for a frame that crosses, which is counted elsewhere (Parts::CountCrossing).
  [[gnu::always_inline]] Frame* TakeCrossing() {
    if (free_ == nullptr) Grow();
    Frame* f = free_;
    free_ = f->next;
    *f = Frame{};
    return f;
  }
  [[gnu::always_inline]] void GiveCrossing(Frame* f) {
    if (f->extension != ExtensionId::none) Detach(*f);
    f->bytes = 0;
    f->next = free_;
    free_ = f;
  }
  void Give(Frame* f) {
    GiveCrossing(f);
    if (--in_use_ == 0 && on_empty_ != nullptr) on_empty_(on_empty_arg_);
  }
  /// Adds an empty extension to a frame. REQUIRES: the frame has no extension yet.
  FrameExtension& Attach(Frame& f) {
    f.extension = extensions_.Take();
    FrameExtension& e = extensions_[f.extension];
    e.bare = false;
    return e;
  }
  /// Returns the frame's extension; creates it if there is none.
  FrameExtension& Extend(Frame& f) {
    if (f.extension == ExtensionId::none) return Attach(f);
    FrameExtension& e = extensions_[f.extension];
    e.bare = false;
    return e;
  }
  /// Returns null if the frame has no extension.
  const FrameExtension* ExtensionOf(const Frame& f) const {
    return f.extension == ExtensionId::none ? nullptr : &extensions_[f.extension];
  }
  FrameExtension* ExtensionOf(Frame& f) {
    return f.extension == ExtensionId::none ? nullptr : &extensions_[f.extension];
  }
  /// Returns null if the frame's time is not recorded.
  Itinerary* ItineraryOf(const Frame& f) {
    return f.extension == ExtensionId::none ? nullptr : extensions_[f.extension].itinerary;
  }
  /// Adds an empty itinerary to the frame. REQUIRES: the frame has none.
  Itinerary& BeginItinerary(Frame& f) { return *(ExtendBare(f).itinerary = extensions_.TakeItinerary()); }
  /// Moves the itinerary of one frame, if it has one, to another frame.
  void PassItinerary(Frame& from, Frame& to) {
    if (Itinerary* i = ItineraryOf(from)) {
      extensions_[from.extension].itinerary = nullptr;
      ExtendBare(to).itinerary = i;
    }
  }
  /// Returns null if its sender's congestion control requests no feedback.
  Feedback* FeedbackOf(const Frame& f) {
    if (f.extension == ExtensionId::none) return nullptr;
    FrameExtension& e = extensions_[f.extension];
    return e.has_feedback ? &e.feedback : nullptr;
  }
  /// From now on the frame collects feedback, with room for `room` records of this kind. REQUIRES: the frame
  /// has no feedback yet.
  Feedback& BeginFeedback(Frame& f, int room, uint8_t kind) {
    FrameExtension& e = ExtendBare(f);
    e.has_feedback = true;
    e.feedback.records = room > 0 ? extensions_.TakeRecords() : nullptr;
    e.feedback.room = static_cast<uint8_t>(room);
    e.feedback.count = 0;
    e.feedback.kind = kind;
    return e.feedback;
  }
  /// Moves the feedback of one frame to another. REQUIRES: the frame has feedback.
  Feedback& PassFeedback(Frame& from, Frame& to) {
    FrameExtension& e = ExtendBare(to);
    e.has_feedback = std::exchange(extensions_[from.extension].has_feedback, false);
    return e.feedback = std::exchange(extensions_[from.extension].feedback, {});
  }
  /// Captures write the bytes of frames: from now on frames also carry the fields that only captures read.
  void SetCaptured() { captured_ = true; }
  bool captured() const { return captured_; }
  uint64_t in_use() const { return in_use_; }
  /// The number of frames in use, which each part of the network counts separately (sim/parts.h).
  uint64_t& counter() { return in_use_; }
  /// Bytes of the frames in use, except PFC frames.
  uint64_t BytesInUse() const {
    uint64_t sum = 0;
    for (const auto& block : blocks_) {
      for (size_t i = 0; i < kBlock; ++i) {
        if (block[i].kind != FrameKind::pfc) sum += block[i].bytes;
      }
    }
    return sum;
  }
  /// Releases the memory. No frame may be used afterwards, no matter who still has a pointer to it.
  void Clear() {
    blocks_.clear();
    extensions_.Clear();
    free_ = nullptr;
    in_use_ = 0;
  }
  /// Sets a function that is called whenever the last frame in use is freed.
  void SetOnEmpty(void (*f)(void*), void* arg) { on_empty_ = f, on_empty_arg_ = arg; }

 private:
  /// An extension for members in its first cache line only.
  FrameExtension& ExtendBare(Frame& f) {
    if (f.extension != ExtensionId::none) return extensions_[f.extension];
    f.extension = extensions_.Take();
    FrameExtension& e = extensions_[f.extension];
    e.bare = true;
    return e;
  }
  void Detach(Frame& f) {
    extensions_.Give(f.extension);
    f.extension = ExtensionId::none;
  }
  [[gnu::noinline]] void Grow() {
    blocks_.push_back(std::make_unique<Frame[]>(kBlock));
    for (size_t i = kBlock; i-- > 0;) {
      blocks_.back()[i].next = free_;
      free_ = &blocks_.back()[i];
    }
  }
  static constexpr size_t kBlock = 1024;
  Frame* free_ = nullptr;
  uint64_t in_use_ = 0;
  bool captured_ = false;
  void (*on_empty_)(void*) = nullptr;
  void* on_empty_arg_ = nullptr;
  std::vector<std::unique_ptr<Frame[]>> blocks_;
  FrameExtensions extensions_;
};

/// A queue of frames, each linked to the next. A waiting frame holds the `ready` of the frame behind it, so
/// the queue can be checked without touching a frame that has long left the cache.
struct FrameFifo {
  Frame* head = nullptr;
  Frame* tail = nullptr;
  int64_t bytes = 0;  ///< in the unit of buffers: rounded up to cells if the node has cells
  Time head_ready;    ///< valid unless empty

  bool Empty() const { return head == nullptr; }
  void Append(Frame* f) {
    f->next = nullptr;
    if (head == nullptr) {
      head = f;
      head_ready = f->ready;
    } else {
      tail->next = f;
      tail->ready_behind = f->ready;
    }
    tail = f;
    bytes += f->charge;
  }
  Frame* Pop() {
    Frame* f = head;
    head = f->next;
    head_ready = f->ready_behind;
    bytes -= f->charge;
    __builtin_prefetch(head);
    return f;
  }
};

}  // namespace headroom
