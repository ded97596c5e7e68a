#include "pfc/link_headroom.h"

#include <algorithm>

#include "pfc/parameters.h"

namespace headroom {
namespace {

Bytes InCells(Bytes frame, Bytes cell) { return cell * ((frame.v + cell.v - 1) / cell.v); }

/// Bytes on the wire in a span, rounded up.
Bytes Passing(Time span, Rate rate) {
  const Bytes whole = BytesIn(span, rate);
  return SerializationTime(whole, rate) < span ? whole + Bytes(1) : whole;
}

/// Maximum bytes that a buffer needs for back-to-back frames of one size. The frames arrive completely within
/// fewer than `wire` bytes.
Bytes Stored(Bytes wire, Bytes frame, const LinkHeadroomInput& in) {
  const int64_t each = (frame + in.gap).v;
  return InCells(frame, in.cell) * ((wire.v - 1) / each);
}

/// The frame size that needs the most buffer for its time on the wire. Between two sizes with equally many
/// cells, the smaller wastes more. From one number of cells to the next, the waste of the smallest size
/// changes in one direction: down if cells are larger than a gap, up if they are smaller. So the worst size
/// is among four.
Bytes MostWasteful(const LinkHeadroomInput& in) {
  const Bytes above_smallest = InCells(in.smallest_frame, in.cell) + Bytes(1);
  const Bytes above_last = InCells(in.largest_frame, in.cell) - in.cell + Bytes(1);
  const auto ratio = [&in](Bytes frame) {
    return static_cast<double>(InCells(frame, in.cell).v) / static_cast<double>((frame + in.gap).v);
  };
  Bytes worst = in.smallest_frame;
  for (const Bytes frame : {above_smallest, above_last, in.largest_frame}) {
    if (frame >= in.smallest_frame && frame <= in.largest_frame && ratio(frame) > ratio(worst)) worst = frame;
  }
  return worst;
}

/// Maximum bytes that frames of any sizes need. Other sizes may fill the remainder of a span; no size needs
/// more per time on the wire than the worst size.
Bytes StoredOfAny(Bytes wire, const LinkHeadroomInput& in) {
  const Bytes frame = MostWasteful(in);
  if (in.smallest_frame == in.largest_frame) return Stored(wire, frame, in);
  return Bytes((wire.v - 1) * InCells(frame, in.cell).v / (frame + in.gap).v);
}

}  // namespace

LinkHeadroom HeadroomAfterXoff(const LinkHeadroomInput& in) {
  LinkHeadroom need;
  need.over_limit = need.frame_begun = in.largest_frame;
  const Bytes both_ways = Passing(in.one_way * 2, in.rate);
  need.cable = Passing(in.one_way * 2 + in.lag, in.rate);
  need.pause_waits = in.reverse_frame > Bytes() ? in.reverse_frame + in.gap : Bytes();
  need.pause_frame = in.pause_frame + in.gap;
  need.response = Passing(in.response, in.rate);
  // Bytes that the peer sends between the decision to pause and its stop, without the frame that it is
  // sending when it stops.
  const Bytes until_stop = need.cable + need.pause_waits + need.pause_frame + need.response;
  const Bytes first_and_last = InCells(in.largest_frame, in.cell) * 2;
  need.rounding = StoredOfAny(until_stop, in) + first_and_last - need.OnWire();
  // The last frame was sent one cable delay before the decision. Another frame begins after each frame's time
  // until the peer stops, the first immediately.
  const Bytes at_once = until_stop - need.pause_waits - (need.cable - both_ways);
  need.for_sure = InCells(in.largest_frame, in.cell) * (at_once.v / (in.largest_frame + in.gap).v + 1);
  need.of_largest_frames = Stored(until_stop, in.largest_frame, in) + first_and_last;
  return need;
}

Time UsualPauseResponse(Rate rate) {
  struct Row {
    Rate rate;
    uint16_t quanta;
  };
  static constexpr Row kTable[] = {
      {MegabitsPerSecond(100), 1},   {GigabitsPerSecond(1), 2},     {GigabitsPerSecond(10), 67},
      {GigabitsPerSecond(25), 80},   {GigabitsPerSecond(40), 118},  {GigabitsPerSecond(50), 147},
      {GigabitsPerSecond(100), 394}, {GigabitsPerSecond(200), 453}, {GigabitsPerSecond(400), 905}};
  for (const Row& row : kTable) {
    if (rate <= row.rate) return QuantaTime(row.quanta, rate);
  }
  return QuantaTime(905, rate);
}

}  // namespace headroom
