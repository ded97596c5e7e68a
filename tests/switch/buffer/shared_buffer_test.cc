#include "switch/buffer/shared_buffer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "switch/buffer/profiles.h"

namespace headroom::shared_buffer_test {
namespace {

using Pool = BufferPool;
using Signal = SharedBuffer::Signal;

TrafficClasses Classes() {
  TrafficClasses classes;
  classes[0] = {"lossy", 0, 0, false, 1, false};
  classes[3] = {"storage", 3, 3, true, 1, false};
  return classes;
}

std::vector<BufferPort> Ports(uint32_t n, Rate rate = GigabitsPerSecond(100)) {
  std::vector<BufferPort> ports;
  for (uint32_t i = 0; i < n; ++i) ports.push_back({"p" + std::to_string(i), rate, Nanoseconds(15)});
  return ports;
}

/// Cells have 100 B. Lossless groups have 200 B reserved, a static limit of 1000 B, headroom of 500 B, and
/// XON at 300 B or 400 B below the limit.
BufferParameters ByHand() {
  BufferParameters b;
  b.size = Bytes(20'000);
  b.cell = Bytes(100);
  b.pools = {Pool{"in", Pool::Type::ingress, Pool::Mode::fixed, Bytes(8'000), Bytes(900)},
             Pool{"out", Pool::Type::egress, Pool::Mode::fixed, Bytes(20'000), Bytes()}};
  b.profiles = {{"gl", "in", Bytes(200), {}, Bytes(1'000), Bytes(500), Bytes(300), Bytes(400)},
                {"gy", "in", Bytes(), {}, Bytes(2'000), {}, Bytes(), Bytes()},
                {"q", "out", Bytes(), {}, Bytes(20'000), {}, Bytes(), Bytes()}};
  b.lossless_group = "gl";
  b.lossy_group = "gy";
  b.lossless_queue = b.lossy_queue = "q";
  return b;
}

ns3::Ptr<SharedBuffer> Buffer(const BufferParameters& b, uint32_t ports) {
  const auto buffer = ns3::CreateObject<SharedBuffer>();
  buffer->Setup(b, Ports(ports), Classes());
  return buffer;
}

TEST(SharedBuffer, ChargesWholeCells) {
  const auto buffer = Buffer(ByHand(), 2);
  EXPECT_EQ(buffer->Charge(1), 100u);
  EXPECT_EQ(buffer->Charge(100), 100u);
  EXPECT_EQ(buffer->Charge(101), 200u);
}

TEST(SharedBuffer, ReservedThenSharedThenHeadroomAndBack) {
  // p0 receives frames of 200 B. One is reserved, five are shared: 1000 B, the limit, so the fifth causes
  // XOFF. Then two fit into headroom; a third would make 600 B of 500 B and is dropped.
  const auto buffer = Buffer(ByHand(), 2);
  for (int i = 1; i <= 6; ++i) {
    const auto a = buffer->Admit({0, 1, 3, 3}, 200);
    EXPECT_TRUE(a.admitted);
    EXPECT_EQ(a.signal, i == 6 ? Signal::xoff : Signal::none) << i;
  }
  EXPECT_EQ(buffer->group_used(0, 3), 1200);
  EXPECT_EQ(buffer->group_headroom(0, 3), 0);
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(buffer->Admit({0, 1, 3, 3}, 200).admitted);
  }
  EXPECT_EQ(buffer->group_headroom(0, 3), 400);
  const auto dropped = buffer->Admit({0, 1, 3, 3}, 200);
  EXPECT_FALSE(dropped.admitted);
  EXPECT_EQ(dropped.reason, DropReason::group_cap);
  EXPECT_EQ(buffer->closest_to_xoff(), 1);

  // On the way back two leave headroom first, then 1000 → 800 shared, 600: 400 below the limit is XON.
  EXPECT_EQ(buffer->Release({0, 1, 3, 3}, 200), Signal::none);
  EXPECT_EQ(buffer->Release({0, 1, 3, 3}, 200), Signal::none);
  EXPECT_EQ(buffer->group_headroom(0, 3), 0);
  EXPECT_EQ(buffer->group_used(0, 3), 1200);
  EXPECT_EQ(buffer->Release({0, 1, 3, 3}, 200), Signal::none);
  EXPECT_TRUE(buffer->xoff(0, 3));
  EXPECT_EQ(buffer->Release({0, 1, 3, 3}, 200), Signal::xon);
  EXPECT_EQ(buffer->group_used(0, 3), 800);
  EXPECT_TRUE(buffer->Consistent());
}

TEST(SharedBuffer, WhileXoffEvenAGroupBelowItsLimitUsesHeadroom) {
  const auto buffer = Buffer(ByHand(), 2);
  for (int i = 0; i < 6; ++i) buffer->Admit({0, 1, 3, 3}, 200);
  buffer->Release({0, 1, 3, 3}, 200);
  EXPECT_TRUE(buffer->Admit({0, 1, 3, 3}, 200).admitted);
  EXPECT_EQ(buffer->group_used(0, 3), 1000);
  EXPECT_EQ(buffer->group_headroom(0, 3), 200);
}

TEST(SharedBuffer, XonComesAtTheLatestAtXon) {
  // Other groups have taken away the limit: with an offset or not, a group resumes at 300 B or less.
  BufferParameters b = ByHand();
  b.profiles[0].xon_offset = Bytes(1'000'000);
  const auto buffer = Buffer(b, 2);
  for (int i = 0; i < 6; ++i) buffer->Admit({0, 1, 3, 3}, 200);
  int left = 6;
  while (buffer->Release({0, 1, 3, 3}, 200) == Signal::none) --left;
  EXPECT_EQ(--left, 1);  // 200 B are the first that are not above 300 B
}

TEST(SharedBuffer, TheHeadroomPoolIsSharedAndMayRunOut) {
  // Two groups may have up to 500 B, and 900 B together: the second is refused its last cell.
  const auto buffer = Buffer(ByHand(), 3);
  for (const uint32_t port : {0u, 1u}) {
    for (int i = 0; i < 6; ++i) buffer->Admit({port, 2, 3, 3}, 200);
  }
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(buffer->Admit({0, 2, 3, 3}, 100).admitted);
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(buffer->Admit({1, 2, 3, 3}, 100).admitted);
  EXPECT_EQ(buffer->Admit({0, 2, 3, 3}, 100).reason, DropReason::group_cap);
  EXPECT_EQ(buffer->Admit({1, 2, 3, 3}, 100).reason, DropReason::headroom_full);
  EXPECT_EQ(buffer->peak_headroom_total(), 900);
}

TEST(SharedBuffer, AGroupAtItsLimitIsPausedThoughItsFrameIsDropped) {
  // p0 and p1 have all the headroom. p2 reaches 900 B shared; the next 200 B exceed 1000 B and find no
  // headroom. They are lost, but p2 must be paused, or it would go on losing frames at full speed.
  const auto buffer = Buffer(ByHand(), 4);
  for (const uint32_t port : {0u, 1u}) {
    for (int i = 0; i < 6; ++i) buffer->Admit({port, 3, 3, 3}, 200);
    for (int i = 0; i < 5; ++i) buffer->Admit({port, 3, 3, 3}, 100);
  }
  for (int i = 0; i < 11; ++i) EXPECT_EQ(buffer->Admit({2, 3, 3, 3}, 100).signal, Signal::none);
  const auto dropped = buffer->Admit({2, 3, 3, 3}, 200);
  EXPECT_FALSE(dropped.admitted);
  EXPECT_EQ(dropped.reason, DropReason::headroom_full);
  EXPECT_EQ(dropped.signal, Signal::xoff);
  EXPECT_EQ(buffer->Admit({2, 3, 3, 3}, 200).signal, Signal::none);  // only once
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(buffer->Release({2, 3, 3, 3}, 100), i == 2 ? Signal::xon : Signal::none);
}

TEST(SharedBuffer, LossyIsDroppedAtItsOwnLimitAndPausesNobody) {
  const auto buffer = Buffer(ByHand(), 2);
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(buffer->Admit({0, 1, 0, 0}, 100).admitted);
  const auto a = buffer->Admit({0, 1, 0, 0}, 100);
  EXPECT_FALSE(a.admitted);
  EXPECT_EQ(a.reason, DropReason::ingress_limit);
  EXPECT_EQ(a.signal, Signal::none);
}

TEST(SharedBuffer, EquallyCongestedGroupsPauseAtTheClosedForm) {
  // azure-24mb with 64 ports: k groups that grow equally pause at T = S/8 ÷ (1 + k/8), S = 18 MB less 64 ×
  // 1248 B of reserve; without the reserve 2.00, 1.80, 1.50, 1.125, 0.75 and 0.25 MB.
  for (const auto& [k, published] :
       {std::pair(1u, 2.0e6), {2u, 1.8e6}, {4u, 1.5e6}, {8u, 1.125e6}, {16u, 0.75e6}, {64u, 0.25e6}}) {
    TrafficClasses classes;
    classes[3] = Classes()[3];
    const auto buffer = ns3::CreateObject<SharedBuffer>();
    buffer->Setup(*FindBufferProfile("azure-24mb"), Ports(64), classes);
    const double exact = (18e6 - 64 * 1248) / 8 / (1 + k / 8.0);
    uint32_t paused = 0;
    while (paused == 0) {
      for (uint32_t g = 0; g < k; ++g) paused += buffer->Admit({g, 63, 3, 3}, 1248).signal == Signal::xoff;
    }
    const int64_t shared = buffer->group_used(0, 3) - 1248;
    EXPECT_NEAR(static_cast<double>(shared), exact, 2 * 1248) << k << " groups";
    EXPECT_NEAR(static_cast<double>(shared), published, 0.015 * published) << k << " groups";
    EXPECT_GE(buffer->peak_ingress_pool(), static_cast<int64_t>(k) * shared);
  }
}

TEST(SharedBuffer, SixMegabytesServeSixtyOneGroupsAtFullHeadroom) {
  // 6 000 000 ÷ 96 928 = 61.9.
  const auto buffer = ns3::CreateObject<SharedBuffer>();
  TrafficClasses classes;
  classes[3] = Classes()[3];
  buffer->Setup(*FindBufferProfile("azure-24mb"), Ports(64), classes);
  EXPECT_EQ(buffer->headroom_configured(), 6'000'000);
  for (bool all = false; !all;) {
    all = true;
    for (uint32_t g = 0; g < 64; ++g) {
      if (!buffer->xoff(g, 3)) buffer->Admit({g, 63, 3, 3}, 1248);
      all = all && buffer->xoff(g, 3);
    }
  }
  int full = 0;
  for (uint32_t g = 0; g < 64; ++g) {
    while (buffer->Admit({g, 63, 3, 3}, 208).admitted) {
    }
    full += buffer->group_headroom(g, 3) == 96'928;
  }
  EXPECT_EQ(full, 61);
  EXPECT_TRUE(buffer->Consistent());
}

TEST(SharedBuffer, ClosestToXoffIsTheLargestShareOfItsThreshold) {
  const auto buffer = Buffer(ByHand(), 2);
  EXPECT_EQ(buffer->closest_to_xoff(), 0);
  for (int i = 0; i < 8; ++i) buffer->Admit({0, 1, 3, 3}, 100);  // 600 B of 1000 B shared
  EXPECT_DOUBLE_EQ(buffer->closest_to_xoff(), 0.6);
  for (int i = 0; i < 3; ++i) buffer->Release({0, 1, 3, 3}, 100);
  EXPECT_DOUBLE_EQ(buffer->closest_to_xoff(), 0.6);
}

TEST(SharedBuffer, PeaksStartAgainFromWhatIsThere) {
  const auto buffer = Buffer(ByHand(), 2);
  for (int i = 0; i < 7; ++i) buffer->Admit({0, 1, 3, 3}, 200);  // XOFF, 200 B of headroom
  buffer->Admit({1, 0, 3, 3}, 700);
  buffer->Release({1, 0, 3, 3}, 700);
  buffer->ResetPeaks();
  EXPECT_EQ(buffer->peak_resident(), 1400);
  EXPECT_EQ(buffer->peak_headroom_total(), 200);
  EXPECT_EQ(buffer->peak_group(0, 3), 1400);
  EXPECT_EQ(buffer->peak_group(1, 3), 0);
  EXPECT_EQ(buffer->peak_headroom(0, 3), 200);
  EXPECT_EQ(buffer->closest_to_xoff(), 1);  // one group is paused
  for (int i = 0; i < 5; ++i) buffer->Release({0, 1, 3, 3}, 200);
  buffer->ResetPeaks();
  EXPECT_DOUBLE_EQ(buffer->closest_to_xoff(), 0.2);  // 200 B of 1000 B
}

/// Setup's error for these parameters.
std::string Refusal(const BufferParameters& b) {
  try {
    Buffer(b, 2);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

TEST(SharedBuffer, RefusesWhatDoesNotFitTogether) {
  EXPECT_EQ(Refusal(ByHand()), "");
  BufferParameters b = ByHand();
  b.profiles[0].xoff.reset();
  EXPECT_EQ(
      Refusal(b),
      "port p0, priority 3: class storage is lossless but its group has no headroom (xoff) for this link");
  b = ByHand();
  b.lossless_group.clear();
  EXPECT_EQ(Refusal(b), "no buffer profile for port p0, priority 3, ingress");
  b = ByHand();
  b.lossy_queue = "nobody";
  EXPECT_EQ(Refusal(b), "port p0, priority 0, egress has buffer profile nobody, which does not exist");
  b = ByHand();
  b.profiles[2].pool = "nowhere";
  EXPECT_EQ(Refusal(b), "pool nowhere does not exist");
  b = ByHand();
  b.profiles[2].pool = "in";
  EXPECT_EQ(Refusal(b), "pool in serves the other direction");
}

TEST(SharedBuffer, RefusesProfilesThatItCannotKeep) {
  BufferParameters b = ByHand();
  b.profiles[2].trims = true;
  EXPECT_EQ(Refusal(b),
            "port p0, priority 0, egress has buffer profile q with packet_discard_action trim: trimming is "
            "not supported, only drop");
  b = ByHand();
  b.pools[0].xoff = Bytes();
  b.rules.xoff_in_profile_size = true;  // 200 B of size cannot hold 500 B of headroom
  EXPECT_EQ(Refusal(b),
            "port p0, priority 3: profile gl has size 200 but xoff 500; size includes xoff, so it must "
            "be at least xoff");
  b = ByHand();
  b.port_ingress = {{"*", {"gl", "gy"}}};
  EXPECT_EQ(Refusal(b), "port p0, ingress: one list has two profiles of pool in");
  b = ByHand();
  b.chip_ports = {{"p0", GigabitsPerSecond(100), {}}, {"Ethernet4", GigabitsPerSecond(100), {}}};
  EXPECT_EQ(Refusal(b), "the switch has no port p1");
}

TEST(SharedBuffer, AProfileThatNobodyHasMayTrim) {
  BufferParameters b = ByHand();
  b.profiles.push_back(b.profiles[2]);
  b.profiles.back().name = "trimming";
  b.profiles.back().trims = true;
  EXPECT_EQ(Refusal(b), "");
}

TEST(SharedBuffer, PortsThatTheScenarioLeavesOutHaveTheirReserveAndTheirPlace) {
  // The switch has eight ports, of which two are connected. Group 3 of each has 200 B: 8000 − 8 × 200 = 6400
  // B are shared. With dynamic limits and alpha 1 a lone group pauses at 3200 B beyond its reserve.
  BufferParameters b = ByHand();
  b.pools[0].mode = Pool::Mode::dynamic;
  b.profiles[0].static_th.reset();
  b.profiles[0].dynamic_th = 0;
  b.groups = {{"*", 3, 3, "gl"}};
  for (const char* name : {"x0", "x1", "x2", "p1", "x4", "x5", "x6", "p0"})
    b.chip_ports.push_back({name, GigabitsPerSecond(100), Nanoseconds(15)});
  auto buffer = Buffer(b, 2);
  EXPECT_EQ(buffer->XoffThreshold(0, 3), 6400);
  EXPECT_EQ(buffer->headroom_configured(), 900);
  int64_t bytes = 100;
  while (buffer->Admit({0, 1, 3, 3}, 100).signal != Signal::xoff) bytes += 100;
  EXPECT_EQ(bytes, 200 + 3200);

  // With two slices p1 is in the first half of the ports and p0 in the second: neither takes from the other.
  b.slices = 2;
  buffer = Buffer(b, 2);
  EXPECT_EQ(buffer->XoffThreshold(0, 3), 3200);
  for (int i = 0; i < 12; ++i) buffer->Admit({0, 1, 3, 3}, 100);
  EXPECT_EQ(buffer->XoffThreshold(0, 3), 3200 - 1000);
  EXPECT_EQ(buffer->XoffThreshold(1, 3), 3200);
  EXPECT_TRUE(buffer->Consistent());
}

TEST(SharedBuffer, AZeroPoolAdmitsNothing) {
  // As on the unused ports of Mellanox switches there is a static pool of size 0 with static_th 0. Elsewhere
  // 0 means no limit.
  BufferParameters b = ByHand();
  b.rules.zero_is_unlimited = true;
  b.pools.push_back({"zero", Pool::Type::ingress, Pool::Mode::fixed, Bytes(), Bytes()});
  b.profiles[1].static_th = Bytes();
  b.profiles.push_back({"none", "zero", Bytes(), {}, Bytes(), {}, Bytes(), Bytes()});
  b.groups = {{"p1", 0, 0, "none"}};
  const auto buffer = Buffer(b, 2);
  EXPECT_FALSE(buffer->Admit({1, 0, 0, 0}, 100).admitted);
  for (int i = 0; i < 70; ++i) EXPECT_TRUE(buffer->Admit({0, 1, 0, 0}, 100).admitted) << i;
}

TEST(SharedBuffer, APortsReserveComesBetweenTheGroupsAndThePool) {
  // 200 B of the group, 300 B of the port, then the pool: 500 B are in no pool.
  BufferParameters b = ByHand();
  b.profiles.push_back({"port", "in", Bytes(300), {}, Bytes(600), {}, Bytes(), Bytes()});
  b.port_ingress = {{"p0", {"port"}}};
  const auto buffer = Buffer(b, 2);
  const auto shared = [&] {
    for (const auto& w : buffer->pool_watermarks(SharedBuffer::Watermark::user)) {
      if (w.pool == "in") return w.shared;
    }
    return int64_t{-1};
  };
  for (int i = 0; i < 5; ++i) buffer->Admit({0, 1, 3, 3}, 100);
  EXPECT_EQ(shared(), 0);
  EXPECT_EQ(buffer->watermark(SharedBuffer::Watermark::user, SharedBuffer::Measure::group_shared, 0, 3), 300);
  buffer->Admit({0, 1, 3, 3}, 100);
  EXPECT_EQ(shared(), 100);
  // At 600 B of the port beyond its reserve, 900 B of the group beyond its own, it pauses: before 1000 B.
  int64_t bytes = 700;
  while (buffer->Admit({0, 1, 3, 3}, 100).signal != Signal::xoff) bytes += 100;
  EXPECT_EQ(bytes, 200 + 300 + 600);
  EXPECT_TRUE(buffer->Consistent());
}

TEST(SharedBuffer, AssignmentsGoByPortAndPriorityTheLastMatchWins) {
  BufferParameters b = ByHand();
  b.profiles.push_back(b.profiles[0]);
  b.profiles.back().name = "small";
  b.profiles.back().xoff = Bytes(200);
  b.groups = {{"*", 3, 3, "gl"}, {"p1", 0, 7, "small"}, {"p1", 0, 2, "gy"}};
  const auto buffer = Buffer(b, 3);
  EXPECT_EQ(buffer->headroom_cap(0, 3), 500);
  EXPECT_EQ(buffer->headroom_cap(1, 3), 200);
  EXPECT_EQ(buffer->headroom_cap(2, 3), 500);
  EXPECT_TRUE(buffer->lossless(1, 3));
  EXPECT_FALSE(buffer->lossless(1, 0));
}

}  // namespace
}  // namespace headroom::shared_buffer_test
