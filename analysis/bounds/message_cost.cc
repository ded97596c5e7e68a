#include "analysis/bounds/message_cost.h"

#include <algorithm>
#include <cmath>

#include "scenario/expected_traffic.h"

namespace headroom {
namespace {

/// ∫ max(1, ceil(t / step)) dt from 0 to x: n whole steps of 1, 2, …, n pieces, then n + 1.
double PiecesUpTo(double x, double step) {
  const double n = std::floor(x / step);
  return step * n * (n + 1) / 2 + (n + 1) * (x - n * step);
}

double Pieces(double size, double step) { return std::max(1.0, std::ceil(size / step)); }

/// Average over messages of max(1, ceil(size / step)).
struct PiecesOf {
  double step;

  double operator()(const PoissonArrivals& a) const {
    return a.sizes ? MeanPieces(*a.sizes, step) : Pieces(static_cast<double>(a.size.v), step);
  }
  double operator()(const IncastArrivals& a) const { return Pieces(static_cast<double>(a.size.v), step); }
  double operator()(const PermutationArrivals& a) const {
    return Pieces(static_cast<double>(a.size.v), step);
  }
  double operator()(const StreamArrivals& a) const { return Pieces(static_cast<double>(a.message.v), step); }
  double operator()(const PostingArrivals& a) const { return Pieces(static_cast<double>(a.message.v), step); }
  double operator()(const IoArrivals& a) const {
    double mean = 0;
    if (a.write_blocks.empty()) {
      for (const IoBlock& b : a.blocks) mean += b.share * Pieces(static_cast<double>(b.size.v), step);
    } else {
      ForEachBlock(a, [&](bool, Bytes size, double share) {
        mean += share * Pieces(static_cast<double>(size.v), step);
      });
    }
    return mean;
  }
  double operator()(const KeyValueArrivals& a) const {
    return Pieces(static_cast<double>((a.key + a.value).v), step);
  }
  double operator()(const TransferArrivals& a) const { return Pieces(static_cast<double>(a.size.v), step); }
  double operator()(const ListArrivals& a) const {
    double sum = 0;
    for (const auto& m : a.messages) sum += Pieces(static_cast<double>(m.size.v), step);
    return sum / std::max<double>(1, static_cast<double>(a.messages.size()));
  }
};

}  // namespace

double MeanPieces(const SizeDistribution& sizes, double step) {
  const auto& points = sizes.points;
  double mean = points.front().cumulative * Pieces(points.front().bytes, step);
  for (size_t i = 1; i < points.size(); ++i) {
    const double from = points[i - 1].bytes, to = points[i].bytes;
    const double share = points[i].cumulative - points[i - 1].cumulative;
    if (share <= 0) continue;
    const double pieces =
        to > from ? (PiecesUpTo(to, step) - PiecesUpTo(from, step)) / (to - from) : Pieces(to, step);
    mean += share * pieces;
  }
  return mean;
}

MessageCost CostOfMessages(const WorkloadParameters& workload, int64_t mtu, int ack_every,
                           const FrameFormat& frames) {
  const auto step = static_cast<double>(mtu);
  MessageCost cost;
  cost.payload = MeanMessage(workload);
  cost.packets = std::visit(PiecesOf{step}, workload.arrivals);
  // An ACK for every n-th packet and for the last: ceil(ceil(x / m) / n) = ceil(x / (m n)).
  cost.acks = std::visit(PiecesOf{step * ack_every}, workload.arrivals);
  Bytes back = frames.Ack();
  Operation data = workload.verb;
  if (data == Operation::read_request) {
    cost.acks = 1;
    back = frames.ReadRequest();
    data = Operation::read_response;
  }
  // Among longer messages, those of a single response have one AETH and not two.
  const int64_t extended = cost.packets > 1
                               ? frames.Extended(data, true, false) + frames.Extended(data, false, true)
                               : frames.Extended(data, true, true);
  cost.data_wire = cost.payload + cost.packets * static_cast<double>(frames.header + frames.gap) +
                   static_cast<double>(extended);
  cost.ack_wire = cost.acks * static_cast<double>(frames.OnWire(back).v);
  return cost;
}

}  // namespace headroom
