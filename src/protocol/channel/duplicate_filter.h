// Executes each write of a disk once, however often and over whichever leg it is requested. A repeated
// request is answered when the write is done, or at once from memory if it is done. A read is executed each
// time.
//
// A request's statement about older ones (RequestName) tells which may be forgotten. What failed is
// forgotten, too: it is executed when it comes again.
#pragma once

#include <map>
#include <vector>

#include "protocol/channel/storage_call.h"

namespace headroom {

class DuplicateFilter final : public StorageServer {
 public:
  /// `server` executes, and outlives this. `repeats`, a defect: it executes whatever comes.
  explicit DuplicateFilter(StorageServer& server, bool repeats = false)
      : server_(server), repeats_(repeats) {}
  void Execute(StorageCall call, Reply reply) override;

  uint64_t repeated() const { return repeated_; }  ///< requests that had come before

 private:
  struct Write {
    bool done = false;
    std::vector<Reply> asked;  ///< until it is done
  };
  struct Disk {
    uint32_t oldest = 0;
    std::map<uint32_t, Write> writes;  ///< by number
  };
  void OnDone(uint32_t disk, uint32_t number, OperationStatus status);

  StorageServer& server_;
  const bool repeats_;
  std::map<uint32_t, Disk> disks_;
  uint64_t repeated_ = 0;
};

}  // namespace headroom
