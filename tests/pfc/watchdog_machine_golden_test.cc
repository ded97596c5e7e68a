// The watchdog of a queue compared with traces of SONiC's scripts (sonic-swss, commit e6b0c5b,
// orchagent/pfc_detect_broadcom.lua, pfc_detect_mellanox.lua, pfc_detect_vs.lua and pfc_restore.lua), which
// were run in a Lua interpreter with the counters below, 15 polls each.
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <vector>

#include "pfc/watchdog_machine.h"

namespace headroom::watchdog_machine_golden_test {
namespace {

constexpr int kPolls = 15;

/// Counts since the last poll, and state at this poll.
struct Counters {
  uint64_t pfc_frames;
  uint64_t on_to_off;
  bool paused;
  int64_t occupancy;
  uint64_t tx_packets;
  double paused_share;  ///< share of the time since the last poll
};

/// The counters at the poll of this number, from 1 on; number 0 only sets them.
Counters At(const std::string& what, int poll) {
  const Counters storm{50, 0, true, 50'000, 0, 1}, calm{0, 0, false, 2'000, 10'000, 0};
  if (what == "storm") return storm;
  if (what == "storm-on-empty-queue") return {50, 0, true, 0, 0, 1};
  if (what == "on-and-off") return {50, 25, poll % 2 == 0, 20'000, 5'000, 0.5};
  if (what == "short-storm") return poll == 3 ? storm : calm;
  if (what == "one-frame-long-pause") return poll <= 1 ? storm : Counters{0, 0, true, 50'000, 0, 1};
  if (what == "calm") return calm;
  throw std::invalid_argument(what);
}

struct Times {
  int poll_ms, detection_ms, restoration_ms;
};
constexpr Times kTimes[] = {{100, 200, 200}, {200, 200, 200}, {200, 400, 400}, {100, 400, 2000}};

// A row has counters, script and action; then a trace for each of kTimes. In a trace each letter is a poll: S
// a storm begins, s it continues, R it ends, . there is none.
constexpr const char* kTraces = R"(
storm broadcom drop                 ..Sssssssssssss .Ssssssssssssss ..Sssssssssssss ....Sssssssssss
storm broadcom alert                ..SsSsSsSsSsSsS .SSSSSSSSSSSSSS ..SsSsSsSsSsSsS ....SsssSsssSss
storm mellanox drop                 ..Sssssssssssss .Ssssssssssssss ..Sssssssssssss ....Sssssssssss
storm mellanox alert                ..SssSssSssSssS .SsSsSsSsSsSsSs ..SssSssSssSssS ....SssssSssssS
storm vs drop                       ..Sssssssssssss .Ssssssssssssss ..Sssssssssssss ....Sssssssssss
storm vs alert                      ..SssSssSssSssS .SsSsSsSsSsSsSs ..SssSssSssSssS ....SssssSssssS
storm-on-empty-queue broadcom drop  ..Sssssssssssss .Ssssssssssssss ..Sssssssssssss ....Sssssssssss
storm-on-empty-queue broadcom alert ..SsSsSsSsSsSsS .SSSSSSSSSSSSSS ..SsSsSsSsSsSsS ....SsssSsssSss
storm-on-empty-queue mellanox drop  ............... ............... ............... ...............
storm-on-empty-queue mellanox alert ............... ............... ............... ...............
storm-on-empty-queue vs drop        ..Sssssssssssss .Ssssssssssssss ..Sssssssssssss ....Sssssssssss
storm-on-empty-queue vs alert       ..SssSssSssSssS .SsSsSsSsSsSsSs ..SssSssSssSssS ....SssssSssssS
calm broadcom drop                  ............... ............... ............... ...............
calm broadcom alert                 ............... ............... ............... ...............
calm mellanox drop                  ............... ............... ............... ...............
calm mellanox alert                 ............... ............... ............... ...............
calm vs drop                        ............... ............... ............... ...............
calm vs alert                       ............... ............... ............... ...............
on-and-off broadcom drop            ............... ............... ............... ...............
on-and-off broadcom alert           ............... ............... ............... ...............
on-and-off mellanox drop            ............... ............... ............... ...............
on-and-off mellanox alert           ............... ............... ............... ...............
on-and-off vs drop                  ............... ............... ............... ...............
on-and-off vs alert                 ............... ............... ............... ...............
short-storm broadcom drop           ............... ............... ............... ...............
short-storm broadcom alert          ............... ............... ............... ...............
short-storm mellanox drop           ............... ...SsR......... ............... ...............
short-storm mellanox alert          ............... ...SsR......... ............... ...............
short-storm vs drop                 ............... ...SsR......... ............... ...............
short-storm vs alert                ............... ...SsR......... ............... ...............
one-frame-long-pause broadcom drop  ............... .SR............ ............... ...............
one-frame-long-pause broadcom alert ............... .SR............ ............... ...............
one-frame-long-pause mellanox drop  ..SssR..SssR..S .SsR.SsR.SsR.Ss ..SssR..SssR..S ....Sssssssssss
one-frame-long-pause mellanox alert ..SssSssSssSssS .SsSsSsSsSsSsSs ..SssSssSssSssS ....SssssSssssS
one-frame-long-pause vs drop        ............... .SsR........... ............... ...............
one-frame-long-pause vs alert       ............... .SsR........... ............... ...............
)";

std::string TraceOf(const std::string& what, const WatchdogParameters& p) {
  WatchdogMachine machine;
  WatchdogReading reading;
  reading.pfc_frames = 1'000;
  reading.on_to_off = 100;
  reading.tx_packets = 1'000'000;
  std::string trace;
  for (int poll = 0; poll < kPolls; ++poll) {
    const Counters now = At(what, poll);
    reading.paused = now.paused;
    reading.occupancy = now.occupancy;
    if (poll > 0) {
      reading.waited = p.poll;
      reading.pfc_frames += now.pfc_frames;
      reading.on_to_off += now.on_to_off;
      reading.tx_packets += now.tx_packets;
      reading.pause_duration = reading.pause_duration +
                               Time(static_cast<int64_t>(now.paused_share * static_cast<double>(p.poll.v)));
    }
    const WatchdogMachine::Event event = machine.Poll(p, reading);
    trace += event == WatchdogMachine::Event::storm     ? 'S'
             : event == WatchdogMachine::Event::restore ? 'R'
             : machine.stormed()                        ? 's'
                                                        : '.';
  }
  return trace;
}

TEST(WatchdogGolden, EveryPollOfTheScriptsTraces) {
  const std::map<std::string, WatchdogVendor> vendors = {{"broadcom", WatchdogVendor::broadcom},
                                                         {"mellanox", WatchdogVendor::mellanox},
                                                         {"vs", WatchdogVendor::generic}};
  const std::map<std::string, WatchdogAction> actions = {{"drop", WatchdogAction::drop},
                                                         {"alert", WatchdogAction::alert}};
  std::istringstream rows(kTraces);
  int traces = 0;
  for (std::string what, vendor, action; rows >> what >> vendor >> action;) {
    for (const Times& times : kTimes) {
      WatchdogParameters p;
      p.vendor = vendors.at(vendor);
      p.action = actions.at(action);
      p.poll = Milliseconds(times.poll_ms);
      p.detection = Milliseconds(times.detection_ms);
      p.restoration = Milliseconds(times.restoration_ms);
      std::string theirs;
      rows >> theirs;
      ++traces;
      EXPECT_EQ(TraceOf(what, p), theirs) << what << ' ' << vendor << ' ' << action << " poll "
                                          << times.poll_ms << " detection " << times.detection_ms;
    }
  }
  EXPECT_EQ(traces, 144);
}

}  // namespace
}  // namespace headroom::watchdog_machine_golden_test
