// pg_profile_lookup.ini: the lossless profile of a port, by its speed and cable length.
//
// Grammar: lines of `speed cable size xon xoff threshold [xon_offset]` with blanks between; `#` begins a
// comment. Speed in Mb/s, cable as in CABLE_LENGTH ("300m"), sizes in bytes. The threshold is dynamic_th or
// static_th, by the pool's mode. A comment that names the columns must name these, in this order: the buffer
// manager reads by position. Source: sonic-swss, cfgmgr/buffermgr.cpp.
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
  std::string file;  ///< as messages name it
  std::vector<PgProfileRow> rows;

  /// Null where no row has exactly this speed and cable: texts are compared, 40m is not 0040m.
  const PgProfileRow* Find(Rate speed, const std::string& cable) const;
};

/// Throws SonicSyntaxError (sonic/tables/read.h) at the first line that is none of the grammar, or that
/// repeats the speed and cable of another.
PgProfileLookup ReadPgProfileLookup(const std::string& text, const std::string& file);

}  // namespace headroom
