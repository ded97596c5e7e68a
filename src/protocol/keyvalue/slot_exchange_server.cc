// Part of slot_exchange.h: processes of servers.
#include <algorithm>

#include "protocol/keyvalue/slot_exchange_parts.h"

namespace headroom {

/// Takes SENDs that arrived, and answers that have been transmitted.
void SlotExchange::PollServer(uint32_t number) {
  Server& s = servers_[number];
  for (Wc wc; s.cq->Poll(wc);) {
    if (!wc.IsReceive() || wc.status != WcStatus::success) continue;
    const auto slot = static_cast<uint32_t>(wc.wr_id);
    const uint32_t head = wc.grh ? Verbs::kGrhBytes : 0;
    const size_t slots = s.client.size();
    if (wc.grh) s.client[slot] = client_by_qp_[number].at(uint64_t{wc.src} << 32 | wc.src_qp);
    s.w[slot] = wc.imm_data;
    lengths_[number * slots + slot] = wc.byte_len - head;
    ReadyAt(number, slot, {wc.cause, wc.message});
  }
  s.cq->RequestNotify();
}

/// The slot keeps its first origin.
void SlotExchange::ReadyAt(uint32_t process, uint32_t slot, const Origin& origin) {
  Server& s = servers_[process];
  if (s.process->Ready(slot)) s.brought[slot] = origin;
}

std::span<const uint8_t> SlotExchange::RequestIn(uint32_t process, uint32_t slot) const {
  const Server& s = servers_[process];
  const size_t slots = s.client.size();
  const uint32_t length = lengths_[process * slots + slot];
  if (p_.request.method.verb == Operation::send)
    return s.requests.Read(slot, p_.request.method.transport == Transport::ud ? Verbs::kGrhBytes : 0, length);
  const uint64_t end = (s.local * slots + slot + 1) * kRequestSlot;
  return std::span(regions_[s.place]).subspan(end - length, length);
}

int SlotExchange::AccessesOf(uint32_t process, uint32_t slot) {
  return program_.AccessesOf(process, RequestIn(process, slot));
}

/// The slot is emptied before its answer leaves.
void SlotExchange::Execute(uint32_t process, uint32_t slot) {
  Server& s = servers_[process];
  const size_t slots = s.client.size();
  const std::span<const uint8_t> request = RequestIn(process, slot);
  const SlotExchangeAnswer answer = program_.Execute(process, request, s.staged[slot]);
  const uint32_t client = s.client[slot], w = s.w[slot];
  const Client& c = clients_[client];
  uint64_t step = 0;
  if (Trail* const trail = this->trail()) {
    const ServerProcess::Times& t = s.process->times(slot);
    const Time worked = std::min(t.worked, t.executed - t.ready);
    step = trail->Add(s.brought[slot].cause, {s.brought[slot].message, true}, t.ready, t.executed - worked);
  }
  if (p_.request.method.verb == Operation::write) {
    uint8_t* const end = regions_[s.place].data() + (s.local * slots + slot + 1) * kRequestSlot;
    std::fill(end - std::min<size_t>(kKeyhash, request.size()), end, uint8_t{0});
  } else {
    QueuePair* const qp = s.receives[client] != nullptr ? s.receives[client] : s.datagrams->qp;
    s.verbs->PostRecv(qp, {slot, s.requests.Local(slot, 0, s.requests.each)});
  }
  SendWr wr;
  wr.cause = step;
  wr.sge = s.staged.Local(slot, 0, answer.bytes);
  if (p_.reply.method.verb == Operation::send) {
    wr.opcode = WrOpcode::send_with_imm;
    wr.imm_data = w | answer.says << kSlotBits;
  } else {
    wr.opcode = WrOpcode::rdma_write;
    wr.remote_addr = c.answers.At(SlotOfClient(process, w));
    wr.rkey = c.answers.region->rkey;
  }
  SendQueue* queue = s.answers[client];
  if (p_.reply.method.transport == Transport::ud) {
    queue = s.datagrams;
    wr.ah = {c.host, s.ports[client]};
    wr.remote_qpn = Verbs::NumberOf(c.servers[process].datagrams->qp);
  }
  Send(*s.verbs, *queue, wr, p_.reply);
}

void SlotExchange::NoteProcesses() {
  for (Server& s : servers_) s.process->Note();
}

void SlotExchange::Collect(KeyValueRecord& record) {
  record.retried += retried_;
  record.stale_answers += stale_;
  for (Server& s : servers_) {
    record.processes.push_back(s.process->Record());
    record.processes.back().host = s.host;
    record.processes.back().process = static_cast<int>(s.local);
  }
}

}  // namespace headroom
