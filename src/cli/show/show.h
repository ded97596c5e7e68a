// The command `show`: a result's counters, as an operator reads them on a SONiC switch.
//
// Names, titles and columns of the tables are those of SONiC's `show`, `pfcwd show` and `ecnconfig -l`
// (sonic-utilities: pfcstat, queuestat, wredstat, watermarkstat, pg-drop, ecnconfig). SONiC counts since the
// last clear; these tables count since the end of the warm-up. The table `io` is fio's report (fio_report.h),
// `kv` YCSB's (kv_report.h).
#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>

namespace headroom {

struct ShowOptions {
  std::string table;                ///< its words, separated by a space
  std::optional<std::string> node;  ///< a node, or a pattern over nodes; none means all
  bool nonzero = false;             ///< leave out the rows of fio jobs without counts
  bool json = false;
};

/// Prints a table of the result in `dir`. Throws std::invalid_argument if there is no such table or switch,
/// ResultError if the directory is not the result of one run.
void Show(const std::filesystem::path& dir, const ShowOptions& options, std::ostream& out);

/// The available tables, one per line.
std::string ListOfTables();

}  // namespace headroom
