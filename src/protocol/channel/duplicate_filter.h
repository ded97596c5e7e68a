// Executes each write of a disk once, however often and over whichever leg it is requested. A repeated
// request is answered when the write is done, or immediately from memory if it is done already. A read is
// executed each time.
//
// A request states which older ones may still be repeated (RequestName); other older requests are forgotten.
// A failed write is forgotten, too: it is executed when it is requested again.
#pragma once

#include <map>
#include <vector>

#include "protocol/channel/storage_call.h"

namespace headroom {

class DuplicateFilter final : public StorageServer {
 public:
  /// `server` executes, and must outlive this object. `repeats`, a defect: it executes every request.
  explicit DuplicateFilter(StorageServer& server, bool repeats = false)
      : server_(server), repeats_(repeats) {}
  void Execute(StorageCall call, Reply reply) override;

  uint64_t repeated() const { return repeated_; }  ///< number of requests that had arrived before

 private:
  struct Write {
    bool done = false;
    std::vector<Reply> asked;  ///< replies that wait until the write is done
  };
  struct Disk {
    uint32_t oldest = 0;
    std::map<uint32_t, Write> writes;  ///< keyed by number
  };
  void OnDone(uint32_t disk, uint32_t number, OperationStatus status);

  StorageServer& server_;
  const bool repeats_;
  std::map<uint32_t, Disk> disks_;
  uint64_t repeated_ = 0;
};

}  // namespace headroom
