// Block traces of other places, a line an I/O. Neither an order of lines nor a header is assumed.
//
// msr: MSR Cambridge (SNIA IOTTA 388), `Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime`: Windows
// filetime (100 ns), Read or Write, bytes; the response time is of disks of 2007 and passed over. A device is
// HOSTNAME_DISKNUMBER. alibaba (block-traces), `device_id,opcode,offset,length,timestamp`: R or W, bytes,
// microseconds.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenario/workload.h"

namespace headroom {

struct RecordedTrace {
  struct Io {
    int64_t at_ns = 0;  ///< from the first
    uint32_t device = 0;
    bool writes = false;
    int64_t offset = 0, bytes = 0;
  };
  std::vector<std::string> devices;  ///< in the order of the file
  std::vector<Io> ios;               ///< sorted by time, those of one instant as in the file
};

/// Errors about the file as a whole are reported at `where`. Throws a ScenarioError.
RecordedTrace ReadTraceFile(const std::filesystem::path& file, TraceFormat format, const Position& where);

}  // namespace headroom
