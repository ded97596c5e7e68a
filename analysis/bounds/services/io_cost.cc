#include "analysis/bounds/services/io_cost.h"

#include <algorithm>

#include "analysis/bounds/services/su_chunks.h"
#include "analysis/bounds/tcp_cost.h"
#include "protocol/storage/wire/sk_message.h"
#include "protocol/storage/wire/su_rpc.h"
#include "protocol/tcp/tcp_message.h"

namespace headroom {
namespace {

/// Bytes of a chunk that cores touch, if it is copied or not.
int64_t BytesOfChunk(const StorageLeg& leg, int64_t bytes, bool copied) { return bytes * (copied + leg.crc); }
int64_t BytesOfSender(const StorageLeg& leg, int64_t bytes) {
  return BytesOfChunk(leg, bytes, bytes <= leg.small.v);
}
int64_t BytesOfReceiver(const StorageLeg& leg, int64_t bytes) {
  return BytesOfChunk(leg, bytes, bytes <= leg.large.v);
}

Time AloneOverSk(const StorageLeg& leg, OperationKind kind, int64_t size, const IoEnds& ends) {
  const int64_t sum = leg.crc ? size : 0;
  const auto client = [&](int64_t messages, int64_t bytes) { return ends.client.OfRdma(messages, bytes); };
  const auto server = [&](int64_t messages, int64_t bytes) { return ends.server.OfRdma(messages, bytes); };
  // Client: a turn, and the RECV of the response, with a checksum of its data. Server: a RECV, and the turn
  // that checksums the data and answers.
  if (kind == OperationKind::read)
    return ends.registration + IdealCompletion(ends.back, Bytes(size)) + client(1, 0) + client(1, sum) +
           server(1, 0) + server(1, sum);
  // Client: a turn that checksums the data, and a RECV. Server: a RECV, the completion of the READ with a
  // checksum of its data, and the turn that answers.
  return ends.registration + IdealCompletion(ends.there, Bytes(SkMessage::kBytes), Operation::send) +
         IdealCompletion(ends.there, Bytes(size), Operation::read_request) + client(1, sum) + client(1, 0) +
         server(1, 0) + server(1, sum) + server(1, 0);
}

/// Turn, RECV and the completions of REG_MR and SEND; RECV, READ, turn and the SEND's completion.
IoCores CoresOverSk(const StorageLeg& leg, OperationKind kind, int64_t size, const CoreCosts& client,
                    const CoreCosts& server) {
  const int64_t sum = leg.crc ? size : 0;
  return {client.OfRdma(4, sum), server.OfRdma(kind == OperationKind::read ? 3 : 4, sum)};
}

/// The bytes that are written at once to one stream.
struct Stream {
  Time takes{}, arrives{};
};
Stream StreamOf(const StorageLeg& leg, int64_t bytes, const IdealPath& way, const CoreCosts& sender,
                const CoreCosts& receiver) {
  Stream stream;
  ForEachChunk(leg, bytes, [&](int64_t chunk, bool more) {
    const bool read = chunk > leg.large.v;
    const Time whole = ChunkTakes(leg, chunk, way, sender, receiver);
    // The last chunk has arrived before the sender learns of it, but its answer does not need that.
    stream.arrives += more ? whole
                           : whole - sender.OfRdma(1, 0) +
                                 (read ? Time() : receiver.OfRdma(1, BytesOfReceiver(leg, chunk)));
    stream.takes += whole;
  });
  return stream;
}

/// Adds the work of the cores at both ends for it. The turn that posts a READ may also send a chunk, so it is
/// counted with the chunk.
void AddCores(const StorageLeg& leg, int64_t bytes, const CoreCosts& sender, const CoreCosts& receiver,
              Time& of_sender, Time& of_receiver) {
  ForEachChunk(leg, bytes, [&](int64_t chunk, bool) {
    const bool read = chunk > leg.large.v;
    of_sender += sender.OfRdma(1, BytesOfSender(leg, chunk)) + sender.OfRdma(read ? 2 : 1, 0);
    of_receiver += receiver.OfRdma(1, BytesOfReceiver(leg, chunk)) + (read ? receiver.OfRdma(1, 0) : Time());
  });
}

IoCores CoresOverSu(const StorageLeg& leg, OperationKind kind, int64_t size, const CoreCosts& client,
                    const CoreCosts& server) {
  const bool reads = kind == OperationKind::read;
  IoCores cores;
  AddCores(leg, reads ? kCallBytes : size, client, server, cores.client, cores.server);
  AddCores(leg, reads ? size : kCallBytes, server, client, cores.server, cores.client);
  return cores;
}

IoCost CostOverSu(const StorageLeg& leg, OperationKind kind, int64_t size, const IoEnds& ends) {
  const bool reads = kind == OperationKind::read;
  const Stream request = StreamOf(leg, reads ? kCallBytes : size, ends.there, ends.client, ends.server);
  const Stream response = StreamOf(leg, reads ? size : kCallBytes, ends.back, ends.server, ends.client);
  // Of the two last chunks one direction counts, together a round trip.
  const Time round_trip = std::min(IdealCompletion(ends.there, Bytes(SuMessage::kBytes), Operation::send),
                                   IdealCompletion(ends.back, Bytes(SuMessage::kBytes), Operation::send));
  return {.alone = request.arrives + response.arrives - round_trip,
          .request_way = request.takes,
          .response_way = response.takes};
}

/// A request and an answer, one of which has the data.
Time AloneOverTcp(const StorageLeg& leg, OperationKind kind, int64_t size, const IoEnds& ends) {
  const bool reads = kind == OperationKind::read;
  return TcpMessageTakes(leg, reads ? 0 : size, OverTcp(ends.there, ends.ip_mtu), ends.client, ends.server) +
         TcpMessageTakes(leg, reads ? size : 0, OverTcp(ends.back, ends.ip_mtu), ends.server, ends.client);
}

IoCores CoresOverTcp(const StorageLeg& leg, OperationKind kind, int64_t size, const CoreCosts& client,
                     const CoreCosts& server) {
  const bool reads = kind == OperationKind::read;
  const int64_t request = reads ? 0 : size, answer = reads ? size : 0;
  return {OfTcpSender(leg, request, client) + OfTcpReceiver(leg, answer, client),
          OfTcpReceiver(leg, request, server) + OfTcpSender(leg, answer, server)};
}

}  // namespace

IoCores CoresOfIo(const StorageLeg& leg, OperationKind kind, Bytes size, const CoreCosts& client,
                  const CoreCosts& server) {
  const auto over = leg.protocol == StorageProtocol::tcp       ? CoresOverTcp
                    : leg.protocol == StorageProtocol::sk_rdma ? CoresOverSk
                                                               : CoresOverSu;
  return over(leg, kind, size.v, client, server);
}

IoCost CostOfCall(const StorageLeg& leg, OperationKind kind, Bytes size, const IoEnds& ends) {
  switch (leg.protocol) {
    case StorageProtocol::sk_rdma:
      return {.alone = AloneOverSk(leg, kind, size.v, ends)};
    case StorageProtocol::su_rdma:
      return CostOverSu(leg, kind, size.v, ends);
    case StorageProtocol::tcp:
      return {.alone = AloneOverTcp(leg, kind, size.v, ends)};
  }
  return {};
}

IoCost CostOfIo(const StorageParameters& service, OperationKind kind, Bytes size, const IoEnds& ends) {
  IoCost cost = CostOfCall(service.front, kind, size, ends);
  const IoCores cores = CoresOfIo(service.front, kind, size, ends.client, ends.server);
  cost.alone += service.disk.Alone(kind == OperationKind::read, size);
  cost.alone += ends.client.OfRequest() + ends.server.OfRequest();
  cost.client_core = cores.client + ends.client.OfRequest();
  cost.server_core = cores.server + ends.server.OfRequest();
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

Time RequestRoundTrip(const StorageLeg& leg, const IoEnds& ends) {
  constexpr uint32_t kRequest[] = {SkMessage::kBytes, SuMessage::kBytes, TcpMessage::kBytes};
  const bool tcp = leg.protocol == StorageProtocol::tcp;
  return IdealCompletion(tcp ? OverTcp(ends.there, ends.ip_mtu) : ends.there,
                         Bytes(kRequest[static_cast<size_t>(leg.protocol)]), Operation::send);
}

IoParts PartsOfIo(const StorageParameters& service, OperationKind kind, Bytes size, const IoEnds& ends) {
  IoEnds of_wires = ends;
  of_wires.client = of_wires.server = CoreCosts{};
  of_wires.registration = Time();
  IoEnds of_distance = of_wires;
  for (IdealPath* path : {&of_distance.there, &of_distance.back}) {
    for (std::vector<IdealHop>* hops : {&path->data, &path->acks}) {
      for (IdealHop& hop : *hops) hop.rate = Rate(INT64_MAX);
    }
  }
  const auto alone = [&](const IoEnds& between) { return CostOfIo(service, kind, size, between).alone; };
  IoParts parts;
  parts.all = alone(ends);
  parts.device = service.disk.Alone(kind == OperationKind::read, size);
  const Time wires = alone(of_wires), distance = alone(of_distance);
  parts.propagation = distance - parts.device;
  parts.serialisation = wires - distance;
  const bool registers = service.front.protocol == StorageProtocol::sk_rdma;
  parts.registration = registers ? ends.registration : Time();
  parts.software = parts.all - wires - parts.registration;
  return parts;
}

}  // namespace headroom
