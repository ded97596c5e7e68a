#include "pfc/headroom_formulas.h"

namespace headroom {
namespace {

constexpr Bytes kPause{64};
constexpr Bytes kGap{20};

Bytes BytesOfBits(int64_t bits) { return Bytes((bits + 7) / 8); }

/// Bytes that a link transmits while a bit crosses the cable and returns, rounded up.
Bytes BothDirections(Rate rate, Time one_way) {
  const Bytes whole = BytesIn(one_way * 2, rate);
  return SerializationTime(whole, rate) < one_way * 2 ? whole + Bytes(1) : whole;
}

}  // namespace

Bytes LeastHeadroom(Rate rate, Time one_way, Bytes frame) {
  return BothDirections(rate, one_way) + kPause + frame;
}

std::optional<DelayValue> IeeeDelayValue(Rate rate, Time one_way, Bytes reverse_frame, Bytes lossless_frame) {
  struct Row {
    Rate rate;
    std::optional<int64_t> interface_bits;
    int64_t response_bits;
  };
  static constexpr Row kAllowed[] = {{GigabitsPerSecond(10), 8'192, 30'720},
                                     {GigabitsPerSecond(25), 6'144, 40'960},
                                     {GigabitsPerSecond(40), 24'576, 60'416},
                                     {GigabitsPerSecond(100), 122'880, 201'728},
                                     {GigabitsPerSecond(400), std::nullopt, 463'360}};
  for (const Row& row : kAllowed) {
    if (row.rate != rate) continue;
    std::optional<Bytes> interface;
    if (row.interface_bits) interface = BytesOfBits(2 * *row.interface_bits);
    return DelayValue{.cable = BothDirections(rate, one_way),
                      .in_way = reverse_frame + kGap,
                      .pause = kPause + kGap,
                      .interface = interface,
                      .response = BytesOfBits(row.response_bits),
                      .begun = lossless_frame + kGap};
  }
  return std::nullopt;
}

}  // namespace headroom
