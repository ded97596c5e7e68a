// Frames that arrive late, or twice: a test takes one from its link, and gives its copy to the receiver.
#pragma once

#include "nic/nic.h"
#include "support/cable.h"

namespace headroom {

inline Frame* CopyOf(FramePool& pool, const Frame& frame) {
  Frame* const copy = pool.Take();
  *copy = frame;
  copy->next = nullptr;
  copy->extension = ExtensionId::none;
  if (const FrameExtension* e = pool.ExtensionOf(frame)) {
    FrameExtension& of_copy = pool.Attach(*copy);
    of_copy = *e;
    of_copy.itinerary = nullptr;
  }
  return copy;
}

/// Delivers a copy of the frame to its receiver at this time.
inline void ComesAt(Time at, Nic& receiver, FramePool& pool, const Frame& frame) {
  Frame* const copy = CopyOf(pool, frame);
  At(at, [&receiver, copy] { receiver.Receive(receiver.port(), copy); });
}

}  // namespace headroom
