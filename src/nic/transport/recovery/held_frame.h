// A frame that came before its turn, without its payload, which is in its place.
#pragma once

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
    frame_.bytes = 0;  // it has been counted
    if (const FrameExtension* e = pool.ExtensionOf(frame)) {
      extension_ = *e;
      extension_->payload.clear();
      extension_->itinerary = nullptr;
    }
  }
  /// Its turn has come.
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

}  // namespace headroom
