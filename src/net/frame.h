// A frame on its way: a small pooled struct. Header bytes exist as numbers; nothing is serialized on the hot
// path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "net/frame_extension.h"
#include "net/identifiers.h"
#include "sim/units.h"

namespace headroom {

enum class FrameKind : uint8_t {
  data,
  ack,
  nak,
  cnp,
  pfc,
  foreign,  ///< carries a packet of ns-3's, in its extension
  ask,      ///< asks the receiver of a message for a context, or (kCreditAskOpcode) for credits
  grant     ///< the answer to it; kCreditOpcode: a credit
};

/// One cache line. Everything that crosses a link is in here. There is no pointer into another node. A field
/// means the same wherever it is set. Members of a union belong to different kinds of frames, or to phases
/// that do not overlap: whoever begins a phase sets its member.
struct alignas(64) Frame {
  constexpr Frame() {}    // NOLINT: a union of times has no default constructor
  Frame* next = nullptr;  ///< in a queue or in the pool's free list
  union {
    Time ready{};       ///< ahead of a queue and at its tail: the frame does not leave before this
    Time ready_behind;  ///< in a queue, with a frame behind: that frame's `ready` (FrameFifo)
    Time came;          ///< in a receiving NIC with resources: its last bit was in
  };
  uint16_t bytes = 0;        ///< with FCS, without preamble and gap: what buffers count
  uint16_t source_port = 0;  ///< of its UDP header, part of `flow_hash`; foreign: 0
  FrameKind kind : 3 = FrameKind::data;
  bool of_several : 1 = false;  ///< data: not its message's only one, where itineraries are kept
  uint8_t priority : 4 = 0;     ///< of its traffic class
  uint8_t tag = 0;              ///< set by the sender; a switch counts by it and reads no meaning in it
  bool ce : 1 = false;          ///< ECN: congestion experienced
  bool first : 1 = false;       ///< data: of its message
  bool last : 1 = false;        ///< data: of its message
  bool echo : 1 = false;        ///< ack: a marked packet caused it (NpParameters::Coalescing::ack_flag);
                                ///< data, foreign: of its sender's first window (OfFirstWindow)
  bool lost : 1 = false;        ///< on a link: does not survive it
  bool discarded : 1 = false;   ///< lost, because a watchdog at its sender drops it
  bool solicited : 1 = false;   ///< data: asks for an event at its completion
  bool ect : 1 = false;         ///< foreign: ECN-capable, as its IP header says (data always is);
                                ///< data: its sender's congestion control reads ACKs, not CNPs
  union {
    uint8_t opcode = 0;  ///< data, ack, cnp: of the BTH (net/opcode.h); ask: of its message, in one packet
    uint8_t syndrome;    ///< nak, grant: of its AETH; of a credit its opcode
  };
  uint16_t ingress = 0;         ///< in a switch: the port it came in by
  uint16_t egress = kNoEgress;  ///< on the way into a switch: the port it will leave by, once that is worked
                                ///< out; then group and queue are too
  static constexpr uint16_t kNoEgress = UINT16_MAX;
  NodeId src = 0, dst = 0;  ///< hosts
  uint32_t flow_hash = 0;   ///< of the five-tuple
  uint32_t qp = 0;          ///< at the destination; `named_by_sender`: at the source
  union {
    uint32_t psn = 0;       ///< low bits. data: its own; ack: the last one received; nak: the one expected;
                            ///< ask, grant: the first of its message; of credits their number so far
    uint32_t pauses_begun;  ///< pfc: by its sender so far (PauseChange::number)
  };
  union {
    uint32_t message = 0;  ///< data, ask: the record it belongs to
    uint32_t executed;     ///< ack, nak, grant: messages that the responder has executed
    struct {
      uint8_t xoff, xon;  ///< priorities to pause, to resume
      uint16_t quanta;
    } pfc;
  };
  union {
    uint32_t charge = 0;  ///< what the queues of its node count: `bytes`; in a switch rounded up to cells
    uint32_t looped_by;   ///< from the transmit pipeline of a NIC to its receive pipeline: its requester
    uint32_t landing;     ///< behind the receive pipeline of a NIC: time to memory, in ps
  };
  ExtensionId extension{};           ///< further contents; most frames have none
  uint8_t hops = 0;                  ///< switches passed
  uint8_t group : 3 = 0;             ///< in a switch: its priority group at the port it came in by
  uint8_t queue : 4 = 0;             ///< at a port: the queue it is in, or left by
  bool named_by_sender : 1 = false;  ///< `qp` is the number of its queue pair at the sender
  uint16_t generation = 0;  ///< data, ask: number of restarts of its queue pair; others: that of their cause

  /// Sent before its sender could hear of congestion; known where a buffer policy asks.
  bool OfFirstWindow() const { return echo && (kind == FrameKind::data || kind == FrameKind::foreign); }
  void SetOfFirstWindow() { echo = true; }
};
static_assert(sizeof(Frame) == 64);

/// All frames of a run. Memory grows in blocks to the most that were alive at once, and is then reused.
class FramePool {
 public:
  [[gnu::always_inline]] Frame* Take() {
    if (free_ == nullptr) Grow();
    Frame* f = free_;
    free_ = f->next;
    ++in_use_;
    *f = Frame{};
    return f;
  }
  void Give(Frame* f) {
    if (f->extension != ExtensionId::none) Detach(*f);
    f->bytes = 0;
    f->next = free_;
    free_ = f;
    if (--in_use_ == 0 && on_empty_ != nullptr) on_empty_(on_empty_arg_);
  }
  /// A frame's contents beside its fields, empty at first. REQUIRES: the frame has nothing yet.
  FrameExtension& Attach(Frame& f) {
    f.extension = extensions_.Take();
    FrameExtension& e = extensions_[f.extension];
    e.bare = false;
    return e;
  }
  /// The same, or what it has.
  FrameExtension& Extend(Frame& f) {
    if (f.extension == ExtensionId::none) return Attach(f);
    FrameExtension& e = extensions_[f.extension];
    e.bare = false;
    return e;
  }
  /// Null: nothing.
  const FrameExtension* ExtensionOf(const Frame& f) const {
    return f.extension == ExtensionId::none ? nullptr : &extensions_[f.extension];
  }
  /// Null: its time is not followed.
  Itinerary* ItineraryOf(const Frame& f) {
    return f.extension == ExtensionId::none ? nullptr : extensions_[f.extension].itinerary;
  }
  /// From now on it has one, empty. REQUIRES: it has none.
  Itinerary& BeginItinerary(Frame& f) { return *(ExtendBare(f).itinerary = extensions_.TakeItinerary()); }
  /// The itinerary of a frame, if it has one, is another's.
  void PassItinerary(Frame& from, Frame& to) {
    if (Itinerary* i = ItineraryOf(from)) {
      extensions_[from.extension].itinerary = nullptr;
      ExtendBare(to).itinerary = i;
    }
  }
  /// Null: its sender's congestion control requests none.
  Feedback* FeedbackOf(const Frame& f) {
    if (f.extension == ExtensionId::none) return nullptr;
    FrameExtension& e = extensions_[f.extension];
    return e.has_feedback ? &e.feedback : nullptr;
  }
  /// From now on it gathers some, with room for so many records. REQUIRES: it does not yet.
  Feedback& BeginFeedback(Frame& f, int room) {
    FrameExtension& e = ExtendBare(f);
    e.has_feedback = true;
    e.feedback.records = room > 0 ? extensions_.TakeRecords() : nullptr;
    e.feedback.room = static_cast<uint8_t>(room);
    e.feedback.count = 0;
    return e.feedback;
  }
  /// What a frame has gathered is another's. REQUIRES: it has gathered some.
  Feedback& PassFeedback(Frame& from, Frame& to) {
    FrameExtension& e = ExtendBare(to);
    e.has_feedback = std::exchange(extensions_[from.extension].has_feedback, false);
    return e.feedback = std::exchange(extensions_[from.extension].feedback, {});
  }
  /// Captures make bytes of frames: from now on frames carry fields that only captures read, too.
  void SetCaptured() { captured_ = true; }
  bool captured() const { return captured_; }
  size_t in_use() const { return in_use_; }
  /// Bytes of the frames that are alive, PFC frames apart.
  uint64_t BytesInUse() const {
    uint64_t sum = 0;
    for (const auto& block : blocks_) {
      for (size_t i = 0; i < kBlock; ++i) {
        if (block[i].kind != FrameKind::pfc) sum += block[i].bytes;
      }
    }
    return sum;
  }
  /// Gives the memory back. No frame may be touched any more, whoever still holds it.
  void Clear() {
    blocks_.clear();
    extensions_.Clear();
    free_ = nullptr;
    in_use_ = 0;
  }
  /// Called whenever the last frame in use dies.
  void SetOnEmpty(void (*f)(void*), void* arg) { on_empty_ = f, on_empty_arg_ = arg; }

 private:
  /// For what its first cache line has room for.
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
  size_t in_use_ = 0;
  bool captured_ = false;
  void (*on_empty_)(void*) = nullptr;
  void* on_empty_arg_ = nullptr;
  std::vector<std::unique_ptr<Frame[]>> blocks_;
  FrameExtensions extensions_;
};

/// A queue of frames linked through themselves. A frame that waits holds the `ready` of the frame behind it,
/// so a look at the queue does not touch a frame that has long left the cache.
struct FrameFifo {
  Frame* head = nullptr;
  Frame* tail = nullptr;
  int64_t bytes = 0;  ///< as buffers count them: rounded up to cells where the node has cells
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
