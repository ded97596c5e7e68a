// Random verbs on random queue pairs while frames of every kind are lost and ports are paused, compared with
// a model that executes each work request at once when it is posted.
//
// The model is right because a reliable queue pair executes in order. A reliable queue pair may only let a
// WRITE overtake the response of an earlier READ; a fence prevents that.
#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "nic/verbs/verbs.h"
#include "support/in_child.h"
#include "support/recovery.h"
#include "support/verbs_lab.h"

namespace headroom::verbs_property_test {
namespace {

constexpr uint32_t kWindow = 60'000, kLongest = 20'000, kSlots = 32, kRecvs = 16;

struct Conditions {
  double loss = 0;
  int ack_every = 1;
  TransportParameters::AckPriority ack_priority = TransportParameters::AckPriority::same;
  const char* resources = "ideal";
  void (*recovery)(Scenario&) = nullptr;  ///< null: go-back-N
};

/// Receivers have windows of three packets, and hosts two contexts.
void FewContexts(Scenario& s) {
  UseReceiverWindow(s);
  for (NicParameters& nic : s.nics) {
    nic.transport.recovery.contexts = 2;
    nic.transport.recovery.packets = 3;
  }
}

/// One direction of a connection: what one end posts and the other receives. Objects keep their addresses.
class Direction {
 public:
  /// With `placed`, packets are written to memory as they arrive, in any order. Then a WRITE that overlaps
  /// with an earlier one waits until that is complete, as programs must.
  Direction(Verbs& here, QueuePair* qp, CompletionQueue* cq, Verbs& there, QueuePair* peer, bool placed,
            std::mt19937& random)
      : here_(here), qp_(qp), cq_(cq), there_(there), peer_(peer), placed_(placed), random_(random) {
    for (auto* bytes : {&source_, &window_, &landing_, &buffers_}) bytes->resize(kWindow);
    landing_.resize(kSlots * kLongest);
    buffers_.resize(kRecvs * kLongest);
    for (auto* bytes : {&source_, &window_}) {
      for (uint8_t& b : *bytes) b = static_cast<uint8_t>(random());
    }
    model_ = window_;
    source_mr_ = here.RegMr(0, kWindow, 0, source_);
    landing_mr_ = here.RegMr(0, landing_.size(), kLocalWrite, landing_);
    window_mr_ = there.RegMr(0, kWindow, kLocalWrite | kRemoteWrite | kRemoteRead, window_);
    buffers_mr_ = there.RegMr(0, buffers_.size(), kLocalWrite, buffers_);
    local_ = here.AllocMr();
    key_ = local_->rkey;
  }

  void PostRecv() {
    if (posted_recvs_ - received_ == kRecvs) return;
    const uint64_t slot = posted_recvs_ % kRecvs;
    ASSERT_EQ(there_.PostRecv(peer_, {posted_recvs_, {slot * kLongest, kLongest, buffers_mr_->lkey}}), 0);
    ++posted_recvs_;
  }

  void PostSomething() {
    SendWr wr;
    wr.wr_id = next_id_;
    wr.signaled = Draw(2) == 0;
    wr.sge.length = Draw(3) == 0 ? Draw(kLongest + 1) : Draw(300);
    wr.sge.addr = Draw(kWindow - wr.sge.length + 1);
    wr.sge.lkey = source_mr_->lkey;
    wr.inline_data = wr.sge.length <= 256 && Draw(2) == 0;
    wr.imm_data = static_cast<uint32_t>(random_());
    wr.remote_addr = Draw(kWindow - wr.sge.length + 1);
    wr.rkey = window_mr_->rkey;
    wr.fence = Draw(10) == 0;
    Expected expected;
    constexpr WrOpcode kOpcodes[] = {WrOpcode::rdma_write, WrOpcode::rdma_write_with_imm,
                                     WrOpcode::send,       WrOpcode::send_with_imm,
                                     WrOpcode::rdma_read,  WrOpcode::reg_mr};
    wr.opcode = kOpcodes[Draw(6)];
    if (wr.opcode == WrOpcode::reg_mr) {
      // The memory is registered in turn, with the next key, and invalidated.
      wr.inline_data = false;
      if (bound_) {
        wr.opcode = WrOpcode::local_inv;
        wr.rkey = key_;
      } else {
        wr.mr = local_;
        wr.key = (key_ & ~0xFFu) | ((key_ + 1) & 0xFFu);
      }
    }
    if (wr.opcode == WrOpcode::rdma_read) {
      if (reads_ - reads_done_ == kSlots) return;
      wr.signaled = true;
      wr.inline_data = false;
      wr.sge.addr = reads_ % kSlots * kLongest;
      wr.sge.lkey = landing_mr_->lkey;
      expected.data.assign(model_.begin() + wr.remote_addr, model_.begin() + wr.remote_addr + wr.sge.length);
    }
    const bool writes = wr.opcode == WrOpcode::rdma_write || wr.opcode == WrOpcode::rdma_write_with_imm;
    if (writes && read_since_fence_) wr.fence = true;
    if (writes && placed_) {
      wr.signaled = true;
      for (const Expected& e : expected_) {
        const uint64_t from = e.wr.remote_addr, to = from + e.wr.sge.length;
        const bool wrote =
            e.wr.opcode == WrOpcode::rdma_write || e.wr.opcode == WrOpcode::rdma_write_with_imm;
        if (wrote && from < wr.remote_addr + wr.sge.length && wr.remote_addr < to) return;
      }
    }
    const int refused = here_.PostSend(qp_, wr);
    if (refused != 0) {
      ASSERT_EQ(refused, ENOMEM);
      return;
    }
    ++next_id_;
    if (wr.opcode == WrOpcode::reg_mr) key_ = wr.key;
    if (wr.opcode == WrOpcode::reg_mr || wr.opcode == WrOpcode::local_inv) bound_ = !bound_;
    if (wr.fence) read_since_fence_ = false;
    const auto from = source_.begin() + static_cast<int64_t>(wr.sge.addr);
    if (writes) std::copy(from, from + wr.sge.length, model_.begin() + static_cast<int64_t>(wr.remote_addr));
    if (wr.opcode == WrOpcode::rdma_read) {
      expected.slot = reads_++ % kSlots;
      read_since_fence_ = true;
    }
    if (wr.signaled) {
      expected.wr = wr;
      expected_.push_back(expected);
    }
    if (wr.opcode == WrOpcode::send || wr.opcode == WrOpcode::send_with_imm) {
      expected_recvs_.push_back({wr, {from, from + wr.sge.length}, 0});
    } else if (wr.opcode == WrOpcode::rdma_write_with_imm) {
      expected_recvs_.push_back({wr, {}, 0});
    }
  }

  /// A completion of a request that was posted here.
  void OnSent(const Wc& wc) {
    ASSERT_FALSE(expected_.empty());
    const Expected& e = expected_.front();
    ASSERT_EQ(wc.wr_id, e.wr.wr_id);
    ASSERT_EQ(wc.status, WcStatus::success);
    const OperationTimes& t = wc.times;
    ASSERT_LE(t.posted, t.first_sent);
    ASSERT_LE(t.first_sent, t.last_sent);
    if (wc.opcode != WcOpcode::reg_mr && wc.opcode != WcOpcode::local_inv) {
      // A repetition may start at the very instant at which an ACK makes it unnecessary.
      ASSERT_LT(t.last_sent, t.completed + Time(placed_));
      ASSERT_LE(t.first_sent, t.acknowledged);
      ASSERT_LE(t.acknowledged, t.completed);
    }
    ASSERT_LE(t.completed, t.polled);
    if (wc.opcode == WcOpcode::rdma_read) {
      ASSERT_EQ(wc.byte_len, e.data.size());
      ASSERT_TRUE(std::equal(e.data.begin(), e.data.end(), landing_.begin() + e.slot * kLongest));
      ++reads_done_;
    }
    ++completed;
    expected_.pop_front();
  }

  /// A completion of a RECV at the other end.
  void OnReceived(const Wc& wc) {
    ASSERT_FALSE(expected_recvs_.empty());
    const Expected& e = expected_recvs_.front();
    ASSERT_EQ(wc.wr_id, received_);
    ASSERT_EQ(wc.status, WcStatus::success);
    ASSERT_EQ(wc.byte_len, e.wr.sge.length);
    ASSERT_EQ(wc.with_imm, e.wr.opcode != WrOpcode::send);
    if (wc.with_imm) {
      ASSERT_EQ(wc.imm_data, e.wr.imm_data);
    }
    ASSERT_TRUE(std::equal(e.data.begin(), e.data.end(), buffers_.begin() + received_ % kRecvs * kLongest));
    ++received_;
    expected_recvs_.pop_front();
  }

  void ExpectDone() const {
    EXPECT_TRUE(expected_.empty());
    EXPECT_TRUE(expected_recvs_.empty());
    EXPECT_EQ(window_, model_);
  }
  CompletionQueue* cq() const { return cq_; }
  uint64_t completed = 0;

 private:
  struct Expected {
    SendWr wr;
    std::vector<uint8_t> data;
    uint64_t slot = 0;
  };
  uint32_t Draw(uint64_t n) { return static_cast<uint32_t>(random_() % n); }

  Verbs& here_;
  QueuePair* qp_;
  CompletionQueue* cq_;
  Verbs& there_;
  QueuePair* peer_;
  bool placed_;
  std::mt19937& random_;
  std::vector<uint8_t> source_, window_, landing_, buffers_, model_;
  MemoryRegion *source_mr_, *landing_mr_, *window_mr_, *buffers_mr_, *local_;
  bool bound_ = false, read_since_fence_ = false;
  uint32_t key_ = 0;
  uint64_t next_id_ = 0, posted_recvs_ = 0, received_ = 0, reads_ = 0, reads_done_ = 0;
  std::deque<Expected> expected_, expected_recvs_;
};

void Soak(const Conditions& conditions, uint32_t seed) {
  InChild([&] {
    Scenario s = StarScenario(4, {GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0});
    for (NicParameters& nic : s.nics) {
      nic.transport.ack_every = conditions.ack_every;
      nic.transport.ack_priority = conditions.ack_priority;
      nic.transport.rto = Microseconds(100);
      nic.transport.retry = 100'000;
      nic.resources = FindResourceSet(conditions.resources)->resources;
      nic.rx_buffer = FindResourceSet(conditions.resources)->rx_buffer;
    }
    s.switches[0].ecn[3] = Ecn(20'000, 100'000, 0.2);
    if (conditions.recovery != nullptr) conditions.recovery(s);
    VerbsLab lab(s);
    std::mt19937 random(seed);
    lab.lose = [&](NodeId, const Frame&) { return random() % 100'000 < conditions.loss * 100'000; };

    std::deque<Direction> directions;
    struct End {
      CompletionQueue* cq;
      Direction *out, *in;
    };
    std::vector<End> ends;
    for (NodeId a = 0; a < 4; ++a) {
      for (NodeId b = a + 1; b < 4; ++b) {
        QpInitAttr attr;
        attr.cap.max_send_wr = 40;
        const auto pair = lab.Connect(a, b, attr);
        Direction& there = directions.emplace_back(lab.verbs(a), pair.a, pair.cq_a, lab.verbs(b), pair.b,
                                                   conditions.recovery != nullptr, random);
        Direction& back = directions.emplace_back(lab.verbs(b), pair.b, pair.cq_b, lab.verbs(a), pair.a,
                                                  conditions.recovery != nullptr, random);
        ends.push_back({pair.cq_a, &there, &back});
        ends.push_back({pair.cq_b, &back, &there});
      }
    }
    for (const End& end : ends) {
      end.cq->SetHandler([end] {
        for (Wc wc; end.cq->Poll(wc);) {
          if (wc.opcode == WcOpcode::recv || wc.opcode == WcOpcode::recv_rdma_with_imm) {
            end.in->OnReceived(wc);
          } else {
            end.out->OnSent(wc);
          }
        }
        end.cq->RequestNotify();
      });
      end.cq->RequestNotify();
    }
    // More losses take more time, and a full queue accepts no more.
    const Time span = Milliseconds(3 + static_cast<int64_t>(100 * conditions.loss));
    for (int i = 0; i < 3000; ++i) {
      At(Time(static_cast<int64_t>(random() % static_cast<uint64_t>(span.v))), [&] {
        Direction& direction = directions[random() % directions.size()];
        for (uint64_t n = random() % 3; n > 0; --n) direction.PostRecv();
        direction.PostSomething();
      });
    }
    for (NodeId h = 0; h < 4; ++h) {
      Time at;
      for (int i = 0; i < 10; ++i) {
        for (const bool paused : {true, false}) {
          at += Nanoseconds(static_cast<int64_t>(random() % 200'000));
          At(at, [&lab, h, paused] { lab.network->nic(h).port().SetPaused(3, paused); });
        }
      }
    }
    // At the end no message lacks a RECV.
    for (int64_t i = 0; i < 400; ++i) {
      At(span + Microseconds(50 * i), [&] {
        for (Direction& direction : directions) direction.PostRecv();
      });
    }
    RunUntil(Seconds(2));
    uint64_t completed = 0;
    for (const Direction& direction : directions) {
      direction.ExpectDone();
      completed += direction.completed;
    }
    EXPECT_GT(completed, 500u);
    EXPECT_EQ(lab.network->pool().in_use(), 0u);
  });
}

TEST(VerbsProperty, EverySignalledOperationCompletesOnceInOrderWithItsData) {
  constexpr auto kCnp = TransportParameters::AckPriority::cnp;
  Soak({}, 1);
  Soak({.loss = 0.001}, 2);
  Soak({.loss = 0.02, .ack_every = 7}, 3);
  Soak({.loss = 0.02, .ack_priority = kCnp}, 4);
  Soak({.loss = 0.1, .ack_every = 3, .ack_priority = kCnp}, 5);
  Soak({.loss = 0.3}, 6);
}

TEST(VerbsProperty, AlsoWhereNicsHaveResources) {
  Soak({.resources = "gen2"}, 7);
  Soak({.loss = 0.02, .ack_every = 7, .resources = "gen1"}, 8);
  Soak({.loss = 0.1, .resources = "connectx3-pcie2-x8"}, 9);
}

TEST(VerbsProperty, AlsoWithSelectiveRepeat) {
  Soak({.recovery = RepeatSelectively}, 10);
  Soak({.loss = 0.001, .recovery = RepeatSelectively}, 11);
  Soak({.loss = 0.02, .ack_every = 7, .recovery = RepeatSelectively}, 12);
  Soak({.loss = 0.1, .resources = "gen2", .recovery = RepeatSelectively}, 13);
  Soak({.loss = 0.3, .recovery = RepeatSelectively}, 14);
}

TEST(VerbsProperty, AlsoWithAReceiverWindow) {
  Soak({.recovery = UseReceiverWindow}, 15);
  Soak({.loss = 0.001, .recovery = UseReceiverWindow}, 16);
  Soak({.loss = 0.02, .recovery = FewContexts}, 17);
  Soak({.loss = 0.1, .resources = "gen2", .recovery = UseReceiverWindow}, 18);
  Soak({.loss = 0.3, .recovery = UseReceiverWindow}, 19);
}

TEST(VerbsProperty, AlsoWithCumulativeAcks) {
  Soak({.recovery = UseCumulativeAcks}, 40);
  Soak({.loss = 0.02, .recovery = UseCumulativeAcks}, 41);
  Soak({.loss = 0.1, .resources = "gen2", .recovery = UseCumulativeAcks}, 42);
}

TEST(VerbsProperty, AlsoWithASetUp) {
  Soak({.recovery = SetUpSenderWindow}, 47);
  Soak({.loss = 0.02, .recovery = SetUpSenderWindow}, 48);
  Soak({.loss = 0.1, .resources = "gen2", .recovery = SetUpSenderWindow}, 49);
}

TEST(VerbsProperty, AlsoWithACounterInContexts) {
  const auto two = [](Scenario& s) { CountInContexts(s, 2); };
  Soak({.recovery = two}, 43);
  Soak({.loss = 0.001, .recovery = two}, 44);
  Soak({.loss = 0.02, .recovery = two}, 45);
  Soak({.loss = 0.05, .resources = "gen2", .recovery = two}, 46);
}

TEST(VerbsProperty, AlsoWithASenderWindow) {
  Soak({.recovery = UseSenderWindow}, 20);
  Soak({.loss = 0.001, .recovery = UseSenderWindow}, 21);
  Soak({.loss = 0.02, .recovery = UseSenderWindow}, 22);
  Soak({.loss = 0.1, .resources = "gen2", .recovery = UseSenderWindow}, 23);
}

TEST(VerbsProperty, AlsoWithACounter) {
  Soak({.recovery = UseCounter}, 24);
  Soak({.loss = 0.001, .recovery = UseCounter}, 25);
  Soak({.loss = 0.02, .recovery = UseCounter}, 26);
  Soak({.loss = 0.05, .resources = "gen2", .recovery = UseCounter}, 27);
}

TEST(VerbsProperty, UcDeliversAMessageWholeOrNotAtAll) {
  // 2000 SENDs of up to 5000 B, each byte of which is the SEND's number; 2 % of the frames are lost.
  InChild([] {
    VerbsLab lab(StarScenario(2, {GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0}));
    QpInitAttr attr;
    attr.type = QpType::uc;
    attr.cap.max_recv_wr = attr.cap.max_send_wr = 4000;
    const auto pair = lab.Connect(0, 1, attr);
    std::mt19937 random(1);
    lab.lose = [&](NodeId, const Frame&) { return random() % 100 < 2; };
    constexpr int kMessages = 2000, kBuffer = 5000;
    std::vector<uint8_t> buffers(kMessages * kBuffer), data(kMessages * kBuffer);
    for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<uint8_t>(i / kBuffer * 31);
    const MemoryRegion* into = lab.verbs(1).RegMr(0, buffers.size(), kLocalWrite, buffers);
    const MemoryRegion* from = lab.verbs(0).RegMr(0, data.size(), 0, data);
    std::vector<uint32_t> lengths;
    for (uint64_t i = 0; i < kMessages; ++i) {
      ASSERT_EQ(lab.verbs(1).PostRecv(pair.b, {i, {i * kBuffer, kBuffer, into->lkey}}), 0);
      lengths.push_back(static_cast<uint32_t>(random() % (kBuffer + 1)));
      SendWr wr = Signaled(WrOpcode::send_with_imm, i, lengths.back());
      wr.sge.addr = i * kBuffer;
      wr.sge.lkey = from->lkey;
      wr.imm_data = static_cast<uint32_t>(i);
      ASSERT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
    }
    RunUntil(Milliseconds(10));
    const auto sent = VerbsLab::PollAll(pair.cq_a), received = VerbsLab::PollAll(pair.cq_b);
    ASSERT_EQ(sent.size(), 2000u);
    for (uint64_t i = 0; i < sent.size(); ++i) EXPECT_EQ(sent[i].wr_id, i);
    // A message of three packets on average arrives with (1 - 0.02)^3 = 94 %.
    EXPECT_GT(received.size(), 1800u);
    EXPECT_LT(received.size(), 1960u);
    uint32_t next = 0;
    for (size_t i = 0; i < received.size(); ++i) {
      const Wc& wc = received[i];
      EXPECT_EQ(wc.wr_id, i);
      EXPECT_GE(wc.imm_data, next);
      next = wc.imm_data + 1;
      ASSERT_EQ(wc.byte_len, lengths[wc.imm_data]);
      for (uint32_t b = 0; b < wc.byte_len; ++b) {
        ASSERT_EQ(buffers[i * kBuffer + b], static_cast<uint8_t>(wc.imm_data * 31));
      }
    }
  });
}

}  // namespace
}  // namespace headroom::verbs_property_test
