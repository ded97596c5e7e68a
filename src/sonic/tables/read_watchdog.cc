// Reads PFC_WD, and from FLEX_COUNTER_TABLE whether its counters are polled. Ranges:
// sonic-net/sonic-utilities, pfcwd/main.py.
#include "sonic/tables/row_reader.h"
#include "sonic/tables/tables.h"

namespace headroom {

void ReadWatchdogTable(SonicTables& tables, SonicConfig& config, SonicFindings& findings) {
  for (const SonicJsonRow& row : tables.Take("PFC_WD")) {
    SonicRowReader reader(row.place, *row.fields, findings);
    if (row.place.key == "GLOBAL") {
      reader.Milliseconds("POLL_INTERVAL", config.watchdog_global.poll_interval, 100, 1000);
      reader.Flag("BIG_RED_SWITCH", config.watchdog_global.big_red_switch, "enable", "disable");
      reader.Finish();
      continue;
    }
    SonicWatchdog watchdog;
    watchdog.place = row.place;
    watchdog.ports = ReadPortsKey(row.place, findings);
    using Action = SonicWatchdog::Action;
    reader.Choice<Action>("action", watchdog.action,
                          {{"drop", Action::drop}, {"forward", Action::forward}, {"alert", Action::alert}});
    reader.Milliseconds("detection_time", watchdog.detection_time, 100, 5'000);
    reader.Milliseconds("restoration_time", watchdog.restoration_time, 100, 60'000);
    reader.Flag("pfc_stat_history", watchdog.pfc_stat_history, "enable", "disable");
    reader.Finish();
    if (!watchdog.detection_time)
      findings.Error(watchdog.detection_time.place, "is missing, but a watchdog needs its detection time",
                     "give 100 to 5000 ms");
    config.watchdogs.push_back(watchdog);
  }
  for (const SonicJsonRow& row : tables.Take("FLEX_COUNTER_TABLE")) {
    if (row.place.key != "PFCWD") continue;  // counters that are only displayed
    SonicRowReader reader(row.place, *row.fields, findings);
    reader.Flag("FLEX_COUNTER_STATUS", config.watchdog_global.polled, "enable", "disable");
  }
}

}  // namespace headroom
