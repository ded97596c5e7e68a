#include "pfc/headroom_formulas.h"

namespace headroom {
namespace {

constexpr Bytes kPause{64};
constexpr Bytes kGap{20};

Bytes BytesOfBits(int64_t bits) { return Bytes((bits + 7) / 8); }

/// Bytes that pass while a bit is on the cable and back, rounded up.
Bytes BothWays(Rate rate, Time one_way) {
  const Bytes whole = BytesIn(one_way * 2, rate);
  return SerializationTime(whole, rate) < one_way * 2 ? whole + Bytes(1) : whole;
}

}  // namespace

Bytes LeastHeadroom(Rate rate, Time one_way, Bytes frame) { return BothWays(rate, one_way) + kPause + frame; }

std::optional<DelayValue> IeeeDelayValue(Rate rate, Time one_way, Bytes reverse_frame, Bytes lossless_frame) {
  struct Row {
    Rate rate;
    int64_t interface_bits, response_bits;
  };
  static constexpr Row kAllowed[] = {{GigabitsPerSecond(10), 8'192, 30'720},
                                     {GigabitsPerSecond(25), 6'144, 40'960},
                                     {GigabitsPerSecond(40), 24'576, 60'416},
                                     {GigabitsPerSecond(100), 122'880, 201'728}};
  for (const Row& row : kAllowed) {
    if (row.rate != rate) continue;
    return DelayValue{.cable = BothWays(rate, one_way),
                      .in_way = reverse_frame + kGap,
                      .pause = kPause + kGap,
                      .interface = BytesOfBits(2 * row.interface_bits),
                      .response = BytesOfBits(row.response_bits),
                      .begun = lossless_frame + kGap};
  }
  return std::nullopt;
}

}  // namespace headroom
