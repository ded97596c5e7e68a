// Class Operations if several ranks run the clients: joins the operations of each rank.
#include <algorithm>
#include <iterator>

#include "protocol/operations.h"

namespace headroom {

/// What the hosts of a rank recorded; the members of Operations.
struct Operations::Share {
  std::vector<Time> begun_at, ended_at;
  std::vector<OperationRecord> open;
  std::vector<std::array<std::array<Time, kOperationParts>, kOperationKinds>> parts;
  std::vector<std::array<OperationTotals, kOperationKinds>> totals;

  /// REQUIRES: `totals` has an entry for each workload.
  template <class P>
  void Pack(P& pack) {
    pack(begun_at, ended_at, open, parts);
    for (auto& by_kind : totals) {
      for (OperationTotals& of_kind : by_kind) pack(of_kind);
    }
  }
};

void Operations::PackShare(Packer& to) {
  Share share{std::move(begun_at_), std::move(ended_at_), std::move(open_), std::move(parts_),
              std::move(totals_)};
  share.Pack(to);
}

void Operations::JoinShare(Unpacker& from) {
  Share other;
  other.totals.resize(spans_.size());
  other.Pack(from);
  for (size_t w = 0; w < spans_.size(); ++w) {
    begun_at_[w] = std::min(begun_at_[w], other.begun_at[w]);
    ended_at_[w] = std::max(ended_at_[w], other.ended_at[w]);
    for (size_t kind = 0; kind < kOperationKinds; ++kind) {
      totals_[w][kind].Join(other.totals[w][kind]);
      if (one_in_ == 0) totals_[w][kind].latencies.KeepAtMost(kExactLatencies);
      for (size_t i = 0; i < kOperationParts; ++i) parts_[w][kind][i] += other.parts[w][kind][i];
    }
  }
  std::ranges::move(other.open, std::back_inserter(open_));
}

}  // namespace headroom
