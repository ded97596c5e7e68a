#include "protocol/storage_record.h"

namespace headroom {

StorageSystemRecord& StorageSystemRecord::operator+=(const StorageSystemRecord& other) {
  for (auto sum :
       {&StorageSystemRecord::appends, &StorageSystemRecord::appended_bytes, &StorageSystemRecord::filled,
        &StorageSystemRecord::seals, &StorageSystemRecord::refused, &StorageSystemRecord::hedges,
        &StorageSystemRecord::reconstructed, &StorageSystemRecord::repeated_appends,
        &StorageSystemRecord::conflicts, &StorageSystemRecord::missing})
    this->*sum += other.*sum;
  if (background && other.background) *background += *other.background;
  return *this;
}

void StorageRecord::PackShare(Packer& to) const {
  StorageRecord share = *this;
  share.PackCounts(to);
}

/// All ranks make all connections.
std::shared_ptr<const ServiceRecord> StorageRecord::JoinedWith(Unpacker& share,
                                                               const std::function<bool(NodeId)>&) const {
  auto joined = std::make_shared<StorageRecord>(*this);
  StorageRecord other;
  other.PackCounts(share);
  for (auto sum :
       {&StorageRecord::losses, &StorageRecord::corrupt, &StorageRecord::starved,
        &StorageRecord::credit_messages, &StorageRecord::sends, &StorageRecord::writes, &StorageRecord::reads,
        &StorageRecord::registrations, &StorageRecord::executed, &StorageRecord::repeated})
    (*joined).*sum += other.*sum;
  for (size_t i = 0; i < std::size(chunks); ++i) joined->chunks[i] += other.chunks[i];
  if (joined->system && other.system) *joined->system += *other.system;
  joined->most_registered += other.most_registered;
  joined->uses.insert(joined->uses.end(), other.uses.begin(), other.uses.end());
  return joined;
}

}  // namespace headroom
