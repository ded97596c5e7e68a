// Calls in both directions over sU-RDMA, whatever happens to the queue pairs below.
#include "protocol/storage/wire/su_rpc.h"

#include <gtest/gtest.h>

#include <random>

#include "protocol/storage/wire/su_lab.h"
#include "support/in_child.h"

namespace headroom::su_rpc_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0};

void RunFor(Time t) {
  ns3::Simulator::Stop(ns3::TimeStep(static_cast<uint64_t>(t.v)));
  ns3::Simulator::Run();
}

/// Both ends of one connection that carries calls.
struct Callers {
  explicit Callers(SuLab& lab) {
    for (int i = 0; i < 2; ++i) {
      sockets[i] = std::make_unique<SuSocket>(
          *lab.hosts[i].process, *lab.hosts[i].cm,
          SuPools{lab.hosts[i].messages.get(), lab.hosts[i].outgoing.get(), lab.hosts[i].incoming.get()},
          lab.parameters, rpcs[i], EventQueue::Get().AddEntity(lab.network->context(i)),
          "rpc" + std::to_string(i));
      rpcs[i].SetSocket(*sockets[i]);
    }
    lab.hosts[1].accept = [this](uint64_t session, NodeId from) {
      sockets[1]->Accept(session, from);
      return sockets[1].get();
    };
    lab.hosts[1].cm->Listen(7, lab.hosts[1]);
    sockets[0]->Open(1, 7);
  }
  SuRpc rpcs[2];
  std::unique_ptr<SuSocket> sockets[2];
};

void AnySchedule(uint32_t seed, bool content) {
  std::mt19937 random(seed);
  SuParameters p;
  p.credits = 1 + random() % 4;
  p.chunk = 100'000;
  p.content = content;
  SuLab lab(StarScenario(2, kLink), p);
  lab.lose = [&](NodeId, const Frame&) { return random() % 500 == 0; };
  Callers callers(lab);
  std::map<uint64_t, int> executed[2];
  int answered = 0;
  const auto bytes_of = [&](uint64_t number, uint64_t length) {
    std::vector<uint8_t> bytes(content ? length : 0);
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(number + i);
    return bytes;
  };
  for (int side = 0; side < 2; ++side) {
    callers.rpcs[side].SetServer([&, side](const SuCall& call) {
      ++executed[side][call.number];
      EXPECT_EQ(call.bytes, bytes_of(call.number, call.length));
      callers.rpcs[side].Respond(call.number, 2 * call.length, bytes_of(call.number + 1, 2 * call.length));
    });
  }
  constexpr int kCalls = 40;
  uint64_t calls[2] = {};
  for (int i = 0; i < kCalls; ++i) {
    const int side = static_cast<int>(random() % 2);
    const uint64_t length = 1 + random() % (random() % 2 == 0 ? 200 : 150'000);
    const uint64_t number = calls[side]++;
    const uint64_t called = callers.rpcs[side].Call(
        length,
        [&, length, number](const SuCall& answer) {
          ++answered;
          EXPECT_EQ(answer.number, number);
          EXPECT_EQ(answer.length, 2 * length);
          EXPECT_EQ(answer.bytes, bytes_of(number + 1, 2 * length));
        },
        bytes_of(number, length));
    EXPECT_EQ(called, number);
    RunFor(Microseconds(random() % 100));
    if (random() % 10 == 0 && callers.sockets[side]->qp() != nullptr) {
      QpAttr attr;
      attr.state = QpState::err;
      lab.verbs(static_cast<NodeId>(side)).ModifyQp(callers.sockets[side]->qp(), attr);
    }
  }
  RunFor(Seconds(1));
  EXPECT_EQ(answered, kCalls);
  for (const auto& by_number : executed) {
    for (const auto& [number, times] : by_number) EXPECT_EQ(times, 1) << number;
  }
}

TEST(SuRpc, each_call_is_executed_and_answered_once_whatever_fails) {
  for (uint32_t seed = 1; seed <= 16; ++seed) {
    SCOPED_TRACE(seed);
    InChild([seed] { AnySchedule(seed, seed % 4 != 0); });
  }
}

}  // namespace
}  // namespace headroom::su_rpc_test
