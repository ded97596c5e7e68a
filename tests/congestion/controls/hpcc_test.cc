// HPCC compared with algorithm 1 of Li et al., SIGCOMM 2019, as printed.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "congestion/agents/int_records.h"
#include "support/made_control.h"

namespace headroom::hpcc_test {
namespace {

struct Link {
  double ts, tx_bytes, qlen;  // s, B, B
  double bandwidth;           // B/s
};

/// Algorithm 1; the page on models describes the choices that the paper leaves open.
struct Printed {
  double eta, t, w_ai, w_init;
  int max_stage;
  std::string reaction;
  double u = 1, w, wc;
  int inc_stage = 0;
  uint64_t last_update_seq = 0;
  std::vector<Link> l{};

  void NewAck(const std::vector<Link>& ack, uint64_t seq, uint64_t snd_nxt) {
    const bool update = seq > last_update_seq;
    if (!l.empty() && (update || reaction != "per_rtt")) {
      w = ComputeWind(MeasureInflight(ack), update || reaction == "per_ack");
      l = ack;
    }
    if (l.empty()) l = ack;
    if (update) last_update_seq = snd_nxt;
  }
  double MeasureInflight(const std::vector<Link>& ack) {
    double most = 0, tau = 0;
    for (size_t i = 0; i < ack.size(); ++i) {
      const double dt = ack[i].ts - l[i].ts;
      const double tx_rate = (ack[i].tx_bytes - l[i].tx_bytes) / dt;
      const double u_i =
          std::min(ack[i].qlen, l[i].qlen) / (ack[i].bandwidth * t) + tx_rate / ack[i].bandwidth;
      if (u_i > most) most = u_i, tau = dt;
    }
    tau = std::min(tau, t);
    return u = (1 - tau / t) * u + tau / t * most;
  }
  double ComputeWind(double load, bool update) {
    double next;
    int stage;
    if (load >= eta || inc_stage >= max_stage) {
      next = wc / (load / eta) + w_ai;
      stage = 0;
    } else {
      next = wc + w_ai;
      stage = inc_stage + 1;
    }
    next = std::min(next, w_init);
    if (update) wc = next, inc_stage = stage;
    return next;
  }
};

TEST(Hpcc, is_the_printed_algorithm_whatever_acks_say) {
  std::mt19937_64 random(1);
  const auto between = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  for (int trial = 0; trial < 60; ++trial) {
    const int max_stage = static_cast<int>(between(0, 6)), hops = static_cast<int>(between(1, 5));
    const int64_t w_ai = between(0, 300), eta = between(50, 99), trip_ns = between(2000, 20000);
    const std::string reaction = std::vector<std::string>{"combined", "per_ack", "per_rtt"}[trial % 3];
    MadeControl control("{type: hpcc, hops: 15, eta: " + std::to_string(eta) +
                        "%, max_stage: " + std::to_string(max_stage) + ", additive: " + std::to_string(w_ai) +
                        "B, reaction: " + reaction + "}");
    control->Begin(PathOf(Nanoseconds(trip_ns)));
    const double t = static_cast<double>(trip_ns) * 1e-9, w_init = t * 12.5e9;
    Printed printed{static_cast<double>(eta) / 100,
                    t,
                    static_cast<double>(w_ai),
                    w_init,
                    max_stage,
                    reaction,
                    1,
                    w_init,
                    w_init};
    // Counters exceed their 24 and 20 bits on the way.
    std::vector<int64_t> ns(hops, between(0, 1 << 25)), sent(hops, between(0, int64_t{1} << 28));
    uint64_t una = 0, next = 50;
    for (int i = 0; i < 400; ++i) {
      Feedback::Records records;
      Feedback feedback;
      feedback.records = &records;
      std::vector<Link> links;
      for (int h = 0; h < hops; ++h) {
        const int64_t gap = between(50, 3000), rate = h % 2 == 0 ? 100 : 400;
        ns[h] += gap;
        sent[h] += between(0, gap * rate / 8);
        const int64_t queued = between(0, 1) * between(0, 400'000);
        feedback.Append(IntRecord{static_cast<EntityId>(h + 1), Nanoseconds(ns[h]), GigabitsPerSecond(rate),
                                  static_cast<uint64_t>(sent[h]), queued});
        links.push_back({static_cast<double>(ns[h]) * 1e-9, static_cast<double>(sent[h] / 128 * 128),
                         static_cast<double>(queued / 80 * 80), static_cast<double>(rate) * 1e9 / 8});
      }
      una += static_cast<uint64_t>(between(0, 3));
      next = std::max(next, una + static_cast<uint64_t>(between(1, 60)));
      control->OnAck({.now = {},
                      .packets = 1,
                      .marked = 0,
                      .una = una,
                      .next = next,
                      .in_host = {},
                      .feedback = &feedback});
      printed.NewAck(links, una, next);
      const double rate = printed.w / t * 8;
      ASSERT_NEAR(static_cast<double>(control->rate().v), rate, 1 + 1e-6 * rate) << trial << ", ACK " << i;
      ASSERT_NEAR(static_cast<double>(control->window()), std::max(1.0, std::ceil(printed.w / 1000)),
                  std::abs(std::remainder(printed.w / 1000, 1)) < 1e-6 ? 1 : 0)
          << trial << ", ACK " << i;
    }
  }
}

TEST(Hpcc, another_path_is_measured_from_its_first_records_on) {
  MadeControl control("hpcc");
  control->Begin(PathOf(Microseconds(10)));
  const auto ack = [&](EntityId port, int64_t ns, uint64_t sent) {
    Feedback::Records records;
    Feedback feedback;
    feedback.records = &records;
    feedback.Append(IntRecord{port, Nanoseconds(ns), GigabitsPerSecond(100), sent, 0});
    control->OnAck(
        {.now = {}, .packets = 1, .marked = 0, .una = 1, .next = 9, .in_host = {}, .feedback = &feedback});
    return control->rate();
  };
  const Rate line = ack(1, 1000, 0);
  EXPECT_EQ(line, GigabitsPerSecond(100));
  EXPECT_EQ(ack(2, 2000, 900'000), line);      // INT of another port: there is no difference to compute
  EXPECT_LT(ack(2, 12'000, 1'025'000), line);  // 10 us at line rate, which is more than 95 %
}

}  // namespace
}  // namespace headroom::hpcc_test
