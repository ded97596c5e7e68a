// Posting loops on a small network. Which process posts when, the number of open messages, and which process
// answers. Also the effect of queue pairs that give up.
#include "protocol/posting/posting_loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "protocol/messages/traffic.h"
#include "protocol/posting/posting_arrivals.h"
#include "run/network.h"
#include "support/cable.h"
#include "support/in_child.h"
#include "support/message_list.h"
#include "support/scenarios.h"

namespace headroom::posting_loops_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};

/// One process at host 0 writes 100 B to one at host 1. 16 messages are open, each signalled.
PostingArrivals Loop() {
  PostingArrivals a;
  a.from = {0};
  a.to = {1};
  a.message = Bytes(100);
  return a;
}

struct Outcome {
  std::vector<MessageRecord> messages;
  std::vector<MessageFailure> failures;
  std::vector<std::string> errors;    ///< of queue pairs: host and reason
  std::map<NodeId, int> polled;       ///< completions that were polled at each host
  std::map<NodeId, uint32_t> pairs;   ///< queue pairs at each host
  std::map<NodeId, int> data_frames;  ///< data frames that each host sent
  std::map<NodeId, int> read_requests;
  std::vector<CoreRecord> cores;
  bool done = false;

  std::vector<NodeId> Targets() const {
    std::vector<NodeId> targets;
    for (const MessageRecord& m : messages) targets.push_back(m.dst);
    return targets;
  }
  /// Messages of this host, or of any host, that are open at the start of message i. The count includes
  /// message i.
  size_t OpenAt(size_t i, std::optional<NodeId> src = {}) const {
    return static_cast<size_t>(std::ranges::count_if(
        messages.begin(), messages.begin() + i + 1,
        [&](const auto& m) { return (!src || m.src == *src) && m.completed > messages[i].start; }));
  }
};

/// Four hosts around a switch; arrivals stop after `duration`.
Scenario Star(Time duration = Microseconds(15)) {
  Scenario s = StarScenario(4, kLink);
  s.duration = duration;
  return s;
}

class Loops {
 public:
  Loops(Scenario s, const PostingArrivals& arrivals, Operation verb) : scenario_(std::move(s)) {
    scenario_.workloads = {WorkloadOf("w", arrivals)};
    scenario_.workloads[0].verb = verb;
    StartSimulator(1);
    Network network(scenario_);
    const HostView hosts = network.hosts();
    Traffic traffic(scenario_.workloads, hosts, network.nics());
    MessageList list(traffic);
    for (NodeId h = 0; h < scenario_.topology.hosts; ++h) {
      network.nic(h).TraceConnectWithoutContext("Completion", ns3::MakeCallback(&Loops::OnCompletion, this));
      network.nic(h).port().TraceConnect("Transmit", std::to_string(h),
                                         ns3::MakeCallback(&Loops::OnFrame, this));
    }
    traffic.SetOnDone([this] { outcome.done = true; });
    traffic.SetOnQueuePairError([this](NodeId host, uint32_t, const std::string& why) {
      outcome.errors.push_back(std::to_string(host) + ": " + why);
    });
    traffic.Start();
    RunUntil(Milliseconds(20));
    outcome.messages = list.All();
    outcome.failures = traffic.failures();
    traffic.AddCores(outcome.cores);
    for (NodeId h = 0; h < scenario_.topology.hosts; ++h) outcome.pairs[h] = network.nic(h).requester_count();
  }
  Outcome outcome;

 private:
  void OnCompletion(const Nic& nic, NodeId, const Wc&) { ++outcome.polled[nic.host()]; }
  void OnFrame(std::string host, const Port&, const Frame& f) {
    const auto h = static_cast<NodeId>(std::stoul(host));
    outcome.data_frames[h] += f.kind == FrameKind::data;
    outcome.read_requests[h] += f.kind == FrameKind::data && IsReadRequest(f.opcode);
  }
  Scenario scenario_;
};

void Check(const PostingArrivals& arrivals, const std::function<void(const Outcome&)>& check,
           Operation verb = Operation::write, const Scenario& scenario = Star()) {
  InChild([&] { check(Loops(scenario, arrivals, verb).outcome); });
}

TEST(PostingLoops, post_whenever_their_processor_is_free) {
  // 150 ns each, from 1 us on, until arrivals stop at 15 us: 94.
  PostingArrivals a = Loop();
  a.window = 1000;
  a.start = Microseconds(1);
  Check(a, [](const Outcome& o) {
    ASSERT_EQ(o.messages.size(), 94u);
    for (size_t i = 0; i < o.messages.size(); ++i)
      EXPECT_EQ(o.messages[i].start, Microseconds(1) + Nanoseconds(150) * static_cast<int64_t>(i));
    EXPECT_TRUE(o.done);
    EXPECT_EQ(o.polled.at(0), 94);
  });
}

TEST(PostingLoops, stop_before_arrivals_do_where_they_are_told_to) {
  PostingArrivals a = Loop();
  a.window = 1000;
  a.stop = Microseconds(3);
  Check(a, [](const Outcome& o) {
    EXPECT_EQ(o.messages.size(), 20u);
    EXPECT_LT(o.messages.back().start, Microseconds(3));
    EXPECT_TRUE(o.done);
  });
}

TEST(PostingLoops, keep_as_many_open_as_the_window_says) {
  PostingArrivals a = Loop();
  a.window = 4;
  a.cpu = Nanoseconds(1);
  Check(a, [](const Outcome& o) {
    ASSERT_GT(o.messages.size(), 20u);
    for (size_t i = 4; i < o.messages.size(); ++i) {
      EXPECT_EQ(o.OpenAt(i), 4u);
      EXPECT_GE(o.messages[i].start, o.messages[i - 4].completed);
    }
  });
}

TEST(PostingLoops, know_of_unsignalled_requests_by_a_later_one) {
  // The first message of a queue pair is signalled, and every fourth after it. At the end the very last
  // message is signalled.
  PostingArrivals a = Loop();
  a.window = 8;
  a.signal_every = 4;
  Check(a, [](const Outcome& o) {
    ASSERT_GT(o.messages.size(), 20u);
    int signaled = 0;
    for (size_t i = 0; i < o.messages.size(); ++i) {
      const size_t next = (i + 3) / 4 * 4;
      if (next < o.messages.size()) {
        EXPECT_EQ(o.messages[i].completed, o.messages[next].completed) << i;
      }
      signaled += i % 4 == 0;
    }
    const bool last_is = (o.messages.size() - 1) % 4 == 0;
    EXPECT_EQ(o.polled.at(0), signaled + (last_is ? 0 : 1));
    EXPECT_TRUE(o.done);
  });
}

TEST(PostingLoops, take_turns_or_draw) {
  PostingArrivals a = Loop();
  a.to = {1, 2, 3};
  Check(a, [](const Outcome& o) {
    const std::vector<NodeId> targets = o.Targets();
    for (size_t i = 0; i < targets.size(); ++i) EXPECT_EQ(targets[i], 1 + i % 3);
  });
  a.random = true;
  a.window = 6;
  a.cpu = Nanoseconds(20);
  Check(a, [](const Outcome& o) {
    std::map<NodeId, int> count;
    int same = 0;
    const std::vector<NodeId> targets = o.Targets();
    for (size_t i = 0; i < targets.size(); ++i) {
      ++count[targets[i]];
      same += i > 0 && targets[i] == targets[i - 1];
      EXPECT_LE(o.OpenAt(i), 6u);  // messages of the process, to any target
    }
    const double n = static_cast<double>(targets.size());
    for (const auto& [host, messages] : count) EXPECT_NEAR(messages, n / 3, 0.1 * n) << host;
    EXPECT_NEAR(same, n / 3, 0.1 * n);
  });
}

TEST(PostingLoops, join_every_process_with_every_one_at_other_hosts) {
  // There are two processes at host 0, and three at each of 1 and 2. Host 0 is not one of its own targets.
  PostingArrivals a = Loop();
  a.to = {0, 1, 2};
  a.processes_from = 2;
  a.processes_to = 3;
  Check(a, [](const Outcome& o) {
    EXPECT_EQ(o.pairs.at(0), 12u);
    EXPECT_EQ(o.pairs.at(1), 6u);
    EXPECT_EQ(o.pairs.at(2), 6u);
    EXPECT_EQ(o.pairs.at(3), 0u);
    // Both processes post at once, each to six targets in turn.
    EXPECT_EQ(o.messages[0].start, o.messages[1].start);
    EXPECT_EQ(o.messages[2].start, Nanoseconds(150));
  });
  // With datagrams a process has one queue pair for all targets.
  a.transport = Transport::ud;
  Check(
      a,
      [](const Outcome& o) {
        EXPECT_EQ(o.pairs.at(0), 2u);
        EXPECT_EQ(o.pairs.at(1), 3u);
        for (const MessageRecord& m : o.messages) EXPECT_GT(m.delivered, m.start);
      },
      Operation::send);
}

TEST(PostingLoops, spare_the_fetch_of_inline_payload) {
  Scenario s = Star();
  for (NicParameters& nic : s.nics) nic.resources = FindResourceSet("connectx3-pcie3-x8")->resources;
  Time took[2];
  for (const bool inlined : {false, true}) {
    PostingArrivals a = Loop();
    a.inlined = inlined;
    const std::string text = TextFromChild([&] {
      const Outcome o = Loops(s, a, Operation::write).outcome;
      return std::to_string((o.messages.at(0).delivered - o.messages.at(0).start).v);
    });
    took[inlined] = Time(std::stoll(text));
  }
  // PCIe there and back takes 400 ns, and 122 B at 7.88 GB/s, less two more lines of PIO and engine.
  EXPECT_NEAR(static_cast<double>((took[0] - took[1]).v), 415'482 + 27'200 - 34'000 - 10'200, 1000);
}

TEST(PostingLoops, reads_are_posted_where_the_data_come_to) {
  Check(
      Loop(),
      [](const Outcome& o) {
        ASSERT_GT(o.messages.size(), 10u);
        EXPECT_EQ(o.read_requests.at(1), static_cast<int>(o.messages.size()));
        EXPECT_EQ(o.data_frames.at(0), static_cast<int>(o.messages.size()));
        for (const MessageRecord& m : o.messages) {
          EXPECT_EQ(m.src, 0u);
          EXPECT_EQ(m.dst, 1u);
          EXPECT_EQ(m.delivered, m.completed);
        }
      },
      Operation::read_request);
}

TEST(PostingLoops, are_answered_on_every_transport) {
  for (const Operation verb : {Operation::write, Operation::send}) {
    for (const Transport transport : {Transport::rc, Transport::uc, Transport::ud}) {
      for (const Operation answer : {Operation::write, Operation::send}) {
        for (const Transport back : {Transport::rc, Transport::uc, Transport::ud}) {
          if (transport == Transport::ud && verb == Operation::write) continue;
          if (back == Transport::ud && answer == Operation::write) continue;
          PostingArrivals a = Loop();
          a.transport = transport;
          a.window = 3;
          a.reply = PostingArrivals::Reply{answer, back, false, 1};
          Check(
              a,
              [](const Outcome& o) {
                ASSERT_GT(o.messages.size(), 20u);
                EXPECT_TRUE(o.done);
                EXPECT_EQ(o.data_frames.at(0), static_cast<int>(o.messages.size()));
                EXPECT_EQ(o.data_frames.at(1), static_cast<int>(o.messages.size()));
                for (size_t i = 0; i < o.messages.size(); ++i) {
                  EXPECT_GT(o.messages[i].completed, o.messages[i].delivered + Nanoseconds(500));
                  EXPECT_LE(o.OpenAt(i), 3u);
                }
              },
              verb);
        }
      }
    }
  }
}

TEST(PostingLoops, an_answer_takes_its_processor_too) {
  // One process answers three others. Two answers are at least 400 ns apart, less an ACK that precedes one of
  // them on the wire, 6.88 ns.
  PostingArrivals a = Loop();
  a.from = {0, 2, 3};
  a.cpu = Nanoseconds(400);
  a.reply = PostingArrivals::Reply{Operation::send, Transport::rc, true, 4};
  Check(a, [](const Outcome& o) {
    std::vector<Time> completed;
    for (const MessageRecord& m : o.messages) completed.push_back(m.completed);
    std::ranges::sort(completed);
    for (size_t i = 1; i < completed.size(); ++i)
      EXPECT_GE(completed[i] - completed[i - 1], Nanoseconds(400) - Picoseconds(6'880)) << i;
    EXPECT_TRUE(o.done);
  });
}

// Posts occupy the processor of their process, from the warm-up until it stops. The rest is idle time.
TEST(PostingLoops, report_how_long_their_processors_worked) {
  std::mt19937 random(11);
  const auto between = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  for (int i = 0; i < 12; ++i) {
    SCOPED_TRACE(i);
    Scenario s = Star();
    s.warmup = Nanoseconds(between(0, 9'000));
    PostingArrivals a = Loop();
    a.from = {0, 2};
    a.to = {1, 3};
    a.window = between(1, 40);
    a.random = between(0, 1) == 1;
    a.cpu = Nanoseconds(between(1, 900));
    a.start = Nanoseconds(between(0, 3'000));
    a.stop = Nanoseconds(between(4'000, 15'000));
    if (i % 3 == 0) a.reply = PostingArrivals::Reply{Operation::send, Transport::rc, false, 1};
    const Time from = s.warmup, until = *a.stop;
    Check(
        a,
        [&](const Outcome& o) {
          std::map<NodeId, Time> worked;
          for (const MessageRecord& m : o.messages)
            worked[m.src] += std::max(std::min(m.start + a.cpu, until) - std::max(m.start, from), Time(0));
          ASSERT_EQ(o.cores.size(), a.reply ? 4u : 2u);
          for (const CoreRecord& core : o.cores) {
            EXPECT_EQ(core.span, std::max(until - from, Time(0)));
            EXPECT_LE(core.busy(), core.span);
            if (worked.contains(core.host)) {
              EXPECT_EQ(core.busy(), worked[core.host]);
            }
          }
          EXPECT_EQ(o.cores[0].host, 0u);
          EXPECT_EQ(o.cores[1].host, 2u);
        },
        Operation::write, s);
  }
}

/// No frame from `from` to `to` arrives. A queue pair gives up after three attempts of 10 us.
Scenario Broken(NodeId from, NodeId to) {
  Scenario s = Star(Microseconds(200));
  s.faults = {LossFault{from, to, 1.0}};
  for (NicParameters& nic : s.nics) {
    nic.transport.rto = Microseconds(10);
    nic.transport.retry = 2;
  }
  return s;
}
constexpr NodeId kSwitch = 4;

TEST(PostingLoops, what_is_open_on_a_queue_pair_that_gives_up_stays_unfinished) {
  PostingArrivals a = Loop();
  a.window = 4;
  a.signal_every = 2;
  Check(
      a,
      [](const Outcome& o) {
        EXPECT_THAT(o.errors, ElementsAre("0: retries exhausted"));
        EXPECT_EQ(o.messages.size(), 4u);
        ASSERT_EQ(o.failures.size(), 4u);
        for (uint32_t i = 0; i < 4; ++i) {
          EXPECT_EQ(o.failures[i].message.number, i);
          EXPECT_EQ(o.failures[i].status, i == 0 ? WcStatus::retry_exc_err : WcStatus::wr_flush_err);
          EXPECT_FALSE(o.messages[i].Finished());
        }
        EXPECT_FALSE(o.done);
      },
      Operation::write, Broken(0, kSwitch));
}

TEST(PostingLoops, requests_before_the_one_that_failed_are_done) {
  // The link breaks after 5 us: the messages acknowledged by then are complete, signalled or not.
  PostingArrivals a = Loop();
  a.window = 16;
  a.signal_every = 16;
  Scenario s = Broken(0, kSwitch);
  s.faults = {LossFault{0, kSwitch, 1.0, {Microseconds(5), kNever, Time{}, 1}}};
  Check(
      a,
      [](const Outcome& o) {
        EXPECT_THAT(o.errors, ElementsAre("0: retries exhausted"));
        size_t finished = 0;
        while (finished < o.messages.size() && o.messages[finished].Finished()) ++finished;
        EXPECT_GT(finished, 16u);
        EXPECT_EQ(o.messages.size() - finished, o.failures.size());
        for (size_t i = finished; i < o.messages.size(); ++i) EXPECT_FALSE(o.messages[i].Finished());
        EXPECT_EQ(o.failures[0].message.number, finished);
        EXPECT_EQ(o.failures[0].status, WcStatus::retry_exc_err);
      },
      Operation::write, s);
}

TEST(PostingLoops, a_process_goes_on_with_those_it_still_reaches) {
  for (const bool random : {false, true}) {
    PostingArrivals a = Loop();
    a.to = {1, 2};
    a.window = 4;
    a.random = random;
    Check(
        a,
        [](const Outcome& o) {
          size_t late = 0;
          for (const MessageRecord& m : o.messages) {
            EXPECT_EQ(m.Finished(), m.dst == 2);
            late += m.dst == 2 && m.start > Microseconds(100);
          }
          EXPECT_GT(late, 100u);
          EXPECT_EQ(o.errors.size(), 1u);
          EXPECT_FALSE(o.done);
        },
        Operation::write, Broken(kSwitch, 1));
  }
}

TEST(PostingLoops, without_answers_messages_fail_once_each) {
  // Neither answers nor ACKs return. Both ends give up, each because of its own messages.
  PostingArrivals a = Loop();
  a.window = 5;
  a.reply = PostingArrivals::Reply{Operation::send, Transport::rc, false, 1};
  Check(
      a,
      [](const Outcome& o) {
        EXPECT_EQ(o.messages.size(), 5u);
        std::vector<uint32_t> failed;
        for (const MessageFailure& f : o.failures) failed.push_back(f.message.number);
        EXPECT_THAT(failed, ElementsAre(0u, 1u, 2u, 3u, 4u));
        EXPECT_FALSE(o.done);
      },
      Operation::send, Broken(1, kSwitch));
}

TEST(PostingLoops, nobody_notices_what_an_unreliable_transport_loses) {
  PostingArrivals a = Loop();
  a.transport = Transport::uc;
  Check(
      a,
      [](const Outcome& o) {
        ASSERT_GT(o.messages.size(), 100u);
        for (const MessageRecord& m : o.messages) {
          EXPECT_TRUE(m.Finished());
          EXPECT_EQ(m.delivered, kNever);
        }
        EXPECT_TRUE(o.done);
        EXPECT_THAT(o.errors, IsEmpty());
      },
      Operation::write, Broken(0, kSwitch));
}

TEST(PostingLoops, nor_does_one_who_waits_for_an_answer) {
  // The loop fills its window and waits: nothing is sent again.
  PostingArrivals a = Loop();
  a.transport = Transport::uc;
  a.window = 3;
  a.reply = PostingArrivals::Reply{Operation::send, Transport::ud, false, 1};
  Check(
      a,
      [](const Outcome& o) {
        EXPECT_EQ(o.messages.size(), 3u);
        for (const MessageRecord& m : o.messages) EXPECT_FALSE(m.Finished());
        EXPECT_THAT(o.failures, IsEmpty());
        EXPECT_FALSE(o.done);
      },
      Operation::write, Broken(0, kSwitch));
}

}  // namespace
}  // namespace headroom::posting_loops_test
