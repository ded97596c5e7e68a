// The shared buffer against the naive one, under random traffic that fills it, empties it and fills it again.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "switch/naive_buffer.h"

namespace headroom {
namespace {

using Pool = BufferPool;
constexpr uint32_t kPorts = 6;

std::vector<BufferPort> Ports() {
  std::vector<BufferPort> ports;
  for (uint32_t i = 0; i < kPorts; ++i) {
    ports.push_back({"p" + std::to_string(i), GigabitsPerSecond(i < 4 ? 100 : 400), Nanoseconds(300)});
  }
  return ports;
}

/// Lossless 3 and 4, lossy 0 and 6.
TrafficClasses Classes() {
  TrafficClasses classes;
  for (const int p : {0, 3, 4, 6}) {
    classes[p].name = "c" + std::to_string(p);
    classes[p].priority = static_cast<uint8_t>(p);
    classes[p].lossless = p == 3 || p == 4;
  }
  return classes;
}

/// 200 kB of which 140 kB are shared and 40 kB headroom for all; cells of 208 B; limits as the arguments say.
BufferParameters Small(std::optional<int> lossless_th, std::optional<int> lossy_th, int64_t headroom_pool) {
  BufferParameters b;
  b.size = Bytes(200'000);
  b.cell = Bytes(208);
  b.pools = {Pool{"in", Pool::Type::ingress, Pool::Mode::dynamic, Bytes(140'000), Bytes(headroom_pool)},
             Pool{"out_lossy", Pool::Type::egress, Pool::Mode::dynamic, Bytes(110'000), Bytes()},
             Pool{"out_lossless", Pool::Type::egress, Pool::Mode::fixed, Bytes(200'000), Bytes()}};
  const auto fixed = [](std::optional<int> th, int64_t bytes) {
    return th ? std::optional<Bytes>() : std::optional(Bytes(bytes));
  };
  b.profiles = {{"gl", "in", Bytes(1'248), lossless_th, fixed(lossless_th, 20'000), Bytes(9'000),
                 Bytes(1'248), Bytes(2'496)},
                {"gy", "in", Bytes(), {}, Bytes(200'000), {}, Bytes(), Bytes()},
                {"ql", "out_lossless", Bytes(), {}, Bytes(200'000), {}, Bytes(), Bytes()},
                {"qy", "out_lossy", Bytes(1'664), lossy_th, fixed(lossy_th, 30'000), {}, Bytes(), Bytes()}};
  b.lossless_group = "gl";
  b.lossy_group = "gy";
  b.lossless_queue = "ql";
  b.lossy_queue = "qy";
  return b;
}

/// One pool for both directions, everything dynamic, no cells.
BufferParameters OnePool() {
  BufferParameters b = Small(-2, -1, 30'000);
  b.cell = Bytes(1);
  b.pools = {Pool{"all", Pool::Type::both, Pool::Mode::dynamic, Bytes(150'000), Bytes(30'000)}};
  for (BufferProfile& p : b.profiles) p.pool = "all";
  b.profiles[1] = {"gy", "all", Bytes(500), 0, {}, {}, Bytes(), Bytes()};
  b.profiles[2] = {"ql", "all", Bytes(500), 1, {}, {}, Bytes(), Bytes()};
  return b;
}

struct Seen {
  std::map<DropReason, int> drops;
  int xoff = 0, xon = 0;
  int64_t most_headroom = 0;
};

Seen Compare(const BufferParameters& parameters, uint32_t seed) {
  const auto buffer = ns3::CreateObject<SharedBuffer>();
  buffer->Setup(parameters, Ports(), Classes());
  NaiveBuffer naive(parameters, Ports(), Classes());
  struct Resident {
    uint32_t in, out, charge;
    int priority;
  };
  std::vector<Resident> resident;
  std::mt19937 random(seed);
  constexpr int priorities[] = {0, 3, 3, 3, 4, 6};
  Seen seen;
  int64_t peak = 0, peak_headroom = 0, peak_ingress = 0;
  std::map<std::pair<uint32_t, int>, int64_t> peak_group;

  for (int i = 0; i < 40'000; ++i) {
    // Phases of filling and of emptying, and of incast to one port.
    const bool filling = random() % 100 < (i / 3000 % 2 == 0 ? 62u : 38u);
    uint32_t port;
    int p;
    if (filling) {
      Resident r;
      r.in = port = random() % kPorts;
      r.out = i / 1500 % 3 == 0 ? 5 : random() % kPorts;
      r.priority = p = priorities[random() % 6];
      r.charge = buffer->Charge(64 + random() % 1500);
      const auto expected = naive.Admit(r.in, r.out, p, r.charge);
      const auto got = buffer->Admit(r.in, r.out, p, r.charge);
      EXPECT_EQ(got.admitted, expected.admitted);
      EXPECT_EQ(got.signal, expected.signal);
      if (!expected.admitted) {
        EXPECT_EQ(got.reason, expected.reason);
        ++seen.drops[expected.reason];
      } else {
        resident.push_back(r);
      }
      seen.xoff += got.signal == SharedBuffer::Signal::xoff;
    } else {
      if (resident.empty()) continue;
      const size_t at = random() % resident.size();
      const Resident r = resident[at];
      resident[at] = resident.back();
      resident.pop_back();
      port = r.in;
      p = r.priority;
      const auto expected = naive.Release(r.in, r.out, p, r.charge);
      const auto got = buffer->Release(r.in, r.out, p, r.charge);
      EXPECT_EQ(got, expected);
      seen.xon += got == SharedBuffer::Signal::xon;
    }
    peak = std::max(peak, naive.Resident());
    peak_headroom = std::max(peak_headroom, naive.Headroom());
    peak_ingress = std::max(peak_ingress, naive.IngressUsed());
    int64_t& most = peak_group[{port, p}];
    most = std::max(most, naive.used(port, p) + naive.headroom(port, p));

    EXPECT_TRUE(buffer->Consistent());
    EXPECT_EQ(buffer->resident(), naive.Resident());
    EXPECT_EQ(buffer->group_used(port, p), naive.used(port, p));
    EXPECT_EQ(buffer->group_headroom(port, p), naive.headroom(port, p));
    EXPECT_EQ(buffer->xoff(port, p), naive.xoff(port, p));
    EXPECT_EQ(buffer->peak_group(port, p), most);
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "at step " << i;
      break;
    }
  }
  EXPECT_EQ(buffer->peak_resident(), peak);
  EXPECT_EQ(buffer->peak_headroom_total(), peak_headroom);
  EXPECT_EQ(buffer->peak_ingress_pool(), peak_ingress);
  seen.most_headroom = peak_headroom;

  // Everything leaves: nothing is left, and nobody is paused.
  for (const Resident& r : resident) buffer->Release(r.in, r.out, r.priority, r.charge);
  EXPECT_TRUE(buffer->Consistent());
  EXPECT_EQ(buffer->resident(), 0);
  for (uint32_t port = 0; port < kPorts; ++port) {
    for (int p = 0; p < kPriorities; ++p) EXPECT_FALSE(buffer->xoff(port, p));
  }
  return seen;
}

TEST(SharedBuffer, DynamicLimitsAsTheNaiveOne) {
  for (const uint32_t seed : {1u, 2u}) {
    Seen seen = Compare(Small(-2, -1, 40'000), seed);
    EXPECT_GT(seen.xoff, 100);
    EXPECT_GE(seen.xoff, seen.xon);
    EXPECT_GT(seen.drops[DropReason::group_cap], 100);
    EXPECT_GT(seen.drops[DropReason::egress_limit], 100);
  }
}

TEST(SharedBuffer, StaticLimitsAsTheNaiveOne) {
  Seen seen = Compare(Small({}, {}, 40'000), 3);
  EXPECT_GT(seen.xoff, 50);
  EXPECT_GT(seen.drops[DropReason::egress_limit], 100);
}

TEST(SharedBuffer, AnOversubscribedHeadroomPoolAsTheNaiveOne) {
  // Twelve groups of up to 9000 B, 20 000 B for all of them.
  Seen seen = Compare(Small(-3, -1, 20'000), 4);
  EXPECT_GT(seen.drops[DropReason::headroom_full], 100);
  EXPECT_LE(seen.most_headroom, 20'000);
  EXPECT_GT(seen.most_headroom, 19'000);
}

TEST(SharedBuffer, GroupsWithTheirOwnHeadroomAsTheNaiveOne) {
  Seen seen = Compare(Small(-3, -2, 0), 5);
  EXPECT_EQ(seen.drops[DropReason::headroom_full], 0);
  EXPECT_GT(seen.most_headroom, 20'000);
}

TEST(SharedBuffer, OnePoolForBothDirectionsAsTheNaiveOne) {
  Seen seen = Compare(OnePool(), 6);
  EXPECT_GT(seen.xoff, 100);
  EXPECT_GT(seen.drops[DropReason::ingress_limit] + seen.drops[DropReason::egress_limit], 100);
}

TEST(SharedBuffer, AFullMemoryAsTheNaiveOne) {
  BufferParameters b = Small(3, 3, 40'000);
  b.size = Bytes(120'000);
  Seen seen = Compare(b, 7);
  EXPECT_GT(seen.drops[DropReason::buffer_full], 100);
}

TEST(SharedBuffer, TheHpccRulesAsTheNaiveOne) {
  // 3 × 100 Gb/s × 300 ns = 11 250 B of headroom a group, at 400 Gb/s 45 000 B, all taken from the pool.
  BufferParameters b = HpccBuffer(Bytes(700'000));
  Seen seen = Compare(b, 8);
  EXPECT_GT(seen.xoff, 50);
}

}  // namespace
}  // namespace headroom
