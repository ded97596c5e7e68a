// Part of nccl_connection.h: the sender's end.
#include <algorithm>
#include <utility>

#include "protocol/nccl/nccl_connection.h"

namespace headroom {

NcclSender::NcclSender(Process& process, const NcclParameters& parameters, uint8_t priority, uint8_t tag,
                       std::function<void()> on_failure, std::function<void(uint32_t)> done)
    : NcclEnd(process, parameters, priority, tag, std::move(on_failure)), done_(std::move(done)) {
  const auto group = static_cast<uint64_t>(p_.group);
  fifo_.resize(ClearToSend::kSlots * group * ClearToSend::kBytes);
  if (group > 1) sizes_.resize(ClearToSend::kSlots * group * kSizeBytes);
  Verbs& verbs = process_.verbs();
  fifo_region_ = verbs.RegMr(0, fifo_.size(), kLocalWrite | kRemoteWrite, fifo_);
  size_region_ = verbs.RegMr(0, std::max<uint64_t>(sizes_.size(), 1), kLocalWrite, std::span(sizes_));
  data_region_ = verbs.RegMr(0, static_cast<uint64_t>(p_.steps) * group * static_cast<uint64_t>(p_.chunk.v),
                             kLocalWrite);
  verbs.WatchMr(fifo_region_, [this](const MemoryWatch::Written& written) {
    const Time now = EventQueue::Get().now();
    const Trail::CurrentStep step(process_.trail(), [&](Trail& t) {
      return t.Add(written.cause, Trail::Message{written.message, true}, now, now);
    });
    SendNext();
  });
}

void NcclSender::Send(uint32_t operation, const MessageCut& cut) {
  if (cut.Steps() > 0) messages_.push_back({operation, cut, process_.step()});
  SendNext();
}

void NcclSender::SendNext() {
  while (!closed_ && !messages_.empty() && open_.size() < static_cast<size_t>(p_.steps)) {
    Message& message = messages_.front();
    std::vector<uint32_t> sizes = message.cut.Sizes(message.next);
    const Entries entries = EntriesFor(sizes.size());
    if (entries.empty()) return;
    for (size_t i = 0; i < sizes.size(); ++i)
      sizes[i] = std::min(sizes[i], static_cast<uint32_t>(entries[i].size));
    const uint64_t number = head_++;
    open_.push_back({number, message.operation, static_cast<uint32_t>(QpsOf(number).size())});
    const uint64_t ready = std::max(message.asked_by, room_since_);
    if (++message.next == message.cut.Steps()) messages_.pop_front();
    const Trail::CurrentStep step(process_.trail(), process_.StepSince(ready, OperationPart::peer));
    process_.Do(CoreWork::rdma, p_.costs.post * RequestsOf(sizes), [this, number, sizes, entries] {
      if (!closed_) PostData(number, sizes, entries);
    });
  }
}

NcclSender::Entries NcclSender::EntriesFor(size_t group) const {
  Entries entries;
  const uint8_t* const slot =
      fifo_.data() + head_ % ClearToSend::kSlots * static_cast<uint64_t>(p_.group) * ClearToSend::kBytes;
  for (size_t i = 0; i < group; ++i) {
    const ClearToSend entry = ClearToSend::At(slot + i * ClearToSend::kBytes);
    if (entry.index != head_ + 1 || entry.group != group || entry.tag != i) return {};
    entries.push_back(entry);
  }
  return entries;
}

/// The number of work requests of a group, on all queue pairs.
uint32_t NcclSender::RequestsOf(const std::vector<uint32_t>& sizes) const {
  const auto each = static_cast<uint32_t>(WritesFirst(sizes, p_) ? sizes.size() + 1 : 1);
  return each * (p_.split ? static_cast<uint32_t>(qps_.size()) : 1);
}

void NcclSender::PostData(uint64_t number, const std::vector<uint32_t>& sizes, const Entries& entries) {
  if (sizes.size() > 1) {
    uint8_t* to = sizes_.data() + number % ClearToSend::kSlots * static_cast<uint64_t>(p_.group) * kSizeBytes;
    for (const uint32_t size : sizes) to = PutNumber(to, size);
  }
  for (const uint32_t size : sizes) counts_.sent_bytes += size;
  const std::vector<QueuePair*> qps = QpsOf(number);
  const auto parts = static_cast<uint32_t>(qps.size());
  for (uint32_t part = 0; part < parts && !closed_; ++part)
    PostPart(number, sizes, entries, part, parts, qps[part]);
}

void NcclSender::PostPart(uint64_t number, const std::vector<uint32_t>& sizes, const Entries& entries,
                          uint32_t part, uint32_t parts, QueuePair* qp) {
  SendWr last;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const PartOfRequest data = PartOf(sizes[i], part, parts);
    SendWr wr;
    wr.wr_id = base_ | static_cast<uint32_t>(number);
    wr.opcode = WrOpcode::rdma_write;
    const uint64_t buffer = number % static_cast<uint64_t>(p_.steps) * static_cast<uint64_t>(p_.group) + i;
    wr.sge = {buffer * static_cast<uint64_t>(p_.chunk.v) + data.offset, data.bytes, data_region_->lkey};
    wr.remote_addr = entries[i].address + data.offset;
    wr.rkey = entries[i].rkey;
    last = wr;
    if (!WritesFirst(sizes, p_)) break;
    ++counts_.writes;
    Post(qp, wr);
  }
  const uint64_t record = number % ClearToSend::kSlots * static_cast<uint64_t>(p_.group) * kSizeBytes;
  if (sizes.size() > 1) {
    last.sge = {record, static_cast<uint32_t>(sizes.size() * kSizeBytes), size_region_->lkey};
    last.remote_addr = records_address_ + record;
    last.rkey = records_key_;
  } else if (WritesFirst(sizes, p_)) {
    last.sge.length = 0;
  }
  last.opcode = WrOpcode::rdma_write_with_imm;
  last.signaled = true;
  last.imm_data = sizes.size() == 1 ? sizes[0] : 0;
  ++counts_.data_messages;
  Post(qp, last);
}

void NcclSender::OnCompletion(const Wc& wc) {
  if (closed_) return;
  if (wc.status != WcStatus::success) return on_failure_();
  const uint32_t number = Process::NumberIn(wc.wr_id);
  const auto at =
      std::ranges::find_if(open_, [&](const Open& o) { return static_cast<uint32_t>(o.number) == number; });
  if (at == open_.end()) {
    ++counts_.unexpected;
    return;
  }
  if (--at->pending > 0) return;
  const uint32_t operation = at->operation;
  if (open_.size() == static_cast<size_t>(p_.steps)) room_since_ = process_.step();
  open_.erase(at);
  done_(operation);
  SendNext();
}

}  // namespace headroom
