#include "protocol/core_costs.h"

#include <cmath>

namespace headroom {

Time CoreCosts::Of(double cycles) const {
  return clock_hz <= 0 ? Time(0) : Time(std::llround(cycles / clock_hz * 1e12));
}

Time CoreCosts::OfRdma(int64_t messages, int64_t bytes) const {
  return Of(rdma.cycles_per_message * static_cast<double>(messages) +
            rdma.cycles_per_byte * static_cast<double>(bytes));
}

Time CoreCosts::OfTcpSent(int64_t aggregates, int64_t bytes, int64_t summed) const {
  return Of(tcp.cycles_per_message * static_cast<double>(aggregates) +
            tcp.cycles_per_byte_sent * static_cast<double>(bytes) +
            tcp.cycles_per_byte_crc * static_cast<double>(summed));
}

Time CoreCosts::OfTcpReceived(int64_t aggregates, int64_t bytes, int64_t summed) const {
  return Of(tcp.cycles_per_message * static_cast<double>(aggregates) +
            tcp.cycles_per_byte_received * static_cast<double>(bytes) +
            tcp.cycles_per_byte_crc * static_cast<double>(summed));
}

}  // namespace headroom
