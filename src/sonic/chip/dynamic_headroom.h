// The headroom of a lossless profile as SONiC's dynamic buffer model computes it for Spectrum switches.
//
// Source: sonic-swss, cfgmgr/buffer_headroom_mellanox.lua; pause quanta after IEEE 802.3, 31B.3.7. Bytes, and
// in floating point like the source: only the results are whole, rounded up to 1024 bytes.
#pragma once

#include <cstdint>

#include "sim/units.h"
#include "sonic/chip/spectrum.h"

namespace headroom {

struct DynamicHeadroomInput {
  enum class Formula {
    script,  ///< what SONiC runs today
    design   ///< its design document (SONiC, doc/qos/dynamically-headroom-calculation.md): small packets by
             ///< number instead of bytes, the cells of a small packet not rounded up, no margin. Tables for
             ///< Spectrum-3 (SN4600C-C64) were made so, with a port MTU of 9216.
  };
  Formula formula = Formula::script;
  SpectrumAsic asic;
  Rate speed;
  int64_t cable_m = 0;
  Bytes port_mtu{9100};
  Bytes lossless_mtu{1024};       ///< LOSSLESS_TRAFFIC_PATTERN mtu
  int small_packet_percent = 50;  ///< LOSSLESS_TRAFFIC_PATTERN small_packet_percentage: of packets, not bytes
  Time gearbox{};                 ///< one pass
  int lanes = 4;                  ///< eight: the port has two buffer units
  bool shared_headroom = false;   ///< the ingress pool has an xoff, or over_subscribe_ratio is not zero
};

struct DynamicHeadroom {
  // What arrives after XOFF, in bytes of the wire.
  double port_frame = 0;  ///< port MTU, which the pause may wait for
  double cable = 0;       ///< both ways, light at 198 000 km/s
  double gearbox = 0;     ///< both passes
  double mac_phy = 0;
  double response = 0;        ///< of the peer
  double tile = 0;            ///< between the tiles of Spectrum-4 and 5
  double lossless_frame = 0;  ///< lossless MTU, which the peer finishes; not subject to cell_occupancy
  double cell_occupancy = 0;  ///< buffer bytes for each byte of the wire

  Bytes xoff, xon, size;  ///< BUFFER_PROFILE's fields
  double OnWire() const { return port_frame + cable + gearbox + mac_phy + response + tile; }
};

/// REQUIRES: speed > 0, 0 ≤ cable_m, 0 < lossless_mtu, 0 ≤ small_packet_percent ≤ 100.
DynamicHeadroom ComputeDynamicHeadroom(const DynamicHeadroomInput& in);

}  // namespace headroom
