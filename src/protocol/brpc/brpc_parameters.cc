#include "protocol/brpc/brpc_parameters.h"

#include "nic/verbs/verbs_footprint.h"
#include "protocol/brpc/brpc_endpoint.h"
#include "protocol/brpc/rpc_channel.h"
#include "workload/service_load.h"

namespace headroom {

uint32_t BrpcParameters::BlockData() const {
  return static_cast<uint32_t>(block.v) - BrpcEndpoint::kBlockHeader;
}

Bytes BrpcParameters::Window() const {
  return Bytes(int64_t{BrpcFlow(queues, queues).capacity()} * BlockData());
}

UnusedKeys BrpcParameters::Unused() const {
  if (OnQueuePairs()) return {};
  const BrpcParameters standard;
  UnusedKeys unused{{}, "tcp"};
  if (block != standard.block) unused.keys.push_back("block");
  if (queues.sq != standard.queues.sq) unused.keys.push_back("sq");
  if (queues.rq != standard.queues.rq) unused.keys.push_back("rq");
  return unused;
}

/// The blocks of both ends, and open calls. Blocks that were never used take no memory; a payload waits at
/// one end, at most at both.
std::optional<Forecast> BrpcParameters::Footprint(const Topology&, const ServiceLoad& load,
                                                  const ServiceDemand& demand) const {
  constexpr double kTcpConnection = 24'000;  // measured for the TCP connections of storage services
  double pairs = 0, on_rdma = 0;
  for (const NodeId client : clients) {
    for (const NodeId server : servers) {
      pairs += client != server;
      on_rdma += client != server && HasRdma(client) && HasRdma(server);
    }
  }
  const double data = BlockData(), sq = queues.sq, rq = queues.rq;
  const double connection = 2 * (sizeof(BrpcEndpoint) + sizeof(RpcChannel)) + kTcpConnection;
  const double queue_pair = QueuePairBytes(sq, rq) + 2 * CompletionQueueBytes(BrpcEndpoint::kPolled);
  const double blocks = (sq + rq) * data;
  const double all = pairs * connection + 2 * on_rdma * (queue_pair + blocks);
  constexpr double kCall = 128, kCopies = 2;
  const double call = kCall + static_cast<double>(load.largest.v);
  return Forecast{all + call * demand.open.expected, all + kCopies * call * demand.open.worst};
}

}  // namespace headroom
