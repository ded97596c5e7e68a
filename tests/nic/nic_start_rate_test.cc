// The rate at which a queue pair starts, for every way to start it.
#include <gtest/gtest.h>

#include <functional>

#include "run/run.h"
#include "scenario/read/load.h"
#include "support/in_child.h"
#include "support/verbs_lab.h"

namespace headroom::nic_start_rate_test {
namespace {

constexpr Rate kLine = GigabitsPerSecond(100), kMost = GigabitsPerSecond(10);
constexpr uint8_t kClass = 3;

enum class Control { excluded, none, reacts };
constexpr Control kControls[] = {Control::excluded, Control::none, Control::reacts};

/// Two hosts whose reaction points have a max_rate.
Scenario Limited(Control control) {
  Scenario s = StarScenario(2, {kLine, Nanoseconds(10), Time{}, 0.0});
  for (NicParameters& nic : s.nics) {
    nic.dcqcn.rp.max_rate = kMost;
    if (control == Control::excluded) nic.dcqcn.rp.priorities.mask = 0xF7;
    if (control == Control::none) nic.congestion_control = NicParameters::CongestionControl::none;
  }
  return s;
}

uint32_t Bulk(VerbsLab& lab) { return lab.network->nic(0).AddRequester(1, kClass, 49152); }

/// A queue pair on verbs that goes to rts this many times, from the state in which `leave` leaves it.
uint32_t Joined(VerbsLab& lab, int times, QpState leave) {
  QpInitAttr attr;
  attr.priority = kClass;
  const VerbsLab::Pair pair = lab.Make(0, 1, attr);
  for (int i = 0; i < times; ++i) {
    EXPECT_TRUE(ConnectQps(lab.verbs(0), pair.a, lab.verbs(1), pair.b));
    for (const QpState state : {leave, QpState::reset}) {
      QpAttr to;
      to.state = state;
      if (i + 1 == times) break;
      EXPECT_EQ(lab.verbs(0).ModifyQp(pair.a, to), 0);
      EXPECT_EQ(lab.verbs(1).ModifyQp(pair.b, to), 0);
    }
  }
  return Verbs::NumberOf(pair.a);
}

struct Way {
  const char* name;
  std::function<uint32_t(VerbsLab&)> start;  ///< returns the requester's number at host 0
};
const Way kWays[] = {
    {"bulk", Bulk},
    {"bulk, both halves", [](VerbsLab& lab) { return lab.network->nic(0).AddQueuePair(1, kClass, 49152); }},
    {"bulk, renewed for a message",
     [](VerbsLab& lab) {
       const uint32_t qp = Bulk(lab);
       lab.network->nic(0).Renew(qp, 50'000);
       return qp;
     }},
    {"bulk, renewed after a restart",
     [](VerbsLab& lab) {
       const uint32_t qp = Bulk(lab);
       lab.network->nic(0).BeginRestart();
       lab.network->nic(0).EndRestart();
       lab.network->nic(0).Renew(qp, 50'000);
       return qp;
     }},
    {"verbs", [](VerbsLab& lab) { return Joined(lab, 1, QpState::reset); }},
    {"verbs, reset and joined again", [](VerbsLab& lab) { return Joined(lab, 3, QpState::reset); }},
    {"verbs, joined again after an error", [](VerbsLab& lab) { return Joined(lab, 2, QpState::err); }},
    {"verbs, datagrams",
     [](VerbsLab& lab) {
       QpInitAttr attr;
       attr.type = QpType::ud;
       attr.priority = kClass;
       return Verbs::NumberOf(lab.Connect(0, 1, attr).a);
     }},
};

TEST(StartRate, IsMaxRateWhereCongestionControlActsAndElseLineRateHoweverAQueuePairStarts) {
  for (const Way& way : kWays) {
    for (const Control control : kControls) {
      SCOPED_TRACE(std::string(way.name) + ", control " + std::to_string(static_cast<int>(control)));
      InChild([&] {
        VerbsLab lab(Limited(control));
        const RpState& rate = lab.network->nic(0).requester(way.start(lab)).rate;
        EXPECT_EQ(rate.line, control == Control::reacts ? kMost : kLine);
        EXPECT_TRUE(rate.AtLineRate());
      });
    }
  }
}

// The rates are far apart: 10 Gb/s, and most of 100, less the first message's wait for earlier ones.
TEST(StartRate, IsWhatWorkloadsReach) {
  const char* const workloads[] = {"type: stream, message: 256KiB, in_flight: 4",
                                   "type: stream, message: 1MB, in_flight: 1, qp: per_message",
                                   "type: verbs, verb: write, message: 256KiB, window: 4",
                                   "type: verbs, verb: send, message: 256KiB, window: 4"};
  const char* const controls[] = {"dcqcn: {rp: {max_rate: 10Gbps, roce_cc_prio_mask: 247}}",
                                  "congestion_control: none, dcqcn: {rp: {max_rate: 10Gbps}}",
                                  "dcqcn: {rp: {max_rate: 10Gbps}}"};
  for (const std::string workload : workloads) {
    for (const Control control : kControls) {
      const std::string yaml =
          "duration: 400us\ndeadline: 20ms\n"
          "topology: {type: star, hosts: 2, link: {rate: 100Gbps, length: 2m}}\n"
          "nics: [{match: '*', " +
          std::string(controls[static_cast<size_t>(control)]) +
          "}]\n"
          "workloads: [{name: w, from: h0, to: h1, " +
          workload + "}]\n";
      SCOPED_TRACE(yaml);
      InChild([&] {
        const RunRecord r = headroom::Run(LoadScenarioText(yaml, "s.yaml", "."), {});
        int64_t bytes = 0;
        Time last;
        for (const MessageRecord& m : r.messages) {
          bytes += m.Finished() ? m.size.v : 0;
          last = std::max(last, m.Finished() ? m.completed : Time(0));
        }
        const double gbps = static_cast<double>(bytes) * 8e3 / static_cast<double>(last.v);
        EXPECT_GT(gbps, control == Control::reacts ? 8 : 80);
        EXPECT_LT(gbps, control == Control::reacts ? 10 : 100);
      });
    }
  }
}

}  // namespace
}  // namespace headroom::nic_start_rate_test
