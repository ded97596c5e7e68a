// The command `show`: what a result counted, as an operator reads it on a SONiC switch.
//
// Names, titles and columns of the tables are those of SONiC's `show`, `pfcwd show` and `ecnconfig -l`
// (sonic-utilities: pfcstat, queuestat, wredstat, watermarkstat, pg-drop, ecnconfig). What SONiC counts from
// the last clear is counted here from the end of the warm-up. The table `io` is fio's report (fio_report.h),
// `kv` YCSB's (kv_report.h).
#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>

namespace headroom {

struct ShowOptions {
  std::string table;                ///< its words, separated by a space
  std::optional<std::string> node;  ///< a node that the table is of, or a pattern over them; none: all
  bool nonzero = false;             ///< leave out the rows of fio jobs without counts
  bool json = false;
};

/// Prints a table of the result in `dir`. Throws std::invalid_argument where there is no such table or
/// switch, ResultError where the directory is not the result of one run.
void Show(const std::filesystem::path& dir, const ShowOptions& options, std::ostream& out);

/// The tables there are, a line each.
std::string ListOfTables();

}  // namespace headroom
