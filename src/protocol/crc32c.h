// CRC-32C (Castagnoli), as iSCSI and NVMe have it: RFC 3720, appendix B.4.
#pragma once

#include <cstdint>
#include <span>

namespace headroom {

/// Of `bytes` behind those whose CRC is `before`.
uint32_t Crc32c(std::span<const uint8_t> bytes, uint32_t before = 0);

}  // namespace headroom
