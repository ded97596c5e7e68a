#include "switch/sonic/dynamic_headroom.h"

#include <gtest/gtest.h>

#include <sstream>

#include "support/shared_data.h"

namespace headroom::dynamic_headroom_test {
namespace {

TEST(DynamicHeadroom, EqualsEveryRowOfTheScript) {
  const auto path = SharedData("sonic/golden/headroom_mellanox_lua.csv");
  if (path.empty()) return;
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
  // 18 KiB more than the formula; its pipeline is 42 KiB.
  const DynamicHeadroom need = ComputeDynamicHeadroom({.asic = *FindSpectrum(6),
                                                       .speed = GigabitsPerSecond(400),
                                                       .cable_m = 5,
                                                       .small_packet_percent = 100,
                                                       .shared_headroom = true});
  // 9100 + 2525.3 of cable + 819.2 + 57 920 = 70 364.5, times 256 / 64, + 1024 = 282 481.9 → 276 KiB, + 18.
  EXPECT_EQ(need.xoff, Bytes((276 + 18) * 1024));
  EXPECT_EQ(need.xon, Bytes(42 * 1024));
  // No row: 3.8 KiB.
  EXPECT_NEAR(ComputeDynamicHeadroom({.asic = *FindSpectrum(1), .speed = GigabitsPerSecond(56)}).response,
              3891.2, 0.01);
}

TEST(DynamicHeadroom, OfTheDesignDocumentEqualsATableOfSpectrum3) {
  const auto path = SharedData("sonic/pg_profile_lookup/spc3_sn4600c_c64.ini");
  if (path.empty()) return;
  std::ifstream file(path);
  int rows = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    int64_t speed = 0, size = 0, xon = 0, xoff = 0;
    std::string cable;
    if (!(in >> speed >> cable >> size >> xon >> xoff)) continue;
    const int64_t metres = std::stoll(cable);
    if (metres > 300) continue;  // the rows for 2 km are not from this formula
    ++rows;
    const DynamicHeadroom need = ComputeDynamicHeadroom({.formula = DynamicHeadroomInput::Formula::design,
                                                         .asic = *FindSpectrum(3),
                                                         .speed = MegabitsPerSecond(speed),
                                                         .cable_m = metres,
                                                         .port_mtu = Bytes(9216),
                                                         .shared_headroom = true});
    EXPECT_EQ(need.xoff, Bytes(xoff)) << line;
    EXPECT_EQ(need.xon, Bytes(xon)) << line;
    EXPECT_EQ(need.size, Bytes(size)) << line;
  }
  EXPECT_EQ(rows, 15);
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
