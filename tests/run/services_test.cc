// Complete runs of services: every I/O ends, and its parts sum to its time and are those of a scenario with a
// single cause.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "protocol/storage/storage_parameters.h"
#include "protocol/storage_record.h"
#include "run/record_text.h"
#include "run/run.h"
#include "run/small_storage.h"
#include "support/in_child.h"
#include "support/operation_parts.h"
#include "workload/io_arrivals.h"

namespace headroom::services_test {
namespace {

Scenario Storage(StorageProtocol protocol, int compute, int nodes, const IoArrivals& io,
                 const LinkSpec& link = kStorageLink) {
  Scenario s = StorageStar(compute, nodes, io, link);
  s.services[0].As<StorageParameters>().front.protocol = protocol;
  return s;
}

TEST(Services, every_io_ends_and_its_parts_sum_to_its_time) {
  for (const StorageProtocol protocol : {StorageProtocol::sk_rdma, StorageProtocol::su_rdma}) {
    for (const int64_t bytes : {4096, 65'536, 1'000'000}) {
      InChild([=] {
        IoArrivals io = Blocks(bytes, 0.5, 8);
        Scenario s = Storage(protocol, 3, 2, io);
        s.hosts.assign(s.topology.hosts, {2, {2.5e9, {2000, 0.2}, {}, {}}});
        s.services[0].As<StorageParameters>().front.credits = 4;
        s.services[0].As<StorageParameters>().disk = {Microseconds(90), Microseconds(20), 100'000};
        const RunRecord record = headroom::Run(s, {});
        EXPECT_EQ(record.status, RunStatus::complete);
        EXPECT_TRUE(record.conservation.Ok());
        ASSERT_GT(record.operations.size(), 20u);
        for (const OperationRecord& o : record.operations) {
          ASSERT_TRUE(o.Finished());
          EXPECT_EQ(o.status, OperationStatus::ok);
          EXPECT_EQ(Sum(o).v, (o.completed - o.start).v);
          EXPECT_EQ(Part(o, OperationPart::other).v, 0);
          EXPECT_GE(Part(o, OperationPart::device).v,
                    s.services[0].As<StorageParameters>().disk.write.median.v);
          EXPECT_GT(Part(o, OperationPart::core).v, 0);
          const OperationTimes& t = o.times;
          EXPECT_LE(o.start, t.posted);
          EXPECT_LE(t.posted, t.first_sent);
          EXPECT_LE(t.first_sent, t.last_sent);
          EXPECT_LE(t.last_sent, t.acknowledged);
          EXPECT_LE(t.completed, t.polled);
          EXPECT_LE(t.polled, o.completed);
        }
        EXPECT_EQ(record.Service<StorageRecord>(0).executed, record.operations.size());
      });
    }
  }
}

/// Both protocols with losses, damage, a link that is down, and few credits.
Scenario Troubled(StorageProtocol protocol, const char* resources) {
  Scenario s = Storage(protocol, 3, 2, Blocks(20'000, 0.5, 8));
  s.services[0].As<StorageParameters>().front.credits = 3;
  s.services[0].As<StorageParameters>().disk = {Microseconds(9), Microseconds(2), 0};
  s.hosts.assign(s.topology.hosts, {2, {2.5e9, {1000, 0.1}, {}, {}}});
  for (NicParameters& nic : s.nics) {
    nic.resources = FindResourceSet(resources)->resources;
    nic.transport.rto = Microseconds(100);
  }
  const NodeId sw = s.topology.hosts;
  s.faults = {LossFault{0, sw, 0.002, {}}, CorruptFault{3, 0.002, {}},
              LinkDownFault{4, sw, {}, {}, kNever, {Microseconds(300), Microseconds(500), Time{}, 1}}};
  return s;
}

TEST(Services, an_io_says_where_its_messages_waited) {
  // Four hosts write to one node at the same time: only its link delays them.
  for (const StorageProtocol protocol : {StorageProtocol::sk_rdma, StorageProtocol::su_rdma}) {
    InChild([protocol] {
      Scenario s = Storage(protocol, 4, 1, Blocks(65'536, 0, 1));
      const RunRecord record = headroom::Run(s, {});
      const NodeId sw = s.topology.hosts;
      Time queued;
      for (const OperationRecord& o : record.operations) {
        ASSERT_TRUE(o.Finished());
        EXPECT_EQ(Sum(o), o.completed - o.start);
        EXPECT_EQ(Part(o, OperationPart::network), Time{});
        ExpectWaitsOfParts(record, o);
        queued += Part(o, OperationPartOf(MessagePart::queued));
        for (const WaitRecord& wait : record.WaitsOf(o)) {
          const bool of_data = !wait.back && wait.node == sw && wait.queued > Microseconds(1);
          EXPECT_TRUE(!of_data || wait.port == 4) << wait.port;
        }
      }
      EXPECT_GT(queued, Microseconds(10));
    });
  }
}

TEST(Services, parts_sum_whatever_fails) {
  for (const StorageProtocol protocol : {StorageProtocol::sk_rdma, StorageProtocol::su_rdma}) {
    for (const char* resources : {"ideal", "gen2"}) {
      SCOPED_TRACE(resources);
      InChild([=] {
        const RunRecord record = headroom::Run(Troubled(protocol, resources), {});
        EXPECT_EQ(record.status, RunStatus::complete);
        EXPECT_TRUE(record.conservation.Ok());
        EXPECT_GT(record.Service<StorageRecord>(0).corrupt, 0u);
        ASSERT_GT(record.operations.size(), 100u);
        for (const OperationRecord& o : record.operations) {
          ASSERT_TRUE(o.Finished());
          EXPECT_EQ(Sum(o).v, (o.completed - o.start).v);
          EXPECT_EQ(Part(o, OperationPart::other).v, 0);
          for (const Time part : o.parts) EXPECT_GE(part, Time{});
          ExpectWaitsOfParts(record, o);
        }
        // A CRC error ends an I/O of sk_rdma; su_rdma sends the data again.
        const auto ended =
            std::ranges::count(record.operations, OperationStatus::corrupt, &OperationRecord::status);
        EXPECT_EQ(ended > 0, protocol == StorageProtocol::sk_rdma);
      });
    }
  }
}

TEST(Services, an_io_across_extents_is_of_the_nodes_of_both) {
  for (const StorageProtocol protocol : {StorageProtocol::sk_rdma, StorageProtocol::su_rdma}) {
    InChild([protocol] {
      Scenario s = Storage(protocol, 2, 3, Blocks(12 << 10, 0.5, 8));
      s.workloads[0].arrivals.As<IoArrivals>().blocks.push_back({Bytes(4096), 1});
      s.duration = Milliseconds(5);
      s.services[0].As<StorageParameters>().disk_size = Bytes(1 << 20);
      s.services[0].As<StorageParameters>().extent = Bytes(64 << 10);
      RunOptions options;
      options.histories = true;
      const RunRecord record = headroom::Run(s, options);
      ASSERT_TRUE(record.histories);
      EXPECT_TRUE(record.histories->Ok());
      size_t asked = 0;
      for (const OperationRecord& o : record.operations) asked += o.participants.size();
      EXPECT_EQ(record.Service<StorageRecord>(0).executed, asked);
      EXPECT_GT(asked, record.operations.size());  // those that cross two fragments
      for (const OperationRecord& o : record.operations) EXPECT_EQ(Sum(o).v, (o.completed - o.start).v);
    });
  }
}

TEST(Services, depend_on_the_seed_and_on_nothing_else) {
  for (const StorageProtocol protocol : {StorageProtocol::sk_rdma, StorageProtocol::su_rdma}) {
    Scenario s = Troubled(protocol, "gen2");
    const auto text = [&](const RunOptions& options) {
      return TextFromChild([&] { return RecordText(headroom::Run(s, options)); });
    };
    const std::string once = text({});
    EXPECT_NE(once.find("operation 0/2/"), std::string::npos);
    RunOptions other;
    other.driver = Driver::ns3_default;
    other.lanes = false;
    other.check = true;
    ExpectSameText(text(other), once);
    // Observation does not change anything either.
    const auto seen = [&](uint32_t one_in) {
      s.observe.operations.one_in = one_in;
      return TextFromChild([&] {
        RunRecord record = headroom::Run(s, {});
        record.operations.clear();
        return RecordText(record);
      });
    };
    ExpectSameText(seen(0), seen(1));
    s.seed = 2;
    EXPECT_NE(text({}), once);
  }
}

/// Each I/O, of which one is open at a time, from the second on.
void ExpectEach(const Scenario& s, const std::function<void(const OperationRecord&)>& expect) {
  InChild([&] {
    const RunRecord record = headroom::Run(s, {});
    ASSERT_GT(record.operations.size(), 2u);
    for (size_t i = 1; i < record.operations.size(); ++i) {
      SCOPED_TRACE(i);
      expect(record.operations[i]);
    }
  });
}

TEST(Services, a_lone_io_is_its_packets_the_wire_and_the_device) {
  for (const StorageProtocol protocol : {StorageProtocol::sk_rdma, StorageProtocol::su_rdma}) {
    for (const bool split : {false, true}) {
      Scenario s = Storage(protocol, 1, 1, Blocks(4096, 0, 1));
      s.services[0].As<StorageParameters>().disk.write = Microseconds(20);
      s.observe.parts = split;
      ExpectEach(s, [split](const OperationRecord& o) {
        EXPECT_EQ(Part(o, OperationPart::device).v, Microseconds(20).v);
        Time ways = Part(o, OperationPart::network);
        EXPECT_EQ(ways == Time{}, split);
        // An answer waits while its host's port sends the ACK of the request.
        for (const MessagePart part : {MessagePart::port, MessagePart::own_packets, MessagePart::nic,
                                       MessagePart::wire, MessagePart::ack_wire})
          ways += Part(o, OperationPartOf(part));
        EXPECT_EQ(Part(o, OperationPart::device) + ways, o.completed - o.start);
        EXPECT_EQ(o.waits, 0u);
      });
    }
  }
}

TEST(Services, cores_work_as_long_as_their_costs_say) {
  // The I/O is a write. 2000 cycles a message at 2.5 GHz are 800 ns. 0.25 cycles a byte are 409.6 ns for a
  // pass over 4096: a copy, or a CRC at either end. sk_rdma copies nothing: the request, its arrival, the
  // data, the answer and its arrival are work. su_rdma sends the data with the request, except for large
  // ones, which the server reads. Small data are copied at both ends, medium ones out of their landing.
  struct Case {
    StorageProtocol protocol;
    int64_t small, large;
    int messages, copies;
  };
  const Case cases[] = {{StorageProtocol::sk_rdma, 64, 64, 5, 0},
                        {StorageProtocol::su_rdma, 4096, 65'536, 4, 2},
                        {StorageProtocol::su_rdma, 64, 65'536, 4, 1},
                        {StorageProtocol::su_rdma, 64, 64, 5, 0}};
  for (const Case& c : cases) {
    for (const bool crc : {false, true}) {
      SCOPED_TRACE(testing::Message() << c.copies << " copies, CRC " << crc);
      Scenario s = Storage(c.protocol, 1, 1, Blocks(4096, 0, 1));
      s.hosts.assign(2, {1, {2.5e9, {2000, 0.25}, {}, {}}});
      StorageLeg& leg = s.services[0].As<StorageParameters>().front;
      leg.small = Bytes(c.small);
      leg.large = Bytes(c.large);
      leg.crc = crc;
      const int sums = crc ? 2 : 0;
      // 32 B, which is small
      const int64_t answer = c.protocol == StorageProtocol::su_rdma ? (2 + sums) * 3200 : 0;
      ExpectEach(s, [&](const OperationRecord& o) {
        EXPECT_EQ(Part(o, OperationPart::core).v,
                  c.messages * 800'000 + (c.copies + sums) * 409'600 + answer);
      });
    }
  }
}

TEST(Services, what_waits_for_a_credit_says_so) {
  // There is one credit for eight I/Os of 1 ms: the last one waits for seven others.
  Scenario s = Storage(StorageProtocol::sk_rdma, 1, 1, Blocks(4096, 0, 8));
  s.services[0].As<StorageParameters>().front.credits = 1;
  s.services[0].As<StorageParameters>().disk.write = Milliseconds(1);
  InChild([&] {
    const RunRecord record = headroom::Run(s, {});
    ASSERT_EQ(record.operations.size(), 8u);
    for (size_t i = 1; i < 8; ++i) {
      const OperationRecord& o = record.operations[i];
      EXPECT_EQ(Part(o, OperationPart::credits), record.operations[i - 1].completed - o.start);
    }
  });
}

/// All landings fill with chunks of a new request before the core takes it up. The client, with nothing in
/// flight, learns of free landings once they are.
TEST(Services, landings_that_a_new_request_fills_are_granted_again) {
  Scenario s = Storage(StorageProtocol::su_rdma, 1, 1, Blocks(1 << 20, 0, 1));
  s.hosts.assign(2, {1, {2.5e9, {1500, 0.32}, {}, {1300}}});
  s.services[0].As<StorageParameters>().front.chunk = Bytes(64 << 10);
  s.deadline = Milliseconds(20);
  InChild([&] { EXPECT_EQ(headroom::Run(s, {}).status, RunStatus::complete); });
}

TEST(Services, chunks_by_default_use_all_three_modes) {
  const StorageLeg leg;
  EXPECT_LT(leg.small, leg.large);
  EXPECT_LT(leg.large, leg.chunk);
}

TEST(Services, what_waits_for_memory_or_a_chunk_says_so) {
  // The server has memory for one I/O, and its disks take 1 ms.
  Scenario s = Storage(StorageProtocol::sk_rdma, 1, 1, Blocks(2 << 20, 1, 3));
  s.services[0].As<StorageParameters>().front.pool = Bytes(1);
  s.services[0].As<StorageParameters>().disk.read = Milliseconds(1);
  InChild([&] {
    const RunRecord record = headroom::Run(s, {});
    ASSERT_EQ(record.operations.size(), 3u);
    EXPECT_EQ(Part(record.operations[0], OperationPart::memory).v, 0);
    EXPECT_GT(Part(record.operations[1], OperationPart::memory), Milliseconds(1));
    EXPECT_GT(Part(record.operations[2], OperationPart::memory), Milliseconds(2));
  });
  // One chunk at a time: the second of two writes begins when the first one's chunks have arrived.
  s = Storage(StorageProtocol::su_rdma, 1, 1, Blocks(1 << 20, 0, 2));
  InChild([&] {
    const RunRecord record = headroom::Run(s, {});
    ASSERT_GE(record.operations.size(), 2u);
    EXPECT_EQ(Part(record.operations[0], OperationPart::chunk).v, 0);
    // 1 MiB takes 16 chunks and at least 84 us.
    EXPECT_GT(Part(record.operations[1], OperationPart::chunk), Microseconds(84));
  });
}

TEST(Services, a_rate_is_kept_and_think_time_taken) {
  IoArrivals io = Blocks(4096, 1, 1);
  io.rate = 100'000;
  io.even = true;
  io.start = Microseconds(100);
  InChild([&] {
    const RunRecord record = headroom::Run(Storage(StorageProtocol::sk_rdma, 2, 1, io), {});
    EXPECT_EQ(record.operations.size(), 2u * 89);  // from 110 us to 990 us, every 10
  });
  io = Blocks(4096, 1, 1);
  io.think = Microseconds(50);
  InChild([&] {
    const RunRecord record = headroom::Run(Storage(StorageProtocol::sk_rdma, 1, 1, io), {});
    ASSERT_GT(record.operations.size(), 3u);
    for (size_t i = 1; i < record.operations.size(); ++i)
      EXPECT_EQ(record.operations[i].start, record.operations[i - 1].completed + io.think);
  });
}

TEST(Services, drawn_blocks_and_kinds_have_their_shares) {
  IoArrivals io = Blocks(4096, 0.25, 32);
  io.blocks = {{Bytes(4096), 0.75}, {Bytes(16'384), 0.25}};
  InChild([&] {
    const RunRecord record = headroom::Run(Storage(StorageProtocol::su_rdma, 4, 2, io), {});
    double reads = 0, large = 0;
    for (const OperationRecord& o : record.operations) {
      reads += o.kind == OperationKind::read;
      large += o.bytes.v == 16'384;
    }
    const auto n = static_cast<double>(record.operations.size());
    ASSERT_GT(n, 1000);
    EXPECT_NEAR(reads / n, 0.25, 4 * std::sqrt(0.25 * 0.75 / n));
    EXPECT_NEAR(large / n, 0.25, 4 * std::sqrt(0.25 * 0.75 / n));
  });
}

TEST(Services, another_host_changes_nobody_s_ios) {
  std::string drawn[2];
  for (const size_t clients : {1, 3}) {
    drawn[clients / 2] = TextFromChild([&] {
      IoArrivals io = Blocks(4096, 0.5, 1);
      io.blocks = {{Bytes(512), 0.5}, {Bytes(4096), 0.5}};
      Scenario s = Storage(StorageProtocol::sk_rdma, 3, 1, io);
      s.workloads[0].arrivals.As<IoArrivals>().from.resize(clients);
      std::string ios;
      for (const OperationRecord& o : headroom::Run(s, {}).operations) {
        if (o.client == 0 && o.number < 20)
          ios += OperationKindName(o.kind) + std::to_string(o.bytes.v) + ' ';
      }
      return ios;
    });
  }
  EXPECT_GT(drawn[0].size(), 100u);
  EXPECT_EQ(drawn[0], drawn[1]);
}

TEST(Services, lines_are_kept_of_some_and_totals_are_of_all) {
  Scenario s = Storage(StorageProtocol::sk_rdma, 2, 1, Blocks(4096, 0.5, 4));
  for (const uint32_t one_in : {1u, 10u, 0u}) {
    s.observe.operations.one_in = one_in;
    InChild([&] {
      const RunRecord record = headroom::Run(s, {});
      uint64_t finished = 0;
      for (const OperationTotals& t : record.operation_totals[0]) {
        finished += t.finished;
        EXPECT_EQ(t.finished, t.offered);
        EXPECT_EQ(t.latencies.count(), t.finished);
      }
      ASSERT_GT(finished, 100u);
      // For each client the first and every tenth: at most one more than a tenth each.
      const auto kept = static_cast<double>(record.operations.size());
      EXPECT_NEAR(kept, one_in == 0 ? 0 : static_cast<double>(finished) / one_in, one_in == 10 ? 2 : 0);
    });
  }
}

TEST(Services, damage_is_found_where_data_have_a_crc_and_each_io_ends) {
  // One byte of one packet in fifty changes at the extent node; without a CRC over the data only messages
  // find their errors.
  for (const StorageProtocol protocol : {StorageProtocol::sk_rdma, StorageProtocol::su_rdma}) {
    uint64_t found[2];
    for (const bool crc : {true, false}) {
      const std::string text = TextFromChild([=] {
        Scenario s = Storage(protocol, 2, 1, Blocks(8192, 0.5, 8));
        s.services[0].As<StorageParameters>().front.crc = crc;
        s.services[0].As<StorageParameters>().front.reopen = Microseconds(10);
        s.faults.emplace_back(CorruptFault{2, 0.02, {Microseconds(100), Milliseconds(1), Time{}, 1}});
        const RunRecord record = headroom::Run(s, {});
        EXPECT_EQ(record.status, RunStatus::complete);
        const auto& of = record.operation_totals[0];
        const auto& read = of[static_cast<size_t>(OperationKind::read)];
        const auto& write = of[static_cast<size_t>(OperationKind::write)];
        EXPECT_GT(read.finished, 50u);
        EXPECT_EQ(read.finished + write.finished, read.offered + write.offered);
        EXPECT_EQ(read.failed + write.failed, 0u);
        EXPECT_EQ(read.corrupt, 0u);  // data that arrive at the compute hosts are correct
        EXPECT_EQ(write.corrupt > 0, crc && protocol == StorageProtocol::sk_rdma);
        EXPECT_GE(record.Service<StorageRecord>(0).corrupt, write.corrupt);
        return std::to_string(record.Service<StorageRecord>(0).corrupt);
      });
      found[crc] = std::stoull(text);
    }
    EXPECT_GT(found[true], 2 * found[false]);
    EXPECT_GT(found[false], 0u);
  }
}

TEST(Services, an_io_costs_cores_as_much_however_many_are_open) {
  // A turn that can send nothing costs nothing: a chunk behind another has its turn after it.
  for (const StorageProtocol protocol : {StorageProtocol::sk_rdma, StorageProtocol::su_rdma}) {
    for (const int64_t small : {4096, 64}) {
      Time busy[2];
      for (const int depth : {1, 8}) {
        Scenario s = Storage(protocol, 1, 1, Blocks(4096, 0, depth));
        s.hosts.assign(2, {1, {2.5e9, {2000, 0.25}, {}, {}}});
        s.services[0].As<StorageParameters>().front.small = Bytes(small);
        const std::string text = TextFromChild([&] {
          const RunRecord record = headroom::Run(s, {});
          EXPECT_EQ(record.cores[0].host, 0u);
          return std::to_string(record.cores[0].busy().v / static_cast<int64_t>(record.operations.size()));
        });
        busy[depth / 8] = Time(std::stoll(text));
      }
      EXPECT_NEAR(static_cast<double>(busy[1].v), static_cast<double>(busy[0].v),
                  0.05 * static_cast<double>(busy[0].v))
          << static_cast<int>(protocol) << ' ' << small;
    }
  }
}

TEST(Services, disks_wait_for_their_node_however_long_it_is_away) {
  for (const StorageProtocol protocol : {StorageProtocol::sk_rdma, StorageProtocol::su_rdma}) {
    InChild([=] {
      Scenario s = Storage(protocol, 1, 1, Blocks(4096, 0, 4));
      LinkDownFault down;
      down.a = 1;
      down.b = static_cast<NodeId>(s.topology.hosts);
      down.times.start = Microseconds(500);
      down.times.stop = Milliseconds(900);
      s.faults = {down};
      s.deadline = Milliseconds(1000);
      const RunRecord record = headroom::Run(s, {});
      EXPECT_EQ(record.status, RunStatus::complete);
      EXPECT_GT(record.end, down.times.stop);
      for (const OperationRecord& o : record.operations) {
        EXPECT_EQ(o.status, OperationStatus::ok);
        ASSERT_TRUE(o.Finished());
        EXPECT_EQ(Sum(o).v, (o.completed - o.start).v) << o.number;
        const bool waited = o.completed > down.times.stop;
        // With su_rdma all but one wait for the chunk before theirs, which waits.
        const Time away = Part(o, OperationPart::connection) + Part(o, OperationPart::chunk);
        EXPECT_EQ(away > Milliseconds(800), waited) << o.number;
      }
    });
  }
}

TEST(Services, connections_share_scarce_memory) {
  // A node has memory for two I/Os and a core that is never idle: new I/Os arrive before waiting ones have
  // had their turn.
  for (const StorageProtocol protocol : {StorageProtocol::sk_rdma, StorageProtocol::su_rdma}) {
    InChild([=] {
      Scenario s = Storage(protocol, 4, 1, Blocks(1 << 20, protocol == StorageProtocol::sk_rdma, 4));
      s.duration = Milliseconds(10);
      s.services[0].As<StorageParameters>().front.pool = Bytes(2 << 20);
      s.services[0].As<StorageParameters>().front.chunk = Bytes(1 << 20);
      s.services[0].As<StorageParameters>().front.large = Bytes(4096);
      s.hosts.assign(s.topology.hosts, {});
      s.hosts[4] = {1, {1e9, {20'000, 0}, {}, {}}};
      uint64_t finished[4] = {}, all = 0;
      for (const OperationRecord& o : headroom::Run(s, {}).operations) ++finished[o.client], ++all;
      for (const uint64_t n : finished) EXPECT_GE(n, all / 5) << all;
    });
  }
}

}  // namespace
}  // namespace headroom::services_test
