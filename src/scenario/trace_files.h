// Published block traces, with one I/O per line. Lines may be in any order, with or without a header.
//
// msr: MSR Cambridge (SNIA IOTTA 388), `Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime`: Windows
// filetime (100 ns), Read or Write, bytes. The response time is that of disks of 2007 and is ignored. A
// device is HOSTNAME_DISKNUMBER. alibaba (block-traces), `device_id,opcode,offset,length,timestamp`: R or W,
// bytes, microseconds.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenario/workload.h"

namespace headroom {

struct RecordedTrace {
  struct Io {
    int64_t at_ns = 0;  ///< since the first I/O
    uint32_t device = 0;
    bool writes = false;
    int64_t offset = 0, bytes = 0;
  };
  std::vector<std::string> devices;  ///< in the order of the file
  std::vector<Io> ios;               ///< sorted by time; I/Os of one instant are in the order of the file
};

/// Errors about the file as a whole are reported at `where`. Throws a ScenarioError.
RecordedTrace ReadTraceFile(const std::filesystem::path& file, TraceFormat format, const Position& where);

}  // namespace headroom
