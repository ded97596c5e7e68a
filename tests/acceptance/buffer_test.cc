// Tests B1 to B11 of the acceptance suite. They check what SONiC's qualification demands of a switch's buffer
// (sonic-mgmt, tests/saitests/py3/sai_qos_tests.py). Numbers of frames are exact; upstream allows a few
// cells.
#include <gtest/gtest.h>

#include <algorithm>

#include "acceptance/switch_under_test.h"

namespace headroom::buffer_test {
namespace {

using Measure = SharedBuffer::Measure;

class Buffer : public Acceptance {};
INSTANTIATE_TEST_SUITE_P(On, Buffer, testing::Values(Tomahawk2(), Spectrum3()), DutName);

// One frame short of the limit nothing happens. The frame that reaches it sends a pause of that priority
// alone. Then the headroom takes as many frames as fit, and the frame after them is dropped at the ingress.
TEST_P(Buffer, B1_PfcXoffLimit) {
  InChild([&] {
    SwitchUnderTest b(dut());
    b.Close(15);
    b.Send(0, 15, 3, dut().XoffFrames() - 1);
    EXPECT_FALSE(b.Paused(0, 3));
    EXPECT_EQ(b.AllDrops(), 0u);
    b.Send(0, 15, 3, 1);
    EXPECT_TRUE(b.Paused(0, 3));
    EXPECT_GE(b.PauseFrames(0, 3), 1u);
    EXPECT_EQ(b.PauseFrames(0, 4), 0u);
    ASSERT_FALSE(b->listeners[0].pfc.empty());
    EXPECT_EQ(b->listeners[0].pfc[0].xoff, 1u << 3);
    b.Send(0, 15, 3, dut().AfterXoff());
    EXPECT_EQ(b.AllDrops(), 0u);
    b.Send(0, 15, 3, 1);
    EXPECT_EQ(b.Drops(0, 3), 1u);
    EXPECT_EQ(b.AllDrops(), 1u);  // no drop at an egress
    for (uint32_t port = 1; port < SwitchUnderTest::kPorts; ++port) EXPECT_EQ(b.PauseFrames(port, 3), 0u);
  });
}

// Three egress ports hold one group above its limit. The group resumes when its headroom is empty and it
// holds at most max(xon, limit − xon_offset), and not a frame earlier. The limit rises as the pool empties.
TEST_P(Buffer, B2_PfcXon) {
  InChild([&] {
    SwitchUnderTest b(dut());
    for (const uint32_t out : {13u, 14u, 15u}) b.Close(out);
    const int64_t sent = dut().XoffFrames() + 2;
    b.Send(0, 13, 3, sent / 2);
    b.Send(0, 14, 3, sent / 4);
    b.Send(0, 15, 3, sent - sent / 2 - sent / 4);
    const auto resumes_at = [&](int64_t frames) {
      const int64_t used = frames * dut().frame, over = used - dut().reserved;
      return frames <= dut().BelowXoff() &&
             (used <= dut().xon || over + dut().xon_offset <= dut().shared - over);
    };
    int64_t held = sent;
    do {
      ASSERT_TRUE(b.Paused(0, 3)) << held << " frames";
      b.Drain(13 + static_cast<uint32_t>(held % 3), 1);
      --held;
    } while (!resumes_at(held));
    EXPECT_FALSE(b.Paused(0, 3)) << held << " frames";
    b.Wait(Microseconds(2));
    EXPECT_EQ(b->listeners[0].pfc.back().xon, 1u << 3);
    EXPECT_GT(held, sent - 10);
    EXPECT_EQ(b.AllDrops(), 0u);
  });
}

// Many groups of one slice are paused, then their headroom is filled group after group. The pool's watermark
// is the sum at each step and never above the pool. The frame that does not fit is dropped.
TEST_P(Buffer, B3_HeadroomPoolSize) {
  InChild([&] {
    Dut d = dut();
    // This pool holds the headroom of two and a half groups, so the groups of one slice can fill it.
    d.buffer.pools[0].xoff = Bytes((d.xoff / d.frame * d.frame) * 5 / 2 * d.buffer.slices);
    SwitchUnderTest b(d);
    b.Close(15);
    const auto headroom = [&] {
      int64_t sum = 0;
      for (const auto& w : b->buffer().pool_watermarks(Watermark::user)) sum += w.egress ? 0 : w.headroom;
      return sum;
    };
    // Group after group reaches its threshold. The shared pool is then nearly used up.
    const std::vector<std::pair<uint32_t, int>> groups = {{0, 3}, {0, 4}, {1, 3}};
    for (const auto& [port, priority] : groups) {
      while (!b.Paused(port, priority)) b.Send(port, 15, priority, 1);
    }
    const int64_t before = headroom();
    const int64_t full = d.HeadroomFrames();
    const int64_t pool = d.buffer.pools[0].xoff.v / d.buffer.slices;
    const auto fill = [&](size_t i, int64_t frames) {
      b.Send(groups[i].first, 15, groups[i].second, frames);
    };
    const auto left = [&](size_t i) {
      return full - b->buffer().group_headroom(groups[i].first, groups[i].second) / d.frame;
    };
    fill(0, left(0));
    fill(1, left(1));
    EXPECT_EQ(headroom(), 2 * full * d.frame) << before;
    EXPECT_EQ(b.AllDrops(), 0u);
    const int64_t fits = (pool - 2 * full * d.frame) / d.frame - b->buffer().group_headroom(1, 3) / d.frame;
    ASSERT_GT(fits, 0);
    ASSERT_LT(fits, full);
    fill(2, fits);
    EXPECT_EQ(b.AllDrops(), 0u);
    EXPECT_LE(headroom(), pool);
    fill(2, 1);
    EXPECT_EQ(b->Dropped(1, 3, DropReason::headroom_full), 1u);
    EXPECT_LE(headroom(), pool);
  });
}

// Reservations cost the shared pool nothing. The last of three groups pauses when the pool holds the three
// reservations and the shared bytes of three groups.
TEST_P(Buffer, B4_SharedReservation) {
  InChild([&] {
    SwitchUnderTest b(dut());
    b.Close(15);
    const std::vector<std::pair<uint32_t, int>> groups = {{0, 3}, {0, 4}, {1, 3}};
    const int64_t in_reserve = dut().reserved / dut().frame;
    for (const auto& [port, priority] : groups) b.Send(port, 15, priority, in_reserve);
    for (const auto& w : b->buffer().pool_watermarks(Watermark::user)) {
      EXPECT_EQ(w.egress ? 0 : w.shared, 0) << w.pool;
    }
    // The first two groups hold a quarter of the pool each. The third group then pauses at half of the rest,
    // a quarter of the pool.
    const int64_t quarter = dut().shared / 4 / dut().frame;
    b.Send(0, 15, 3, quarter);
    b.Send(0, 15, 4, quarter);
    int64_t sent = in_reserve;
    for (; !b.Paused(1, 3) && sent < 4 * quarter; ++sent) b.Send(1, 15, 3, 1);
    const int64_t pair = 2 * ((quarter + in_reserve) * dut().frame - dut().reserved);
    EXPECT_EQ(sent, dut().UpTo(dut().reserved + (dut().shared - pair + 1) / 2));
    EXPECT_FALSE(b.Paused(0, 3));
    EXPECT_FALSE(b.Paused(0, 4));
    EXPECT_EQ(b.AllDrops(), 0u);
  });
}

// A group's shared watermark is 0 within its reservation, then it is the bytes beyond the reservation, and it
// stays at the limit.
TEST_P(Buffer, B5_PgSharedWatermark) {
  InChild([&] {
    SwitchUnderTest b(dut());
    b.Close(15);
    const int64_t in_reserve = dut().reserved / dut().frame, n = dut().XoffFrames();
    b.Send(0, 15, 3, in_reserve);
    EXPECT_EQ(b.Watermark(Measure::group_shared, 0, 3), 0);
    b.Send(0, 15, 3, n / 3);
    EXPECT_EQ(b.Watermark(Measure::group_shared, 0, 3), (in_reserve + n / 3) * dut().frame - dut().reserved);
    b.Send(0, 15, 3, n - n / 3 - in_reserve + dut().AfterXoff());
    EXPECT_EQ(b.Watermark(Measure::group_shared, 0, 3), dut().BelowXoff() * dut().frame - dut().reserved);
    // Lossy groups have no reservation here: all bytes are shared.
    b.Send(1, 15, 0, 10);
    EXPECT_EQ(b.Watermark(Measure::group_shared, 1, 0), 10 * dut().frame);
    // The watermark stays when the frames leave. It starts again at 0 when it is cleared.
    b.Close(15, false);
    b.Wait(Milliseconds(20));
    EXPECT_EQ(b.Watermark(Measure::group_shared, 0, 3), dut().BelowXoff() * dut().frame - dut().reserved);
    b->buffer().ClearWatermarks(Watermark::user, Measure::group_shared);
    EXPECT_EQ(b.Watermark(Measure::group_shared, 0, 3), 0);
    EXPECT_EQ(b->buffer().watermark(Watermark::persistent, Measure::group_shared, 0, 3),
              dut().BelowXoff() * dut().frame - dut().reserved);
  });
}

TEST_P(Buffer, B6_PgHeadroomWatermark) {
  InChild([&] {
    SwitchUnderTest b(dut());
    b.Close(15);
    b.Send(0, 15, 3, dut().XoffFrames());
    const int64_t first = dut().XoffFrameInHeadroom();
    EXPECT_EQ(b.Watermark(Measure::group_headroom, 0, 3), first * dut().frame);
    for (int64_t n = first + 1; n <= dut().HeadroomFrames(); ++n) {
      b.Send(0, 15, 3, 1);
      EXPECT_EQ(b.Watermark(Measure::group_headroom, 0, 3), n * dut().frame);
    }
    b.Send(0, 15, 3, 3);
    EXPECT_EQ(b.Watermark(Measure::group_headroom, 0, 3), dut().HeadroomFrames() * dut().frame);
  });
}

TEST_P(Buffer, B7_QueueSharedWatermark) {
  InChild([&] {
    SwitchUnderTest b(dut());
    const auto watermark = [&](uint32_t port, int queue) {
      return b->node->queue_watermark(Watermark::user, port, queue);
    };
    // A lossless group is limited by its ingress, with its headroom.
    b.Close(15);
    b.Send(0, 15, 3, 100);
    EXPECT_EQ(watermark(15, 3), 100 * dut().frame);
    const int64_t all = dut().BelowXoff() + dut().HeadroomFrames();
    b.Send(0, 15, 3, all - 100 + 20);
    EXPECT_EQ(watermark(15, 3), all * dut().frame);
    // The loop fills all ports.
    for (uint32_t port = 8; port < 15; ++port) {
      b.Close(port);
      b.Send(4, port, 4, 5);
      EXPECT_EQ(watermark(port, 4), 5 * dut().frame);
      EXPECT_EQ(watermark(port, 3), 0);
    }
    b->node->ClearQueueWatermarks(Watermark::user);
    EXPECT_EQ(watermark(15, 3), all * dut().frame);  // the group still holds the frames
    b.Close(15, false);
    b.Wait(Milliseconds(20));
    b->node->ClearQueueWatermarks(Watermark::user);
    EXPECT_EQ(watermark(15, 3), 0);
  });
}

TEST_P(Buffer, B8_BufferPoolWatermark) {
  InChild([&] {
    SwitchUnderTest b(dut());
    b.Close(14);
    b.Close(15);
    const auto shared = [&](const std::string& pool) {
      for (const auto& w : b->buffer().pool_watermarks(Watermark::user)) {
        if (w.pool == pool) return w.shared;
      }
      return int64_t{-1};
    };
    b.Send(0, 15, 3, 50);
    EXPECT_EQ(shared("ingress_lossless_pool"),
              50 * dut().frame - std::min(50 * int64_t{dut().frame}, dut().reserved));
    EXPECT_EQ(shared("egress_lossless_pool"), 50 * dut().frame);
    EXPECT_EQ(shared("egress_lossy_pool"), 0);
    b.Send(1, 14, 0, 30);
    EXPECT_EQ(shared("egress_lossy_pool"), 30 * dut().frame - dut().lossy_reserved);
    const int64_t before = shared("ingress_lossless_pool");
    b.Send(4, 15, 4, 40);
    EXPECT_EQ(shared("ingress_lossless_pool"),
              before + 40 * dut().frame - std::min(40 * int64_t{dut().frame}, dut().reserved));
    // A full group at its limit holds half of its slice of the pool.
    b.Send(0, 15, 3, 2 * dut().XoffFrames());
    EXPECT_LE(shared("ingress_lossless_pool"), dut().shared * dut().buffer.slices);
    b->buffer().ClearWatermarks(Watermark::user, Measure::pool_shared);
    b.Close(14, false);
    b.Close(15, false);
    b.Wait(Milliseconds(30));
    b->buffer().ClearWatermarks(Watermark::user, Measure::pool_shared);
    EXPECT_EQ(shared("ingress_lossless_pool"), 0);
  });
}

// There is no drop up to the queue's limit, one drop at the egress beyond it, and never a pause.
TEST_P(Buffer, B9_LossyQueue) {
  InChild([&] {
    SwitchUnderTest b(dut());
    b.Close(15);
    // α · free = the queue's shared bytes, which are α / (1 + α) of the pool. A frame is dropped if with it
    // the queue would exceed the limit that the pool allows without it.
    int64_t n = 0;
    const double a = dut().lossy_alpha;
    while (static_cast<double>((n + 1) * dut().frame - dut().lossy_reserved) <=
           a * static_cast<double>(dut().lossy_pool -
                                   std::max<int64_t>(0, n * dut().frame - dut().lossy_reserved)))
      ++n;
    b.Send(0, 15, 0, n);
    EXPECT_EQ(b.AllDrops(), 0u);
    b.Send(0, 15, 0, 1);
    EXPECT_EQ(b->Dropped(15, 0, DropReason::egress_limit), 1u);
    EXPECT_EQ(b.AllDrops(), 1u);
    for (int p = 0; p < kPriorities; ++p) EXPECT_EQ(b.PauseFrames(0, p), 0u);
    // Lossless traffic is not affected.
    b.Send(1, 14, 3, 100);
    EXPECT_EQ(b.AllDrops(), 1u);
    EXPECT_EQ(b->listeners[14].arrivals.size(), 100u);
  });
}

// The drop counter of a port and priority is the number of frames that were lost.
TEST_P(Buffer, B10_PgDropCounter) {
  InChild([&] {
    SwitchUnderTest b(dut());
    b.Close(15);
    const int64_t sent = dut().BelowXoff() + dut().HeadroomFrames() + 37;
    b.Send(0, 15, 3, sent);
    EXPECT_EQ(b.Drops(0, 3), 37u);
    b.Close(15, false);
    b.Wait(Milliseconds(20));
    EXPECT_EQ(b->listeners[15].arrivals.size() + b.Drops(0, 3), static_cast<uint64_t>(sent));
    EXPECT_EQ(b->buffer().resident(), 0);
  });
}

// A group has its reserve even when others have filled the pool.
TEST_P(Buffer, B10_PgMinimumUnderAFullPool) {
  InChild([&] {
    SwitchUnderTest b(dut());
    b.Close(15);
    for (uint32_t port = 0; port < 3; ++port) {
      for (const int priority : {3, 4}) {
        b.Send(port, 15, priority, dut().XoffFrames());
      }
    }
    const uint64_t drops = b.AllDrops();
    const int64_t in_reserve = dut().reserved / dut().frame;
    b.Send(3, 15, 3, in_reserve);
    EXPECT_EQ(b.AllDrops(), drops);
    EXPECT_EQ(b.Drops(3, 3), 0u);
    EXPECT_EQ(b->buffer().group_used(3, 3), in_reserve * dut().frame);
    EXPECT_EQ(b.Watermark(Measure::group_headroom, 3, 3), 0);
  });
}

// Every port sends to every other port, in four classes, without congestion control. No frame is lost, and
// none stays behind.
TEST_P(Buffer, B10_FullMesh) {
  InChild([&] {
    SwitchUnderTest b(dut());
    uint64_t sent = 0;
    for (uint32_t from = 0; from < SwitchUnderTest::kPorts; ++from) {
      for (uint32_t to = 0; to < SwitchUnderTest::kPorts; ++to) {
        if (from == to) continue;
        for (const int priority : {0, 3, 4}) {
          b->Send(from, to, priority, dut().frame);
          b->Send(from, to, priority, dut().frame);
          sent += 2;
        }
      }
    }
    b.Wait(Milliseconds(1));
    uint64_t arrived = 0;
    for (const Listener& l : b->listeners) arrived += l.arrivals.size();
    EXPECT_EQ(arrived, sent);
    EXPECT_EQ(b.AllDrops(), 0u);
    EXPECT_EQ(b->buffer().resident(), 0);
    for (uint32_t port = 0; port < SwitchUnderTest::kPorts; ++port) EXPECT_EQ(b.PauseFrames(port, 3), 0u);
  });
}

// First Kmin = Kmax = N frames, and a queue of 2N: a frame is marked while more than N stay behind it. Then
// the probability rises to 5 %. Below Kmin no frame is marked; above it the share of marked frames is about
// that of the curve. ACKs and other frames that are not ECN-capable are never marked.
TEST_P(Buffer, B11_DscpEcn) {
  InChild([&] {
    SwitchConfig config = SwitchUnderTest::Config();
    EcnParameters ecn;
    ecn.kmin = Bytes(0);
    ecn.kmax = Bytes(1'000'000'000);
    ecn.pmax = 0.05;
    ecn.kmin = Bytes(20 * int64_t{dut().frame});
    ecn.kmax = ecn.kmin + Bytes(1000 * int64_t{dut().frame});
    config.ecn[3] = ecn;
    SwitchUnderTest b(dut(), config);
    b.Close(15);
    constexpr int kFrames = 1000, kRounds = 12;
    int marked = 0, below = 0;
    for (int round = 0; round < kRounds; ++round) {
      b->listeners[15].arrivals.clear();
      b.Send(0, 15, 3, kFrames);
      b.Close(15, false);
      b.Wait(Milliseconds(1));
      b.Close(15);
      ASSERT_EQ(b->listeners[15].arrivals.size(), static_cast<size_t>(kFrames));
      for (size_t i = 0; i < kFrames; ++i) {
        const bool ce = b->listeners[15].arrivals[i].ce;
        marked += ce;
        // Frame i leaves 999 − i frames behind.
        if (kFrames - 1 - i <= 20) below += ce;
      }
    }
    EXPECT_EQ(below, 0);
    // The frames leave queues of 999 … 21 frames behind: their mean probability is (0 … 979) / 1000 × 5 %
    // over 979 of 1000 frames, 2.40 %; of 12 000 frames that is 288; four standard deviations are 67.
    EXPECT_NEAR(marked, 288, 67);
    EXPECT_EQ(b.AllDrops(), 0u);
    // An ACK is not ECN-capable: it crosses the fullest queue without a mark.
    b->listeners[15].arrivals.clear();
    for (int i = 0; i < kFrames; ++i) b->Send(0, 15, 3, dut().frame, FrameKind::ack);
    b.Wait(Milliseconds(1));
    b.Close(15, false);
    b.Wait(Milliseconds(1));
    EXPECT_TRUE(std::none_of(b->listeners[15].arrivals.begin(), b->listeners[15].arrivals.end(),
                             [](const Listener::Arrival& a) { return a.ce; }));
  });
}

}  // namespace
}  // namespace headroom::buffer_test
