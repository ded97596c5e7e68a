// The bytes that arrive on a link after its receiver decided to pause it: the headroom that keeps a lossless
// group lossless.
//
// In the order of time: the pause frame waits for the frame in transmission on the reverse direction, is
// serialized, and crosses the cable. The sender acts after its response time and finishes its current frame.
// Frames on the cable still arrive. Sources: IEEE 802.1Qbb and annex O of 802.1Q (the terms); SONiC's
// headroom script for Mellanox switches (the response quanta).
//
// All terms are bytes at the link's rate. The wire carries preamble and gap, whereas a buffer stores frames
// in cells. The term `rounding` is the difference for the mix of frame sizes that needs the most buffer. The
// first term is the frame that exceeds the group's limit: it has arrived before the decision to pause, and is
// in headroom.
#pragma once

#include <optional>

#include "sim/units.h"

namespace headroom {

struct LinkHeadroomInput {
  Rate rate;
  Time one_way;         ///< propagation and transceivers
  Time lag;             ///< largest additional random delay of a frame, towards the receiver
  Time response;        ///< from the last bit of a pause frame to its effect
  Bytes reverse_frame;  ///< the largest frame for which the pause may have to wait; 0: reverse direction idle
  Bytes pause_frame{64};
  Bytes largest_frame;   ///< largest frame of the lossless priority
  Bytes smallest_frame;  ///< smallest frame of the lossless priority; ≤ largest_frame
  Bytes gap{20};         ///< preamble and inter-frame gap, of every frame
  Bytes cell{1};
};

struct LinkHeadroom {
  Bytes over_limit;   ///< the frame that makes the group exceed its limit
  Bytes cable;        ///< both directions, and frames that are delayed
  Bytes pause_waits;  ///< the frame on the reverse direction
  Bytes pause_frame;
  Bytes response;
  Bytes frame_begun;  ///< the sender finishes it
  Bytes rounding;  ///< bytes in the buffer's cells minus all terms above, for the worst mix of frames; may be
                   ///< negative, because a buffer stores no gaps
  Bytes of_largest_frames;  ///< bytes that the buffer stores if all frames have the largest size
  /// Bytes that the buffer certainly stores if the peer sends largest frames back to back, even if nothing
  /// delays the pause. The frame over the limit does not count.
  Bytes for_sure;
  /// The bytes that arrive over the wire, including the first frame.
  Bytes OnWire() const { return over_limit + cable + pause_waits + pause_frame + response + frame_begun; }
  /// The largest number of bytes that the buffer stores.
  Bytes Total() const { return OnWire() + rounding; }
  /// The headroom of a buffer behind several such links.
  LinkHeadroom Times(int64_t links) const {
    return {over_limit * links, cable * links,       pause_waits * links, pause_frame * links,
            response * links,   frame_begun * links, rounding * links,    of_largest_frames * links,
            for_sure * links};
  }
};

/// REQUIRES: rate, cell > 0; 0 < smallest_frame ≤ largest_frame.
LinkHeadroom HeadroomAfterXoff(const LinkHeadroomInput& in);

/// Time that NICs and switches of a speed take to act on a pause, according to SONiC's response quanta. A
/// speed between two in the table has the quanta of the faster; a speed above 400 Gb/s has the values of 400
/// Gb/s.
Time UsualPauseResponse(Rate rate);

}  // namespace headroom
