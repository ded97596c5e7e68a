// The shared buffer compared with the naive one, under random traffic that fills it, empties it and fills it
// again.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <tuple>

#include "switch/buffer/naive_buffer.h"

namespace headroom::shared_buffer_naive_test {
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

/// Priorities 3 and 4 are lossless, 0 and 6 lossy.
TrafficClasses Classes() {
  TrafficClasses classes;
  for (const int p : {0, 3, 4, 6}) {
    classes[p].name = "c" + std::to_string(p);
    classes[p].priority = static_cast<uint8_t>(p);
    classes[p].lossless = p == 3 || p == 4;
  }
  return classes;
}

/// Of 200 kB 140 kB are shared and 40 kB are headroom for all; cells have 208 B; the arguments set the
/// limits.
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

/// One pool for both directions, with dynamic limits everywhere and no cells.
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

using Place = SharedBuffer::Place;
using Measure = SharedBuffer::Measure;

/// The highest values since a clearing, one for each measured quantity.
class Highest {
 public:
  void Note(Measure measure, uint32_t port, int number, int64_t value) {
    int64_t& most = values_[{measure, port, number}];
    most = std::max(most, value);
  }
  void Clear(Measure measure) {
    std::erase_if(values_, [&](const auto& v) { return std::get<0>(v.first) == measure; });
  }
  int64_t Of(Measure measure, uint32_t port, int number) const {
    const auto at = values_.find({measure, port, number});
    return at == values_.end() ? 0 : at->second;
  }

 private:
  std::map<std::tuple<Measure, uint32_t, int>, int64_t> values_;
};

/// `elsewhere`: the buffer does not store the bytes of queues, because ports know them.
Seen Compare(const BufferParameters& parameters, uint32_t seed, int steps, bool elsewhere) {
  const auto buffer = ns3::CreateObject<SharedBuffer>();
  buffer->Setup(parameters, Ports(), Classes());
  std::map<std::pair<uint32_t, int>, int64_t> queues;
  if (elsewhere) buffer->TakeQueuesFrom([&](uint32_t port, int queue) { return queues[{port, queue}]; });
  Time now;
  buffer->SetClock([&] { return now; });
  const auto admit = [&](const Place& at, uint32_t charge, bool first_window) {
    if (!elsewhere) return buffer->Admit(at, charge, SharedBuffer::FirstWindow{first_window});
    int64_t& queue = queues[{at.out, at.queue}];
    const auto admission = buffer->Admit(at, charge, queue);
    if (admission.admitted) queue += charge;
    return admission;
  };
  const auto release = [&](const Place& at, uint32_t charge) {
    if (!elsewhere) return buffer->Release(at, charge);
    int64_t& queue = queues[{at.out, at.queue}];
    queue -= charge;
    return buffer->Release(at, charge, queue);
  };
  NaiveBuffer naive(parameters, Ports(), Classes());
  struct Resident {
    Place at;
    uint32_t charge;
  };
  std::vector<Resident> resident;
  std::mt19937 random(seed);
  constexpr uint8_t priorities[] = {0, 3, 3, 3, 4, 6};
  Seen seen;
  int64_t peak = 0, peak_headroom = 0, peak_ingress = 0;
  std::map<std::pair<uint32_t, int>, int64_t> peak_group;
  std::array<Highest, 3> highest;
  const auto note = [&](const Place& at) {
    for (Highest& h : highest) {
      h.Note(Measure::group_shared, at.in, at.group, naive.group_shared(at.in, at.group));
      h.Note(Measure::group_headroom, at.in, at.group, naive.headroom(at.in, at.group));
    }
  };

  for (int i = 0; i < steps; ++i) {
    now += Nanoseconds(100);
    // Phases alternate between filling and emptying, and incast to one port.
    const bool filling = random() % 100 < (i / 3000 % 2 == 0 ? 62u : 38u);
    Place at;
    if (filling) {
      at.in = random() % kPorts;
      at.out = i / 1500 % 3 == 0 ? 5 : random() % kPorts;
      at.group = at.queue = priorities[random() % 6];
      const uint32_t charge = buffer->Charge(64 + random() % 1500);
      naive.AdvanceTo(now);
      const bool first_window = charge % 5 == 0;
      const auto expected = naive.Admit(at, charge, first_window);
      const auto got = admit(at, charge, first_window);
      EXPECT_EQ(got.admitted, expected.admitted);
      EXPECT_EQ(got.signal, expected.signal);
      if (!expected.admitted) {
        EXPECT_EQ(got.reason, expected.reason);
        ++seen.drops[expected.reason];
        const DropCause cause =
            buffer->CauseOf(got.reason, at, charge, SharedBuffer::FirstWindow{first_window});
        EXPECT_GT(cause.fill + charge, cause.limit) << DropReasonName(got.reason);
        EXPECT_GE(cause.limit, 0);
        EXPECT_EQ(cause.queue, got.reason == DropReason::buffer_full ? -1 : at.queue);
      } else {
        resident.push_back({at, charge});
      }
      seen.xoff += got.signal == SharedBuffer::Signal::xoff;
    } else {
      if (resident.empty()) continue;
      const size_t which = random() % resident.size();
      const Resident r = resident[which];
      resident[which] = resident.back();
      resident.pop_back();
      at = r.at;
      naive.AdvanceTo(now);
      const auto expected = naive.Release(r.at, r.charge);
      const auto got = release(r.at, r.charge);
      EXPECT_EQ(got, expected);
      seen.xon += got == SharedBuffer::Signal::xon;
    }
    peak = std::max(peak, naive.Resident());
    peak_headroom = std::max(peak_headroom, naive.Headroom());
    peak_ingress = std::max(peak_ingress, naive.IngressUsed());
    int64_t& most = peak_group[{at.in, at.group}];
    most = std::max(most, naive.used(at.in, at.group) + naive.headroom(at.in, at.group));
    note(at);
    if (random() % 500 == 0) {  // one user clears a watermark; those of other users do not change
      const auto set = static_cast<Watermark>(1 + random() % 2);
      const auto measure = random() % 2 == 0 ? Measure::group_shared : Measure::group_headroom;
      buffer->ClearWatermarks(set, measure);
      highest[static_cast<size_t>(set)].Clear(measure);
      for (uint32_t port = 0; port < kPorts; ++port) {
        for (const uint8_t p : {0, 3, 4, 6}) note({port, port, p, p});
      }
    }

    EXPECT_TRUE(buffer->Consistent());
    EXPECT_EQ(buffer->resident(), naive.Resident());
    EXPECT_EQ(buffer->group_used(at.in, at.group), naive.used(at.in, at.group));
    EXPECT_EQ(buffer->group_headroom(at.in, at.group), naive.headroom(at.in, at.group));
    EXPECT_EQ(buffer->queue_used(at.out, at.queue), naive.queued(at.out, at.queue));
    EXPECT_EQ(buffer->xoff(at.in, at.group), naive.xoff(at.in, at.group));
    EXPECT_EQ(buffer->peak_group(at.in, at.group), most);
    for (size_t set = 0; set < highest.size(); ++set) {
      const auto w = static_cast<Watermark>(set);
      for (const Measure m : {Measure::group_shared, Measure::group_headroom})
        EXPECT_EQ(buffer->watermark(w, m, at.in, at.group), highest[set].Of(m, at.in, at.group));
    }
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "at step " << i;
      break;
    }
  }
  EXPECT_EQ(buffer->peak_resident(), peak);
  EXPECT_EQ(buffer->peak_headroom_total(), peak_headroom);
  EXPECT_EQ(buffer->peak_ingress_pool(), peak_ingress);
  seen.most_headroom = peak_headroom;

  // All frames leave: no bytes remain, and no group is paused.
  for (const Resident& r : resident) release(r.at, r.charge);
  EXPECT_TRUE(buffer->Consistent());
  EXPECT_EQ(buffer->resident(), 0);
  for (uint32_t port = 0; port < kPorts; ++port) {
    for (int p = 0; p < kPriorities; ++p) EXPECT_FALSE(buffer->xoff(port, p));
  }
  return seen;
}

Seen Compare(const BufferParameters& parameters, uint32_t seed, int steps = 40'000) {
  const auto buffer = ns3::CreateObject<SharedBuffer>();
  buffer->Setup(parameters, Ports(), Classes());
  if (!buffer->unusual()) Compare(parameters, seed, steps, true);
  return Compare(parameters, seed, steps, false);
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
  // Twelve groups of up to 20 000 B each need more than the pool has: it fills first.
  BufferParameters b = Small({}, {}, 40'000);
  Seen seen = Compare(b, 3);
  EXPECT_GT(seen.xoff, 50);
  EXPECT_GT(seen.drops[DropReason::ingress_limit], 100);
  b.pools[0].size = Bytes(400'000);
  seen = Compare(b, 3);
  EXPECT_GT(seen.drops[DropReason::egress_limit], 50);
}

TEST(SharedBuffer, AnOversubscribedHeadroomPoolAsTheNaiveOne) {
  // Twelve groups have up to 9000 B, and 20 000 B for all of them.
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
  // 3 × 100 Gb/s × 300 ns = 11 250 B of headroom for each group, at 400 Gb/s 45 000 B, are all taken from the
  // pool.
  BufferParameters b = HpccBuffer(Bytes(700'000));
  Seen seen = Compare(b, 8);
  EXPECT_GT(seen.xoff, 50);
}

TEST(SharedBuffer, SlicesAsTheNaiveOne) {
  // Ports 0 and 1, 2 and 3, 4 and 5 share a third each: 46 666 B of the pool, 66 666 B of the memory.
  BufferParameters b = Small(-1, 0, 40'000);
  b.slices = 3;
  Seen seen = Compare(b, 9);
  EXPECT_GT(seen.xoff, 100);
  EXPECT_GT(seen.drops[DropReason::headroom_full], 50);
  b.pools[0].xoff = Bytes();
  b.rules.reserved_off_ingress = false;
  Compare(b, 10);
}

TEST(SharedBuffer, AMemoryOfFullSlicesAsTheNaiveOne) {
  BufferParameters b = Small(3, 3, 40'000);
  b.size = Bytes(150'000);
  b.slices = 2;
  Seen seen = Compare(b, 11);
  EXPECT_GT(seen.drops[DropReason::buffer_full], 100);
}

/// Every port has a reserve in each pool, and limits that are sometimes reached first.
void LimitPorts(BufferParameters& b) {
  b.profiles.push_back({"pi", "in", Bytes(2'000), {}, Bytes(9'000), {}, Bytes(), Bytes()});
  b.profiles.push_back({"pi5", "in", Bytes(), -3, {}, {}, Bytes(), Bytes()});
  b.profiles.push_back({"pl", "out_lossless", Bytes(500), {}, Bytes(40'000), {}, Bytes(), Bytes()});
  b.profiles.push_back({"py", "out_lossy", Bytes(1'000), -1, {}, {}, Bytes(), Bytes()});
  b.port_ingress = {{"*", {"pi"}}, {"p5", {"pi5"}}};
  b.port_egress = {{"*", {"pl", "py"}}};
}

TEST(SharedBuffer, LimitsOfPortsAsTheNaiveOne) {
  BufferParameters b = Small(0, 1, 40'000);
  LimitPorts(b);
  Seen seen = Compare(b, 12);
  EXPECT_GT(seen.xoff, 100);
  EXPECT_GT(seen.drops[DropReason::ingress_limit], 50);
  EXPECT_GT(seen.drops[DropReason::egress_limit], 50);
  b.slices = 2;
  Compare(b, 13);
}

TEST(SharedBuffer, OwnHeadroomWithinTheProfilesSizeAsTheNaiveOne) {
  // One size includes 1248 B and 9000 B of headroom, for twelve groups: 122 976 B less of the pool of 140 000
  // B.
  BufferParameters b = Small(-1, -1, 0);
  b.profiles[0].size = Bytes(10'248);
  b.rules.xoff_in_profile_size = true;
  Seen seen = Compare(b, 14);
  EXPECT_GT(seen.drops[DropReason::group_cap], 50);
}

TEST(SharedBuffer, AHeadroomPoolWithinThePoolAsTheNaiveOne) {
  BufferParameters b = Small(0, -1, 40'000);
  b.rules.xoff_in_pool_size = true;
  Seen seen = Compare(b, 15);
  EXPECT_GT(seen.xoff, 100);
}

TEST(SharedBuffer, LosslessAndLossyInPoolsOfTheirOwnAsTheNaiveOne) {
  // As on the ACS SKUs of Spectrum there are two ingress pools, and alpha 0 and no limit are the ends of the
  // scale.
  BufferParameters b = Small(0, 3, 0);
  b.pools.push_back({"in_lossy", Pool::Type::ingress, Pool::Mode::dynamic, Bytes(50'000), Bytes()});
  b.profiles[1] = {"gy", "in_lossy", Bytes(), 3, {}, {}, Bytes(), Bytes()};
  b.profiles[2] = {"ql", "out_lossless", Bytes(), 7, {}, {}, Bytes(), Bytes()};
  b.profiles.push_back({"zero", "in_lossy", Bytes(), -8, {}, {}, Bytes(), Bytes()});
  b.profiles.push_back({"none", "out_lossy", Bytes(9'216), {}, Bytes(0), {}, Bytes(), Bytes()});
  b.groups = {{"p0", 6, 6, "zero"}};
  b.port_egress = {{"*", {"none"}}};
  b.rules = {.reserved_off_ingress = false,
             .reserved_off_egress = false,
             .zero_is_unlimited = true,
             .alpha = AlphaMap::mellanox};
  Seen seen = Compare(b, 16);
  EXPECT_GT(seen.drops[DropReason::ingress_limit], 100);
  EXPECT_GT(seen.xoff, 100);
}

using Policy = BufferPolicyParameters;

TEST(SharedBuffer, AnyAlphaAsTheNaiveOne) {
  BufferParameters b = Small({}, {}, 40'000);
  b.profiles[0].static_th = b.profiles[3].static_th = {};
  b.profiles[0].alpha = 0.37;
  b.profiles[3].alpha = 1 / 3.0;
  Seen seen = Compare(b, 18, 20'000);
  EXPECT_GT(seen.xoff, 50);
  EXPECT_GT(seen.drops[DropReason::egress_limit], 50);
}

TEST(SharedBuffer, APolicyOfStaticLimitsAsTheNaiveOne) {
  BufferParameters b = Small(-2, -1, 40'000);
  b.policy = {.type = Policy::Type::fixed, .limit = Bytes(15'000)};
  Seen seen = Compare(b, 19, 20'000);
  EXPECT_GT(seen.xoff, 50);
  EXPECT_GT(seen.drops[DropReason::egress_limit], 50);
}

TEST(SharedBuffer, CompleteSharingAsTheNaiveOne) {
  BufferParameters b = Small(-2, -1, 40'000);
  b.policy.type = Policy::Type::complete_sharing;
  Seen seen = Compare(b, 20, 20'000);
  EXPECT_GT(seen.xoff, 50);
  EXPECT_GT(seen.xon, 20);
}

TEST(SharedBuffer, AbmAsTheNaiveOne) {
  BufferParameters b = Small(-1, 0, 40'000);
  b.policy.type = Policy::Type::abm;
  b.policy.unscheduled_alpha = 4;
  b.policy.interval = Microseconds(3);
  Seen seen = Compare(b, 21, 10'000);
  EXPECT_GT(seen.xoff, 10);
  EXPECT_GT(seen.drops[DropReason::egress_limit], 20);
}

TEST(SharedBuffer, ReverieAsTheNaiveOne) {
  BufferParameters b = Small(-1, 0, 40'000);
  b.policy.type = Policy::Type::reverie;
  b.policy.gamma = 0.9;
  b.policy.congested_at = Bytes(4'000);
  Seen seen = Compare(b, 22, 6'000);
  EXPECT_GT(seen.xoff, 10);
  EXPECT_GT(seen.drops[DropReason::egress_limit], 20);
}

TEST(SharedBuffer, AnyPolicyInAnyConfigurationAsTheNaiveOne) {
  std::mt19937 random(23);
  const auto one_of = [&](auto... values) {
    const std::array all{values...};
    return all[random() % all.size()];
  };
  for (int round = 0; round < 24; ++round) {
    BufferParameters b = one_of(0, 1, 1)
                             ? Small(one_of(-3, -1, 0, 2), one_of(-2, 0, 3), one_of(0, 15'000, 40'000))
                             : OnePool();
    if (b.pools.size() > 1 && one_of(0, 1)) LimitPorts(b);
    b.cell = Bytes(one_of(1, 208, 254));
    b.slices = one_of(1, 1, 2, 3);
    b.policy.type = one_of(Policy::Type::complete_sharing, Policy::Type::abm, Policy::Type::reverie);
    b.policy.interval = Nanoseconds(one_of(200, 1'000, 20'000));
    b.policy.congested = one_of(0.9, 0.25);
    b.policy.gamma = one_of(0.5, 0.99, 0.999);
    b.policy.congested_at = Bytes(one_of(1, 2'000, 20'480));
    b.rules.reserved_off_ingress = one_of(false, true);
    b.rules.headroom_per_packet = one_of(false, false, true);
    b.rules.alpha = one_of(AlphaMap::power_of_two, AlphaMap::mellanox);
    Compare(b, static_cast<uint32_t>(round), 1'500);
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
}

TEST(SharedBuffer, AnyConfigurationAsTheNaiveOne) {
  std::mt19937 random(17);
  const auto one_of = [&](auto... values) {
    const std::array all{values...};
    return all[random() % all.size()];
  };
  for (int round = 0; round < 30; ++round) {
    BufferParameters b = Small(one_of(-3, -1, 0, 2), one_of(-2, 0, 3), one_of(0, 15'000, 40'000));
    if (one_of(0, 1)) LimitPorts(b);
    b.cell = Bytes(one_of(1, 208, 254));
    b.slices = one_of(1, 1, 2, 3);
    b.profiles[1].static_th = Bytes(one_of(0, 12'000, 200'000));
    b.profiles[2].size = Bytes(one_of(0, 700));
    if (one_of(0, 1)) b.profiles[0].size = Bytes(one_of(9'000, 9'500));
    b.rules.xoff_in_profile_size = b.profiles[0].size.v >= 9'000;
    b.rules.reserved_off_ingress = one_of(false, true);
    b.rules.reserved_off_egress = one_of(false, true);
    b.rules.xoff_in_pool_size = one_of(false, true);
    b.rules.zero_is_unlimited = one_of(false, true);
    b.rules.alpha = one_of(AlphaMap::power_of_two, AlphaMap::mellanox);
    b.groups = {{one_of("p0", "p[1-3]", "x"), 6, 6, "gl"}};
    Compare(b, static_cast<uint32_t>(round), 4'000);
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
}

}  // namespace
}  // namespace headroom::shared_buffer_naive_test
