// The watchdog of a queue against traces of SONiC's scripts: one row a poll.
#include <gtest/gtest.h>

#include <map>

#include "pfc/watchdog.h"
#include "support/shared_data.h"

namespace headroom::watchdog_golden_test {
namespace {

using Row = std::map<std::string, std::string>;

const std::map<std::string, WatchdogVendor> kVendors = {{"broadcom", WatchdogVendor::broadcom},
                                                        {"mellanox", WatchdogVendor::mellanox},
                                                        {"vs", WatchdogVendor::generic}};
const std::map<std::string, WatchdogAction> kActions = {
    {"drop", WatchdogAction::drop}, {"forward", WatchdogAction::forward}, {"alert", WatchdogAction::alert}};

int64_t Number(const Row& row, const char* column) { return std::stoll(row.at(column)); }
uint64_t Count(const Row& row, const char* column) { return std::stoull(row.at(column)); }

WatchdogParameters ParametersOf(const Row& row) {
  WatchdogParameters p;
  p.vendor = kVendors.at(row.at("vendor"));
  p.action = kActions.at(row.at("action"));
  p.poll = Milliseconds(Number(row, "poll_ms"));
  p.detection = Milliseconds(Number(row, "detection_ms"));
  p.restoration = Milliseconds(Number(row, "restoration_ms"));
  return p;
}

TEST(WatchdogGolden, EveryRowOfTheScriptsTraces) {
  const auto path = SharedData("sonic/golden/pfcwd_lua_traces.csv");
  if (path.empty()) return;
  const std::vector<Row> rows = ReadCsv(path);
  ASSERT_EQ(rows.size(), 2160u);
  WatchdogMachine machine;
  int64_t last_ms = 0;
  int storms = 0, wrong = 0;
  for (const Row& row : rows) {
    WatchdogReading reading;
    if (row.at("step") == "0") {
      machine.Reset();
    } else {
      reading.waited = Milliseconds(Number(row, "t_ms") - last_ms);
    }
    last_ms = Number(row, "t_ms");
    reading.pfc_frames = Count(row, "pfc_rx_pkts");
    reading.on_to_off = Count(row, "pfc_on2off");
    reading.paused = row.at("queue_paused") == "1";
    reading.occupancy = Number(row, "queue_occupancy_bytes");
    reading.tx_packets = Count(row, "queue_tx_pkts");
    reading.pause_duration = Microseconds(Number(row, "pfc_rx_pause_duration_us"));
    const WatchdogMachine::Event event = machine.Poll(ParametersOf(row), reading);
    constexpr const char* kNames[] = {"-", "storm", "restore"};
    const std::string name = kNames[static_cast<int>(event)];
    storms += event == WatchdogMachine::Event::storm;
    if (name != row.at("event") || machine.stormed() != (row.at("status_after") == "stormed")) {
      ++wrong;
      ADD_FAILURE() << row.at("scenario") << " " << row.at("vendor") << " " << row.at("action") << " poll "
                    << row.at("poll_ms") << " detection " << row.at("detection_ms") << " step "
                    << row.at("step") << ": " << name << ", in the trace " << row.at("event");
      if (wrong == 10) return;
    }
  }
  EXPECT_GT(storms, 100);
}

}  // namespace
}  // namespace headroom::watchdog_golden_test
