// Part of nccl_connection.h: the common parts of both ends, and their connection.
#include <utility>

#include "protocol/nccl/nccl_connection.h"

namespace headroom {

NcclCounts& NcclCounts::operator+=(const NcclCounts& other) {
  clear_to_sends += other.clear_to_sends;
  data_messages += other.data_messages;
  writes += other.writes;
  sent_bytes += other.sent_bytes;
  received_bytes += other.received_bytes;
  received += other.received;
  unexpected += other.unexpected;
  return *this;
}

NcclEnd::NcclEnd(Process& process, const NcclParameters& parameters, uint8_t priority, uint8_t tag,
                 std::function<void()> on_failure)
    : process_(process), p_(parameters), on_failure_(std::move(on_failure)), base_(process.Add(*this)) {
  QpInitAttr attr;
  attr.send_cq = attr.recv_cq = process_.cq();
  attr.priority = priority;
  attr.tag = tag;
  attr.cap.max_send_wr = 2 * ClearToSend::kSlots;
  attr.cap.max_recv_wr = ClearToSend::kSlots;
  for (int i = 0; i < p_.queue_pairs; ++i) qps_.push_back(process_.verbs().CreateQp(attr));
}

std::vector<QueuePair*> NcclEnd::QpsOf(uint64_t turn) const {
  return p_.split ? qps_ : std::vector<QueuePair*>{qps_[turn % qps_.size()]};
}

void NcclEnd::Post(QueuePair* qp, SendWr wr) {
  wr.cause = process_.step();
  if (process_.verbs().PostSend(qp, wr) != 0) on_failure_();
}

void NcclSender::Join(NcclSender& sender, NcclReceiver& receiver, uint16_t source_port) {
  QpAttr attr;
  attr.timeout = static_cast<uint8_t>(sender.p_.timeout);
  attr.retry_cnt = static_cast<uint8_t>(sender.p_.retries);
  for (size_t i = 0; i < sender.qps_.size(); ++i)
    ConnectQps(sender.process_.verbs(), sender.qps_[i], receiver.process().verbs(), receiver.qps()[i],
               NcclPort(source_port, static_cast<int>(i)), attr);
  receiver.Know(sender.fifo_region_->addr, sender.fifo_region_->rkey);
  sender.records_address_ = receiver.size_records().addr;
  sender.records_key_ = receiver.size_records().rkey;
}

}  // namespace headroom
