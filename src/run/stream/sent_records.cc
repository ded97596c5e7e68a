#include "run/stream/sent_records.h"

namespace headroom {

void SentRecords::Put(Log log, const SortedRuns::Key& key, std::span<const std::byte> bytes) {
  Sending sending{log, key, {bytes.begin(), bytes.end()}};
  Packer{unsent_}(sending);
}

void SentRecords::Pack(int to_rank, Packer& to) {
  Packet nothing;
  to(to_rank == 0 ? unsent_ : nothing);
}

void SentRecords::Unpack(int, Unpacker& from) {
  Packet nothing;
  from(nothing);
}

}  // namespace headroom
