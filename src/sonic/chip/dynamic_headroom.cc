#include "sonic/chip/dynamic_headroom.h"

#include <cmath>

namespace headroom {
namespace {

constexpr double kKibi = 1024;
constexpr double kSmallPacket = 64;

Bytes InWholeKibi(double bytes) { return Bytes(static_cast<int64_t>(std::ceil(bytes / kKibi))) * 1024; }

/// Pause quanta by speed; a speed that is not in the table gets a fixed time.
double PeerResponse(double mbps) {
  struct Row {
    double mbps, quanta;
  };
  static constexpr Row kTable[] = {{100, 1},     {1000, 2},     {10000, 67},   {25000, 80},   {40000, 118},
                                   {50000, 147}, {100000, 394}, {200000, 453}, {400000, 905}, {800000, 905}};
  for (const Row& row : kTable) {
    if (row.mbps == mbps) return row.quanta * 512 / 8;
  }
  return 3.8 * kKibi;
}

/// Buffer bytes per byte of the wire if this percentage of the packets has the minimum size.
double CellOccupancy(const DynamicHeadroomInput& in, double small_packets) {
  const auto cell = static_cast<double>(in.asic.cell.v);
  const auto mtu = static_cast<double>(in.lossless_mtu.v);
  double worst = cell > 2 * kSmallPacket ? cell / kSmallPacket : 2 * cell / (1 + cell);
  double percent = small_packets;
  if (in.formula == DynamicHeadroomInput::Formula::script) {
    worst = std::ceil(worst);
    // The share of a small packet's bytes in those of a mean packet, regardless of their number, as in the
    // source.
    percent = 100 * kSmallPacket / ((small_packets * kSmallPacket + (100 - small_packets) * mtu) / 100);
  }
  return (100 - percent + percent * worst) / 100;
}

}  // namespace

DynamicHeadroom ComputeDynamicHeadroom(const DynamicHeadroomInput& in) {
  const double mbps = static_cast<double>(in.speed.v) / 1e6;
  const bool two_units = in.lanes == 8;
  DynamicHeadroom need;
  need.port_frame = static_cast<double>(in.port_mtu.v);
  need.cable = 2 * static_cast<double>(in.cable_m) * mbps * 1e9 / 198000000 / 8000;
  need.gearbox = 2 * (mbps * static_cast<double>(in.gearbox.v) / 1000 / (8 * kKibi));
  need.mac_phy = 0.8 * kKibi;
  need.response = PeerResponse(mbps);
  need.tile = in.asic.generation == 4 || in.asic.generation == 5 ? mbps / 1000 * 120 / 8 : 0;
  need.lossless_frame = static_cast<double>(in.lossless_mtu.v);
  need.cell_occupancy = CellOccupancy(in, in.small_packet_percent);

  need.xoff = InWholeKibi(need.lossless_frame + need.OnWire() * need.cell_occupancy);
  if (in.formula == DynamicHeadroomInput::Formula::script && !in.shared_headroom &&
      in.small_packet_percent != 100) {
    // A group's own headroom has a margin, limited to the need of small packets alone.
    const Bytes with_margin = need.xoff + Bytes(2048);
    if (with_margin < InWholeKibi(need.lossless_frame + need.OnWire() * CellOccupancy(in, 100)))
      need.xoff = with_margin;
  }
  if (in.asic.generation == 6) need.xoff += Bytes(18 * 1024);

  need.xon = InWholeKibi(static_cast<double>(in.asic.pipeline.v) * (two_units ? 2 : 1));
  need.size = need.xon;
  if (!in.shared_headroom)
    need.size =
        InWholeKibi(static_cast<double>((need.xoff + need.xon + (two_units ? in.port_mtu : Bytes())).v));
  return need;
}

}  // namespace headroom
