// The headroom of a lossless profile as SONiC's dynamic buffer model computes it for Spectrum switches.
//
// Source: sonic-swss, cfgmgr/buffer_headroom_mellanox.lua; pause quanta after IEEE 802.3, 31B.3.7. In bytes,
// and in floating point like the source: only the results are whole, rounded up to 1024 bytes.
#pragma once

#include <cstdint>

#include "sim/units.h"
#include "sonic/chip/spectrum.h"

namespace headroom {

struct DynamicHeadroomInput {
  enum class Formula {
    script,  ///< SONiC's present script
    design  ///< SONiC's design document (doc/qos/dynamically-headroom-calculation.md): small packets count by
            ///< number instead of bytes, the cells of a small packet are not rounded up, and there is no
            ///< margin. The tables for Spectrum-3 (SN4600C-C64) follow it, with a port MTU of 9216.
  };
  Formula formula = Formula::script;
  SpectrumAsic asic;
  Rate speed;
  int64_t cable_m = 0;
  Bytes port_mtu{9100};
  Bytes lossless_mtu{1024};       ///< LOSSLESS_TRAFFIC_PATTERN mtu
  int small_packet_percent = 50;  ///< LOSSLESS_TRAFFIC_PATTERN small_packet_percentage: per cent of packets,
                                  ///< not of bytes
  Time gearbox{};                 ///< delay of one pass
  int lanes = 4;                  ///< eight: the port has two buffer units
  bool shared_headroom = false;   ///< the ingress pool has an xoff, or over_subscribe_ratio is not zero
};

struct DynamicHeadroom {
  // The bytes of the wire that arrive after XOFF:
  double port_frame = 0;  ///< port MTU, for which the pause may wait
  double cable = 0;       ///< in both directions, light at 198 000 km/s
  double gearbox = 0;     ///< both passes
  double mac_phy = 0;
  double response = 0;        ///< response of the peer
  double tile = 0;            ///< delay between the tiles of Spectrum-4 and 5
  double lossless_frame = 0;  ///< lossless MTU, which the peer completes; not subject to cell_occupancy
  double cell_occupancy = 0;  ///< buffer bytes per byte of the wire

  Bytes xoff, xon, size;  ///< BUFFER_PROFILE's fields
  double OnWire() const { return port_frame + cable + gearbox + mac_phy + response + tile; }
};

/// REQUIRES: speed > 0, 0 ≤ cable_m, 0 < lossless_mtu, 0 ≤ small_packet_percent ≤ 100.
DynamicHeadroom ComputeDynamicHeadroom(const DynamicHeadroomInput& in);

}  // namespace headroom
