#include "protocol/channel/leg_parameters.h"

#include <algorithm>

#include "protocol/storage/wire/sk_message.h"
#include "protocol/storage/wire/su_message.h"
#include "protocol/storage/wire/su_rpc.h"
#include "protocol/tcp/tcp_message.h"
#include "workload/arrivals.h"

namespace headroom {

namespace {

/// Number of chunks after which a receiver that sends nothing else returns its credits: SuSocket::GrantIfDue.
int64_t ChunksOfAGrant(const StorageLeg& leg, int64_t chunk) {
  const int64_t credits = (leg.credits + 1) / 2, landings = (leg.landings + 1) / 2;
  return chunk > leg.small.v && chunk <= leg.large.v ? std::min(credits, landings) : credits;
}

/// The messages of one write to a stream of sU-RDMA.
void AddStream(const StorageLeg& leg, NodeId from, NodeId to, int64_t bytes, TrafficSink& sink) {
  int64_t chunks = 0;
  for (int64_t left = bytes; left > 0;) {
    const int64_t chunk = std::min(left, leg.chunk.v);
    left -= chunk;
    const bool small = chunk <= leg.small.v, large = chunk > leg.large.v;
    if (!small && !large) sink.AddMessages(from, to, Operation::write, chunk, 1);
    sink.AddMessages(from, to, Operation::send, SuMessage::kBytes + (small ? chunk : 0), 1);
    if (large) {
      sink.AddMessages(from, to, Operation::read_request, chunk, 1);
      sink.AddMessages(to, from, Operation::send, SuMessage::kBytes, 1);  // the data have been read
      continue;  // and that message carried the credits
    }
    if (++chunks % ChunksOfAGrant(leg, chunk) == 0)
      sink.AddMessages(to, from, Operation::send, SuMessage::kBytes, 1);
  }
}

}  // namespace

const char* StorageLeg::Name() const {
  constexpr const char* kNames[] = {"sk_rdma", "su_rdma", "tcp"};
  return kNames[static_cast<size_t>(protocol)];
}

int StorageLeg::Receives() const {
  return OnTcp() ? 0 : protocol == StorageProtocol::sk_rdma ? credits : 2 * credits + 2;
}

int64_t StorageLeg::ReceiveBytes() const {
  return protocol == StorageProtocol::sk_rdma ? SkMessage::kBytes : SuMessage::kBytes + small.v;
}

void StorageLeg::AddCall(NodeId from, NodeId to, OperationKind kind, int64_t bytes, TrafficSink& sink) const {
  const bool reads = kind == OperationKind::read;
  switch (protocol) {
    case StorageProtocol::sk_rdma:
      sink.AddMessages(from, to, Operation::send, SkMessage::kBytes, 1);
      if (reads) {
        sink.AddMessages(to, from, Operation::write, bytes, 1);
      } else {
        sink.AddMessages(from, to, Operation::read_request, bytes, 1);
      }
      sink.AddMessages(to, from, Operation::send_inv, SkMessage::kBytes, 1);
      return;
    case StorageProtocol::su_rdma:
      AddStream(*this, from, to, reads ? kCallBytes : bytes, sink);
      AddStream(*this, to, from, reads ? bytes : kCallBytes, sink);
      return;
    case StorageProtocol::tcp:
      sink.AddWrites(from, to, TcpMessage::kBytes + (reads ? 0 : bytes), 1);
      sink.AddWrites(to, from, TcpMessage::kBytes + (reads ? bytes : 0), 1);
  }
}

}  // namespace headroom
