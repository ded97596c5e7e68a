// watchdog.csv
#include "report/csv/result_file.h"

namespace headroom {

using Packets = WatchdogRecord::Packets;

static auto Count(Packets WatchdogRecord::*which, uint64_t Packets::*member) {
  return [=](const ResultRun&, const WatchdogRecord& w) { return w.*which.*member; };
}

static constexpr auto kAll = &WatchdogRecord::all, kLast = &WatchdogRecord::last;
static const Kind kCounted = kinds::kCount.Since(2);

static const Table<WatchdogRecord> kWatchdog{
    "watchdog",
    "SONiC's counters of each queue that a PFC watchdog watches, over the whole run",
    [](const ResultRun& run, const auto& use) {
      for (const WatchdogRecord& w : run.record.watchdogs) use(w);
    },
    {{"node", kinds::kName, "switch", kNodeOf},
     {"port", kinds::kName, "port of the queue", kPortOf},
     {"priority", kinds::kIndex, "priority of the queue", &WatchdogRecord::priority},
     {"action", kinds::kName, "action while a storm lasts: drop, forward or alert", &WatchdogRecord::action},
     {"status", kinds::kName.OneOf({"operational", "stormed"}), "state at the end of the run",
      [](auto& w) { return w.stormed ? "stormed" : "operational"; }},
     {"storms_detected", kCounted, "detected storms", &WatchdogRecord::detected},
     {"storms_restored", kCounted, "storms that ended", &WatchdogRecord::restored},
     {"tx_ok", kCounted, "packets sent during storms", Count(kAll, &Packets::tx_ok)},
     {"tx_drop", kCounted, "packets dropped at egress during storms", Count(kAll, &Packets::tx_drop)},
     {"rx_ok", kCounted, "packets received during storms", Count(kAll, &Packets::rx_ok)},
     {"rx_drop", kCounted, "packets dropped at ingress during storms", Count(kAll, &Packets::rx_drop)},
     {"tx_ok_last", kCounted, "tx_ok since the last detection", Count(kLast, &Packets::tx_ok)},
     {"tx_drop_last", kCounted, "tx_drop since the last detection", Count(kLast, &Packets::tx_drop)},
     {"rx_ok_last", kCounted, "rx_ok since the last detection", Count(kLast, &Packets::rx_ok)},
     {"rx_drop_last", kCounted, "rx_drop since the last detection", Count(kLast, &Packets::rx_drop)}}};

}  // namespace headroom
