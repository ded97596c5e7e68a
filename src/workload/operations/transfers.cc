#include "workload/operations/transfers.h"

#include <algorithm>

namespace headroom {

namespace {

ClientGenerator::Parameters ParametersOf(const TransferArrivals& a) {
  return {.clients = a.from, .start = a.start, .stop = a.stop, .rate = a.rate};
}

}  // namespace

TransferGenerator::TransferGenerator(const TransferArrivals& arrivals, const WorkloadParameters& workload,
                                     uint32_t index, const OperationGround& ground)
    : ClientGenerator(ParametersOf(arrivals), workload, index, ground.hosts, ground.offers),
      arrivals_(arrivals) {
  for (const Client& c : clients()) picks_.emplace_back(StreamsOf(c.id, workload, ground.hosts) + "/picks");
}

/// Draws one of a thread's connections: every `threads`-th from its own number on.
uint32_t TransferGenerator::Pick(Client& client, uint32_t thread) {
  const auto threads = static_cast<uint32_t>(arrivals_.threads);
  const uint32_t own = (static_cast<uint32_t>(arrivals_.connections) - thread + threads - 1) / threads;
  return thread + threads * static_cast<uint32_t>(picks_[client.place].Below(own));
}

void TransferGenerator::Begin(Client& client, uint32_t) {
  const auto connections = static_cast<uint32_t>(arrivals_.connections);
  const uint32_t loops =
      arrivals_.random ? std::min(static_cast<uint32_t>(arrivals_.threads), connections) : connections;
  for (int i = 0; i < arrivals_.window; ++i) {
    for (uint32_t n = 0; n < loops; ++n) OfferOn(client, arrivals_.random ? Pick(client, n) : n);
  }
}

/// Offers a payload at a rate.
void TransferGenerator::Offer(Client& client, uint32_t) {
  const auto connections = static_cast<uint32_t>(arrivals_.connections);
  OfferOn(client, static_cast<uint32_t>(picks_[client.place].Below(connections)));
}

/// A connection that has failed gets no further requests.
void TransferGenerator::OnEnded(const OperationRecord& ended) {
  if (IsOpen() || IsOver() || ended.status == OperationStatus::failed) return;
  Client& client = *Find(ended.client);
  const auto connection = static_cast<uint32_t>(ended.target);
  OfferOn(client, arrivals_.random ? Pick(client, connection % static_cast<uint32_t>(arrivals_.threads))
                                   : connection);
}

void TransferGenerator::OfferOn(Client& client, uint32_t connection) {
  OperationRequest request;
  request.client = client.id;
  request.kind = arrivals_.kind;
  request.bytes = static_cast<uint32_t>(arrivals_.size.v);
  request.target = connection;
  Put(request, false);
}

}  // namespace headroom
