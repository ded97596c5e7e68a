// An extent node: a device, and the appended data of its extents.
//
// An append has its place in the extent and is executed there once; a repeated one gets the same answer. An
// append that overlaps another place, or has other bytes, is refused; so is a read of missing data. Appends
// may come in any order.
//
// Data are counted, or their non-zero bytes are kept and returned: for blocks of a history the ids.
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
    uint64_t appends = 0, repeated = 0;  ///< executed; that had come before
    uint64_t conflicts = 0;              ///< appends that are refused
    uint64_t missing = 0;                ///< reads of missing data
  };

  /// `id`: of the host, `context`: its ns-3 node; `name`: of its random numbers. `log`: null where data are
  /// counted. `parameters`, `trail` (null or not) and `log` outlive this.
  ExtentNode(const StorageParameters& parameters, NodeId id, const std::string& name, uint32_t context,
             Trail* trail, AppendLog* log = nullptr);

  void Execute(StorageCall call, Reply reply) override;
  uint64_t executed() const { return disk_.executed(); }
  const Counters& counters() const { return counters_; }

 private:
  using Ranges = std::map<uint64_t, uint64_t>;  ///< ends, by beginning; none touches another
  struct UnderWay {
    uint64_t end = 0;
    std::vector<uint8_t> bytes;
    std::vector<Reply> asked;
  };
  struct Extent {
    Ranges written;
    std::map<uint64_t, UnderWay> under_way;  ///< appends, by offset
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
  std::unordered_map<uint32_t, Extent> extents_;  ///< that were asked for
  Counters counters_;
};

}  // namespace headroom
