#include "workload/operations/io.h"

#include <algorithm>

namespace headroom {

namespace {

ClientGenerator::Parameters ParametersOf(const IoArrivals& a) {
  return {.clients = a.from, .start = a.start, .stop = a.stop, .rate = a.rate, .even = a.even};
}

}  // namespace

IoGenerator::IoGenerator(const IoArrivals& arrivals, const WorkloadParameters& workload, uint32_t index,
                         const OperationGround& ground)
    : ClientGenerator(ParametersOf(arrivals), workload, index, ground.hosts, ground.offers),
      arrivals_(arrivals),
      disk_(ground.disk) {
  Bytes least = LargestBlock(arrivals_);
  ForEachBlock(arrivals_, [&](bool, Bytes size, double) { least = std::min(least, size); });
  std::shared_ptr<const AddressDistribution> distribution;
  if (!arrivals_.addresses.Plain())
    distribution = std::make_shared<const AddressDistribution>(arrivals_.addresses,
                                                               IoOffsets::BlocksOf(disk_, {least, least}));
  for (const Client& c : clients()) {
    const std::string name = StreamsOf(c.id, workload, ground.hosts);
    Draws& draws = draws_.emplace_back(Draws{RandomStream(name + "/kinds"), RandomStream(name + "/sizes"),
                                             RandomStream(name + "/places"), nullptr});
    if (distribution)
      draws.offsets = std::make_unique<IoOffsets>(arrivals_.addresses, disk_, std::array{least, least}, true,
                                                  distribution, name);
  }
}

void IoGenerator::Begin(Client& host, uint32_t) {
  for (int i = 0; i < arrivals_.depth; ++i) Offer(host, 0);
}

void IoGenerator::OnEnded(const OperationRecord& ended) {
  if (IsOpen() || IsOver()) return;
  Client& host = *Find(ended.client);
  if (arrivals_.think > Time(0)) return OfferAt(host, EventQueue::Get().now() + arrivals_.think);
  Offer(host, 0);
}

/// An address beyond the disk wraps around to its beginning, or is moved up.
int64_t IoGenerator::Address(Draws& draws, bool writes, int64_t bytes) {
  if (draws.offsets == nullptr) {
    const int64_t places = std::max<int64_t>(disk_.v / bytes, 1);
    return bytes * static_cast<int64_t>(draws.places.Uniform() * static_cast<double>(places));
  }
  std::optional<int64_t> at = draws.offsets->Next(writes);
  if (!at) {
    draws.offsets->Restart();
    at = draws.offsets->Next(writes);
  }
  if (*at + bytes > disk_.v)
    at = arrivals_.addresses.order == IoAddresses::Order::sequential ? 0 : disk_.v - bytes;
  draws.offsets->Take(writes, *at, bytes);
  return *at;
}

void IoGenerator::Offer(Client& host, uint32_t) {
  Draws& draws = draws_[host.place];
  OperationRequest request;
  request.client = host.id;
  const bool reads = draws.kinds.Uniform() < arrivals_.reads;
  request.kind = reads ? OperationKind::read : OperationKind::write;
  const std::vector<IoBlock>& blocks = arrivals_.BlocksOf(!reads);
  const double drawn = draws.sizes.Uniform();
  double below = 0;
  const auto block =
      std::ranges::find_if(blocks, [&](const IoBlock& b) { return drawn < (below += b.share); });
  const int64_t bytes = (block == blocks.end() ? blocks.back() : *block).size.v;
  request.bytes = static_cast<uint32_t>(bytes);
  request.target = static_cast<uint64_t>(Address(draws, !reads, bytes));
  Put(request, EventQueue::Get().now() < arrivals_.start + arrivals_.ramp);
}

}  // namespace headroom
