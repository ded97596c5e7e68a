// A frame that arrived before its turn, without its payload, which is already in its place.
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "nic/transport/responder.h"

namespace headroom {

class HeldFrame {
 public:
  HeldFrame() = default;
  HeldFrame(const FramePool& pool, const Frame& frame) : frame_(frame) {
    frame_.next = nullptr;
    frame_.extension = ExtensionId::none;
    frame_.bytes = 0;  // the frame has been counted
    if (const FrameExtension* e = pool.ExtensionOf(frame)) {
      extension_ = *e;
      extension_->payload.clear();
      extension_->itinerary = nullptr;
      extension_->has_feedback = false;
      extension_->feedback = {};
    }
  }
  /// The frame's turn has come.
  Responder::Taken Take(Responder& s) {
    FramePool& pool = s.nic().pool();
    Frame* const frame = pool.Take();
    *frame = frame_;
    if (extension_) pool.Attach(*frame) = std::move(*extension_);
    const Responder::Taken taken = s.Take(*frame, true);
    pool.Give(frame);
    return taken;
  }

 private:
  Frame frame_;
  std::optional<FrameExtension> extension_;
};

/// Keys are PSNs.
using HeldFrames = std::map<uint64_t, HeldFrame>;

/// Takes the first held frame if its PSN is the expected one, else returns none. Frames with an older PSN are
/// dropped.
inline std::optional<Responder::Taken> TakeHeld(HeldFrames& held, Responder& s) {
  while (!held.empty() && held.begin()->first <= s.expected_psn) {
    auto next = held.extract(held.begin());
    if (next.key() == s.expected_psn) return next.mapped().Take(s);
  }
  return std::nullopt;
}

}  // namespace headroom
