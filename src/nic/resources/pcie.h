// The NIC's PCIe link: each direction is a station with a bandwidth, packets (TLPs) with headers, and a
// latency.
//
// Source: Kalia et al., USENIX ATC 2016, section 3 (header sizes, read completions in units of 128 B).
#pragma once

#include "nic/resources/resource_parameters.h"
#include "nic/resources/station.h"

namespace headroom {

class Pcie {
 public:
  explicit Pcie(const PcieParameters& parameters) : p_(parameters) {}

  /// The NIC reads `bytes` of the host's memory at `at`. Returns when it has the bytes.
  Time Read(Time at, int64_t bytes) { return down_.Serve(at, ReadTakes(bytes)) + p_.latency * 2; }
  /// The NIC writes `bytes` to the host's memory at `at`. Returns when they are there.
  Time Write(Time at, int64_t bytes) { return up_.Serve(at, WriteTakes(bytes)) + p_.latency; }
  /// The time for which the read occupies the link.
  Time ReadTakes(int64_t bytes) const {
    constexpr int64_t kCompletion = 128;
    return Carry(bytes, kCompletion, p_.response_header);
  }
  Time WriteTakes(int64_t bytes) const {
    constexpr int64_t kPayload = 256;
    return Carry(bytes, kPayload, p_.write_header);
  }
  /// The time when the reads, or writes, so far have passed.
  Time read_free() const { return down_.free; }
  Time write_free() const { return up_.free; }
  Time latency() const { return p_.latency; }

 private:
  Time Carry(int64_t bytes, int64_t unit, Bytes header) const {
    if (p_.bandwidth.v == 0 || bytes == 0) return {};
    return SerializationTime(Bytes(bytes + header.v * ((bytes + unit - 1) / unit)), p_.bandwidth);
  }
  PcieParameters p_;
  Station down_, up_;
};

}  // namespace headroom
