#include "protocol/channel/duplicate_filter.h"

#include <algorithm>
#include <utility>

namespace headroom {

void DuplicateFilter::Execute(StorageCall call, Reply reply) {
  if (call.kind == OperationKind::read || repeats_) return server_.Execute(std::move(call), std::move(reply));
  const uint32_t object = call.place.object, number = call.request.number;
  Disk& disk = disks_[object];
  disk.oldest = std::max(disk.oldest, call.request.oldest());
  while (!disk.writes.empty() && disk.writes.begin()->first < disk.oldest && disk.writes.begin()->second.done)
    disk.writes.erase(disk.writes.begin());
  if (number < disk.oldest)
    return reply(OperationStatus::failed, {});  // late: the request is no longer awaited
  const auto [at, added] = disk.writes.try_emplace(number);
  if (!added) ++repeated_;
  if (at->second.done) return reply(OperationStatus::ok, {});
  at->second.asked.push_back(std::move(reply));
  if (!added) return;
  server_.Execute(std::move(call),
                  [this, object, number](OperationStatus status, const std::vector<uint8_t>&) {
                    OnDone(object, number, status);
                  });
}

void DuplicateFilter::OnDone(uint32_t object, uint32_t number, OperationStatus status) {
  Disk& disk = disks_.at(object);
  const auto at = disk.writes.find(number);
  const std::vector<Reply> asked = std::exchange(at->second.asked, {});
  if (status == OperationStatus::ok) {
    at->second.done = true;
  } else {
    disk.writes.erase(at);
  }
  for (const Reply& reply : asked) reply(status, {});
}

}  // namespace headroom
