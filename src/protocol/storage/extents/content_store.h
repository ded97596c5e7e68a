// A device's contents, on request; a device without content only takes time.
#pragma once

#include "protocol/channel/storage_call.h"
#include "protocol/storage/extents/sparse_bytes.h"

namespace headroom {

class ContentStore final : public StorageServer {
 public:
  /// `device` outlives this, and has executed a call before its content is changed here.
  explicit ContentStore(StorageServer& device) : device_(device) {}
  void Execute(StorageCall call, Reply reply) override;

 private:
  StorageServer& device_;
  SparseBytes bytes_;  ///< by number of the place
};

}  // namespace headroom
