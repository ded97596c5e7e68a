// The ASICs for which SONiC computes headroom and pools, with the constants of these computations.
//
// Source: SONiC's ASIC_TABLE and PERIPHERAL_TABLE (sonic-buildimage, platform/mellanox/asic_table.j2,
// peripheral_table.j2). Other vendors' switches have look-up tables instead.
#pragma once

#include <optional>
#include <string_view>

#include "sim/units.h"

namespace headroom {

struct SpectrumAsic {
  int generation = 0;  ///< generation of Spectrum, 1 to 6
  Bytes cell;
  Bytes pipeline;  ///< bytes that arrive while a frame crosses the pipeline, at a port with one buffer unit
  Bytes shp_reserved_port;  ///< a port's own headroom in addition to a shared headroom pool
  Bytes shp_most_port;      ///< maximum that a port may take from a shared headroom pool
  bool operator==(const SpectrumAsic&) const = default;
};

/// The error for a switch with a Spectrum-6, with the one way to simulate it.
inline constexpr const char* kNoSpectrum6 = "the buffer of Spectrum-6 is not supported yet";
inline constexpr const char* kInsteadOfSpectrum6 =
    "in place of the file, describe the buffer in the scenario: buffer: {size: …, cell: …, tables: …}";

/// Returns none unless 1 ≤ generation ≤ 6.
std::optional<SpectrumAsic> FindSpectrum(int generation);

/// The generation in a switch of this platform, "x86_64-mlnx_msn2700-r0", by its model number: 2xxx to 6xxx
/// are 1, 2, 3, 4 and 6, the SN5640 is 5. Returns none for other vendors' platforms.
std::optional<SpectrumAsic> SpectrumOfPlatform(std::string_view platform);

/// The delay of the gearbox between ASIC and ports. Only the SN3800 has one; for others the delay is zero.
Time GearboxDelayOfPlatform(std::string_view platform);

}  // namespace headroom
