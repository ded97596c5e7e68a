#include "protocol/storage/extents/content_store.h"

#include <utility>

namespace headroom {

void ContentStore::Execute(StorageCall call, Reply reply) {
  const uint64_t at = call.place.number();
  const bool reads = call.kind == OperationKind::read;
  const uint32_t length = call.length;
  std::vector<uint8_t> bytes = std::exchange(call.bytes, {});
  device_.Execute(std::move(call),
                  [this, at, length, reads, bytes = std::move(bytes), reply = std::move(reply)](
                      OperationStatus status, const std::vector<uint8_t>&) {
                    if (status != OperationStatus::ok) return reply(status, {});
                    if (reads) return reply(status, bytes_.Read(at, length));
                    bytes_.Write(at, bytes);
                    reply(status, {});
                  });
}

}  // namespace headroom
