#include "switch/buffer/profiles_azure.h"

#include <algorithm>
#include <string>

#include "switch/buffer/computed_headroom.h"

namespace headroom {
namespace {

constexpr const char* kListing = "Bai et al., NSDI 2023, listing 1";
constexpr const char* kOldProfiles = "SONiC lookup table of an older 208-byte-cell generation";
constexpr const char* kTomahawk = "SONiC pg_profile_lookup.ini, Tomahawk (208-byte cells)";
constexpr const char* kDeepTable = "SONiC pg_profile_lookup.ini, Arista 7800R3-48CQ2 (Jericho2c+)";
constexpr const char* kHubTable = "SONiC pg_profile_lookup.ini, Nexthop 5010 (Qumran3D)";
constexpr const char* kComputed =
    "computed from: cable both ways, a 9216 B frame ahead of the pause, usual response quanta, the frame "
    "under way, expansion of small frames";

struct Published {
  int64_t gbps;
  int64_t cable_m;
  int64_t xoff;
  const char* source;
};

/// Rows for every speed and length: published values if they exist, otherwise computed values.
template <size_t N>
std::vector<HeadroomRow> Table(const Published (&published)[N], std::initializer_list<int64_t> gbps,
                               std::initializer_list<int64_t> lengths, int expansion_percent) {
  std::vector<HeadroomRow> rows;
  for (const int64_t speed : gbps) {
    for (const int64_t length : lengths) {
      const auto* at = std::find_if(std::begin(published), std::end(published), [&](const Published& p) {
        return p.gbps == speed && p.cable_m == length;
      });
      const Rate rate = GigabitsPerSecond(speed);
      if (at != std::end(published)) {
        rows.push_back({rate, length, Bytes(at->xoff), at->source});
      } else {
        rows.push_back({rate, length, ComputedXoff(rate, length, expansion_percent), kComputed});
      }
    }
  }
  return rows;
}

/// One pool for both directions, in bytes.
BufferParameters DeepBuffer(Bytes shared, Bytes headroom, Bytes xon, int lossy_queue) {
  using Pool = BufferPool;
  BufferParameters b;
  b.size = shared + headroom;
  b.pools = {Pool{"shared_pool", Pool::Type::both, Pool::Mode::dynamic, shared, headroom}};
  // In the source, the ingress of lossy groups and the queues of lossless ones have dynamic limits too (2^0
  // and 2^-1). Here, as in every built-in profile, lossless traffic is limited only at ingress and lossy
  // traffic only at egress. A link without a row gets this xoff.
  b.profiles = {{"ingress_lossless", "shared_pool", Bytes(), -6, {}, Bytes(110'592), xon, Bytes(363'506)},
                {"ingress_lossy", "shared_pool", Bytes(), {}, b.size, {}, Bytes(), Bytes()},
                {"egress_lossless", "shared_pool", Bytes(), {}, b.size, {}, Bytes(), Bytes()},
                {"egress_lossy", "shared_pool", Bytes(), lossy_queue, {}, {}, Bytes(), Bytes()}};
  b.lossless_group = "ingress_lossless";
  b.lossy_group = "ingress_lossy";
  b.lossless_queue = "egress_lossless";
  b.lossy_queue = "egress_lossy";
  return b;
}

}  // namespace

BufferParameters Azure24MbBuffer() {
  using Pool = BufferPool;
  const Bytes all(24'000'000);
  BufferParameters b;
  b.profile = "azure-24mb";
  b.source = kListing;
  b.size = all;
  b.cell = Bytes(208);
  b.pools = {
      Pool{"ingress_pool", Pool::Type::ingress, Pool::Mode::dynamic, Bytes(18'000'000), Bytes(6'000'000)},
      Pool{"egress_lossy_pool", Pool::Type::egress, Pool::Mode::dynamic, Bytes(14'000'000), Bytes()},
      Pool{"egress_lossless_pool", Pool::Type::egress, Pool::Mode::fixed, all, Bytes()}};
  b.profiles = {
      {"ingress_lossless", "ingress_pool", Bytes(1248), -3, {}, Bytes(96'928), Bytes(1248), Bytes(2496)},
      {"ingress_lossy", "ingress_pool", Bytes(), {}, all, {}, Bytes(), Bytes()},
      {"egress_lossless", "egress_lossless_pool", Bytes(), {}, all, {}, Bytes(), Bytes()},
      {"egress_lossy", "egress_lossy_pool", Bytes(1664), -1, {}, {}, Bytes(), Bytes()}};
  b.lossless_group = "ingress_lossless";
  b.lossy_group = "ingress_lossy";
  b.lossless_queue = "egress_lossless";
  b.lossy_queue = "egress_lossy";

  static constexpr Published kRows[] = {
      {10, 5, 35'776, kTomahawk},    {10, 40, 37'024, kTomahawk},      {10, 300, 46'176, kTomahawk},
      {25, 5, 53'248, kTomahawk},    {25, 40, 53'248, kTomahawk},      {25, 300, 79'040, kTomahawk},
      {40, 5, 66'560, kTomahawk},    {40, 40, 71'552, kTomahawk},      {40, 300, 108'160, kTomahawk},
      {50, 5, 56'160, kOldProfiles}, {50, 40, 96'096, kTomahawk},      {50, 300, 141'856, kTomahawk},
      {100, 5, 96'928, kListing},    {100, 40, 177'632, kOldProfiles}, {100, 300, 268'736, kOldProfiles}};
  // A frame of 64 B takes 84 B on the wire and a cell of 208 B: 248 %. The published rows grow by 2.8 times
  // the bytes on the wire.
  b.headroom = Table(kRows, {10, 25, 40, 50, 100, 200, 400}, {5, 40, 300, 1'000, 2'000}, 248);
  return b;
}

BufferParameters AzureDeepBuffer() {
  BufferParameters b = DeepBuffer(Bytes(6'441'610'000), Bytes(1'056'256'819), Bytes(2560), -4);
  b.profile = "azure-deep";
  b.source = "SONiC buffers_defaults_t2.j2, Arista 7800R3-48CQ2 (Jericho2c+)";
  // xon_offset grows with the speed in the published table; the value for 200 Gb/s lies between its
  // neighbours.
  b.by_speed = {{BitsPerSecond(0), -6, Bytes(181'753)},
                {GigabitsPerSecond(100), -6, Bytes(363'506)},
                {GigabitsPerSecond(200), -6, Bytes(727'012)},
                {GigabitsPerSecond(400), -5, Bytes(1'454'025)}};

  static constexpr Published kRows[] = {
      {40, 300, 69'632, kDeepTable},         {100, 300, 110'592, kDeepTable},
      {400, 300, 315'392, kDeepTable},       {40, 1'000, 114'688, kDeepTable},
      {100, 1'000, 225'280, kDeepTable},     {400, 1'000, 778'240, kDeepTable},
      {40, 2'000, 184'320, kDeepTable},      {100, 2'000, 393'216, kDeepTable},
      {400, 2'000, 1'445'888, kDeepTable},   {40, 80'000, 5'369'856, kDeepTable},
      {100, 80'000, 13'357'056, kDeepTable}, {400, 80'000, 53'305'344, kDeepTable},
      {40, 120'000, 8'028'160, kDeepTable},  {100, 120'000, 20'004'864, kDeepTable},
      {400, 120'000, 79'900'672, kDeepTable}};
  // From 80 to 120 km the published rows grow by 1.33 times the bytes that the cable holds in both
  // directions.
  b.headroom = Table(kRows, {25, 40, 50, 100, 200, 400}, {300, 1'000, 2'000, 80'000, 120'000}, 133);
  return b;
}

BufferParameters AzureDeepHubBuffer() {
  BufferParameters b = DeepBuffer(Bytes(25'766'440'000), Bytes(4'024'103'375), Bytes(), -6);
  b.profile = "azure-deep-hub";
  b.source = "SONiC buffers_defaults, Nexthop 5010 as upper regional hub (Qumran3D)";
  b.by_speed = {{BitsPerSecond(0), -6, Bytes(363'506)},
                {GigabitsPerSecond(200), -6, Bytes(727'012)},
                {GigabitsPerSecond(400), -6, Bytes(1'454'025)}};

  static constexpr Published kRows[] = {
      {100, 30, 183'263, kHubTable},      {100, 300, 217'535, kHubTable},
      {100, 2'000, 436'032, kHubTable},   {100, 120'000, 15'739'154, kHubTable},
      {400, 30, 514'553, kHubTable},      {400, 300, 651'640, kHubTable},
      {400, 2'000, 1'514'785, kHubTable}, {400, 120'000, 62'653'744, kHubTable},
      {800, 30, 244'000, kHubTable},      {800, 300, 564'000, kHubTable},
      {800, 2'000, 2'736'000, kHubTable}, {800, 120'000, 153'440'000, kHubTable}};
  // From 2 to 120 km the published rows grow by 1.04 times the bytes that the cable holds in both directions,
  // at 800 Gb/s by 1.28 times.
  b.headroom = Table(kRows, {100, 200, 400}, {30, 300, 2'000, 80'000, 120'000}, 104);
  for (const HeadroomRow& row : Table(kRows, {800}, {30, 300, 2'000, 80'000, 120'000}, 128))
    b.headroom.push_back(row);
  return b;
}

}  // namespace headroom
