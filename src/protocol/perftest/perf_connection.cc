#include "protocol/perftest/perf_connection.h"

namespace headroom {

PerfConnection::PerfConnection(Nic& from, Nic& to, const PerfTest& test)
    : test_(test), client_(MakeEnd(from)), server_(MakeEnd(to)) {
  constexpr uint16_t kFirstPort =
      49152;  // each queue pair has its own port, so that they spread over equal paths
  constexpr size_t kPorts = 16384;
  for (size_t i = 0; i < client_.qps.size(); ++i) {
    ConnectQps(*client_.verbs, client_.qps[i], *server_.verbs, server_.qps[i],
               static_cast<uint16_t>(kFirstPort + i % kPorts));
  }
}

PerfEnd PerfConnection::MakeEnd(Nic& nic) const {
  PerfEnd end;
  end.verbs = &nic.verbs();
  const auto queue_pairs = static_cast<uint32_t>(test_.queue_pairs);
  QpInitAttr attr;
  attr.type = test_.connection;
  attr.priority = test_.priority;
  attr.cap.max_send_wr = static_cast<uint32_t>(test_.tx_depth);
  attr.cap.max_recv_wr = static_cast<uint32_t>(test_.rx_depth);
  end.send_cq = attr.send_cq = end.verbs->CreateCq(queue_pairs * attr.cap.max_send_wr);
  end.recv_cq = attr.recv_cq = end.verbs->CreateCq(queue_pairs * attr.cap.max_recv_wr);
  end.memory = end.verbs->RegMr(0, test_.size, kLocalWrite | kRemoteWrite | kRemoteRead);
  for (uint32_t i = 0; i < queue_pairs; ++i) end.qps.push_back(end.verbs->CreateQp(attr));
  return end;
}

SendWr PerfConnection::Request(const PerfEnd& from, size_t qp, bool signaled) const {
  const PerfEnd& to = &from == &client_ ? server_ : client_;
  constexpr WrOpcode kOpcodes[] = {WrOpcode::rdma_write, WrOpcode::rdma_read, WrOpcode::send};
  SendWr wr;
  wr.wr_id = qp;
  wr.opcode = kOpcodes[static_cast<size_t>(test_.verb)];
  wr.signaled = signaled;
  wr.inline_data = test_.verb != PerfVerb::read && test_.size <= test_.inline_size;
  wr.sge.length = test_.size;
  wr.rkey = to.memory->rkey;
  wr.ah = {to.verbs->host(), static_cast<uint16_t>(49152)};
  wr.remote_qpn = Verbs::NumberOf(to.qps[qp]);
  return wr;
}

void PerfConnection::PostReceive(const PerfEnd& at, size_t qp) const {
  const uint32_t grh = test_.connection == QpType::ud ? Verbs::kGrhBytes : 0;
  at.verbs->PostRecv(at.qps[qp], {qp, {0, test_.size + grh, 0}});
}

}  // namespace headroom
