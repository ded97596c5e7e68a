// What arrives on a link after its receiver decided to pause it: the headroom that keeps a lossless group
// lossless.
//
// In the order of time: the pause frame waits for the frame in transmission on the reverse direction, is
// serialized, and crosses the cable. The sender acts after its response time and finishes its current frame.
// Frames on the cable still arrive. Sources: IEEE 802.1Qbb and annex O of 802.1Q (the terms); SONiC's
// headroom script for Mellanox switches (the response quanta).
//
// All terms are bytes at the link's rate. The wire carries preamble and gap, a buffer stores frames in cells:
// the term `rounding` is the difference for the mix of frame sizes that takes most buffer. The first term is
// the frame that the group's limit has no more room for: it is in before the pause is decided on, and in
// headroom.
#pragma once

#include <optional>

#include "sim/units.h"

namespace headroom {

struct LinkHeadroomInput {
  Rate rate;
  Time one_way;         ///< propagation and transceivers
  Time lag;             ///< most that a frame may be delayed at random on top, towards the receiver
  Time response;        ///< from the last bit of a pause frame to its effect
  Bytes reverse_frame;  ///< the largest frame the pause may have to wait for; 0: reverse direction idle
  Bytes pause_frame{64};
  Bytes largest_frame;   ///< of the lossless priority
  Bytes smallest_frame;  ///< of the lossless priority; ≤ largest_frame
  Bytes gap{20};         ///< preamble and inter-frame gap, of every frame
  Bytes cell{1};
};

struct LinkHeadroom {
  Bytes over_limit;   ///< the frame that makes the group exceed its limit
  Bytes cable;        ///< both ways, and frames that are delayed
  Bytes pause_waits;  ///< the frame on the reverse direction
  Bytes pause_frame;
  Bytes response;
  Bytes frame_begun;        ///< the sender finishes it
  Bytes rounding;           ///< the buffer's cells less all that, for the worst mix of frames; may be
                            ///< negative, as a buffer stores no gaps
  Bytes of_largest_frames;  ///< what the buffer stores if every frame is the largest
  /// Bytes that it stores in any case from a peer that sends such frames back to back: without the frame over
  /// the limit, and with nothing in the way of the pause.
  Bytes for_sure;
  /// What comes over the wire, the first frame included.
  Bytes OnWire() const { return over_limit + cable + pause_waits + pause_frame + response + frame_begun; }
  /// What the buffer stores at most.
  Bytes Total() const { return OnWire() + rounding; }
};

/// REQUIRES: rate, cell > 0; 0 < smallest_frame ≤ largest_frame.
LinkHeadroom HeadroomAfterXoff(const LinkHeadroomInput& in);

/// Time that NICs and switches of a speed take to act on a pause, as the response quanta of SONiC. A speed
/// between two of the table has the quanta of the faster, above 400 Gb/s those of 400.
Time UsualPauseResponse(Rate rate);

}  // namespace headroom
