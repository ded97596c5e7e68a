// Switches and NICs that restart, in complete runs.
#include <gtest/gtest.h>

#include "protocol/storage/storage_parameters.h"
#include "protocol/storage_record.h"
#include "run/fault_star.h"
#include "run/record_text.h"
#include "run/small_storage.h"

namespace headroom::restart_test {
namespace {

WarmRestartFault Warm(Time start, Time stop) { return {kSwitch, {start, stop, Time{}, 1}}; }
NicRestartFault NicOf(NodeId host, Time start, Time stop) { return {host, {start, stop, Time{}, 1}}; }

TEST(WarmRestart, what_comes_is_lost_and_what_the_switch_holds_goes_on) {
  // Two hosts send 250 kB each to h2 at the same time: 490 packets. At 10 µs about 120 have left and as many
  // wait.
  InChild([] {
    Scenario s = Star(1);
    s.workloads = {Flow("a", 0, 2, kEvery, 1, kMessage), Flow("b", 1, 2, kEvery, 1, kMessage)};
    s.faults = {Warm(Microseconds(10), Microseconds(500))};
    for (NicParameters& nic : s.nics) nic.transport.rto = Seconds(1);
    const RunRecord r = Checked(s);
    const uint64_t lost =
        Drops(At(r, kSwitch, 0), DropReason::restart) + Drops(At(r, kSwitch, 1), DropReason::restart);
    EXPECT_EQ(At(r, 2, 0).rx_packets + lost, 490u);
    EXPECT_GT(At(r, 2, 0).rx_packets, 200u);
    EXPECT_GT(lost, 200u);
    EXPECT_EQ(EventsOf(r, "fault_start").at(0).time, Microseconds(10));
    EXPECT_EQ(EventsOf(r, "fault_start").at(0).detail, "warm_restart");
    EXPECT_EQ(EventsOf(r, "fault_stop").at(0).time, Microseconds(500));
  });
}

TEST(WarmRestart, afterwards_everything_goes_on) {
  InChild([] {
    Scenario s = Star();
    for (NicParameters& nic : s.nics) nic.transport.rto = Microseconds(300);
    s.faults = {WarmRestartFault{kSwitch, {Milliseconds(1), Microseconds(1500), Milliseconds(2), 2}}};
    const RunRecord r = Checked(s);
    EXPECT_EQ(r.status, RunStatus::complete);
    EXPECT_EQ(Finished(r, 0), std::pair(50, 50));
    EXPECT_EQ(Finished(r, 1), std::pair(50, 50));
    EXPECT_EQ(EventsOf(r, "fault_stop").size(), 2u);
    for (const MessageRecord& m : r.messages) {
      const auto in = [](Time t) { return t > Microseconds(1003) && t < Microseconds(1500); };
      EXPECT_FALSE(in(m.completed)) << m.completed.v;
      if (m.start > Microseconds(1900) && m.start < Microseconds(2900)) {
        EXPECT_EQ(m.retransmitted_packets, 0u);
      }
    }
  });
}

TEST(WarmRestart, its_pauses_run_out_and_are_said_again) {
  // h2's port is blocked, so h0 is paused with 40 MB left. The last refresh before 1 ms pauses it for at most
  // 335 µs.
  InChild([] {
    Scenario s = StormStar(4, {});
    s.duration = s.deadline = Milliseconds(4);
    s.workloads = {Flow("full", 0, 2, Time{}, 1, Bytes(40'000'000))};
    s.faults = {Blocked(Time{}, Milliseconds(3)), Warm(Milliseconds(1), Milliseconds(2))};
    const RunRecord r = Checked(s);
    const auto pauses = PausesAt(r, 0, 0);
    ASSERT_GE(pauses.size(), 2u);
    EXPECT_GT(pauses[0]->end, Milliseconds(1));
    EXPECT_LE(pauses[0]->end, Microseconds(1336));
    EXPECT_NEAR(InMicroseconds(pauses[1]->start), 2000, 0.2);
    EXPECT_GT(Drops(At(r, kSwitch, 0), DropReason::restart), 5000u);  // 650 µs at line rate
    EXPECT_EQ(AllDrops(r), Drops(At(r, kSwitch, 0), DropReason::restart));
  });
}

TEST(WarmRestart, does_not_hear_pauses_and_one_that_holds_runs_out) {
  // h2 pauses the switch with frames of 335 µs every 160 µs, until 1.5 ms; the last one that the switch
  // receives arrives before 1 ms.
  InChild([] {
    Scenario s = Star();
    PauseStormFault storm = StormFrom(2, Microseconds(500), Microseconds(1500));
    storm.storm.xon = false;
    s.faults = {storm, Warm(Milliseconds(1), Milliseconds(2))};
    const RunRecord r = Checked(s);
    const auto pauses = PausesAt(r, kSwitch, 2);
    ASSERT_EQ(pauses.size(), 1u);
    EXPECT_GT(pauses[0]->end, Milliseconds(1));
    EXPECT_LE(pauses[0]->end, Microseconds(1336));
  });
}

TEST(WarmRestart, watchdog_does_not_take_it_for_a_storm) {
  // h2 pauses for 0.9 of each millisecond: the queue moves, so there is no storm. While the switch restarts
  // the queue does not move, and pauses still arrive.
  const auto detected = [](Time stop) {
    return TextFromChild([stop] {
      Scenario s = Star(200);
      s.switches[0].pfc.watchdogs = {Watchdog(WatchdogAction::drop, WatchdogVendor::generic)};
      s.duration = s.deadline = Milliseconds(20);
      PauseStormFault storm = StormFrom(2, Microseconds(100), stop);
      storm.times.every = Milliseconds(1);
      storm.times.count = stop < Milliseconds(1) ? 19 : 1;
      s.faults = {storm, Warm(Microseconds(5500), Milliseconds(12))};
      for (NicParameters& nic : s.nics) nic.transport.rto = Milliseconds(1);
      const RunRecord r = Checked(s);
      return std::to_string(WatchdogAt(r, kSwitch, 2).detected);
    });
  };
  EXPECT_EQ(detected(Milliseconds(1)), "0");
  EXPECT_EQ(detected(Milliseconds(19)), "1");  // a true storm is found, before and after the restart
}

TEST(NicRestart, its_queue_pairs_are_gone_and_new_ones_work) {
  // At 1 ms the 11th message of h0 has just begun, in each of two workloads: one uses one queue pair for all
  // messages, the other one for each.
  InChild([] {
    Scenario s = Star();
    for (NicParameters& nic : s.nics) nic.transport.rto = Microseconds(100);
    s.workloads[1] = Flow("kept", 0, 3, kEvery, 50, kMessage);
    s.workloads[1].qp_per_message = false;
    s.faults = {NicOf(0, Microseconds(1005), Microseconds(1250))};
    const RunRecord r = Checked(s);
    for (const MessageRecord& m : r.messages) {
      const bool open = m.start == Milliseconds(1);
      EXPECT_EQ(m.Finished(), m.workload == 0 ? !open : m.start < Milliseconds(1)) << m.workload << m.start.v;
    }
    EXPECT_EQ(EventsOf(r, "fault_start").at(0).detail, "nic_restart");
    ASSERT_EQ(EventsOf(r, "qp_error").size(), 2u);
    EXPECT_NE(EventsOf(r, "qp_error")[0].detail.find("NIC restart"), std::string::npos);
    // ACKs that its switch sent it.
    EXPECT_GT(Drops(At(r, 0, 0), DropReason::restart), 0u);
  });
}

TEST(NicRestart, whoever_sends_to_it_gives_up_after_its_retries) {
  InChild([] {
    Scenario s = Star();
    for (NicParameters& nic : s.nics) {
      nic.transport.rto = Microseconds(100);
      nic.transport.retry = 3;
    }
    s.faults = {NicOf(2, Microseconds(1005), Microseconds(1250))};
    const RunRecord r = Checked(s);
    for (const MessageRecord& m : r.messages) {
      EXPECT_EQ(m.Finished(), m.workload == 1 || m.start != Milliseconds(1)) << m.start.v;
    }
    EXPECT_EQ(Finished(r, 1), std::pair(50, 50));
    EXPECT_EQ(EventsOf(r, "qp_error").size(), 1u);
    EXPECT_GT(Drops(At(r, 2, 0), DropReason::restart), 50u);
  });
}

/// Two compute hosts and two extent nodes.
Scenario Disks(StorageProtocol protocol, bool resources) {
  Scenario s = StorageStar(2, 2, Blocks(8192, 200'000, 0.5, 8));
  s.duration = Milliseconds(3);
  s.hosts.assign(s.topology.hosts, {2, {2.5e9, {2000, 0.2}, {}, {}}});
  if (resources) {
    const ResourceSet set = FindResourceSet(ResourceSetNames().at(1)).value();
    for (NicParameters& nic : s.nics) nic.resources = set.resources, nic.rx_buffer = set.rx_buffer;
  }
  StorageParameters& store = s.services[0].As<StorageParameters>();
  store.front.protocol = protocol;
  store.front.reopen = Microseconds(50);
  store.disk = {Microseconds(90), Microseconds(20), 0};
  return s;
}

TEST(NicRestart, storage_services_join_anew_and_every_io_ends) {
  // The NIC of an extent node restarts, and that of a compute host; the other ends learn of it when the NIC
  // is back.
  for (const StorageProtocol protocol : {StorageProtocol::sk_rdma, StorageProtocol::su_rdma}) {
    for (const NodeId host : {0u, 2u}) {
      for (const bool resources : {false, true}) {
        Scenario s = Disks(protocol, resources);
        s.faults = {NicRestartFault{host, {Microseconds(500), Microseconds(800), Milliseconds(1), 2}}};
        const auto text = [&s, host](const RunOptions& options) {
          return TextFromChild([&] {
            const RunRecord r = headroom::Run(s, options);
            EXPECT_EQ(r.status, RunStatus::complete);
            EXPECT_TRUE(r.conservation.Ok());
            uint64_t again = 0;
            for (const OperationRecord& o : r.operations) {
              EXPECT_TRUE(o.Finished());
              EXPECT_EQ(o.status, OperationStatus::ok);
              EXPECT_EQ(Sum(o).v, (o.completed - o.start).v);
              again += o.start > Microseconds(2500);
              // The other compute host's I/Os to the other extent node never waited long.
              if (o.client == 1 && host == 2 && o.participants.Last(o.client) == 3) {
                EXPECT_LT(o.completed - o.start, Milliseconds(1));
              }
            }
            EXPECT_GT(again, 30u);
            EXPECT_LT(r.end, Milliseconds(4));  // no retry timer of 4 ms expired
            EXPECT_GE(r.Service<StorageRecord>(0).losses, 4u);
            EXPECT_GT(Drops(At(r, host, 0), DropReason::restart), 0u);
            return RecordText(r);
          });
        };
        const std::string once = text({});
        RunOptions other_way;
        other_way.lanes = false;
        other_way.driver = Driver::ns3_default;
        other_way.check = true;
        ExpectSameText(text(other_way), once);
      }
    }
  }
}

TEST(NicRestart, of_every_host_at_once) {
  InChild([] {
    Scenario s = Disks(StorageProtocol::sk_rdma, false);
    for (NodeId host = 0; host < 4; ++host)
      s.faults.emplace_back(NicOf(host, Microseconds(500), Microseconds(700 + host)));
    s.faults.emplace_back(WarmRestartFault{kSwitch, {Microseconds(650), Microseconds(900), Time{}, 1}});
    const RunRecord r = Checked(s);
    EXPECT_EQ(r.status, RunStatus::complete);
    for (const OperationRecord& o : r.operations) EXPECT_EQ(o.status, OperationStatus::ok);
  });
}

}  // namespace
}  // namespace headroom::restart_test
