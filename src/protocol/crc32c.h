// CRC-32C (Castagnoli), as in iSCSI and NVMe: RFC 3720, appendix B.4.
#pragma once

#include <cstdint>
#include <span>

namespace headroom {

/// The CRC of `bytes` behind other bytes with the CRC `before`.
uint32_t Crc32c(std::span<const uint8_t> bytes, uint32_t before = 0);

/// The last four bytes of a message are the CRC of the others, little-endian. Seal writes it, and IsSealed
/// checks it.
void Seal(std::span<uint8_t> message);
bool IsSealed(std::span<const uint8_t> message);

}  // namespace headroom
