// Channels over RDMA that are opened and closed again and again: what is left of those before.
#include <gtest/gtest.h>

#include "protocol/system/leg.h"
#include "support/in_child.h"
#include "support/verbs_lab.h"

namespace headroom::channel_lives_test {
namespace {

class Nobody final : public Endpoint {
  void OnCompletion(const Wc&) override {}
  void OnTurn() override {}
  int64_t BytesOf(const Wc&) const override { return 0; }
  int64_t BytesOfTurn() const override { return 0; }
};

/// Answers when it is told to.
class Device final : public StorageServer {
 public:
  void Execute(StorageCall, Reply reply) override { waiting.push_back(std::move(reply)); }
  void Answer() {
    for (const Reply& reply : std::exchange(waiting, {})) reply(OperationStatus::ok, {});
  }
  std::vector<Reply> waiting;
};

struct Lab : VerbsLab {
  explicit Lab(StorageProtocol protocol)
      : VerbsLab(StarScenario(2, {GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0})) {
    for (NodeId h = 0; h < 2; ++h)
      hosts.push_back(
          std::make_unique<HostCores>(verbs(h), network->context(h), HostParameters{}, 3, nullptr));
    parameters.protocol = protocol;
    leg.emplace(Leg::Setup{parameters, "leg", 1, 65'536, false}, hosts, scenario.topology);
    channel = &leg->Add(0, 1, device);
  }
  void RunFor(Time t) {
    ns3::Simulator::Stop(ns3::TimeStep(static_cast<uint64_t>(t.v)));
    ns3::Simulator::Run();
  }
  void Open() {
    channel->Open({});
    RunFor(Milliseconds(1));
    EXPECT_TRUE(channel->joined());
  }
  void Call(OperationKind kind = OperationKind::write) {
    StorageCall call;
    call.kind = kind;
    call.length = 8192;
    channel->Call(std::move(call), [this](const StorageAnswer& answer) {
      ++(answer.status == OperationStatus::ok ? answered : failed);
    });
    RunFor(Milliseconds(1));
  }
  void Close() {
    channel->Close();
    RunFor(Milliseconds(30));
  }
  /// Endpoints and sessions of both hosts.
  std::pair<uint64_t, int> Left(int sessions) {
    uint64_t endpoints = 0;
    int left = 0;
    for (const auto& host : hosts) {
      endpoints += host->process(0).Add(nobody) >> 32;
      for (int i = 0; i < sessions; ++i) left += host->cm().Has(static_cast<uint64_t>(i));
    }
    return {endpoints, left};
  }

  Nobody nobody;
  Device device;
  StorageLeg parameters;
  std::vector<std::unique_ptr<HostCores>> hosts;
  std::optional<Leg> leg;
  Channel* channel = nullptr;
  int answered = 0, failed = 0;
};

void WithEach(const std::function<void(Lab&)>& body) {
  for (const StorageProtocol protocol : {StorageProtocol::sk_rdma, StorageProtocol::su_rdma}) {
    SCOPED_TRACE(static_cast<int>(protocol));
    InChild([&] {
      Lab lab(protocol);
      body(lab);
    });
  }
}

TEST(Channels, lives_that_are_over_leave_nothing_behind) {
  WithEach([](Lab& lab) {
    const auto live = [&] {
      lab.Open();
      for (const OperationKind kind : {OperationKind::write, OperationKind::read}) {
        lab.Call(kind);
        lab.device.Answer();
        lab.RunFor(Milliseconds(1));
      }
      lab.Close();
    };
    live();
    const auto after_one = lab.Left(1);
    for (int i = 0; i < 20; ++i) live();
    const auto after_many = lab.Left(21);
    EXPECT_EQ(after_many.first, after_one.first + 2);  // those that count them
    EXPECT_EQ(after_many.second, 0);
    EXPECT_EQ(lab.answered, 42);
    EXPECT_EQ(lab.failed, 0);
  });
}

TEST(Channels, what_a_device_says_after_the_end_is_not_of_the_next_life) {
  WithEach([](Lab& lab) {
    for (int i = 0; i < 5; ++i) {
      lab.Open();
      lab.Call();
      lab.Close();
      EXPECT_EQ(lab.failed, i + 1);
    }
    lab.Open();
    lab.Call(OperationKind::read);
    EXPECT_EQ(lab.device.waiting.size(), 6u);
    lab.device.Answer();
    lab.RunFor(Milliseconds(5));
    EXPECT_EQ(lab.answered, 1);
    EXPECT_EQ(lab.failed, 5);
    ServiceRecord record;
    lab.leg->Count(record);
    EXPECT_EQ(record.losses, 0u);
    EXPECT_EQ(record.corrupt, 0u);
  });
}

}  // namespace
}  // namespace headroom::channel_lives_test
