#include "pfc/link_headroom.h"

#include <algorithm>

#include "pfc/parameters.h"

namespace headroom {
namespace {

Bytes InCells(Bytes frame, Bytes cell) { return cell * ((frame.v + cell.v - 1) / cell.v); }

/// Bytes of wire that pass in a span, rounded up.
Bytes Passing(Time span, Rate rate) {
  const Bytes whole = BytesIn(span, rate);
  return SerializationTime(whole, rate) < span ? whole + Bytes(1) : whole;
}

/// Most that `wire` bytes of back-to-back frames of one size take in a buffer.
Bytes Stored(Bytes wire, Bytes frame, const LinkHeadroomInput& in) {
  const int64_t each = (frame + in.gap).v;
  return InCells(frame, in.cell) * ((wire.v + each - 1) / each);
}

/// The frame size that takes most buffer for its time on the wire: the smallest, or the smallest that needs
/// one cell more than that.
Bytes MostWasteful(const LinkHeadroomInput& in) {
  const Bytes smallest = in.smallest_frame;
  const Bytes next = InCells(smallest, in.cell) + Bytes(1);
  if (next > in.largest_frame) return smallest;
  const auto ratio = [&in](Bytes frame) {
    return static_cast<double>(InCells(frame, in.cell).v) / static_cast<double>((frame + in.gap).v);
  };
  return ratio(next) > ratio(smallest) ? next : smallest;
}

}  // namespace

LinkHeadroom HeadroomAfterXoff(const LinkHeadroomInput& in) {
  LinkHeadroom need;
  need.cable = Passing(in.one_way * 2, in.rate);
  need.pause_waits = in.reverse_frame > Bytes() ? in.reverse_frame + in.gap : Bytes();
  need.pause_frame = in.pause_frame + in.gap;
  need.response = Passing(in.response, in.rate);
  need.frame_begun = in.largest_frame;
  const Bytes wire = need.cable + need.pause_waits + need.pause_frame + need.response;
  const Bytes stored = Stored(wire, MostWasteful(in), in) + InCells(in.largest_frame, in.cell);
  need.rounding = std::max(Bytes(), stored - wire - in.largest_frame);
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
