#include "sonic/chip/dynamic_headroom.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/shared_data.h"

namespace headroom::dynamic_headroom_test {
namespace {

/// Output of sonic-swss's cfgmgr/buffer_headroom_mellanox.lua (commit e6b0c5b) in Lua 5.1: of 1344 rows those
/// that contain every pair of two input values.
struct ScriptRow {
  int spectrum;
  int64_t gbps, cable_m, port_mtu, lossless_mtu;
  int small_packet_percent;
  int64_t gearbox_ns;
  int lanes;
  bool shared_headroom;
  int64_t xon, xoff, size;
};
constexpr ScriptRow kScript[] = {
    {1, 10, 5, 9100, 1024, 50, 0, 4, false, 19456, 19456, 38912},
    {1, 10, 40, 9100, 1024, 50, 0, 4, false, 19456, 20480, 39936},
    {1, 10, 120000, 9100, 1024, 50, 0, 4, false, 19456, 1713152, 1732608},
    {1, 25, 500, 9100, 1024, 50, 0, 4, false, 19456, 37888, 57344},
    {1, 25, 2000, 9100, 1024, 50, 0, 4, false, 19456, 91136, 110592},
    {1, 25, 80000, 9100, 1024, 50, 0, 4, false, 19456, 2842624, 2862080},
    {1, 25, 120000, 1500, 1024, 50, 400, 4, false, 19456, 4248576, 4268032},
    {1, 40, 40, 9100, 1024, 50, 0, 4, false, 19456, 25600, 45056},
    {1, 40, 500, 9216, 4096, 50, 0, 4, true, 19456, 49152, 19456},
    {1, 40, 2000, 9100, 1024, 50, 0, 4, false, 19456, 136192, 155648},
    {1, 40, 80000, 9100, 1024, 50, 0, 4, false, 19456, 4538368, 4557824},
    {1, 50, 40, 9100, 1024, 50, 0, 4, false, 19456, 27648, 47104},
    {1, 50, 300, 9100, 1024, 50, 0, 4, false, 19456, 46080, 65536},
    {1, 50, 80000, 1500, 1024, 50, 400, 4, false, 19456, 5666816, 5686272},
    {1, 50, 120000, 9100, 1024, 50, 0, 8, false, 38912, 8492032, 8540160},
    {1, 100, 40, 1500, 1024, 50, 400, 4, false, 19456, 51200, 70656},
    {1, 100, 300, 9100, 1024, 50, 0, 4, false, 19456, 84992, 104448},
    {1, 100, 500, 9100, 1024, 50, 0, 4, false, 19456, 113664, 133120},
    {1, 100, 120000, 9100, 1024, 50, 0, 4, false, 19456, 16976896, 16996352},
    {1, 200, 40, 9100, 1024, 100, 0, 4, false, 19456, 99328, 118784},
    {1, 200, 500, 9100, 1024, 50, 0, 4, false, 19456, 188416, 207872},
    {1, 200, 2000, 9100, 1024, 50, 0, 4, false, 19456, 611328, 630784},
    {1, 400, 5, 9100, 1024, 50, 0, 4, false, 19456, 81920, 101376},
    {1, 400, 300, 9100, 1024, 50, 0, 4, false, 19456, 248832, 268288},
    {1, 400, 2000, 9100, 1024, 100, 0, 4, false, 19456, 2157568, 2177024},
    {1, 400, 80000, 9100, 1024, 50, 0, 4, false, 19456, 45237248, 45256704},
    {1, 800, 300, 9216, 4096, 50, 0, 4, true, 19456, 387072, 19456},
    {1, 800, 500, 9100, 1024, 50, 0, 4, false, 19456, 644096, 663552},
    {1, 800, 2000, 9100, 1024, 50, 0, 4, false, 19456, 2336768, 2356224},
    {1, 800, 120000, 9100, 1024, 50, 0, 4, false, 19456, 135552000, 135571456},
    {2, 10, 300, 9100, 1024, 100, 0, 4, false, 19456, 55296, 74752},
    {2, 10, 80000, 9216, 4096, 50, 0, 4, true, 19456, 1091584, 19456},
    {2, 25, 40, 9216, 4096, 50, 0, 4, true, 19456, 22528, 19456},
    {2, 40, 120000, 9100, 1024, 100, 0, 4, false, 19456, 18235392, 18254848},
    {2, 50, 5, 9100, 1024, 50, 0, 4, false, 19456, 27648, 47104},
    {2, 100, 2000, 9100, 1024, 50, 0, 8, false, 38912, 359424, 407552},
    {2, 200, 5, 1500, 1024, 50, 400, 4, false, 19456, 67584, 87040},
    {2, 400, 500, 1500, 1024, 50, 400, 4, false, 19456, 438272, 457728},
    {2, 800, 80000, 9100, 1024, 50, 0, 8, false, 38912, 99909632, 99957760},
    {3, 10, 500, 9100, 1024, 50, 0, 8, false, 38912, 28672, 76800},
    {3, 25, 5, 9100, 1024, 100, 0, 4, false, 19456, 47104, 66560},
    {3, 40, 300, 1500, 1024, 50, 400, 4, false, 19456, 38912, 58368},
    {3, 50, 2000, 9216, 4096, 50, 0, 4, true, 19456, 159744, 19456},
    {3, 100, 5, 9216, 4096, 50, 0, 4, true, 19456, 43008, 19456},
    {3, 200, 80000, 9100, 1024, 50, 0, 4, true, 19456, 25005056, 19456},
    {3, 200, 120000, 9216, 4096, 50, 0, 4, true, 19456, 32214016, 19456},
    {3, 400, 40, 9100, 1024, 50, 0, 8, false, 38912, 112640, 160768},
    {3, 800, 5, 9100, 1024, 100, 0, 4, false, 19456, 220160, 239616},
    {4, 10, 2000, 1500, 1024, 50, 400, 4, false, 19456, 44032, 63488},
    {4, 25, 300, 9100, 1024, 50, 0, 8, false, 38912, 34816, 82944},
    {4, 40, 5, 9100, 1024, 50, 0, 8, false, 38912, 26624, 74752},
    {4, 50, 500, 9100, 1024, 100, 0, 4, false, 19456, 156672, 176128},
    {4, 100, 80000, 9100, 1024, 100, 0, 4, false, 19456, 30414848, 30434304},
    {4, 200, 300, 9100, 1024, 50, 0, 8, false, 38912, 148480, 196608},
    {4, 400, 120000, 9216, 4096, 50, 0, 4, true, 19456, 64418816, 19456},
    {4, 800, 40, 1500, 1024, 50, 400, 4, false, 19456, 239616, 259072},
};

/// Lossless rows of sonic-buildimage (commit 086b03b),
/// device/mellanox/x86_64-mlnx_msn4600c-r0/Mellanox-SN4600C-D112C8, up to 300 m; those for 2 km do not follow
/// this formula.
struct LookupRow {
  int64_t gbps, cable_m, size, xon, xoff;
};
constexpr LookupRow kSpectrum3[] = {
    {10, 5, 19456, 19456, 24576},   {25, 5, 19456, 19456, 26624},   {40, 5, 19456, 19456, 30720},
    {50, 5, 19456, 19456, 33792},   {100, 5, 19456, 19456, 59392},  {10, 40, 19456, 19456, 25600},
    {25, 40, 19456, 19456, 28672},  {40, 40, 19456, 19456, 33792},  {50, 40, 19456, 19456, 36864},
    {100, 40, 19456, 19456, 66560}, {10, 300, 19456, 19456, 30720}, {25, 300, 19456, 19456, 41984},
    {40, 300, 19456, 19456, 54272}, {50, 300, 19456, 19456, 63488}, {100, 300, 19456, 19456, 120832},
};

TEST(DynamicHeadroom, EqualsTheScript) {
  for (const ScriptRow& row : kScript) {
    const DynamicHeadroom need = ComputeDynamicHeadroom({.asic = *FindSpectrum(row.spectrum),
                                                         .speed = GigabitsPerSecond(row.gbps),
                                                         .cable_m = row.cable_m,
                                                         .port_mtu = Bytes(row.port_mtu),
                                                         .lossless_mtu = Bytes(row.lossless_mtu),
                                                         .small_packet_percent = row.small_packet_percent,
                                                         .gearbox = Nanoseconds(row.gearbox_ns),
                                                         .lanes = row.lanes,
                                                         .shared_headroom = row.shared_headroom});
    const std::string where = fmt::format("Spectrum-{}, {} Gb/s, {} m", row.spectrum, row.gbps, row.cable_m);
    EXPECT_EQ(need.xon, Bytes(row.xon)) << where;
    EXPECT_EQ(need.xoff, Bytes(row.xoff)) << where;
    EXPECT_EQ(need.size, Bytes(row.size)) << where;
  }
}

/// All of its rows, if they are present.
TEST(DynamicHeadroom, EqualsEveryRowOfTheScript) {
  const auto path = SharedData("sonic/golden/headroom_mellanox_lua.csv");
  if (path.empty()) GTEST_SKIP() << "the data are not at hand";
  const auto rows = ReadCsv(path);
  ASSERT_EQ(rows.size(), 1344u);
  for (const auto& row : rows) {
    const auto number = [&row](const char* name) { return std::stoll(row.at(name)); };
    const auto asic = FindSpectrum(row.at("asic") == "MELLANOX-SPECTRUM" ? 1 : row.at("asic").back() - '0');
    ASSERT_TRUE(asic);
    EXPECT_EQ(asic->cell, Bytes(number("cell_size")));
    EXPECT_EQ(asic->pipeline, Bytes(number("pipeline_latency_kB") * 1024));
    const DynamicHeadroom need =
        ComputeDynamicHeadroom({.asic = *asic,
                                .speed = MegabitsPerSecond(number("speed_mbps")),
                                .cable_m = number("cable_m"),
                                .port_mtu = Bytes(number("port_mtu")),
                                .lossless_mtu = Bytes(number("lossless_mtu")),
                                .small_packet_percent = static_cast<int>(number("small_packet_pct")),
                                .gearbox = Nanoseconds(number("gearbox_delay_ns")),
                                .lanes = static_cast<int>(number("lanes")),
                                .shared_headroom = number("over_subscribe_ratio") != 0});
    std::string where;
    for (const auto& [name, value] : row) where += name + " " + value + " ";
    EXPECT_EQ(need.xoff, Bytes(number("xoff"))) << where;
    EXPECT_EQ(need.xon, Bytes(number("xon"))) << where;
    EXPECT_EQ(need.size, Bytes(number("size"))) << where;
  }
}

TEST(DynamicHeadroom, NamesItsTerms) {
  // 100 Gb/s, 300 m, Spectrum-1, lossless frames of 1024 B, half of the packets small:
  //   cable    2 · 300 m / 198 000 km/s · 12.5 B/ns  = 37 878.8 B
  //   mac, phy 0.8 KiB                               =    819.2
  //   response 394 quanta of 64 B                    = 25 216
  //   port                                           =  9 100       sum 73 014.0
  //   occupancy: cells of 96 B take a packet of 64 B at most 2 · 96 / 97, rounded up 2; its 64 B are 11.76 %
  //   of the mean 544 B: 1 − 0.1176 + 0.1176 · 2 = 1.1176. 1024 + 73 014.0 · 1.1176 = 82 627.9 → 81 KiB =
  //   82 944; with the margin of 2 KiB 84 992, as that is less than with nothing but small packets: 1024 +
  //   2 · 73 014 → 147 456.
  DynamicHeadroomInput in{.asic = *FindSpectrum(1), .speed = GigabitsPerSecond(100), .cable_m = 300};
  const DynamicHeadroom own = ComputeDynamicHeadroom(in);
  EXPECT_NEAR(own.cable, 37'878.8, 0.1);
  EXPECT_NEAR(own.mac_phy, 819.2, 0.01);
  EXPECT_EQ(own.response, 25'216);
  EXPECT_EQ(own.port_frame, 9'100);
  EXPECT_NEAR(own.OnWire(), 73'014.0, 0.1);
  EXPECT_NEAR(own.cell_occupancy, 1.1176, 0.0001);
  EXPECT_EQ(own.xoff, Bytes(84'992));
  EXPECT_EQ(own.size, Bytes(84'992 + 19'456));

  in.shared_headroom = true;
  EXPECT_EQ(ComputeDynamicHeadroom(in).xoff, Bytes(82'944));
  EXPECT_EQ(ComputeDynamicHeadroom(in).size, Bytes(19'456));
}

TEST(DynamicHeadroom, OfSpectrum6AndOfSpeedsWithoutQuanta) {
  // 18 KiB more than the formula; its pipeline has 42 KiB.
  const DynamicHeadroom need = ComputeDynamicHeadroom({.asic = *FindSpectrum(6),
                                                       .speed = GigabitsPerSecond(400),
                                                       .cable_m = 5,
                                                       .small_packet_percent = 100,
                                                       .shared_headroom = true});
  // 9100 + 2525.3 of cable + 819.2 + 57 920 = 70 364.5, times 256 / 64, + 1024 = 282 481.9 → 276 KiB, + 18.
  EXPECT_EQ(need.xoff, Bytes((276 + 18) * 1024));
  EXPECT_EQ(need.xon, Bytes(42 * 1024));
  // The lookup table has no row: 3.8 KiB.
  EXPECT_NEAR(ComputeDynamicHeadroom({.asic = *FindSpectrum(1), .speed = GigabitsPerSecond(56)}).response,
              3891.2, 0.01);
}

TEST(DynamicHeadroom, OfTheDesignDocumentEqualsATableOfSpectrum3) {
  for (const LookupRow& row : kSpectrum3) {
    const DynamicHeadroom need = ComputeDynamicHeadroom({.formula = DynamicHeadroomInput::Formula::design,
                                                         .asic = *FindSpectrum(3),
                                                         .speed = GigabitsPerSecond(row.gbps),
                                                         .cable_m = row.cable_m,
                                                         .port_mtu = Bytes(9216),
                                                         .shared_headroom = true});
    const std::string where = fmt::format("{} Gb/s, {} m", row.gbps, row.cable_m);
    EXPECT_EQ(need.size, Bytes(row.size)) << where;
    EXPECT_EQ(need.xon, Bytes(row.xon)) << where;
    EXPECT_EQ(need.xoff, Bytes(row.xoff)) << where;
  }
}

TEST(Spectrum, IsFoundByPlatform) {
  EXPECT_EQ(SpectrumOfPlatform("x86_64-mlnx_msn2700-r0")->generation, 1);
  EXPECT_EQ(SpectrumOfPlatform("x86_64-mlnx_msn3800-r0")->generation, 2);
  EXPECT_EQ(SpectrumOfPlatform("x86_64-mlnx_msn4600c-r0")->generation, 3);
  EXPECT_EQ(SpectrumOfPlatform("x86_64-nvidia_sn5600-r0")->generation, 4);
  EXPECT_EQ(SpectrumOfPlatform("x86_64-nvidia_sn5640-r0")->generation, 5);
  EXPECT_FALSE(SpectrumOfPlatform("x86_64-arista_7050cx3_32s"));
  EXPECT_FALSE(SpectrumOfPlatform("x86_64-dell_s6100_c2538-r0"));
  EXPECT_FALSE(FindSpectrum(0));
  EXPECT_EQ(GearboxDelayOfPlatform("x86_64-mlnx_msn3800-r0"), Nanoseconds(400));
  EXPECT_EQ(GearboxDelayOfPlatform("x86_64-mlnx_msn2700-r0"), Time());
}

}  // namespace
}  // namespace headroom::dynamic_headroom_test
