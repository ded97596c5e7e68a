// Requests and answers by slots: order, losses, duplicates.
#include "protocol/keyvalue/slot_exchange.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "protocol/little_endian.h"
#include "support/in_child.h"
#include "support/verbs_lab.h"

namespace headroom::exchange_test {
namespace {

constexpr SendMethod kWrite{Operation::write, Transport::uc, true, 64},
    kDatagram{Operation::send, Transport::ud, true, 64}, kSend{Operation::send, Transport::uc, true, 64},
    kReliable{Operation::send, Transport::rc, true, 64};

SlotExchangeParameters Of(const SendMethod& request, const SendMethod& reply, uint32_t clients,
                          uint32_t window) {
  SlotExchangeParameters p;
  p.name = "exchange";
  p.servers = {0};
  p.clients = Hosts(1, 1 + clients);
  p.processes = 2;
  p.window = window;
  p.priority = 3;
  p.request.method = request;
  p.reply.method = reply;
  p.longest_answer = 64;
  p.timeout = Microseconds(100);
  return p;
}

/// An exchange and both of its users. A request is a number of 16 B, its answer is the same.
struct Asking : VerbsLab, SlotExchangeProgram, SlotExchangeUser {
  struct Request {
    uint32_t client = 0, server = 0;
    int accesses = 0;
    uint64_t r = 0;  ///< requests of this client to this process
    Time asked{}, sent{}, ended = kNever;
    bool given_up = false;
    uint32_t retries = 0;
    int executed = 0;
  };
  explicit Asking(const SlotExchangeParameters& parameters)
      : VerbsLab(StarScenario(static_cast<int>(1 + parameters.clients.size()),
                              {GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0})),
        p(parameters),
        operations({{}}, scenario.topology.hosts, 0, Time(0)),
        hosts(HostsOf(*this)),
        ground{hosts, scenario.topology, operations, Time(0)},
        exchange(p, ground, *this, *this) {}
  static std::vector<ServiceHost> HostsOf(VerbsLab& lab) {
    std::vector<ServiceHost> hosts;
    for (NodeId h = 0; h < lab.scenario.topology.hosts; ++h)
      hosts.push_back({&lab.verbs(h), lab.network->context(h)});
    return hosts;
  }

  uint32_t Ask(uint32_t client, uint32_t server, int accesses = 0) {
    const auto token = static_cast<uint32_t>(requests.size());
    Request& r = requests.emplace_back();
    r.client = client;
    r.server = server;
    r.accesses = accesses;
    r.asked = EventQueue::Get().now();
    exchange.Ask(client, server, token);
    return token;
  }
  void AskAt(Time at, uint32_t client, uint32_t server, int accesses = 0) {
    ns3::Simulator::Schedule(ns3::TimeStep(static_cast<uint64_t>(at.v)),
                             [=, this] { Ask(client, server, accesses); });
  }
  void RunFor(Time t) {
    ns3::Simulator::Stop(ns3::TimeStep(static_cast<uint64_t>(t.v)));
    ns3::Simulator::Run();
  }
  KeyValueRecord Record() {
    KeyValueRecord record;
    exchange.Collect(record);
    return record;
  }
  static uint64_t NumberIn(std::span<const uint8_t> bytes) {
    uint64_t number = 0;
    GetNumber(bytes.data(), number);
    return number - 1;
  }

  int AccessesOf(uint32_t, std::span<const uint8_t> request) override {
    return requests.at(NumberIn(request)).accesses;
  }
  SlotExchangeAnswer Execute(uint32_t process, std::span<const uint8_t> request,
                             std::span<uint8_t> answer) override {
    Request& r = requests.at(NumberIn(request));
    EXPECT_EQ(process, r.server);
    ++r.executed;
    std::ranges::copy(request, answer.begin());
    return {16, 0};
  }
  uint32_t Encode(uint32_t token, std::span<uint8_t> request) override {
    Request& r = requests[token];
    r.sent = EventQueue::Get().now();
    r.r = sent_to[{r.client, r.server}]++;
    const auto [there, free] = live.insert({{r.client, r.server, r.r % p.window}, token});
    EXPECT_TRUE(free) << "two live requests in a slot: " << there->second << " and " << token;
    const auto end = request.last(16);
    std::ranges::fill(end, uint8_t{1});
    PutNumber(end.data(), uint64_t{token} + 1);
    return 16;
  }
  std::optional<uint32_t> Mark(uint32_t token) override {
    return marks == 0 ? std::nullopt : std::optional(token % marks);
  }
  bool OnAnswer(uint32_t token, std::span<const uint8_t> answer, uint32_t) override {
    if (answer.size() != 16 || NumberIn(answer) != token) {
      ++others;
      return false;
    }
    End(token);
    return true;
  }
  void OnGivenUp(uint32_t token) override {
    requests[token].given_up = true;
    End(token);
  }
  void End(uint32_t token) {
    Request& r = requests[token];
    EXPECT_EQ(r.ended, kNever) << token << " answered twice";
    r.ended = EventQueue::Get().now();
    r.retries = exchange.times().retries;
    EXPECT_EQ(live.erase({r.client, r.server, r.r % p.window}), 1u);
    if (after) after(token);
  }

  const SlotExchangeParameters p;
  std::vector<Request> requests;
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> sent_to;
  std::map<std::tuple<uint32_t, uint32_t, uint64_t>, uint32_t> live;
  uint32_t marks = 0;   ///< marks that answers can distinguish
  uint64_t others = 0;  ///< answers to other requests than the one in their slot
  std::function<void(uint32_t token)> after;
  Operations operations;
  std::vector<ServiceHost> hosts;
  ServiceGround ground;
  SlotExchange exchange;
};

TEST(SlotExchange, requests_go_to_their_slots_in_turn_and_each_has_its_answer) {
  for (const auto& [request, reply] :
       {std::pair(kWrite, kDatagram), std::pair(kWrite, kWrite), std::pair(kWrite, kSend),
        std::pair(kSend, kSend), std::pair(kSend, kWrite), std::pair(kDatagram, kDatagram),
        std::pair(kReliable, kReliable), std::pair(kReliable, kDatagram)}) {
    InChild([&] {
      Asking a(Of(request, reply, 3, 4));
      std::mt19937 random(1);
      a.after = [&](uint32_t token) {
        if (a.requests.size() < 2000) a.Ask(a.requests[token].client, random() % 2);
      };
      for (int i = 0; i < 4; ++i)
        for (uint32_t c = 0; c < 3; ++c) a.Ask(c, random() % 2);
      a.RunFor(Milliseconds(2));
      EXPECT_GE(a.requests.size(), 2000u);
      for (const Asking::Request& r : a.requests) {
        EXPECT_NE(r.ended, kNever);
        EXPECT_FALSE(r.given_up);
        EXPECT_EQ(r.executed, 1);
        EXPECT_EQ(r.retries, 0u);
      }
      const KeyValueRecord record = a.Record();
      EXPECT_EQ(record.stale_answers + record.retried + a.others, 0u);
    });
  }
}

TEST(SlotExchange, a_connection_that_has_failed_fails_what_goes_over_it_though_nobody_watches_the_time) {
  InChild([] {
    SlotExchangeParameters p = Of(kReliable, kReliable, 2, 4);
    p.timeout = Time(0);
    Asking a(p);
    bool down = false;
    a.lose = [&](NodeId host, const Frame&) { return down && host == 1; };
    a.after = [&](uint32_t token) {
      if (a.requests.size() < 200) a.Ask(a.requests[token].client, token % 2);
    };
    a.Ask(0, 0);
    a.Ask(1, 0);
    a.RunFor(Microseconds(20));
    down = true;
    a.RunFor(Seconds(10));
    ASSERT_EQ(a.requests.size(), 200u);
    uint32_t given_up = 0;
    for (const Asking::Request& r : a.requests) {
      EXPECT_NE(r.ended, kNever);
      EXPECT_TRUE(r.client == 0 || !r.given_up);
      given_up += r.given_up;
    }
    EXPECT_GT(given_up, 0u);
  });
}

TEST(SlotExchange, a_send_queue_that_was_full_of_what_went_out_again_works_on_when_it_is_not) {
  // Every second work request is signalled, one is open, and for a long time nothing leaves: five fit.
  InChild([] {
    SlotExchangeParameters p = Of({Operation::write, Transport::uc, true, 2}, kDatagram, 1, 1);
    p.timeout = Microseconds(10);
    p.retries = 1000;
    Asking a(p);
    a.network->nic(1).port().SetPaused(3, true);
    a.Ask(0, 0);
    a.RunFor(Microseconds(500));
    EXPECT_GT(a.Record().retried, 10u);
    a.network->nic(1).port().SetPaused(3, false);
    a.after = [&](uint32_t) {
      if (a.requests.size() < 50) a.Ask(0, 0);
    };
    a.RunFor(Milliseconds(10));
    EXPECT_EQ(a.requests.size(), 50u);
    for (const Asking::Request& r : a.requests) EXPECT_FALSE(r.given_up);
  });
}

TEST(SlotExchange, a_lost_request_stalls_its_slot_only_and_comes_when_it_is_sent_again) {
  InChild([] {
    Asking a(Of(kWrite, kDatagram, 2, 4));
    int frames = 0;
    a.lose = [&](NodeId host, const Frame& f) {
      return host == 1 && f.kind == FrameKind::data && ++frames == 1;
    };
    // Of the requests of client 0 to process 0 the first is lost. The fifth is for the same slot.
    for (int i = 0; i < 4; ++i) a.Ask(0, 0);
    a.AskAt(Microseconds(20), 0, 0);
    a.AskAt(Microseconds(30), 0, 1);
    a.AskAt(Microseconds(30), 1, 0);
    a.RunFor(Milliseconds(1));
    ASSERT_EQ(a.requests.size(), 7u);
    for (const uint32_t quick : {1, 2, 3, 5, 6}) {
      EXPECT_LT(a.requests[quick].ended - a.requests[quick].asked, Microseconds(10)) << quick;
      EXPECT_EQ(a.requests[quick].retries, 0u) << quick;
    }
    EXPECT_EQ(a.requests[0].retries, 1u);
    EXPECT_GT(a.requests[0].ended, Microseconds(100));
    EXPECT_LT(a.requests[0].ended, Microseconds(110));
    // Its slot is not used for a while, lest a second answer to it count for another request.
    EXPECT_EQ(a.requests[4].sent, a.requests[0].ended + Microseconds(100));
    EXPECT_LT(a.requests[4].ended, Microseconds(220));
  });
}

// Request 4 uses the slot of request 0. With two marks both have the same mark, with three they differ.
TEST(SlotExchange, a_slot_rests_only_for_requests_that_a_second_answer_could_be_taken_for) {
  for (const bool same : {false, true}) {
    InChild([=] {
      Asking a(Of(kWrite, kDatagram, 1, 4));
      a.marks = same ? 2 : 3;
      int frames = 0;
      a.lose = [&](NodeId host, const Frame& f) {
        return host == 1 && f.kind == FrameKind::data && ++frames == 1;
      };
      for (int i = 0; i < 4; ++i) a.Ask(0, 0);
      a.AskAt(Microseconds(20), 0, 0);
      a.RunFor(Milliseconds(1));
      EXPECT_EQ(a.requests[0].retries, 1u);
      EXPECT_EQ(a.requests[4].sent, a.requests[0].ended + (same ? Microseconds(100) : Time(0)));
      EXPECT_EQ(a.requests[4].retries, 0u);
    });
  }
}

TEST(SlotExchange, what_nobody_answers_is_given_up_after_its_retries) {
  InChild([] {
    SlotExchangeParameters p = Of(kWrite, kDatagram, 1, 4);
    p.retries = 3;
    Asking a(p);
    a.lose = [](NodeId host, const Frame&) { return host == 1; };
    a.Ask(0, 0);
    a.RunFor(Milliseconds(1));
    EXPECT_TRUE(a.requests[0].given_up);
    EXPECT_EQ(a.requests[0].ended, Microseconds(400));
    EXPECT_EQ(a.requests[0].retries, 3u);
    EXPECT_EQ(a.Record().retried, 3u);
  });
}

/// Requests to a process so slow that clients repeat them while its answer is on its way.
SlotExchangeParameters Impatient(const SendMethod& request, const SendMethod& reply) {
  SlotExchangeParameters p = Of(request, reply, 1, 4);
  p.timeout = Microseconds(24);
  return p;
}
constexpr int kLong = 252;  // accesses of 90 ns

TEST(SlotExchange, a_second_answer_is_not_taken_for_that_to_the_next_request) {
  for (const auto& [request, reply] : {std::pair(kWrite, kDatagram), std::pair(kWrite, kWrite),
                                       std::pair(kSend, kSend), std::pair(kDatagram, kDatagram)}) {
    InChild([&] {
      Asking a(Impatient(request, reply));
      a.after = [&](uint32_t token) {
        if (token < 40) a.Ask(0, 0, kLong);
      };
      a.Ask(0, 0, kLong);
      a.RunFor(Milliseconds(10));
      uint64_t executed = 0;
      for (const Asking::Request& r : a.requests) {
        EXPECT_NE(r.ended, kNever);
        EXPECT_FALSE(r.given_up);
        executed += static_cast<uint64_t>(r.executed);
      }
      EXPECT_EQ(a.others, 0u);
      const KeyValueRecord record = a.Record();
      EXPECT_GT(record.stale_answers, 5u);
      EXPECT_EQ(record.stale_answers, executed - a.requests.size());
    });
  }
}

TEST(SlotExchange, a_second_answer_does_not_use_up_the_place_of_anothers) {
  InChild([] {
    Asking a(Impatient(kWrite, kDatagram));
    a.Ask(0, 0, kLong);
    // The second answer to it arrives about 50 us later, when this request waits for its own.
    a.AskAt(Microseconds(47), 0, 0);
    a.RunFor(Milliseconds(1));
    EXPECT_EQ(a.requests[0].executed, 2);
    EXPECT_EQ(a.Record().stale_answers, 1u);
    EXPECT_EQ(a.requests[1].retries, 0u);
    EXPECT_LT(a.requests[1].ended, Microseconds(60));
  });
}

/// The server's process posts a RECV anew for each request by SEND. Clients post many at once, at no cost.
TEST(SlotExchange, a_recv_costs_the_servers_process) {
  for (const auto& [request, reply] : {std::pair(kWrite, kWrite), std::pair(kWrite, kDatagram),
                                       std::pair(kSend, kWrite), std::pair(kSend, kSend)}) {
    InChild([&] {
      SlotExchangeParameters p = Of(request, reply, 1, 1);
      p.costs.recv = Nanoseconds(700);
      Asking a(p);
      constexpr int kRequests = 10;
      a.after = [&](uint32_t) {
        if (a.requests.size() < kRequests) a.Ask(0, 0);
      };
      a.Ask(0, 0);
      a.RunFor(Milliseconds(1));
      const Time of_server = request.verb == Operation::send ? p.costs.recv : Time(0);
      EXPECT_EQ(a.Record().processes[0].busy(), (p.costs.post + p.costs.request + of_server) * kRequests);
      EXPECT_EQ(a.exchange.thread(0).worked(), p.costs.post * kRequests);
    });
  }
}

TEST(SlotExchange, what_is_sent_again_while_it_is_served_is_served_once) {
  for (const bool prefetch : {false, true}) {
    InChild([=] {
      SlotExchangeParameters p = Impatient(kWrite, kDatagram);
      p.timeout = Microseconds(8);
      p.retries = 50;
      p.prefetch = prefetch;
      p.costs.overlap = 1;
      Asking a(p);
      for (int i = 0; i < 4; ++i) a.Ask(0, 0, 200);
      a.RunFor(Milliseconds(1));
      for (const Asking::Request& r : a.requests) {
        EXPECT_FALSE(r.given_up);
        EXPECT_GT(r.retries, 0u);
      }
      EXPECT_EQ(a.requests[0].executed, 1);
      EXPECT_EQ(a.others, 0u);
    });
  }
}

TEST(SlotExchange, timers_are_as_many_as_requests) {
  const auto events = [](int retries) {
    return std::stod(TextFromChild([=] {
      SlotExchangeParameters p = Of(kWrite, kDatagram, 1, 64);
      p.timeout = Microseconds(20);
      p.retries = retries;
      Asking a(p);
      a.lose = [](NodeId host, const Frame&) { return host == 1; };
      for (int i = 0; i < 64; ++i) a.Ask(0, 0);
      a.RunFor(Milliseconds(10));
      EXPECT_TRUE(a.requests[63].given_up);
      return std::to_string(EventQueue::Get().executed());
    }));
  };
  EXPECT_LT(events(59), 10.5 * events(5));  // each is sent 60 times, and 6 times
}

TEST(SlotExchange, whatever_is_lost_each_request_ends_once_in_its_slot) {
  const SendMethod ways[] = {kWrite, kDatagram, kSend};
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    InChild([&] {
      std::mt19937 random(seed);
      const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
      const uint32_t clients = 1 + below(3), window = 1 + below(6);
      SlotExchangeParameters p = Of(ways[seed % 3], ways[below(3)], clients, window);
      p.processes = 1 + below(3);
      p.client_processes = 1 + below(2);
      p.prefetch = below(2) == 0;
      p.timeout = Microseconds(5 + below(40));
      p.retries = static_cast<int>(below(4));
      Asking a(p);
      a.marks = seed % 4;
      const uint32_t lost = 1 + below(30);
      a.lose = [&, lost](NodeId, const Frame&) { return below(100) < lost; };
      uint32_t ended = 0;
      a.after = [&](uint32_t token) {
        ++ended;
        if (a.requests.size() < 1500)
          a.Ask(a.requests[token].client, below(p.processes), static_cast<int>(below(60)));
      };
      for (uint32_t c = 0; c < clients * p.client_processes; ++c)
        for (uint32_t i = 0; i < window; ++i) a.Ask(c, below(p.processes));
      a.RunFor(Seconds(1));
      EXPECT_GE(a.requests.size(), 1500u);
      EXPECT_EQ(ended, a.requests.size());
      EXPECT_TRUE(a.live.empty());
      // Answers that arrive after a slot's rest are recognised by their content.
      EXPECT_LE(a.others, a.Record().stale_answers);
      EXPECT_GT(a.Record().retried + (p.retries == 0), 0u);
    });
  }
}

}  // namespace
}  // namespace headroom::exchange_test
