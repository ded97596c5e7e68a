// pg_profile_lookup.ini: the lossless profile of a port, by its speed and cable length.
//
// Grammar: lines of `speed cable size xon xoff threshold [xon_offset]`, separated by blanks; `#` begins a
// comment. Speed is in Mb/s, cable as in CABLE_LENGTH ("300m"), sizes in bytes. The threshold is dynamic_th
// or static_th, depending on the pool's mode. A comment that names the columns must name these, in this
// order: the buffer manager reads by position. Source: sonic-swss, cfgmgr/buffermgr.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/units.h"

namespace headroom {

struct PgProfileRow {
  int line = 0;
  Rate speed;
  std::string cable;
  Bytes size, xon, xoff;
  int64_t threshold = 0;
  std::optional<Bytes> xon_offset;
};

struct PgProfileLookup {
  std::string file;  ///< its name in messages
  std::vector<PgProfileRow> rows;

  /// Returns null if no row has exactly this speed and cable: texts are compared, so 40m differs from 0040m.
  const PgProfileRow* Find(Rate speed, const std::string& cable) const;
};

/// Throws SonicSyntaxError (sonic/tables/read.h) at the first line that violates the grammar, or repeats the
/// speed and cable of another.
PgProfileLookup ReadPgProfileLookup(const std::string& text, const std::string& file);

}  // namespace headroom
