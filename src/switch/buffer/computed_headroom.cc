#include "switch/buffer/computed_headroom.h"

#include "net/frame_format.h"
#include "pfc/link_headroom.h"

namespace headroom {

Bytes ComputedXoff(Rate speed, int64_t cable_m, int expansion_percent) {
  LinkHeadroomInput in;
  in.rate = speed;
  in.one_way = Nanoseconds(5) * cable_m;
  in.response = UsualPauseResponse(speed);
  in.reverse_frame = Bytes(9216);
  in.largest_frame = in.smallest_frame = FrameFormat{}.Data(4096, true);
  LinkHeadroom need = HeadroomAfterXoff(in);
  const Bytes wire = need.OnWire() - need.frame_begun - need.over_limit;
  return Bytes((wire.v * expansion_percent + 99) / 100) + need.frame_begun;
}

}  // namespace headroom
