// An extent node: a device, and the appended data of its extents.
//
// An append has its place in the extent and is executed there once; a repeated append gets the same answer.
// An append that overlaps another place, or has other bytes, is refused. A read of missing data is refused,
// too. Appends may arrive in any order.
//
// Data are only counted, or their non-zero bytes are kept and returned: for blocks of a history, these are
// the ids.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "history/append_log.h"
#include "protocol/storage/disk.h"
#include "protocol/storage/extents/sparse_bytes.h"
#include "protocol/storage/storage_parameters.h"

namespace headroom {

class ExtentNode final : public StorageServer {
 public:
  struct Counters {
    uint64_t appends = 0, repeated = 0;  ///< executed appends; requests that had arrived before
    uint64_t conflicts = 0;              ///< refused appends
    uint64_t missing = 0;                ///< reads of missing data
  };

  /// `id`: number of the host, `context`: its ns-3 node; `name`: name of its random numbers. `log`: null if
  /// data are only counted. `parameters`, `trail` (may be null) and `log` must outlive this object.
  ExtentNode(const StorageParameters& parameters, NodeId id, const std::string& name, uint32_t context,
             Trail* trail, AppendLog* log = nullptr);

  void Execute(StorageCall call, Reply reply) override;
  uint64_t executed() const { return disk_.executed(); }
  const Disk& disk() const { return disk_; }
  const Counters& counters() const { return counters_; }

 private:
  using Ranges = std::map<uint64_t, uint64_t>;  ///< ends, keyed by beginning; no ranges touch
  struct OpenAppend {
    uint64_t end = 0;
    std::vector<uint8_t> bytes;
    std::vector<Reply> asked;
  };
  struct Extent {
    Ranges written;
    std::map<uint64_t, OpenAppend> open_appends;  ///< appends in progress, keyed by offset
    SparseBytes bytes;
  };
  void Append(StorageCall call, Reply reply);
  void OnAppended(uint32_t extent, uint64_t offset);
  void Read(StorageCall call, Reply reply);
  bool Has(const Extent& extent, uint64_t begin, uint64_t end) const;
  static bool Touches(const Extent& extent, uint64_t begin, uint64_t end);
  Extent& Find(uint32_t number);

  const StorageParameters& parameters_;
  const NodeId id_;
  AppendLog* const log_;
  Disk disk_;
  std::unordered_map<uint32_t, Extent> extents_;  ///< the requested extents
  Counters counters_;
};

}  // namespace headroom
