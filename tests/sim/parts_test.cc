// Nodes that work, tick, and give each other work, in one part, cut at random, and in several processes: the
// same events in the same order, to the same end.
#include "sim/parts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <ns3/simulator.h>

#include <memory>
#include <random>

#include "sim/simulator.h"
#include "support/in_child.h"
#include "support/rank_processes.h"

namespace headroom::parts_test {
namespace {

constexpr Time kWindow = Nanoseconds(50);
/// Times are multiples of this, so that much happens at one instant.
constexpr int64_t kStep = 10'000;

class Node;

/// What all nodes share: a log, and a count of the work that is left.
struct World {
  std::vector<std::string> log;
  LogOrder order;
  uint64_t work = 0;
  std::vector<std::unique_ptr<Node>> nodes;

  void Note(const std::string& what) {
    log.push_back(fmt::format("{} {}", EventQueue::Get().now().v, what));
    order.Note();
  }
  void Done() {
    if (--work == 0 && Parts::Get().IsOver()) ns3::Simulator::Stop();
  }
};

class Node final : public EventTarget {
 public:
  Node(World& world, uint32_t number, uint64_t seed)
      : world_(world),
        number_(number),
        random_(seed * 1000 + number),
        entity_(EventQueue::Get().AddEntity(number)) {}

  void Start() {
    const Parts::Within part(number_);
    Push(Steps(1, 9), EventClass::nic_timer, kTick);
    for (uint64_t n = random_() % 3; n > 0; --n) Give(*this);
  }
  /// Of itself: at its instant too, of whatever class.
  void Give(Node& to) {
    ++world_.work;
    if (&to == this) return Push(Steps(0, 20), static_cast<EventClass>(1 + random_() % 7), kWork);
    const Time at = EventQueue::Get().now() + kWindow + Steps(0, 4);
    // A channel between two nodes orders what comes through it.
    const TimedEvent event{at, TimedEvent::Order(EventClass::arrival, to.entity_, number_ << 20 | sent_++),
                           &to, kWork};
    const Parts& parts = Parts::Get();
    if (parts.Of(to.number_) == parts.Of(number_)) return EventQueue::Get().Push(kNoLane, event);
    Parts::Get().Send(parts.Of(to.number_), event);
  }
  void OnEvent(uint64_t arg) override {
    world_.Note(fmt::format("node {} {}", number_, arg == kTick ? "ticks" : "works"));
    if (arg == kTick) return Push(Steps(1, 9), EventClass::nic_timer, kTick);
    // The end may be in the midst of an event that begins more.
    const bool first_done = random_() % 2 == 0;
    if (first_done) world_.Done();
    for (int child = 0; child < 2; ++child) {
      if (random_() % 100 < 47) Give(*world_.nodes[random_() % world_.nodes.size()]);
    }
    world_.Note(fmt::format("node {} has worked", number_));
    if (!first_done) world_.Done();
  }

 private:
  static constexpr uint64_t kTick = 0, kWork = 1;
  Time Steps(uint64_t least, uint64_t most) {
    return Time(static_cast<int64_t>(least + random_() % (most - least + 1)) * kStep);
  }
  void Push(Time after, EventClass c, uint64_t arg) {
    EventQueue& queue = EventQueue::Get();
    queue.PushTarget(queue.now() + after, TimedEvent::Order(c, entity_, count_++), this, arg);
  }

  World& world_;
  uint32_t number_;
  std::mt19937_64 random_;
  EntityId entity_;
  uint64_t count_ = 0, sent_ = 0;
};

/// Gives work to several nodes at once, a few times.
class Client final : public EventTarget {
 public:
  Client(World& world, uint64_t seed)
      : world_(world), random_(seed), entity_(EventQueue::Get().AddEntity(UINT32_MAX)) {}
  void Start() {
    ++world_.work;
    Push();
  }
  void OnEvent(uint64_t) override {
    if (Parts::Get().Reports()) world_.Note("client");
    for (uint32_t n = 0; n < world_.nodes.size(); ++n) {
      const Parts::Within part(n);
      if (random_() % 2 == 0 && part.here()) world_.nodes[n]->Give(*world_.nodes[n]);
    }
    if (++times_ == 5) return world_.Done();
    Push();
  }

 private:
  void Push() {
    const Time at = EventQueue::Get().now() + Time(static_cast<int64_t>(random_() % 30) * kStep);
    EventQueue::Get().PushTarget(at, TimedEvent::Order(EventClass::workload, entity_, times_), this, 0);
  }
  World& world_;
  std::mt19937_64 random_;
  EntityId entity_;
  uint64_t times_ = 0;
};

/// Work as a value: the nodes at both ends are found by the event's key.
class WorkCarrier final : public EventCarrier {
 public:
  explicit WorkCarrier(World& world) : world_(world) {}
  void Pack(const TimedEvent& e, Packer& to) override {
    uint32_t node = EventQueue::Get().ContextOf(e.Entity());
    TimedEvent sent = e;
    to(node, sent.time, sent.order, sent.arg);
  }
  TimedEvent Unpack(Unpacker& from) override {
    uint32_t node = 0;
    TimedEvent e;
    from(node, e.time, e.order, e.arg);
    e.target = static_cast<EventTarget*>(world_.nodes[node].get());
    return e;
  }

 private:
  World& world_;
};

/// The log of all ranks, and the number of events, at rank 0.
void Gather(World& world, uint64_t& executed) {
  Parts& parts = Parts::Get();
  std::vector<Packet> out(static_cast<size_t>(parts.ranks()));
  Packer pack(out[0]);
  pack(world.log, world.order, executed);
  const std::vector<Packet> in = parts.Swap(std::move(out));
  if (parts.rank() != 0) return;
  for (size_t r = 1; r < in.size(); ++r) {
    World other;
    uint64_t more = 0;
    Unpacker unpack(in[r]);
    unpack(other.log, other.order, more);
    world.log.insert(world.log.end(), other.log.begin(), other.log.end());
    world.order.Append(other.order);
    executed += more;
  }
}

/// `parts`: of each node; empty: one. `exchange`: null for one process.
std::string RunWorld(uint64_t seed, uint32_t nodes, const std::vector<int>& parts, Exchange* exchange) {
  StartSimulator(1);
  World world;
  WorkCarrier carrier(world);
  if (exchange != nullptr) Parts::Get().JoinRanks(*exchange, carrier);
  if (!parts.empty()) Parts::Get().Cut(*std::ranges::max_element(parts) + 1, kWindow);
  Parts::Get().CountCrossing(world.work);
  Parts::Get().SetOnOver([] { ns3::Simulator::Stop(); });
  for (uint32_t n = 0; n < nodes; ++n) {
    if (!parts.empty()) Parts::Get().Assign(n, parts[n]);
    world.nodes.push_back(std::make_unique<Node>(world, n, seed));
  }
  Client client(world, seed);
  ns3::Simulator::Stop(ns3::TimeStep(static_cast<uint64_t>(Microseconds(20).v)));
  for (const auto& node : world.nodes) node->Start();
  client.Start();
  EventQueue::Get().SealEntities();
  Parts::Get().Begin();
  ns3::Simulator::Run();
  uint64_t executed = Parts::Get().executed();
  Gather(world, executed);
  PutInOrder(world.log, world.order.Order());
  return fmt::format("{}\nend {} after {}", fmt::join(world.log, "\n"), EventQueue::Get().now().v, executed);
}

std::string LogOf(uint64_t seed, uint32_t nodes, const std::vector<int>& parts) {
  return TextFromChild([&] { return RunWorld(seed, nodes, parts, nullptr); });
}

TEST(Parts, AnyCutRunsTheSameEventsToTheSameEnd) {
  constexpr uint64_t kRuns = 100;
  size_t ended_early = 0;
  for (uint64_t seed = 1; seed <= kRuns; ++seed) {
    std::mt19937_64 random(seed);
    const uint32_t nodes = 2 + static_cast<uint32_t>(random() % 9);
    const std::string whole = LogOf(seed, nodes, {});
    ended_early += whole.find("\nend 20000000 ") == std::string::npos;
    std::vector<int> parts(nodes);
    const uint64_t most = 2 + random() % (nodes - 1);
    for (uint32_t n = 0; n < nodes; ++n) parts[n] = static_cast<int>(random() % most);
    ASSERT_EQ(LogOf(seed, nodes, parts), whole) << "seed " << seed;
  }
  EXPECT_GT(ended_early, kRuns / 3);
}

TEST(Parts, InSeveralProcessesRunTheSameEventsToTheSameEnd) {
  constexpr uint64_t kRuns = 60;
  for (uint64_t seed = 1; seed <= kRuns; ++seed) {
    std::mt19937_64 random(seed);
    const uint32_t nodes = 3 + static_cast<uint32_t>(random() % 8);
    const int ranks = 2 + static_cast<int>(seed % 2);
    const auto parts = static_cast<uint32_t>(ranks) + random() % (nodes - static_cast<uint32_t>(ranks) + 1);
    std::vector<int> of(nodes);
    for (uint32_t n = 0; n < nodes; ++n) of[n] = static_cast<int>(n < parts ? n : random() % parts);
    std::ranges::shuffle(of, random);
    const std::string split =
        TextFromRanks(ranks, [&](Exchange& exchange) { return RunWorld(seed, nodes, of, &exchange); });
    ASSERT_EQ(split, LogOf(seed, nodes, {})) << "seed " << seed << ", " << ranks << " ranks";
  }
}

/// Ranks that run other windows than the rest would take its packets for something else.
TEST(Parts, RanksThatDoNotAgreeAboutTheNextEventWithoutANodeAreRefused) {
  const std::string refused = TextFromRanks(2, [](Exchange& exchange) -> std::string {
    StartSimulator(1);
    World world;
    WorkCarrier carrier(world);
    Parts::Get().JoinRanks(exchange, carrier);
    Parts::Get().Cut(2, kWindow);
    for (uint32_t n = 0; n < 2; ++n) {
      Parts::Get().Assign(n, static_cast<int>(n));
      world.nodes.push_back(std::make_unique<Node>(world, n, 1));
    }
    for (const auto& node : world.nodes) node->Start();
    ns3::Simulator::Stop(ns3::PicoSeconds(static_cast<uint64_t>(Microseconds(20 + exchange.rank()).v)));
    EventQueue::Get().SealEntities();
    Parts::Get().Begin();
    try {
      ns3::Simulator::Run();
    } catch (const std::logic_error& e) {
      return e.what();
    }
    return "ran";
  });
  EXPECT_EQ(refused, "ranks do not agree about the next event without a node");
}

TEST(Parts, WhatComesLateIsRefused) {
  InChild([] {
    StartSimulator(1);
    Parts::Get().Cut(2, kWindow);
    uint64_t work = 1;
    Parts::Get().CountCrossing(work);
    Parts::Get().Begin();
    bool stop = false;
    Parts::Get().RunBefore(
        {0, kWindow.v}, stop, [] {}, [] {});
    Parts::Get().Send(1, {kWindow - Picoseconds(1)});
    EXPECT_THROW(Parts::Get().RunBefore(
                     {0, 2 * kWindow.v}, stop, [] {}, [] {}),
                 std::logic_error);
  });
}

TEST(Parts, AnEventOfOnePartMayNotActOnAnother) {
  InChild([] {
    StartSimulator(1);
    Parts::Get().Cut(2, kWindow);
    Parts::Get().Assign(0, 0);
    Parts::Get().Assign(1, 1);
    const Parts::Within here(0);
    EXPECT_NO_THROW(const Parts::Within same(0));
    EXPECT_THROW(const Parts::Within there(1), std::logic_error);
  });
}

}  // namespace
}  // namespace headroom::parts_test
