// Messages on queue pairs, over a real network.
#include "protocol/messages/traffic.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "run/network.h"
#include "support/cable.h"
#include "support/in_child.h"
#include "support/message_list.h"
#include "support/scenarios.h"
#include "workload/types/list.h"
#include "workload/types/messages_between.h"

namespace headroom::traffic_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};

/// `count` messages of 10 kB from host 0 to host 1, with this distance in time.
WorkloadParameters Series(int count, Time apart) {
  ListArrivals a;
  for (int i = 0; i < count; ++i) a.messages.push_back({apart * i, 0, 1, Bytes(10'000), {}});
  return WorkloadOf("series", a);
}

/// The messages of these workloads after their run, and the number of queue pairs of host 0.
struct Outcome {
  std::vector<MessageRecord> messages;
  uint32_t requesters = 0;
};

void Check(std::vector<WorkloadParameters> workloads, const std::function<void(const Outcome&)>& check) {
  InChild([&] {
    Scenario s = StarScenario(4, kLink);
    s.workloads = std::move(workloads);
    StartSimulator(1);
    Network network(s);
    const HostView hosts = network.hosts();
    Traffic traffic(s.workloads, hosts, network.nics());
    MessageList list(traffic);
    traffic.CountDelivered(Bytes(s.mtu));
    int done = 0;
    traffic.SetOnDone([&done] { ++done; });
    traffic.Start();
    RunUntil(Milliseconds(50));
    EXPECT_EQ(done, 1);
    EXPECT_TRUE(traffic.Done());
    const std::vector<MessageRecord> messages = list.All();
    EXPECT_EQ(traffic.finished(), messages.size());
    uint64_t bytes = 0, delivered = 0;
    for (const MessageRecord& m : messages) {
      EXPECT_TRUE(m.Finished());
      bytes += static_cast<uint64_t>(m.size.v);
    }
    for (const uint64_t d : traffic.delivered_bytes()) delivered += d;
    EXPECT_EQ(delivered, bytes);
    check({messages, network.nic(0).requester_count()});
  });
}

TEST(Traffic, MessagesOfAPairShareItsQueuePairInOrder) {
  Check({Series(20, Nanoseconds(100))}, [](const Outcome& o) {
    EXPECT_EQ(o.requesters, 1u);
    for (size_t i = 1; i < o.messages.size(); ++i) {
      EXPECT_EQ(o.messages[i].number, i);
      EXPECT_EQ(o.messages[i].source_port, o.messages[0].source_port);
      EXPECT_GT(o.messages[i].delivered, o.messages[i - 1].delivered);
    }
  });
}

TEST(Traffic, EveryVerbBringsEveryByteToTheReceiver) {
  // Check asserts the same for persistent queue pairs and for one for each message. A READ is posted by the
  // receiver, and its queue pair has a requester at both ends.
  for (const auto& [name, verb] : kVerbs) {
    for (const bool per_message : {false, true}) {
      WorkloadParameters w = Series(20, Nanoseconds(300));
      w.verb = verb;
      w.qp_per_message = per_message;
      Check({w}, [](const Outcome& o) {
        EXPECT_GE(o.requesters, 1u);
        for (const MessageRecord& m : o.messages) {
          EXPECT_GT(m.delivered, m.start + Microseconds(1));
          EXPECT_GE(m.completed, m.delivered);
        }
      });
    }
  }
}

/// Host 0 sends twenty messages, and host 1 answers each when it is delivered. An answer has the same number,
/// and 100 more.
struct Calls {
  std::vector<NodeId> from{0}, to{1};
  bool operator==(const Calls&) const = default;
};
struct Heard {
  Time at;
  uint32_t context = 0;
};
class CallsGenerator final : public Generator {
 public:
  explicit CallsGenerator(Offers& offers) : offers_(offers) {}
  void Start() override {
    const EntityId entity = EventQueue::Get().AddEntity(UINT32_MAX);
    EventQueue::Get().PushTarget(Time(1), TimedEvent::Order(EventClass::workload, entity), this, 0);
  }
  void OnEvent(uint64_t) override {
    for (uint32_t i = 0; i < 20; ++i) Send(0, 1, i);
  }
  bool HearsDeliveries() const override { return true; }
  void OnDelivered(const OfferedMessage& m) override {
    EXPECT_EQ(m.number, offered.at(m.id));
    delivered[m.id] = {EventQueue::Get().now(), Parts::Get().Context()};
    if (m.src != 0) return;
    Send(1, 0, m.number + 100);
    if (++answers_ == 20) offers_.OnExhausted();
  }
  void OnCompleted(const OfferedMessage& m) override {
    EXPECT_EQ(m.number, offered.at(m.id));
    completed[m.id] = {EventQueue::Get().now(), Parts::Get().Context()};
  }
  static inline std::map<uint32_t, uint32_t> offered;  ///< numbers by message
  static inline std::map<uint32_t, Heard> delivered, completed;

 private:
  void Send(NodeId from, NodeId to, uint32_t number) {
    offered[offers_.Offer(0, from, to, Bytes(10'000), 3, number)] = number;
  }
  Offers& offers_;
  int answers_ = 0;
};
class CallsType final : public BetweenHosts<CallsType, Calls> {
 public:
  std::unique_ptr<Generator> MakeGenerator(const WorkloadParameters&, uint32_t,
                                           const GeneratorGround& ground) const override {
    return std::make_unique<CallsGenerator>(ground.offers);
  }
  double Expected(const Scenario&) const override { return 40; }
  double MeanBytes() const override { return 10'000; }
};

TEST(Traffic, TellsGeneratorsOfDeliveriesAndCompletionsAtTheirHosts) {
  for (const auto& [name, verb] : kVerbs) {
    for (const bool per_message : {false, true}) {
      WorkloadParameters w = Series(0, Time{});
      w.arrivals = std::make_unique<CallsType>();
      w.verb = verb;
      w.qp_per_message = per_message;
      const bool read = verb == Operation::read_request;
      Check({w}, [read](const Outcome& o) {
        EXPECT_EQ(CallsGenerator::offered.size(), 40u);
        ASSERT_EQ(o.messages.size(), 40u);
        for (uint32_t i = 0; i < 40; ++i) {
          const MessageRecord& m = o.messages[i];
          EXPECT_EQ(CallsGenerator::delivered.at(i).at, m.delivered);
          EXPECT_EQ(CallsGenerator::delivered.at(i).context, m.dst);
          EXPECT_EQ(CallsGenerator::completed.at(i).at, m.completed);
          EXPECT_EQ(CallsGenerator::completed.at(i).context, read ? m.dst : m.src);
          if (m.src == 1) continue;
          // An answer begins when its request is delivered.
          EXPECT_TRUE(std::ranges::any_of(o.messages, [&](const MessageRecord& answer) {
            return answer.src == 1 && answer.start == m.delivered;
          }));
        }
      });
    }
  }
}

TEST(Traffic, OrTakeTurnsOnSeveral) {
  WorkloadParameters w = Series(12, Nanoseconds(100));
  w.qps_per_pair = 3;
  Check({w}, [](const Outcome& o) {
    EXPECT_EQ(o.requesters, 3u);
    for (size_t i = 3; i < o.messages.size(); ++i)
      EXPECT_EQ(o.messages[i].source_port, o.messages[i - 3].source_port);
    EXPECT_NE(o.messages[0].source_port, o.messages[1].source_port);
    EXPECT_NE(o.messages[1].source_port, o.messages[2].source_port);
  });
}

TEST(Traffic, OrHaveOneEachWhichIsUsedAgainWhenItIsFree) {
  // Ten messages at once need ten queue pairs. Ten more, after these are done, need no others. Every message
  // has its own way.
  WorkloadParameters w = Series(0, Time{});
  ListArrivals a;
  for (int i = 0; i < 20; ++i) a.messages.push_back({Microseconds(500) * (i / 10), 0, 1, Bytes(10'000), {}});
  w.arrivals = a;
  w.qp_per_message = true;
  Check({w}, [](const Outcome& o) {
    EXPECT_EQ(o.requesters, 10u);
    std::set<uint16_t> ports;
    for (const MessageRecord& m : o.messages) ports.insert(m.source_port);
    EXPECT_EQ(ports.size(), 20u);
    // All ten start at once and share the line: the first ends much later than it would alone.
    EXPECT_GT(o.messages[0].completed - o.messages[0].start, Microseconds(7));
  });
}

TEST(Traffic, PrioritiesAndWorkloadsHaveQueuePairsOfTheirOwn) {
  WorkloadParameters other = Series(2, Nanoseconds(100));
  other.name = "other";
  ListArrivals mixed;
  mixed.messages = {{Time{}, 0, 1, Bytes(1000), uint8_t{0}}, {Time{}, 0, 1, Bytes(1000), uint8_t{3}}};
  Check({Series(2, Nanoseconds(100)), other, WorkloadOf("mixed", mixed)}, [](const Outcome& o) {
    EXPECT_EQ(o.requesters, 4u);
    std::map<uint32_t, uint32_t> count;
    for (const MessageRecord& m : o.messages) EXPECT_EQ(m.number, count[m.workload]++);
    EXPECT_EQ(o.messages.size(), 6u);
  });
}

TEST(Traffic, SourcePortsComeFromNamesAlone) {
  // A workload's ways do not change with another workload before it or another host after it.
  const auto port = [&](std::vector<WorkloadParameters> workloads, uint32_t which) {
    return TextFromChild([&] {
      Scenario s = StarScenario(4, kLink);
      s.workloads = workloads;
      StartSimulator(1);
      Network network(s);
      const HostView hosts = network.hosts();
      Traffic traffic(s.workloads, hosts, network.nics());
      MessageList list(traffic);
      traffic.Start();
      RunUntil(Milliseconds(1));
      for (const MessageRecord& m : list.All()) {
        if (m.workload == which) return std::to_string(m.source_port);
      }
      return std::string("none");
    });
  };
  WorkloadParameters first = Series(3, Nanoseconds(100));
  first.name = "first";
  const std::string expected = port({Series(1, Time{})}, 0);
  EXPECT_EQ(port({first, Series(1, Time{})}, 1), expected);
  EXPECT_NE(port({first}, 0), expected);
  EXPECT_GE(std::stoi(expected), 0xC000);
}

TEST(Traffic, AFailedQueuePairsMessagesStayUnfinished) {
  InChild([] {
    Scenario s = StarScenario(4, kLink);
    s.faults = {LossFault{0, 4, 1.0}};
    s.workloads = {Series(3, Nanoseconds(100))};
    StartSimulator(1);
    Network network(s);
    const HostView hosts = network.hosts();
    Traffic traffic(s.workloads, hosts, network.nics());
    MessageList list(traffic);
    std::string error;
    traffic.SetOnQueuePairError([&](NodeId host, uint32_t qp, const std::string& why) {
      error += std::to_string(host) + "/" + std::to_string(qp) + " " + why + ";";
    });
    traffic.Start();
    RunUntil(Seconds(1));
    EXPECT_EQ(error, "0/0 retries exhausted;");
    EXPECT_EQ(traffic.unfinished(), 3u);
    EXPECT_FALSE(traffic.Done());
  });
}

}  // namespace
}  // namespace headroom::traffic_test
