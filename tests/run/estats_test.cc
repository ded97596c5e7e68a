// RDMA Estats of a run's workloads, compared with its messages.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "files/text_file.h"
#include "protocol/posting/posting_arrivals.h"
#include "protocol/storage/storage_parameters.h"
#include "protocol/storage_record.h"
#include "report/csv/result_file.h"
#include "report/summary/summary.h"
#include "run/busy.h"
#include "run/run.h"
#include "scenario/read/load.h"
#include "support/in_child.h"
#include "support/scenarios.h"
#include "support/test_folder.h"
#include "support/text_file.h"
#include "workload/io_arrivals.h"
#include "workload/types/list.h"

namespace headroom::estats_test {
namespace {

/// The busy network without lossy classes, so that every message finishes, with READs in addition to the
/// WRITEs.
Scenario Watched(Time every) {
  Scenario s = Busy();
  s.observe.estats = {every, {"*"}};
  s.workloads[1].verb = Operation::read_request;
  return s;
}

TEST(RunEstats, CountEveryMessageOfEachConnection) {
  InChild([] {
    const Scenario s = Watched(Microseconds(40));
    const RunRecord r = headroom::Run(s, {});
    std::map<std::pair<NodeId, uint32_t>, uint64_t> finished, counted;
    std::map<std::pair<NodeId, uint32_t>, int> workloads;
    for (const MessageRecord& m : r.messages) {
      const NodeId poster = m.workload == 1 ? m.dst : m.src;
      finished[{poster, m.qp}] += m.Finished();
      workloads[{poster, m.qp}] = static_cast<int>(m.workload);
    }
    for (const EstatsRecord& e : r.estats) {
      counted[{e.host, e.qp}] += e.count;
      EXPECT_EQ(e.workload, workloads.at({e.host, e.qp}));
      EXPECT_EQ(e.operation, e.workload == 1 ? WcOpcode::rdma_read : WcOpcode::rdma_write);
      EXPECT_TRUE(e.until.v % Microseconds(40).v == 0 || e.until == r.end);
    }
    std::erase_if(finished, [](const auto& f) { return f.second == 0; });
    EXPECT_GT(counted.size(), 50u);
    EXPECT_EQ(counted, finished);
  });
}

TEST(RunEstats, QuantilesAreThoseOfTheMessages) {
  InChild([] {
    const RunRecord r = headroom::Run(Watched(Seconds(60)), {});
    std::vector<int64_t> writes;
    for (const MessageRecord& m : r.messages) {
      if (m.workload != 1 && m.Finished()) writes.push_back((m.completed - m.start).v);
    }
    std::sort(writes.begin(), writes.end());
    const auto total =
        std::find_if(r.estats_totals.begin(), r.estats_totals.end(), [](const EstatsRecord& e) {
          return e.operation == WcOpcode::rdma_write && e.status == WcStatus::success;
        });
    ASSERT_NE(total, r.estats_totals.end());
    EXPECT_EQ(total->count, writes.size());
    const auto rank = [&](size_t permille) { return writes[(writes.size() * permille + 999) / 1000 - 1]; };
    EXPECT_NEAR(static_cast<double>(total->t6_t1.p50.v), static_cast<double>(rank(500)),
                static_cast<double>(rank(500)) / 256);
    EXPECT_NEAR(static_cast<double>(total->t5_t1.p99.v), static_cast<double>(rank(990)),
                static_cast<double>(rank(990)) / 256);
    EXPECT_EQ(total->t6_t1.max, Time(writes.back()));
  });
}

TEST(RunEstats, TheClocksErrorIsInT5AloneAndItsBoundIsTold) {
  InChild([] {
    Scenario s = Watched(Seconds(60));
    for (NicParameters& nic : s.nics) nic.clock.offset = Microseconds(1);
    s.nics[2].clock.drift_ppb = 100'000;
    const RunRecord r = headroom::Run(s, {});
    for (const EstatsRecord& e : r.estats) {
      if (e.host != 2) {
        EXPECT_EQ(e.t5_t1.max, e.t6_t1.max + Microseconds(1));
      }
    }
    EXPECT_EQ(r.clock_error_bound, Microseconds(1) + r.end / 10'000);
  });
}

TEST(RunEstats, ThePatternChoosesHostsAndTheWarmupLeavesOut) {
  InChild([] {
    Scenario s = Watched(Seconds(60));
    s.observe.estats->match = {"h[01]"};
    s.warmup = Microseconds(100);
    const RunRecord r = headroom::Run(s, {});
    uint64_t count = 0, finished = 0;
    for (const EstatsRecord& e : r.estats) {
      EXPECT_LE(e.host, 1u);
      count += e.count;
    }
    for (const MessageRecord& m : r.messages) {
      finished += m.Finished() && m.start >= s.warmup && (m.workload == 1 ? m.dst : m.src) <= 1;
    }
    EXPECT_GT(count, 0u);
    EXPECT_EQ(count, finished);
  });
}

TEST(RunEstats, OperationsOfPostingLoopsCountOnce) {
  // READs are all signalled; of ECHOs by WRITE every fourth is signalled, and SENDs answer them.
  InChild([] {
    Scenario s = StarScenario(2, {GigabitsPerSecond(100), Nanoseconds(15), Time{}, 0.0});
    s.observe.estats = {Seconds(60), {"*"}};
    s.duration = Microseconds(200);
    PostingArrivals reads;
    reads.from = {0};
    reads.to = {1};
    reads.message = Bytes(64);
    reads.window = 4;
    PostingArrivals echoes = reads;
    echoes.signal_every = 4;
    echoes.reply = PostingArrivals::Reply{.verb = Operation::send};
    s.workloads = {WorkloadOf("reads", reads), WorkloadOf("echoes", echoes)};
    s.workloads[0].verb = Operation::read_request;
    const RunRecord r = headroom::Run(s, {});
    std::array<uint64_t, 2> finished{};
    for (const MessageRecord& m : r.messages) finished[m.workload] += m.Finished();
    ASSERT_GT(finished[1], 100u);
    std::map<WcOpcode, uint64_t> counted;
    for (const EstatsRecord& e : r.estats_totals) counted[e.operation] += e.count;
    EXPECT_EQ(counted[WcOpcode::rdma_read], finished[0]);
    EXPECT_NEAR(static_cast<double>(counted[WcOpcode::rdma_write]), static_cast<double>(finished[1]) / 4, 1);
    EXPECT_EQ(counted[WcOpcode::recv], finished[1]);
    EXPECT_EQ(counted[WcOpcode::send], finished[1] - 1);  // the run ends with the last one's arrival
  });
}

TEST(RunEstats, MessagesOfAQueuePairThatGaveUpCountWithTheirStatus) {
  // Every frame from h0 is lost: after 0 retries the first of three messages ends with retries exceeded, the
  // second is flushed with it, and the third, offered later, is flushed at once. READs of h0's data by h1
  // fail at h1.
  InChild([] {
    Scenario s = StarScenario(2, {GigabitsPerSecond(100), Nanoseconds(15), Time{}, 0.0});
    s.observe.estats = {Seconds(60), {"*"}};
    for (NicParameters& nic : s.nics) {
      nic.transport.retry = 0;
      nic.transport.rto = Microseconds(100);
    }
    ListArrivals list;
    for (const Time at : {Time{}, Microseconds(1), Microseconds(500)})
      list.messages.push_back({at, 0, 1, Bytes(1000), {}});
    s.workloads = {WorkloadOf("w", list), WorkloadOf("r", list)};
    s.workloads[1].verb = Operation::read_request;
    s.faults = {LossFault{0, 2, 1.0}};
    s.deadline = Milliseconds(2);
    const RunRecord r = headroom::Run(s, {});
    const auto summary = Summarise(s, r, {});
    for (const char* operation : {"rdma_write", "rdma_read"}) {
      const auto& of = summary["estats"][operation];
      EXPECT_EQ(of["retry_exc_err"]["count"], 1) << operation;
      EXPECT_EQ(of["wr_flush_err"]["count"], 2) << operation;
      EXPECT_FALSE(of.contains("success")) << operation;
      EXPECT_NEAR(of["wr_flush_err"]["t6_t1_us"]["max"].get<double>(), 99, 1) << operation;
    }
  });
}

/// Two disks on two extent nodes, with each protocol, used by one workload each.
Scenario WatchedDisks() {
  Scenario s = StarScenario(4, {GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0});
  s.duration = Microseconds(300);
  s.observe.estats = {Seconds(60), {"*"}};
  for (const StorageProtocol protocol : {StorageProtocol::sk_rdma, StorageProtocol::su_rdma}) {
    StorageParameters store;
    store.name = "store" + std::to_string(s.services.size());
    store.compute = Hosts(0, 2);
    store.extent_nodes = Hosts(2, 4);
    store.front.protocol = protocol;
    IoArrivals io;
    io.service = static_cast<uint32_t>(s.services.size());
    io.from = store.compute;
    io.to = store.extent_nodes;
    io.blocks = {{Bytes(16'384), 1}};
    io.reads = 0.5;
    io.depth = 2;
    s.services.push_back(store);
    s.workloads.push_back(WorkloadOf("disks" + std::to_string(io.service), io));
  }
  return s;
}

TEST(RunEstats, IosAreOperationsOfTheirOwnByConnection) {
  InChild([] {
    const RunRecord r = headroom::Run(WatchedDisks(), {});
    using Key = std::tuple<int, NodeId, NodeId, uint32_t, OperationKind>;
    std::map<Key, std::vector<Time>> waited, took;
    for (const OperationRecord& o : r.operations) {
      const Key key{static_cast<int>(o.workload), o.client, o.participants.Last(o.client), o.qp, o.kind};
      waited[key].push_back(o.times.polled - o.times.posted);
      took[key].push_back(o.times.completed - o.times.posted);
    }
    EXPECT_EQ(waited.size(), 16u) << "two protocols, two disks, two extent nodes, reads and writes";
    size_t found = 0;
    for (const EstatsRecord& e : r.estats) {
      if (!e.asked) continue;
      const Key key{e.workload, e.host, e.peer, e.qp, e.asked->kind};
      ASSERT_TRUE(waited.contains(key));
      ++found;
      EXPECT_EQ(e.count, waited[key].size());
      EXPECT_EQ(e.t6_t1.max, std::ranges::max(waited[key]));
      EXPECT_EQ(e.t5_t1.max, std::ranges::max(took[key]));
      EXPECT_EQ(e.asked_status, OperationStatus::ok);
    }
    EXPECT_EQ(found, waited.size());
    EXPECT_TRUE(std::ranges::is_sorted(
        r.estats, {}, [](const EstatsRecord& e) { return std::tuple(e.until, e.host, e.peer, e.qp); }));
  });
}

TEST(RunEstats, WorkRequestsOfServicesHaveTheirService) {
  InChild([] {
    const Scenario s = WatchedDisks();
    const RunRecord r = headroom::Run(s, {});
    std::map<int, std::map<WcOpcode, uint64_t>> counted;
    for (const EstatsRecord& e : r.estats) {
      if (!e.asked) counted[e.service][e.operation] += e.count;
    }
    // sK-RDMA: there is a registration, a request and an answer each; data of writes are READ.
    const size_t ios = r.Service<StorageRecord>(0).executed;
    EXPECT_EQ(counted[0][WcOpcode::reg_mr], ios);
    EXPECT_EQ(counted[0][WcOpcode::send], 2 * ios);
    EXPECT_EQ(counted[0][WcOpcode::rdma_read], r.Service<StorageRecord>(0).reads);
    // The run ends with the last I/O, before each of eight ends polls its last SENDs.
    EXPECT_NEAR(static_cast<double>(counted[1][WcOpcode::send]),
                static_cast<double>(r.Service<StorageRecord>(1).sends), 8);
    EXPECT_EQ(counted[1][WcOpcode::reg_mr], 0u);
    EXPECT_EQ(counted[EstatsRecord::kNoService].size(), 2u)
        << "SENDs and RECVs by which connections are set up";
    const auto summary = Summarise(s, r, {});
    EXPECT_EQ(summary["estats"]["io_read"]["ok"]["count"].get<size_t>() +
                  summary["estats"]["io_write"]["ok"]["count"].get<size_t>(),
              r.operations.size());
  });
}

TEST(RunEstats, IosCountWhereNoLineOfThemIsKeptAndOnlyOfHostsThatMatch) {
  InChild([] {
    Scenario s = WatchedDisks();
    s.observe.operations.one_in = 0;
    s.observe.estats->match = {"h0"};
    const RunRecord r = headroom::Run(s, {});
    EXPECT_TRUE(r.operations.empty());
    uint64_t counted = 0;
    for (const EstatsRecord& e : r.estats) {
      EXPECT_EQ(e.host, 0u);
      counted += e.asked ? e.count : 0;
    }
    EXPECT_GT(counted, 10u);
    EXPECT_LT(counted, r.Service<StorageRecord>(0).executed + r.Service<StorageRecord>(1).executed);
  });
}

constexpr char kThreeServices[] = R"(name: three
duration: 100us
topology: {type: star, hosts: 4, link: {rate: 100Gbps, length: 5m}}
services:
  - {name: store, type: storage, compute: [h1], extent_nodes: [h0], front: {protocol: sk_rdma}}
  - {name: cache, type: herd, servers: h0, clients: [h1, h2]}
  - {name: tables, type: farm, servers: h0, clients: h2}
  - {name: lines, type: rdmavisor, servers: h3, clients: h1}
workloads:
  - {name: disks, type: io, service: store, blocks: [{size: 4KiB}], reads: 50%, depth: 1}
  - {name: items, type: kv, service: cache, keys: 1000, puts: 30%, inserts: 10%, read_modify_writes: 10%}
  - {name: reads, type: kv, service: tables, keys: 1000}
  - {name: payloads, type: transfers, service: lines, size: 1KiB, verb: read}
observe: {estats: {every: 50us}}
)";

TEST(RunEstats, OperationsOnKeysAndConnectionsHaveNamesAndServicesOfTheirOwn) {
  InChild([] {
    const Scenario s = LoadScenarioText(kThreeServices, "test.yaml", ".");
    const RunRecord r = headroom::Run(s, {});
    std::map<std::string, uint64_t> of_service, of_operation;
    for (const EstatsRecord& e : r.estats) {
      if (e.asked) of_operation[e.OperationName()] += e.count;
      if (e.service != EstatsRecord::kNoService)
        of_service[s.services[static_cast<size_t>(e.service)]->name] += e.count;
    }
    for (const char* name : {"store", "cache", "tables", "lines"}) EXPECT_GT(of_service[name], 0u) << name;
    for (const auto& [workload, kind, name] : {std::tuple{0u, OperationKind::read, "io_read"},
                                               {0u, OperationKind::write, "io_write"},
                                               {1u, OperationKind::get, "kv_get"},
                                               {1u, OperationKind::put, "kv_put"},
                                               {1u, OperationKind::insert, "kv_insert"},
                                               {1u, OperationKind::read_modify_write, "kv_read_modify_write"},
                                               {3u, OperationKind::read, "connection_read"}}) {
      const auto of = [&, w = workload, k = kind](const OperationRecord& o) {
        return o.Finished() && o.kind == k && (o.workload == w || (w == 1 && o.workload == 2));
      };
      EXPECT_GT(of_operation[name], 0u) << name;
      EXPECT_EQ(of_operation[name], static_cast<uint64_t>(std::ranges::count_if(r.operations, of))) << name;
    }
    EXPECT_EQ(of_operation.size(), 7u);
    const auto summary = Summarise(s, r, {});
    EXPECT_EQ(summary["estats"]["kv_get"]["ok"]["count"], of_operation["kv_get"]);
    EXPECT_EQ(summary["estats"]["connection_read"]["ok"]["count"], of_operation["connection_read"]);

    const TestFolder folder;
    ResultFiles().at("estats")->Write(folder.path() / "estats.csv", {s, r});
    const std::string text = ReadTextFile(folder.path() / "estats.csv");
    for (const char* part : {",store,reg_mr,", ",cache,recv,", ",tables,rdma_read,", ",lines,rdma_read,",
                             ",items,kv_get,", ",payloads,connection_read,"})
      EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  });
}

TEST(RunEstats, OfPayloadsT5IsTheirCompletionAndT6TheirArrivalAtTheThread) {
  // A daemon polls the completion, then notifies the thread, which sleeps.
  InChild([] {
    const RunRecord r = headroom::Run(LoadScenarioText(kThreeServices, "test.yaml", "."), {});
    size_t payloads = 0;
    for (const OperationRecord& o : r.operations) {
      if (o.workload != 3 || !o.Finished()) continue;
      ++payloads;
      EXPECT_LE(o.start, o.times.posted);
      EXPECT_LT(o.times.posted, o.times.completed);
      EXPECT_LT(o.times.completed, o.completed);
    }
    EXPECT_GT(payloads, 5u);
  });
}

TEST(RunEstats, APayloadThatNeverWentOutWasPostedWhenItBegan) {
  InChild([] {
    const Scenario s =
        LoadScenarioText(kThreeServices, "test.yaml", ".",
                         {"faults=[{type: link_down, link: [h3, s0], start: 20us, stop: 50ms}]",
                          "nics=[{match: \"*\", transport: {retry: 0, rto: 20us}}]",
                          "workloads.payloads.window=4", "services.lines.depth=1"});
    const RunRecord r = headroom::Run(s, {});
    size_t failed = 0;
    for (const OperationRecord& o : r.operations) {
      if (o.workload != 3 || o.status != OperationStatus::failed) continue;
      ++failed;
      EXPECT_TRUE(o.times.posted == kNever || o.times.posted >= o.start) << o.times.posted.v;
    }
    EXPECT_GT(failed, 0u);
  });
}

}  // namespace
}  // namespace headroom::estats_test
