// The cost of a packet-hop: events, and no memory.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "run/recorder.h"
#include "run/run.h"
#include "support/cable.h"
#include "support/in_child.h"
#include "support/scenarios.h"
#include "workload/types/permutation.h"

#ifdef __SANITIZE_ADDRESS__  // GCC has this function but no header that declares it
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*, std::size_t),
                                                         void (*)(const volatile void*));
#endif

namespace {

uint64_t allocations = 0;

#ifdef __SANITIZE_ADDRESS__

// AddressSanitizer keeps its own operator new, but reports allocations.
[[maybe_unused]] const int hooks = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { ++allocations; }, [](const volatile void*) {});

}  // namespace

#else

void* Allocate(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}

void* Allocate(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  const auto a = static_cast<std::size_t>(alignment);
  if (void* p = std::aligned_alloc(a, (size + a - 1) / a * a)) return p;
  throw std::bad_alloc();
}

}  // namespace

// This program counts all allocations through new.
void* operator new(std::size_t size) { return Allocate(size); }
void* operator new[](std::size_t size) { return Allocate(size); }
void* operator new(std::size_t size, std::align_val_t alignment) { return Allocate(size, alignment); }
void* operator new[](std::size_t size, std::align_val_t alignment) { return Allocate(size, alignment); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

#endif

namespace headroom::cost_test {
namespace {

/// A permutation on a fat tree of 100 Gb/s with DCQCN, ECN, PFC and switches of 500 ns.
Scenario Permutation(int k, int64_t bytes) {
  const LinkSpec link{GigabitsPerSecond(100), Microseconds(1), Time{}, 0.0};
  Scenario s = ScenarioOf(BuildFatTree(k, link, link, link));
  for (SwitchParameters& sw : s.switches) {
    sw.ecn[3] = Ecn(100'000, 400'000, 0.01);
    sw.routing.hash_seed.kind = HashSeed::Kind::fixed;  // with it, some paths meet
  }
  PermutationArrivals a;
  a.size = Bytes(bytes);
  a.hosts = Hosts(0, s.topology.hosts);
  s.workloads = {WorkloadOf("perm", a)};
  return s;
}

TEST(Cost, APacketHopTakesTwoEventsOrALittleMore) {
  for (const int k : {4, 8}) {
    InChild([k] {
      const RunRecord r = headroom::Run(Permutation(k, k == 4 ? 1'000'000 : 200'000), {});
      EXPECT_EQ(r.status, RunStatus::complete);
      EXPECT_GT(r.packet_hops, 100'000u);
      EXPECT_LE(static_cast<double>(r.events) / static_cast<double>(r.packet_hops), 2.2) << "k = " << k;
    });
  }
}

TEST(Cost, APacketHopAllocatesNothingOnceTheRunIsUnderWay) {
  // The test measures long messages of a permutation between 200 and 400 us, with congestion, marks, CNPs and
  // a recorder; the measurement begins and ends with an event of ns-3.
  InChild([] {
    const Scenario s = Permutation(4, 100'000'000);
    StartSimulator(1);
    Network network(s);
    const HostView hosts = network.hosts();
    Traffic traffic(s.workloads, hosts, network.nics());
    Recorder recorder(s, network, traffic, std::make_shared<KeptRecords>(), nullptr);
    uint64_t allocated[2] = {}, sent[2] = {}, marked[2] = {};
    const auto note = [&](int i) {
      allocated[i] = allocations;
      for (const auto& ports : network.ports()) {
        for (const Port* port : ports) {
          sent[i] += port->counters(3).tx_packets;
          marked[i] += port->counters(3).marked_packets;
        }
      }
    };
    At(Microseconds(200), [&] { note(0); });
    At(Microseconds(400), [&] { note(1); });
    traffic.Start();
    RunUntil(Microseconds(401));
    EXPECT_GT(sent[1] - sent[0], 100'000u);
    EXPECT_GT(marked[1] - marked[0], 100u);
    EXPECT_EQ(allocated[1] - allocated[0], 0u);
    EXPECT_GT(allocations, 1000u);
  });
}

TEST(Cost, NorDoVerbsWithTheirPayload) {
  // Between 200 and 400 us a WRITE, a SEND and a READ of 4 kB are posted again and again, with contents, a
  // RECV for each SEND, and a poll of each completion at its arrival.
  InChild([] {
    const Scenario s = StarScenario(2, {GigabitsPerSecond(100), Microseconds(1), Time{}, 0.0});
    StartSimulator(1);
    Network network(s);
    Verbs& a = network.nic(0).verbs();
    Verbs& b = network.nic(1).verbs();
    QpInitAttr attr;
    CompletionQueue* cq = attr.send_cq = attr.recv_cq = a.CreateCq(256);
    QueuePair* qp = a.CreateQp(attr);
    CompletionQueue* there = attr.send_cq = attr.recv_cq = b.CreateCq(256);
    QueuePair* peer = b.CreateQp(attr);
    ASSERT_TRUE(ConnectQps(a, qp, b, peer));
    std::vector<uint8_t> here_bytes(4096, 1), there_bytes(4096, 2);
    const MemoryRegion* local = a.RegMr(0, 4096, kLocalWrite, here_bytes);
    const MemoryRegion* remote =
        b.RegMr(0, 4096, kLocalWrite | kRemoteRead | kLocalWrite | kRemoteWrite, there_bytes);
    uint64_t done = 0, allocated[2] = {}, done_at[2] = {};
    const auto post = [&](WrOpcode opcode) {
      SendWr wr;
      wr.opcode = opcode;
      wr.signaled = true;
      wr.sge = {0, 4096, local->lkey};
      wr.rkey = remote->rkey;
      ASSERT_EQ(a.PostSend(qp, wr), 0);
    };
    cq->SetHandler([&] {
      for (Wc wc; cq->Poll(wc); ++done) {
        ASSERT_EQ(wc.status, WcStatus::success);
        post(wc.opcode == WcOpcode::send         ? WrOpcode::send
             : wc.opcode == WcOpcode::rdma_write ? WrOpcode::rdma_write
                                                 : WrOpcode::rdma_read);
      }
      cq->RequestNotify();
    });
    there->SetHandler([&] {
      for (Wc wc; there->Poll(wc);) b.PostRecv(peer, {0, {0, 4096, remote->lkey}});
      there->RequestNotify();
    });
    cq->RequestNotify();
    there->RequestNotify();
    for (int i = 0; i < 64; ++i) b.PostRecv(peer, {0, {0, 4096, remote->lkey}});
    for (int i = 0; i < 10; ++i) {
      for (const WrOpcode opcode : {WrOpcode::rdma_write, WrOpcode::send, WrOpcode::rdma_read}) post(opcode);
    }
    for (const int i : {0, 1}) {
      At(Microseconds(200 * (i + 1)), [&, i] { allocated[i] = allocations, done_at[i] = done; });
    }
    RunUntil(Microseconds(401));
    EXPECT_GT(done_at[1] - done_at[0], 500u);
    EXPECT_EQ(allocated[1] - allocated[0], 0u);
  });
}

}  // namespace
}  // namespace headroom::cost_test
