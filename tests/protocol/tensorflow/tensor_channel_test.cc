// Two TensorFlow processes: a tensor's messages are in order, and each arrives once.
#include "protocol/tensorflow/tensor_channel.h"

#include <gtest/gtest.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "net/opcode.h"
#include "support/dice.h"
#include "support/in_child.h"
#include "support/verbs_lab.h"

namespace headroom::tensor_channel_test {
namespace {

struct Setting {
  Time delay = Microseconds(2);  ///< delay of each of two links
  double loss = 0;
  TensorflowParameters p;
};

TensorflowParameters Free() {
  TensorflowParameters p;
  p.costs.post = p.costs.completion = p.costs.registration = p.costs.wake = p.costs.turn = Time(0);
  p.costs.copy = GigabitsPerSecond(1'000'000);
  p.timeout = 6;  // 262 us
  return p;
}

class Lab : public VerbsLab, public TensorSource {
 public:
  explicit Lab(const Setting& setting)
      : VerbsLab(StarScenario(2, {GigabitsPerSecond(100), setting.delay, Time{}, setting.loss})),
        p(setting.p),
        a(verbs(0), network->context(0), p.costs, nullptr, Time(0)),
        b(verbs(1), network->context(1), p.costs, nullptr, Time(0)),
        at_a(a, p, 3, 0, *this, [this] { ++failures; }),
        at_b(b, p, 3, 0, *this, [this] { ++failures; }) {
    TensorChannel::Join(at_a, at_b, 49152);
  }

  /// Requests a tensor at this time.
  void AskAt(Time at, TensorChannel& channel, uint32_t tensor, uint64_t shape, uint64_t bytes) {
    const size_t number = done.size();
    done.push_back(0);
    ended.push_back(kNever);
    asked.push_back(at);
    ns3::Simulator::Schedule(ns3::PicoSeconds(at.v), [=, this, &channel] {
      channel.Call({{0, tensor, false}, {shape, bytes}}, [this, number](TensorCall::Answer answer) {
        done[number] += answer.well ? 1 : 100;
        ended[number] = EventQueue::Get().now();
      });
    });
  }
  void WhenReady(const TensorName&, std::function<void()> ready) override {
    held ? held->push_back(std::move(ready)) : ready();
  }
  Time Took(size_t number) const { return ended[number] - asked[number]; }
  void Run() { ns3::Simulator::Run(); }
  TensorCounts Counts() const {
    TensorCounts all;
    at_a.Count(all);
    at_b.Count(all);
    return all;
  }
  /// Data frames that end a message with immediate data.
  size_t Messages(NodeId host) const {
    return static_cast<size_t>(std::ranges::count_if(sent, [&](const Sent& f) {
      return f.host == host && f.kind == FrameKind::data && HasImmediate(f.opcode);
    }));
  }

  const TensorflowParameters p;
  TensorHost a, b;
  TensorChannel at_a, at_b;
  /// The tensors that are requested while this has a value.
  std::optional<std::vector<std::function<void()>>> held;
  int failures = 0;
  std::vector<int> done;
  std::vector<Time> asked, ended;
};

TEST(TensorChannel, a_tensor_takes_seven_messages_first_and_three_afterwards) {
  InChild([] {
    Lab lab({.p = Free()});
    lab.AskAt(Microseconds(0), lab.at_a, 0, 0, 100'000);
    ns3::Simulator::Schedule(ns3::MicroSeconds(99), [&] {
      EXPECT_EQ(lab.Messages(0), 3u);  // a request, the ACK of an update, a re-request
      EXPECT_EQ(lab.Messages(1), 4u);  // two ACKs, an update, the tensor
    });
    lab.AskAt(Microseconds(100), lab.at_a, 0, 0, 100'000);
    ns3::Simulator::Schedule(ns3::MicroSeconds(199), [&] {
      EXPECT_EQ(lab.Messages(0), 3u + 1);
      EXPECT_EQ(lab.Messages(1), 4u + 2);
    });
    lab.AskAt(Microseconds(200), lab.at_a, 0, 1, 50'000);  // the tensor is reshaped
    lab.Run();
    EXPECT_EQ(lab.Messages(0), 4u + 3);
    EXPECT_EQ(lab.Messages(1), 6u + 4);
    EXPECT_EQ(lab.done, (std::vector<int>{1, 1, 1}));
    const TensorCounts counts = lab.Counts();
    EXPECT_EQ(counts.tensor_bytes, 250'000u);
    EXPECT_EQ(counts.unexpected, 0u);
    EXPECT_EQ(counts.registrations, 0u);
  });
}

/// Each link adds a round trip. Request and tensor cross both links, and before them a request and an update.
TEST(TensorChannel, a_known_tensor_takes_a_round_trip_and_an_unknown_one_two) {
  const auto took = [](Time delay) {
    return TextFromChild([delay] {
      Lab lab({.delay = delay, .p = Free()});
      lab.AskAt(Time(0), lab.at_a, 0, 0, 100'000);
      lab.AskAt(Milliseconds(1), lab.at_a, 0, 0, 100'000);
      lab.Run();
      return std::to_string(lab.Took(0).v) + " " + std::to_string(lab.Took(1).v);
    });
  };
  const auto parse = [](const std::string& text) {
    return std::pair(Time(std::stoll(text)), Time(std::stoll(text.substr(text.find(' ')))));
  };
  const auto near = parse(took(Microseconds(2))), far = parse(took(Microseconds(12)));
  EXPECT_EQ(far.second - near.second, Microseconds(40));
  EXPECT_EQ(far.first - near.first, Microseconds(80));
}

/// There is a registration at each end and its end at the receiver, and a copy at each end: 3 · 5 us + 2 · 8
/// us at 100 Gb/s.
TEST(TensorChannel, what_is_not_copyable_is_copied_and_registered_at_both_ends) {
  const auto took = [](bool copyable) {
    return Time(std::stoll(TextFromChild([copyable] {
      Setting setting{.p = Free()};
      setting.p.copyable = copyable;
      setting.p.costs.registration = Microseconds(5);
      setting.p.costs.copy = GigabitsPerSecond(100);
      Lab lab(setting);
      lab.AskAt(Time(0), lab.at_a, 0, 0, 100'000);
      lab.AskAt(Milliseconds(1), lab.at_a, 0, 0, 100'000);
      lab.Run();
      EXPECT_EQ(lab.Counts().registrations, copyable ? 0u : 4u);
      return std::to_string(lab.Took(1).v);
    })));
  };
  // Without costs the tensor waits at the port for the frame of the acknowledgement before it.
  const Time more = took(false) - took(true), all = Microseconds(3 * 5 + 2 * 8);
  EXPECT_LE(more, all);
  EXPECT_GE(more, all - Nanoseconds(20));
}

/// 100 KB at 100 Gb/s are 8 us at each end; nothing is registered.
TEST(TensorChannel, staged_tensors_are_copied_at_both_ends) {
  const auto took = [](bool staged) {
    return Time(std::stoll(TextFromChild([staged] {
      Setting setting{.p = Free()};
      setting.p.staged = staged;
      setting.p.costs.copy = GigabitsPerSecond(100);
      Lab lab(setting);
      lab.AskAt(Time(0), lab.at_a, 0, 0, 100'000);
      lab.AskAt(Milliseconds(1), lab.at_a, 0, 0, 100'000);
      lab.Run();
      EXPECT_EQ(lab.Counts().registrations, 0u);
      return std::to_string(lab.Took(1).v);
    })));
  };
  const Time more = took(true) - took(false), all = Microseconds(2 * 8);
  EXPECT_LE(more, all);
  EXPECT_GE(more, all - Nanoseconds(20));
}

/// Tensors are requested, lost and reshaped at random. Each arrives once, with the messages that the source
/// describes.
TEST(TensorChannel, random_tensors_arrive_once_with_three_or_seven_messages) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    InChild([seed] {
      Dice d(seed);
      Setting setting{.delay = Nanoseconds(d.Between(10, 20'000)),
                      .loss = d.OneIn(2) ? 0.01 : 0.0,
                      .p = d.OneIn(2) ? Free() : TensorflowParameters()};
      setting.p.timeout = 6;
      setting.p.copyable = !d.OneIn(3);
      setting.p.queue_depth = d.OneIn(3) ? 64 : 1024;
      Lab lab(setting);
      struct Known {
        uint64_t shape = 0, bytes = 0;
        bool known = false;
      };
      std::vector<Known> known(10);            // five tensors of each of two ends
      uint64_t changed = 0, known_before = 0;  // number of those that changed
      const auto calls = static_cast<size_t>(d.Between(5, 40));
      // Tensors with one name follow each other, as steps do; different ones come together.
      for (size_t i = 0; i < calls; ++i) {
        const auto place = static_cast<size_t>(i % 10);
        Known& k = known[place];
        const bool reshape = !k.known || d.OneIn(4);
        known_before += reshape && k.known;
        if (reshape) k = {k.shape + 1, static_cast<uint64_t>(d.Between(1, 60'000)), true};
        changed += reshape;
        const Time at = Milliseconds(static_cast<int64_t>(i / 10) * 100) + Nanoseconds(d.Between(0, 2000));
        lab.AskAt(at, place < 5 ? lab.at_a : lab.at_b, static_cast<uint32_t>(place), k.shape, k.bytes);
      }
      lab.Run();
      EXPECT_EQ(lab.failures, 0);
      EXPECT_EQ(lab.done, std::vector<int>(calls, 1));
      const TensorCounts c = lab.Counts();
      EXPECT_EQ(c.requests, calls);
      EXPECT_EQ(c.updates, changed);
      EXPECT_EQ(c.re_requests, changed);
      EXPECT_EQ(c.acks, c.requests + c.updates + c.re_requests);
      EXPECT_EQ(c.tensors, calls);
      EXPECT_EQ(c.arrived, calls);
      EXPECT_EQ(c.unexpected, 0u);
      // Memory that has the wrong size is exchanged for other memory.
      EXPECT_EQ(c.registrations, setting.p.copyable ? 0 : 2 * calls + known_before);
      for (NodeId host = 0; host < 2; ++host) EXPECT_EQ(lab.counters(host).rnr_naks, 0u);
      if (setting.loss > 0) return;
      EXPECT_EQ(lab.Messages(0) + lab.Messages(1), 3 * calls + 4 * changed);
    });
  }
}

/// Control messages of one end are separated by a round trip and the work of both threads.
TEST(TensorChannel, one_control_message_is_on_its_way_at_a_time) {
  for (const Time cost : {Time(0), Nanoseconds(700)}) {
    InChild([cost] {
      Setting setting{.delay = Microseconds(3), .p = Free()};
      setting.p.costs.post = setting.p.costs.completion = cost;
      Lab lab(setting);
      for (uint32_t tensor = 0; tensor < 20; ++tensor) lab.AskAt(Time(0), lab.at_a, tensor, 0, 1);
      lab.Run();
      EXPECT_EQ(lab.Counts().most_queued, 19u);
      const Time round_trip =
          Microseconds(3) * 4 + Nanoseconds(500) * 2;  // two links and a switch, there and back
      const Time handling = cost * 4;                  // a completion and a post at each end
      constexpr uint32_t kHeaders = 110;               // at most this many
      Time last = Time(-1);
      int controls = 0;
      for (const auto& f : lab.Of(0, FrameKind::data)) {
        if (f.bytes < ControlMessage::kBytes || f.bytes > ControlMessage::kBytes + kHeaders) continue;
        if (last >= Time(0)) {
          EXPECT_GE(f.at - last, round_trip + handling);
        }
        last = f.at;
        ++controls;
      }
      EXPECT_EQ(controls, 40);
    });
  }
}

/// Tensors that become ready together are posted together.
TEST(TensorChannel, a_full_send_queue_aborts_the_process) {
  for (const uint32_t tensors : {6u, 9u}) {
    InChild([tensors] {
      Setting setting{.p = Free()};
      setting.p.queue_depth = 8;
      Lab lab(setting);
      for (uint32_t tensor = 0; tensor < tensors; ++tensor) {
        lab.AskAt(Time(0), lab.at_a, tensor, 0, 1000);  // after that its metadata are known
        lab.AskAt(Milliseconds(2), lab.at_a, tensor, 0, 1000);
      }
      ns3::Simulator::Schedule(ns3::MilliSeconds(1), [&lab] { lab.held.emplace(); });
      ns3::Simulator::Schedule(ns3::MilliSeconds(3), [&lab] {
        EXPECT_EQ(lab.failures, 0);
        const auto held = *lab.held;
        lab.held.reset();
        for (const auto& ready : held) ready();
      });
      lab.Run();
      EXPECT_EQ(lab.failures > 0, tensors > 8);
    });
  }
}

}  // namespace
}  // namespace headroom::tensor_channel_test
