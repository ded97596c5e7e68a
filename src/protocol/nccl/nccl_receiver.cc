// Part of nccl_connection.h: the receiver's end.
#include <algorithm>

#include "protocol/nccl/nccl_connection.h"

namespace headroom {

NcclReceiver::NcclReceiver(Process& process, const NcclParameters& parameters, uint8_t priority, uint8_t tag,
                           std::function<void()> on_failure)
    : NcclEnd(process, parameters, priority, tag, std::move(on_failure)) {
  const auto group = static_cast<uint64_t>(p_.group);
  entries_.resize(ClearToSend::kSlots * group * ClearToSend::kBytes);
  if (group > 1) sizes_.resize(ClearToSend::kSlots * group * kSizeBytes);
  Verbs& verbs = process_.verbs();
  entry_region_ = verbs.RegMr(0, entries_.size(), kLocalWrite, entries_);
  size_region_ =
      verbs.RegMr(0, std::max<uint64_t>(sizes_.size(), 1), kLocalWrite | kRemoteWrite, std::span(sizes_));
  data_region_ = verbs.RegMr(0, static_cast<uint64_t>(p_.steps) * group * static_cast<uint64_t>(p_.chunk.v),
                             kLocalWrite | kRemoteWrite);
}

void NcclReceiver::Receive(const MessageCut& cut) {
  if (cut.Steps() > 0) messages_.push_back({cut});
  PostNext();
}

/// The RECVs are posted first, so that no data arrive before them.
void NcclReceiver::PostNext() {
  while (!closed_ && !messages_.empty() && open_.size() < static_cast<size_t>(p_.steps)) {
    Message& message = messages_.front();
    const std::vector<uint32_t> sizes = message.cut.Sizes(message.next++);
    if (message.next == message.cut.Steps()) messages_.pop_front();
    const uint64_t number = tail_++;
    const std::vector<QueuePair*> qps = QpsOf(number);
    open_.push_back({number, sizes, static_cast<uint32_t>(qps.size())});
    process_.Do(CoreWork::rdma, p_.costs.post, [this, number, sizes, qps] {
      if (closed_) return;
      for (QueuePair* qp : qps) process_.verbs().PostRecv(qp, {base_ | static_cast<uint32_t>(number), {}});
      PostClearToSend(number, sizes);
    });
  }
}

void NcclReceiver::PostClearToSend(uint64_t number, const std::vector<uint32_t>& sizes) {
  const uint64_t slot = number % ClearToSend::kSlots, group = static_cast<uint64_t>(p_.group);
  const uint64_t place = slot * group * ClearToSend::kBytes;
  for (size_t i = 0; i < sizes.size(); ++i) {
    ClearToSend entry;
    const uint64_t buffer = number % static_cast<uint64_t>(p_.steps) * group + i;
    entry.address = buffer * static_cast<uint64_t>(p_.chunk.v);
    entry.size = sizes[i];
    entry.rkey = data_region_->rkey;
    entry.group = static_cast<uint32_t>(sizes.size());
    entry.tag = static_cast<uint32_t>(i);
    entry.index = number + 1;
    entry.Put(entries_.data() + place + i * ClearToSend::kBytes);
  }
  SendWr wr;
  wr.wr_id = base_ | static_cast<uint32_t>(number);
  wr.opcode = WrOpcode::rdma_write;
  wr.signaled = slot == 0;
  wr.sge = {place, static_cast<uint32_t>(sizes.size() * ClearToSend::kBytes), entry_region_->lkey};
  wr.remote_addr = fifo_.address + place;
  wr.rkey = fifo_.rkey;
  ++counts_.clear_to_sends;
  Post(qps_[0], wr);
}

void NcclReceiver::OnCompletion(const Wc& wc) {
  if (closed_) return;
  if (wc.status != WcStatus::success) return on_failure_();
  if (!wc.IsReceive()) return;  // the completion of a CTS
  const uint32_t number = Process::NumberIn(wc.wr_id);
  const auto at =
      std::ranges::find_if(open_, [&](const Open& o) { return static_cast<uint32_t>(o.number) == number; });
  if (at == open_.end() || !IsRight(*at, wc)) {
    ++counts_.unexpected;
    return;
  }
  if (--at->pending > 0) return;
  ++counts_.received;
  for (const uint32_t size : at->sizes) counts_.received_bytes += size;
  open_.erase(at);
  PostNext();
}

bool NcclReceiver::IsRight(const Open& request, const Wc& wc) const {
  if (request.sizes.size() == 1) {
    const bool whole = wc.byte_len == wc.imm_data || p_.split || p_.adaptive_routing;
    return wc.imm_data == request.sizes[0] && whole;
  }
  const uint8_t* from =
      sizes_.data() + request.number % ClearToSend::kSlots * static_cast<uint64_t>(p_.group) * kSizeBytes;
  return std::ranges::all_of(request.sizes, [&](uint32_t size) {
    uint32_t written = 0;
    from = GetNumber(from, written);
    return written == size;
  });
}

}  // namespace headroom
