// The reaction points compared with eager ones, which do everything when it is due: the alpha timer ticks
// even if no one reads alpha.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "dcqcn/generations.h"
#include "dcqcn/reaction_point.h"

namespace headroom::reaction_point_eager_test {
namespace {

constexpr Rate kLine = GigabitsPerSecond(100);

double InGbps(Rate r) { return static_cast<double>(r.v) / 1e9; }
/// Rates are rounded to bit/s; an alpha that has almost vanished may decide one of these roundings.
constexpr double kTolerance = 3e-9;

/// The published machine, as the paper describes it.
class EagerPaper {
 public:
  explicit EagerPaper(const RpParameters& p) : p_(p) {}
  Time Next() const { return std::min(alpha_due_, increase_due_); }
  void Tick(Time now) {
    if (alpha_due_ == now) {
      alpha_ *= 1 - p_.g;
      alpha_due_ = now + p_.alpha_timer;
    }
    if (increase_due_ == now) {
      ++time_stage_;
      increase_due_ = now + p_.increase_timer;
      Increase();
    }
  }
  void Notify(Time now) {
    if (last_cut_.v >= 0 && now < last_cut_ + p_.reduce_window) return;
    last_cut_ = now;
    target = current;
    current = std::max(p_.min_rate, Rate(std::llround(static_cast<double>(current.v) * (1 - alpha_ / 2))));
    alpha_ = (1 - p_.g) * alpha_ + p_.g;
    time_stage_ = byte_stage_ = 0;
    bytes_ = 0;
    alpha_due_ = now + p_.alpha_timer;
    increase_due_ = now + p_.increase_timer;
  }
  void Sent(int64_t bytes) {
    for (bytes_ += bytes; bytes_ >= p_.byte_counter.v; bytes_ -= p_.byte_counter.v) {
      ++byte_stage_;
      Increase();
    }
  }
  Rate current = kLine, target = kLine;

 private:
  void Increase() {
    const int most = std::max(time_stage_, byte_stage_), least = std::min(time_stage_, byte_stage_);
    if (least > p_.fast_recovery) {
      target += p_.rate_hai * (least - p_.fast_recovery);
    } else if (most > p_.fast_recovery) {
      target += p_.rate_ai;
    }
    target = std::min(target, kLine);
    current = Rate((current.v + target.v + 1) / 2);
  }
  RpParameters p_;
  double alpha_ = 1;
  Time last_cut_ = Time(-1), alpha_due_ = kNever, increase_due_ = kNever;
  int time_stage_ = 0, byte_stage_ = 0;
  int64_t bytes_ = 0;
};

/// The HPCC simulator's machine: from the first flag on, alpha and the decrease have their own timers.
class EagerHpcc {
 public:
  explicit EagerHpcc(const RpParameters& p) : p_(p) {}
  Time Next() const { return std::min({alpha_due_, decrease_due_, increase_due_}); }
  void Tick(Time now) {
    if (alpha_due_ == now) {
      alpha_ = (1 - p_.g) * alpha_ + (alpha_flag_ ? p_.g : 0);
      alpha_flag_ = false;
      alpha_due_ = now + p_.alpha_timer;
    }
    if (decrease_due_ == now) {
      decrease_due_ = now + p_.reduce_window;
      if (decrease_flag_) {
        decrease_flag_ = false;
        if (p_.clamp_target || stage_ > 0) target = current;
        current =
            std::max(p_.min_rate, Rate(std::llround(static_cast<double>(current.v) * (1 - alpha_ / 2))));
        stage_ = 0;
        increase_due_ = now + p_.increase_timer;
        return;  // the increase timer starts anew
      }
    }
    if (increase_due_ == now) {
      if (stage_ > p_.fast_recovery) {
        target += p_.rate_hai;
      } else if (stage_ == p_.fast_recovery) {
        target += p_.rate_ai;
      }
      target = std::min(target, kLine);
      current = Rate((current.v + target.v + 1) / 2);
      ++stage_;
      increase_due_ = now + p_.increase_timer;
    }
  }
  void Notify(Time now) {
    if (first_) {
      first_ = false;
      decrease_flag_ = true;
      alpha_due_ = now + p_.alpha_timer;
      decrease_due_ = now + p_.reduce_window + Nanoseconds(1);
      return;
    }
    alpha_flag_ = decrease_flag_ = true;
  }
  void Sent(int64_t) {}
  Rate current = kLine, target = kLine;

 private:
  RpParameters p_;
  double alpha_ = 1;
  bool first_ = true, alpha_flag_ = false, decrease_flag_ = false;
  Time alpha_due_ = kNever, decrease_due_ = kNever, increase_due_ = kNever;
  int stage_ = 0;
};

/// The vendor's machine: the same timers, all in whole numbers.
class EagerVendor {
 public:
  explicit EagerVendor(const RpParameters& p) : p_(p), kept_(std::llround(1024 * (1 - p.g))) {}
  Time Next() const { return std::min({alpha_due_, check_due_, increase_due_}); }
  void Tick(Time now) {
    if (alpha_due_ == now) {
      alpha_ = std::min<int64_t>(1023, alpha_ * kept_ / 1024 + (alpha_flag_ ? 1024 - kept_ : 0));
      alpha_flag_ = false;
      alpha_due_ = now + p_.alpha_timer;
    }
    if (check_due_ == now) {
      check_due_ = now + p_.reduce_window;
      if (cut_flag_) {
        cut_flag_ = false;
        Cut(now);
        return;
      }
    }
    if (increase_due_ == now) {
      Increase();
      ++time_stage_;
      increase_due_ = now + p_.increase_timer;
    }
  }
  void Notify(Time now) {
    if (!first_) {
      alpha_flag_ = cut_flag_ = true;
      return;
    }
    first_ = false;
    alpha_ = p_.initial_alpha;
    alpha_due_ = now + p_.alpha_timer;
    check_due_ = now + p_.reduce_window;
    increase_due_ = now + p_.increase_timer;
    if (p_.rate_on_first_cnp.v > 0) {
      current = target = p_.rate_on_first_cnp;
    } else {
      cut_flag_ = true;
    }
  }
  void Sent(int64_t bytes) {
    for (bytes_ += bytes; bytes_ >= p_.byte_counter.v; bytes_ -= p_.byte_counter.v) {
      Increase();
      ++byte_stage_;
    }
  }
  Rate current = kLine, target = kLine;

 private:
  void Cut(Time now) {
    const bool clamps =
        p_.clamp_target || byte_stage_ > 0 || (p_.clamp_after_time_increase && time_stage_ > 0);
    if (clamps) target = current;
    const int64_t part = current.v * alpha_ / (int64_t{1} << p_.cut_shift);
    const int64_t most = current.v * (100 - p_.least_kept) / 100;
    current = std::max(p_.min_rate, Rate(current.v - std::min(part, most)));
    time_stage_ = byte_stage_ = 0;
    bytes_ = 0;
    increase_due_ = now + p_.increase_timer;
  }
  void Increase() {
    if (time_stage_ > p_.fast_recovery && byte_stage_ > p_.fast_recovery) {
      target += p_.rate_hai;
    } else if (time_stage_ >= p_.fast_recovery || byte_stage_ >= p_.fast_recovery) {
      target += p_.rate_ai;
    }
    target = std::min(target, kLine);
    current = Rate((current.v + target.v + 1) / 2);
  }
  RpParameters p_;
  int64_t kept_, alpha_ = 0, bytes_ = 0;
  bool first_ = true, alpha_flag_ = false, cut_flag_ = false;
  Time alpha_due_ = kNever, check_due_ = kNever, increase_due_ = kNever;
  int time_stage_ = 0, byte_stage_ = 0;
};

/// Notifications come in bursts separated by long silences, with frames in between. The rates must agree
/// before and after each notification and each frame.
template <class Eager>
void Compare(const RpParameters& p, uint32_t seed) {
  const auto point = ns3::CreateObject<ReactionPoint>();
  point->SetParameters(p);
  RpState lazy = point->Fresh(kLine);
  Eager eager(p);
  std::mt19937 random(seed);
  Time now;
  int changes = 0;
  Rate last = kLine;
  for (int i = 0; i < 20'000; ++i) {
    const uint32_t longest = random() % 200 == 0 ? 50'000'000 : random() % 20 == 0 ? 200'000 : 5'000;
    now += Nanoseconds(random() % longest) + Picoseconds(1 + random() % 999);
    while (lazy.NextTimer() < now) point->OnTimer(lazy, lazy.NextTimer());
    while (eager.Next() < now) eager.Tick(eager.Next());
    ASSERT_NEAR(InGbps(lazy.current), InGbps(eager.current), kTolerance) << "step " << i;
    ASSERT_NEAR(InGbps(lazy.target), InGbps(eager.target), kTolerance) << "step " << i;
    if (random() % 3 == 0) {
      point->OnNotification(lazy, now);
      eager.Notify(now);
    } else {
      const int64_t bytes = 84 + static_cast<int64_t>(random() % 100'000);
      point->OnSent(lazy, bytes);
      if (eager.current != kLine || eager.target != kLine) eager.Sent(bytes);
    }
    ASSERT_NEAR(InGbps(lazy.current), InGbps(eager.current), kTolerance) << "step " << i;
    ASSERT_NEAR(InGbps(lazy.target), InGbps(eager.target), kTolerance) << "step " << i;
    changes += lazy.current != last;
    last = lazy.current;
  }
  EXPECT_GT(changes, 1000);
}

TEST(ReactionPoint, PaperMachineIsTheEagerOne) {
  RpParameters p;
  p.byte_counter = Kilobytes(300);
  p.fast_recovery = 2;
  for (const uint32_t seed : {1u, 2u, 3u}) Compare<EagerPaper>(p, seed);
  p.reduce_window = Microseconds(50);
  p.alpha_timer = Microseconds(1);
  p.increase_timer = Microseconds(7);
  for (const uint32_t seed : {4u, 5u}) Compare<EagerPaper>(p, seed);
}

TEST(ReactionPoint, HpccMachineIsTheEagerOne) {
  RpParameters p;
  p.machine = RpParameters::Machine::hpcc;
  p.reduce_window = Microseconds(4);
  p.alpha_timer = Microseconds(1);
  p.increase_timer = Microseconds(300);
  p.byte_counter = Bytes(0);
  p.fast_recovery = 1;
  p.min_rate = MegabitsPerSecond(1000);
  for (const uint32_t seed : {1u, 2u}) Compare<EagerHpcc>(p, seed);
  p.clamp_target = true;
  p.alpha_timer = p.reduce_window = Microseconds(50);
  p.increase_timer = Microseconds(55);
  for (const uint32_t seed : {3u, 4u}) Compare<EagerHpcc>(p, seed);
}

TEST(ReactionPoint, VendorMachineIsTheEagerOne) {
  RpParameters p = FindGeneration("connectx-default")->dcqcn.rp;
  for (const uint32_t seed : {1u, 2u, 3u}) Compare<EagerVendor>(p, seed);
  p.clamp_after_time_increase = false;
  p.cut_shift = 10;
  p.least_kept = 60;
  p.alpha_timer = Microseconds(7);
  p.increase_timer = Microseconds(20);
  p.byte_counter = Kilobytes(300);
  p.fast_recovery = 2;
  p.g = 64.0 / 1024;
  for (const uint32_t seed : {4u, 5u}) Compare<EagerVendor>(p, seed);
  p.rate_on_first_cnp = GigabitsPerSecond(30);
  p.initial_alpha = 300;
  p.clamp_target = true;
  p.reduce_window = Microseconds(50);
  for (const uint32_t seed : {6u, 7u}) Compare<EagerVendor>(p, seed);
}

TEST(ReactionPoint, HpccMachineWithoutAWindowDecreasesAtOnce) {
  // The window separates that machine's checks; without a window it acts on a flag 1 ns later.
  RpParameters p;
  p.machine = RpParameters::Machine::hpcc;
  p.reduce_window = Time{};
  const auto point = ns3::CreateObject<ReactionPoint>();
  point->SetParameters(p);
  RpState s = point->Fresh(kLine);
  point->OnNotification(s, Microseconds(1));
  EXPECT_EQ(s.NextTimer(), Microseconds(1) + Nanoseconds(1));
  point->OnTimer(s, s.NextTimer());
  EXPECT_EQ(s.current, GigabitsPerSecond(50));
  point->OnNotification(s, Microseconds(2));
  EXPECT_GT(s.NextTimer(), Microseconds(2));
  EXPECT_LE(s.NextTimer(), Microseconds(2) + Nanoseconds(1));
}

}  // namespace
}  // namespace headroom::reaction_point_eager_test
