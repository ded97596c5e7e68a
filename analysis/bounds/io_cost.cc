#include "analysis/bounds/io_cost.h"

#include <algorithm>

#include "protocol/storage/sk_message.h"
#include "protocol/storage/su_rpc.h"
#include "protocol/tcp/tcp_message.h"

namespace headroom {
namespace {

/// That cores touch of a chunk, which is copied or not.
int64_t BytesOfChunk(const StorageLeg& leg, int64_t bytes, bool copied) { return bytes * (copied + leg.crc); }
int64_t BytesOfSender(const StorageLeg& leg, int64_t bytes) {
  return BytesOfChunk(leg, bytes, bytes <= leg.small.v);
}
int64_t BytesOfReceiver(const StorageLeg& leg, int64_t bytes) {
  return BytesOfChunk(leg, bytes, bytes <= leg.large.v);
}

IoCost CostOverSk(const StorageLeg& leg, OperationKind kind, int64_t size, const IoEnds& ends) {
  IoCost cost;
  const int64_t sum = leg.crc ? size : 0;
  const Time request = IdealCompletion(ends.there, Bytes(SkMessage::kBytes), Operation::send);
  const auto client = [&](int64_t messages, int64_t bytes) { return ends.client.OfRdma(messages, bytes); };
  const auto server = [&](int64_t messages, int64_t bytes) { return ends.server.OfRdma(messages, bytes); };
  if (kind == OperationKind::read) {
    // A turn, and the RECV of the response, whose data it sums up; RECV, and the turn that sums
    // them up and answers
    cost.alone = IdealCompletion(ends.back, Bytes(size)) + client(1, 0) + client(1, sum) + server(1, 0) +
                 server(1, sum);
    cost.server_core = server(3, sum);  // and the SEND's completion
  } else {
    // A turn that sums up the data, and a RECV; RECV, the completion of the READ, whose data it sums up, and
    // the turn that answers
    cost.alone = request + IdealCompletion(ends.there, Bytes(size), Operation::read_request) +
                 client(1, sum) + client(1, 0) + server(1, 0) + server(1, sum) + server(1, 0);
    cost.server_core = server(4, sum);
  }
  cost.alone += ends.registration;
  cost.client_core = client(4, sum);  // and the completions of REG_MR and SEND
  return cost;
}

/// Adds what is written at once to one stream.
struct Stream {
  const StorageLeg& leg;
  const IdealPath& way;
  const CoreCosts &sender, &receiver;
  Time takes{}, arrives{}, of_sender{}, of_receiver{};

  void Add(int64_t bytes) {
    for (int64_t left = bytes; left > 0;) {
      const int64_t chunk = std::min(left, leg.chunk.v);
      left -= chunk;
      const bool read = chunk > leg.large.v;
      const Time whole = ChunkTakes(leg, chunk, way, sender, receiver);
      // The last has arrived when the sender has not heard of it yet, but then its answer does not need it.
      arrives += left > 0 ? whole
                          : whole - sender.OfRdma(1, 0) +
                                (read ? Time() : receiver.OfRdma(1, BytesOfReceiver(leg, chunk)));
      takes += whole;
      of_sender += sender.OfRdma(1, BytesOfSender(leg, chunk)) + sender.OfRdma(read ? 2 : 1, 0);
      of_receiver +=
          receiver.OfRdma(1, BytesOfReceiver(leg, chunk)) + (read ? receiver.OfRdma(2, 0) : Time());
    }
  }
};

IoCost CostOverSu(const StorageLeg& leg, OperationKind kind, int64_t size, const IoEnds& ends) {
  Stream request{leg, ends.there, ends.client, ends.server};
  Stream response{leg, ends.back, ends.server, ends.client};
  const bool reads = kind == OperationKind::read;
  request.Add(reads ? kCallBytes : size);
  response.Add(reads ? size : kCallBytes);
  // Of the two last chunks one way counts, together a round trip.
  const Time round_trip = std::min(IdealCompletion(ends.there, Bytes(SuMessage::kBytes), Operation::send),
                                   IdealCompletion(ends.back, Bytes(SuMessage::kBytes), Operation::send));
  return {.alone = request.arrives + response.arrives - round_trip,
          .client_core = request.of_sender + response.of_receiver,
          .server_core = request.of_receiver + response.of_sender,
          .request_way = request.takes,
          .response_way = response.takes};
}

int64_t Aggregates(int64_t bytes) {
  return std::max<int64_t>((bytes + TcpCosts::kAggregate - 1) / TcpCosts::kAggregate, 1);
}

/// From below: without slow start, TCP's headers and its MTU. Of what has data the first piece alone has to
/// wait for its core, and the last at the receiver.
IoCost CostOverTcp(const StorageLeg& leg, OperationKind kind, int64_t size, const IoEnds& ends) {
  const bool reads = kind == OperationKind::read;
  const int64_t request = reads ? 0 : size, answer = reads ? size : 0;
  const auto sends = [&](const CoreCosts& core, int64_t bytes) {
    return core.OfTcpSent(Aggregates(bytes), TcpMessage::kBytes + bytes, leg.crc ? bytes : 0);
  };
  const auto receives = [&](const CoreCosts& core, int64_t bytes) {
    return core.OfTcpReceived(Aggregates(bytes), TcpMessage::kBytes + bytes, leg.crc ? bytes : 0);
  };
  const auto piece = [](int64_t bytes) { return std::min(bytes, TcpCosts::kAggregate); };
  IoCost cost;
  cost.alone = IdealCompletion(reads ? ends.back : ends.there, Bytes(size)) +
               sends(ends.client, piece(request)) + sends(ends.server, piece(answer));
  cost.client_core = sends(ends.client, request) + receives(ends.client, answer);
  cost.server_core = receives(ends.server, request) + sends(ends.server, answer);
  return cost;
}

}  // namespace

IoCost CostOfIo(const StorageParameters& service, OperationKind kind, Bytes size, const IoEnds& ends) {
  const StorageLeg& leg = service.front;
  IoCost cost = leg.protocol == StorageProtocol::tcp       ? CostOverTcp(leg, kind, size.v, ends)
                : leg.protocol == StorageProtocol::sk_rdma ? CostOverSk(leg, kind, size.v, ends)
                                                           : CostOverSu(leg, kind, size.v, ends);
  cost.alone += service.disk.Alone(kind == OperationKind::read, size);
  cost.alone += ends.client.OfRequest() + ends.server.OfRequest();
  cost.client_core += ends.client.OfRequest();
  cost.server_core += ends.server.OfRequest();
  return cost;
}

Time ChunkTakes(const StorageLeg& leg, int64_t bytes, const IdealPath& way, const CoreCosts& sender,
                const CoreCosts& receiver) {
  const Bytes header(SuMessage::kBytes);
  if (bytes > leg.large.v)
    return IdealCompletion(way, header, Operation::send) +
           IdealCompletion(way, Bytes(bytes), Operation::read_request) +
           sender.OfRdma(1, BytesOfSender(leg, bytes)) + sender.OfRdma(1, 0) + receiver.OfRdma(1, 0) +
           receiver.OfRdma(1, BytesOfReceiver(leg, bytes));
  const bool small = bytes <= leg.small.v;
  return (small ? IdealCompletion(way, Bytes(bytes) + header, Operation::send)
                : IdealCompletion(way, Bytes(bytes))) +
         sender.OfRdma(1, BytesOfSender(leg, bytes)) + sender.OfRdma(1, 0);
}

Time RequestRoundTrip(const StorageLeg& leg, const IdealPath& there) {
  constexpr uint32_t kRequest[] = {SkMessage::kBytes, SuMessage::kBytes, TcpMessage::kBytes};
  return IdealCompletion(there, Bytes(kRequest[static_cast<size_t>(leg.protocol)]), Operation::send);
}

}  // namespace headroom
