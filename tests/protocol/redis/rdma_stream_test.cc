// Streams over RDMA compared with the description of Valkey over RDMA, message by message.
#include <deque>

#include "protocol/redis/rdma_stream.h"

#include <gtest/gtest.h>

#include "protocol/redis/rdma_carrier.h"
#include "support/dice.h"
#include "support/in_child.h"
#include "support/verbs_lab.h"

namespace headroom::rdma_stream_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0};

ApplicationCosts NoCosts() {
  ApplicationCosts c;
  c.post = c.completion = c.registration = c.queue_pair = c.wake = c.turn = Time(0);
  c.copy = GigabitsPerSecond(1'000'000);
  return c;
}

/// Reads the received bytes, at once or some of them later.
struct Reader final : StreamUser {
  void OnOpen() override { opened = EventQueue::Get().now(); }
  void OnReadable() override {
    if (lazy != nullptr && lazy->OneIn(3)) return;
    std::vector<uint8_t> some(lazy != nullptr ? static_cast<size_t>(lazy->Between(1, 300)) : 1 << 20);
    some.resize(stream->Read(some));
    got.insert(got.end(), some.begin(), some.end());
    last = EventQueue::Get().now();
  }
  void OnEnded(bool failed) override { ended = failed ? 2 : 1; }
  Stream* stream = nullptr;
  Dice* lazy = nullptr;
  std::vector<uint8_t> got;
  int ended = 0;
  Time opened = kNever, last;
};

struct Pair : VerbsLab {
  Pair(const ApplicationCosts& costs, uint32_t client_buffer, uint32_t server_buffer,
       const LinkSpec& link = kLink)
      : VerbsLab(Quick(link)), carrier({costs, client_buffer, server_buffer, 3, 0, 7}) {
    for (NodeId h = 0; h < 2; ++h) {
      processes.emplace_back(verbs(h), network->context(h), costs.OfCores(), nullptr, Time(0),
                             costs.Sleeping());
      cms.emplace_back(processes.back(), network->context(h), CmParameters{});
    }
    cms[0].Know(1, cms[1].qp());
    cms[1].Know(0, cms[0].qp());
    StreamCarrier::Ends ends = carrier.Make(Site(0), Site(1), "test");
    client = std::move(ends.opener);
    server = std::move(ends.accepter);
    users[0].stream = client.get();
    users[1].stream = server.get();
    client->SetUser(users[0]);
    server->SetUser(users[1]);
    carrier.Open(*client);
  }
  static Scenario Quick(const LinkSpec& link) {
    Scenario s = StarScenario(2, link);
    for (NicParameters& nic : s.nics) nic.transport.rto = Microseconds(100);
    return s;
  }
  StreamSite Site(NodeId h) { return {&processes[h], &cms[h], nullptr, h, network->context(h)}; }
  void RunFor(Time t) {
    ns3::Simulator::Stop(ns3::TimeStep(static_cast<uint64_t>(t.v)));
    ns3::Simulator::Run();
  }
  RdmaStream& At(int host) { return static_cast<RdmaStream&>(*(host == 0 ? client : server)); }
  /// A host's RC SENDs, which are commands.
  size_t Commands(NodeId host) const {
    return static_cast<size_t>(
        std::ranges::count_if(sent, [&](const Sent& f) { return f.host == host && f.opcode == 0x04; }));
  }

  RdmaCarrier carrier;
  std::deque<Process> processes;
  std::deque<ConnectionManager> cms;
  std::unique_ptr<Stream> client, server;
  Reader users[2];
};

std::vector<uint8_t> Random(Dice& dice, int64_t length) {
  std::vector<uint8_t> bytes(static_cast<size_t>(length));
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(dice.Between(0, 255));
  return bytes;
}

/// The buffer by its description.
struct NaiveBuffer {
  explicit NaiveBuffer(uint32_t of) : length(of) {}
  void Take(int64_t message) {
    while (message > 0) {
      if (offset == length) offset = 0;
      const int64_t n = std::min<int64_t>(message, length - offset);
      ++writes;
      offset += static_cast<uint32_t>(n);
      message -= n;
      if (offset == length) ++registrations;
    }
  }
  uint32_t length, offset = 0;
  uint64_t writes = 0, registrations = 1;
};

/// Writes one message after the other, each when no bytes of the previous ones wait, and checks both ends on
/// the way.
struct Writer {
  void Step() {
    const RdmaStream::Offsets there = pair.At(1 - from).offsets(), here = pair.At(from).offsets();
    EXPECT_LE(there.read, there.received);
    const bool registered = here.length > 0;
    EXPECT_TRUE(!registered || here.sent <= here.length);
    EXPECT_TRUE(!registered || there.received <= here.length);
    if (there.received > here.sent) ++overtaken;
    Stream& stream = pair.At(from);
    pair.users[1 - from].OnReadable();
    if (stream.open() && stream.unsent() == 0 && left > 0) {
      --left;
      const auto message = Random(dice, dice.Between(1, longest));
      written.insert(written.end(), message.begin(), message.end());
      naive.Take(static_cast<int64_t>(message.size()));
      stream.Write(message);
    }
    ns3::Simulator::Schedule(ns3::NanoSeconds(static_cast<uint64_t>(dice.Between(1000, 30'000))),
                             [this] { Step(); });
  }
  Pair& pair;
  int from;
  Dice& dice;
  int64_t longest;
  NaiveBuffer naive;
  int left = 20;
  int overtaken = 0;
  std::vector<uint8_t> written{};
};

TEST(RdmaStream, sends_the_messages_that_its_description_counts_whatever_is_lost) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    InChild([=] {
      Dice dice(seed);
      const auto length = [&] { return static_cast<uint32_t>(dice.Between(16, 4000)); };
      Pair pair(dice.OneIn(2) ? ApplicationCosts{} : NoCosts(), length(), length());
      const int64_t losses = dice.Between(0, 4);
      pair.lose = [&](NodeId, const Frame& f) {
        return f.kind == FrameKind::data && f.opcode < 0x20 && dice.Between(0, 99) < losses;
      };
      const int from = static_cast<int>(dice.Between(0, 1));
      const uint32_t into = from == 0 ? 1 : 0;
      if (dice.OneIn(2)) pair.users[into].lazy = &dice;
      const auto length_of = [&](int end) {
        return end == 0 ? pair.At(1).offsets().length : pair.At(0).offsets().length;
      };
      pair.RunFor(Milliseconds(2));
      ASSERT_TRUE(pair.At(0).open() && pair.At(1).open());
      const uint32_t buffer = length_of(static_cast<int>(into));
      Writer writer{pair, from, dice, dice.Between(1, 3 * int64_t{buffer}), NaiveBuffer(buffer)};
      writer.Step();
      pair.RunFor(Milliseconds(15));
      pair.users[into].lazy = nullptr;
      for (int i = 0; i < 3; ++i) pair.RunFor(Milliseconds(2));
      // All bytes arrive, in order.
      EXPECT_EQ(writer.left, 0);
      EXPECT_EQ(pair.users[into].got, writer.written);
      EXPECT_EQ(pair.At(from).unsent(), 0u);
      EXPECT_EQ(pair.At(static_cast<int>(into)).unread(), 0u);
      EXPECT_EQ(writer.overtaken, 0);
      // There is one write each, and one more for each end of the buffer; a registration returns for each
      // buffer that was filled, and the first.
      const RdmaStreamCounts &out = pair.At(from).counts(), &back = pair.At(static_cast<int>(into)).counts();
      EXPECT_EQ(out.writes, writer.naive.writes);
      EXPECT_EQ(out.written, writer.written.size());
      EXPECT_EQ(out.registrations, 1u);
      EXPECT_EQ(back.writes, 0u);
      EXPECT_EQ(back.registrations, writer.naive.registrations);
      EXPECT_EQ(back.registrations, 1 + writer.written.size() / buffer);
      EXPECT_EQ(pair.At(static_cast<int>(into)).offsets().received, writer.written.size() % buffer);
      EXPECT_EQ(pair.users[0].ended + pair.users[1].ended, 0);
    });
  }
}

TEST(RdmaStream, carries_no_more_than_a_buffer_in_the_time_that_its_registration_takes) {
  for (const auto& [buffer, delay] :
       {std::pair{65536u, Microseconds(1)}, {65536u, Microseconds(50)}, {1u << 20, Microseconds(50)}}) {
    InChild([buffer = buffer, delay = delay] {
      const LinkSpec link{GigabitsPerSecond(100), delay, Time{}, 0.0};
      Pair pair(NoCosts(), 1 << 20, buffer, link);
      pair.RunFor(Milliseconds(2));
      const Time begun = EventQueue::Get().now();
      Dice dice(1);
      const auto bytes = Random(dice, 20 * int64_t{buffer});
      pair.client->Write(bytes);
      pair.RunFor(Milliseconds(100));
      ASSERT_EQ(pair.users[1].got.size(), bytes.size());
      const double took = InSeconds(pair.users[1].last - begun);
      // The path has two links and a switch of 500 ns; R is the line's rate.
      const double trip = 2 * InSeconds(delay * 2 + Nanoseconds(500)), line = 100e9 / 8;
      const double bound = buffer / (buffer / line + trip);
      const double goodput = static_cast<double>(bytes.size()) / (took + trip);
      EXPECT_LE(goodput, bound);
      EXPECT_GE(goodput, 0.85 * bound);
    });
  }
}

TEST(RdmaStream, that_idles_has_32_bytes_from_the_server_in_3_seconds) {
  InChild([] {
    Pair pair(ApplicationCosts{}, 1 << 20, 1 << 20);
    pair.RunFor(Milliseconds(100));
    const size_t client = pair.Commands(0), server = pair.Commands(1);
    EXPECT_EQ(client, 1u);  // its registration
    EXPECT_EQ(server, 1u);
    pair.RunFor(Milliseconds(9500));
    EXPECT_EQ(pair.Commands(0), client);
    EXPECT_EQ(pair.Commands(1), server + 3);
    EXPECT_EQ(pair.At(1).counts().keepalives, 3u);
    const auto last = pair.Of(1, FrameKind::data).back();
    EXPECT_EQ(last.bytes, pair.scenario.frames.Data(Operation::send, RdmaCommand::kBytes, true, true).v);
  });
}

TEST(RdmaStream, ends_at_both_sides_when_one_closes_it_or_its_queue_pair_fails) {
  for (const bool fails : {false, true}) {
    InChild([=] {
      Pair pair(ApplicationCosts{}, 1 << 20, 1 << 20);
      pair.RunFor(Milliseconds(2));
      if (fails) {
        // All data frames of its queue pair are lost from now on; those of the connection managers are not.
        pair.lose = [](NodeId, const Frame& f) { return f.kind == FrameKind::data && f.opcode < 0x20; };
        pair.client->Write(std::vector<uint8_t>(100));
      } else {
        pair.server->Close();
      }
      pair.RunFor(Milliseconds(20));
      EXPECT_FALSE(pair.client->open());
      EXPECT_FALSE(pair.server->open());
      EXPECT_EQ(pair.users[0].ended, fails ? 2 : 1);
      EXPECT_EQ(pair.users[1].ended, fails ? 1 : 0);
    });
  }
}

/// A peer that sends other bytes than commands.
struct Stranger final : CmParty, Endpoint {
  Stranger(Process& of, NodeId at) : process(of), base(of.Add(*this)), peer(at) {}
  CmOffer Offer() override {
    QpInitAttr attr;
    attr.send_cq = attr.recv_cq = process.cq();
    qp = process.verbs().CreateQp(attr);
    CmOffer offer;
    offer.qp = Verbs::NumberOf(qp);
    return offer;
  }
  void OnOffer(const CmOffer& offer) override {
    QpAttr attr;
    attr.address.host = peer;
    attr.dest_qp_num = offer.qp;
    attr.rq_psn = offer.psn;
    for (const QpState state : {QpState::init, QpState::rtr, QpState::rts}) {
      attr.state = state;
      process.verbs().ModifyQp(qp, attr);
    }
    for (int i = 0; i < 16; ++i) process.verbs().PostRecv(qp, {base, {0, 32, 0}});
  }
  void OnJoined() override {
    SendWr wr;
    wr.wr_id = base;
    wr.sge.length = static_cast<uint32_t>(said.size());
    wr.inline_data = true;
    wr.content = said.data();
    process.verbs().PostSend(qp, wr);
  }
  void OnLost() override {}
  void OnEnded(bool) override { ended = true; }
  void OnCompletion(const Wc&) override {}
  void OnTurn() override {}
  int64_t BytesOf(const Wc&) const override { return 0; }
  int64_t BytesOfTurn() const override { return 0; }
  Process& process;
  uint64_t base;
  NodeId peer;
  QueuePair* qp = nullptr;
  std::vector<uint8_t> said;
  bool ended = false;
};
struct Listener final : CmListener {
  CmParty* OnRequest(uint64_t, NodeId) override { return party; }
  CmParty* party = nullptr;
};

TEST(RdmaStream, ends_where_a_command_has_another_length_or_opcode) {
  const RdmaCommand::Encoded right = RdmaCommand{RdmaCommand::Opcode::keepalive, {}}.Encode();
  std::vector<uint8_t> other(right.begin(), right.end());
  other[1] = 77;
  const std::vector<std::pair<std::vector<uint8_t>, int>> cases{
      {{right.begin(), right.end()}, 0}, {{right.begin(), right.end() - 1}, 2}, {other, 2}};
  for (const auto& [said, ended] : cases) {
    InChild([said = said, ended = ended] {
      Pair pair(ApplicationCosts{}, 1 << 20, 1 << 20);
      Stranger stranger(pair.processes[1], 0);
      stranger.said = said;
      Listener listener;
      listener.party = &stranger;
      pair.cms[1].Listen(7, listener);
      pair.RunFor(Milliseconds(20));
      EXPECT_EQ(pair.users[0].ended, ended);
      EXPECT_EQ(stranger.ended, ended != 0);
    });
  }
}

TEST(RdmaCommand, is_what_was_encoded) {
  Dice dice(1);
  for (int i = 0; i < 1000; ++i) {
    RdmaCommand command{RdmaCommand::Opcode::register_memory,
                        {static_cast<uint64_t>(dice.Between(0, INT64_MAX - 1)),
                         static_cast<uint32_t>(dice.Between(0, UINT32_MAX)),
                         static_cast<uint32_t>(dice.Between(0, UINT32_MAX))}};
    const RdmaCommand::Encoded bytes = command.Encode();
    const auto back = RdmaCommand::Decode(bytes);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->buffer.addr, command.buffer.addr);
    EXPECT_EQ(back->buffer.length, command.buffer.length);
    EXPECT_EQ(back->buffer.key, command.buffer.key);
    EXPECT_EQ(bytes[1], 3);  // big-endian: the opcode, and the last byte of the length
    EXPECT_EQ(bytes[27], command.buffer.length & 0xff);
  }
}

}  // namespace
}  // namespace headroom::rdma_stream_test
