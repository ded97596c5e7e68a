// The records that end on a rank other than 0 (sim/parts.h): rank 0 gets them after each window.
#pragma once

#include "run/stream/packed_records.h"

namespace headroom {

class SentRecords final : public PackedRecords {
 public:
  void Pack(int to_rank, Packer& to) override;
  void Unpack(int from_rank, Unpacker& from) override;
  void Sent() override { unsent_.clear(); }

 private:
  void Put(Log log, const SortedRuns::Key& key, std::span<const std::byte> bytes) override;

  Packet unsent_;
};

}  // namespace headroom
