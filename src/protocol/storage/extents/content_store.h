// A device's contents, if requested; a device without content only takes time.
#pragma once

#include "protocol/channel/storage_call.h"
#include "protocol/storage/extents/sparse_bytes.h"

namespace headroom {

class ContentStore final : public StorageServer {
 public:
  /// `device` must outlive this object. It executes a call before its content changes here.
  explicit ContentStore(StorageServer& device) : device_(device) {}
  void Execute(StorageCall call, Reply reply) override;

 private:
  StorageServer& device_;
  SparseBytes bytes_;  ///< keyed by number of the place
};

}  // namespace headroom
