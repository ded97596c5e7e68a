#include "nic/resources/resource_parameters.h"

#include <algorithm>

namespace headroom {
namespace {

/// PCIe 3.0: 984.6 MB/s per lane.
PcieParameters Pcie3(int lanes) {
  PcieParameters pcie;
  pcie.bandwidth = MegabitsPerSecond(7'880) * lanes;
  pcie.latency = Nanoseconds(200);
  pcie.write_header = Bytes(26);
  pcie.response_header = Bytes(22);
  return pcie;
}

ResourceSet Named(std::string name) {
  ResourceSet set;
  set.resources.set = std::move(name);
  return set;
}

ResourceSet ConnectX3(std::string name) {
  ResourceSet set = Named(std::move(name));
  ResourceParameters& r = set.resources;
  r.pio_line = Picoseconds(17'000);
  r.tx_inline = Picoseconds(27'800);
  r.tx_fetched = Picoseconds(55'000);
  r.tx_read = Picoseconds(45'500);
  r.tx_ack = Picoseconds(2'000);
  r.tx_completion = Picoseconds(2'000);
  r.rx_write = Picoseconds(28'600);
  r.rx_recv = Picoseconds(45'500);
  r.rx_read = Picoseconds(38'500);
  r.read_segment = Picoseconds(9'800);
  r.engine_message = Picoseconds(16'700);
  r.engine_line = Picoseconds(5'100);
  r.engine_recv = Picoseconds(9'100);
  r.pcie = Pcie3(8);
  r.contexts.entries = 1512;
  r.contexts.miss = Nanoseconds(680);
  r.contexts.weight = {9, 9, 9, 5, 1};
  r.contexts.overlap = {2, 2, 16, 2, 16};
  r.turn = Kibibytes(4);
  set.rx_buffer = RxBufferParameters{Kibibytes(256), Kibibytes(128), Kibibytes(96)};
  return set;
}

ResourceSet ConnectX3OnPcie2() {
  ResourceSet set = ConnectX3("connectx3-pcie2-x8");
  ResourceParameters& r = set.resources;
  r.pio_line = Picoseconds(33'500);
  r.tx_fetched = Picoseconds(155'000);
  r.pcie.bandwidth = GigabitsPerSecond(32);
  r.pcie.write_header = Bytes(24);
  r.pcie.response_header = Bytes(20);
  return set;
}

/// As ConnectX-3, with contexts that are fetched one at a time.
ResourceSet Gen1() {
  ResourceSet set = ConnectX3("gen1");
  ContextCacheParameters& contexts = set.resources.contexts;
  contexts = {};
  contexts.entries = 100;
  contexts.miss = Nanoseconds(300);
  set.resources.turn = Bytes(0);
  return set;
}

/// As ConnectX-3, with `faster` times as many messages per second, on 16 lanes of `bandwidth` in total.
ResourceSet Newer(std::string name, int64_t faster, Rate bandwidth, uint32_t contexts) {
  ResourceSet set = ConnectX3(std::move(name));
  ResourceParameters& r = set.resources;
  for (Time ResourceParameters::*cost :
       {&ResourceParameters::tx_inline, &ResourceParameters::tx_fetched, &ResourceParameters::tx_read,
        &ResourceParameters::tx_ack, &ResourceParameters::tx_completion, &ResourceParameters::rx_write,
        &ResourceParameters::rx_recv, &ResourceParameters::rx_read, &ResourceParameters::read_segment,
        &ResourceParameters::engine_message, &ResourceParameters::engine_line,
        &ResourceParameters::engine_recv}) {
    r.*cost = r.*cost / faster;
  }
  r.pio_line = r.pio_line / 2;
  r.pcie.bandwidth = bandwidth;
  r.turn = Bytes(0);
  r.contexts = {};
  r.contexts.entries = contexts;
  r.contexts.miss = Nanoseconds(300);
  r.contexts.overlap.fill(16);
  set.rx_buffer = RxBufferParameters{Kibibytes(512), Kibibytes(256), Kibibytes(192)};
  return set;
}

const std::vector<ResourceSet>& Sets() {
  static const std::vector<ResourceSet> all{Named("ideal"),
                                            ConnectX3("connectx3-pcie3-x8"),
                                            ConnectX3OnPcie2(),
                                            Gen1(),
                                            Newer("gen2", 4, MegabitsPerSecond(126'000), 1000),
                                            Newer("gen3", 6, MegabitsPerSecond(252'000), 4000)};
  return all;
}

}  // namespace

bool ResourceParameters::Ideal() const {
  // A set without costs keeps only its name, and the sizes of work requests and of the buffer.
  ResourceParameters costless;
  costless.set = set;
  costless.wqe_connected = wqe_connected;
  costless.wqe_datagram = wqe_datagram;
  costless.turn = turn;
  costless.tx_buffer = tx_buffer;
  return *this == costless;
}

std::optional<ResourceSet> FindResourceSet(std::string_view name) {
  const auto at = std::ranges::find(Sets(), name, [](const ResourceSet& s) { return s.resources.set; });
  if (at == Sets().end()) return std::nullopt;
  return *at;
}

std::vector<std::string> ResourceSetNames() {
  std::vector<std::string> names;
  for (const ResourceSet& s : Sets()) names.push_back(s.resources.set);
  return names;
}

}  // namespace headroom
