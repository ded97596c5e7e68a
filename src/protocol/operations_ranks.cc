// Class Operations where several ranks run the clients: the operations of all from those of each.
#include <algorithm>
#include <iterator>

#include "protocol/operations.h"

namespace headroom {

template <class P>
void Operations::PackResults(P& pack) {
  pack(begun_at_, ended_at_, open_, kept_, kept_order_, waits_, parts_);
  for (auto& by_kind : totals_) {
    for (OperationTotals& totals : by_kind) pack(totals);
  }
}

void Operations::PackShare(Packer& to) { PackResults(to); }

void Operations::JoinShare(Unpacker& from) {
  Operations other(spans_, 0, one_in_, warmup_);
  other.PackResults(from);
  for (size_t w = 0; w < spans_.size(); ++w) {
    begun_at_[w] = std::min(begun_at_[w], other.begun_at_[w]);
    ended_at_[w] = std::max(ended_at_[w], other.ended_at_[w]);
    for (size_t kind = 0; kind < kOperationKinds; ++kind) {
      totals_[w][kind].Join(other.totals_[w][kind]);
      if (one_in_ == 0) totals_[w][kind].latencies.KeepAtMost(kExactLatencies);
      for (size_t i = 0; i < kOperationParts; ++i) parts_[w][kind][i] += other.parts_[w][kind][i];
    }
  }
  for (auto* operations : {&other.open_, &other.kept_}) {
    for (OperationRecord& o : *operations) o.first_wait += static_cast<uint32_t>(waits_.size());
  }
  std::ranges::move(other.open_, std::back_inserter(open_));
  std::ranges::move(other.kept_, std::back_inserter(kept_));
  kept_order_.Append(other.kept_order_);
  std::ranges::move(other.waits_, std::back_inserter(waits_));
}

}  // namespace headroom
