#include "analysis/bounds/ideal_time.h"

#include <algorithm>

namespace headroom {
namespace {

/// The times of equally large frames on each hop.
class HopCosts {
 public:
  HopCosts(const std::vector<IdealHop>& hops, Bytes on_wire) {
    sums_.push_back(Time());
    for (const IdealHop& hop : hops) {
      costs_.push_back(hop.Takes(on_wire));
      sums_.push_back(sums_.back() + costs_.back());
    }
  }

  size_t hops() const { return costs_.size(); }

  /// The heaviest path of `frames` equal frames from hop `from` to hop `to`, both included; 0 frames have no
  /// weight.
  Time Run(int64_t frames, size_t from, size_t to) const {
    if (frames == 0) return Time();
    const Time slowest = *std::max_element(costs_.begin() + from, costs_.begin() + to + 1);
    return sums_[to + 1] - sums_[from] + slowest * (frames - 1);
  }

 private:
  std::vector<Time> costs_;
  std::vector<Time> sums_;  ///< sums of the costs before each hop
};

/// The message as runs of equal frames.
struct Frames {
  HopCosts first, middle, last;
  int64_t count;

  /// The heaviest path from the first frame at the first hop to the r-th frame at the last hop.
  Time HeaviestTo(int64_t r) const {
    const size_t end = first.hops() - 1;
    if (r == 1) return first.Run(1, 0, end);
    // The path leaves the first frame at hop j, and, if r is the last frame, the middle ones at hop k.
    const bool to_last = r == count;
    const int64_t in_middle = to_last ? r - 2 : r - 1;
    Time heaviest;
    for (size_t j = 0; j <= end; ++j) {
      const Time head = first.Run(1, 0, j);
      for (size_t k = to_last ? j : end; k <= end; ++k) {
        if (in_middle == 0 && k != j) break;
        const Time tail = to_last ? last.Run(1, k, end) : Time();
        heaviest = std::max(heaviest, head + middle.Run(in_middle, j, k) + tail);
      }
    }
    return heaviest;
  }
};

Time Constants(const std::vector<IdealHop>& hops) {
  Time sum;
  for (const IdealHop& hop : hops) sum += hop.delay + hop.latency;
  return sum;
}

/// Follows the frames of a message that is larger than its sender's window, and the times at which each hop
/// is free again, in both directions.
class Windowed {
 public:
  Windowed(const IdealPath& path, Bytes size, Operation operation)
      : path_(path), free_(path.data.size()), free_back_(path.acks.size()) {
    const FrameFormat& format = path.frames;
    count_ = std::max<int64_t>(1, (size.v + path.mtu - 1) / path.mtu);
    // Times when the last ACKs took effect: as many as one window of packets causes.
    std::vector<Time> answered(static_cast<size_t>(path.window / path.ack_every + 2));
    size_t acks = 0;
    for (int64_t i = 0; i < count_; ++i) {
      const bool last = i + 1 == count_;
      const int64_t payload = last ? size.v - i * path.mtu : path.mtu;
      const Bytes frame = format.OnWire(format.Data(operation, payload, i == 0, last));
      arrived_ = Cross(path.data, free_, Start(i, answered), frame) + path.receiver_rx_latency;
      if ((i + 1) % path.ack_every != 0 && !last) continue;
      const Time sent = arrived_ + path.acks.front().latency;
      completed_ = Cross(path.acks, free_back_, sent, format.OnWire(format.Ack())) + path.sender_rx_latency;
      answered[acks++ % answered.size()] = completed_;
    }
  }
  Time arrived() const { return arrived_; }
  Time completed() const { return completed_; }

 private:
  /// The time when the host may start this frame.
  Time Start(int64_t i, const std::vector<Time>& answered) const {
    const Time latency = path_.data.front().latency;
    if (i == 0) return latency;
    if (i < path_.window) return free_.front();
    const Time opened = answered[static_cast<size_t>((i - path_.window) / path_.ack_every) % answered.size()];
    // If the previous frame has just left, the port asks for the next before the receive latency is over.
    const bool in_time = path_.sender_rx_latency == Time{} ? opened <= free_.front() : opened < free_.front();
    return in_time ? free_.front() : opened + latency;
  }
  /// A frame passes all hops, the first of them not before `start`. Returns the arrival of its last bit.
  static Time Cross(const std::vector<IdealHop>& hops, std::vector<Time>& free, Time start, Bytes on_wire) {
    Time at = start;
    for (size_t j = 0; j < hops.size(); ++j) {
      if (j > 0) at += hops[j].latency;
      free[j] = std::max(at, free[j]) + hops[j].Takes(on_wire);
      at = free[j] + hops[j].delay;
    }
    return at;
  }

  const IdealPath& path_;
  std::vector<Time> free_, free_back_;
  int64_t count_ = 0;
  Time arrived_, completed_;
};

/// The range of PSNs, which no lone message fills before its first ACK, does not count as a window here.
bool FillsWindow(const IdealPath& path, Bytes size) {
  return path.window < static_cast<int64_t>(kPsnWindow) && size.v > path.window * path.mtu;
}

/// The frames of a message with such operations.
Frames FramesOf(const IdealPath& path, Bytes size, Operation operation) {
  const FrameFormat& format = path.frames;
  const int64_t count = std::max<int64_t>(1, (size.v + path.mtu - 1) / path.mtu);
  const int64_t last_payload = size.v - (count - 1) * path.mtu;
  const auto frame = [&](int64_t payload, bool first, bool last) {
    return HopCosts(path.data, format.OnWire(format.Data(operation, payload, first, last)));
  };
  return {frame(count == 1 ? last_payload : path.mtu, true, count == 1), frame(path.mtu, false, false),
          frame(last_payload, false, true), count};
}

/// The round trip of a request for a context.
Time Asking(const IdealPath& path) {
  if (!path.asks) return Time();
  const FrameFormat& format = path.frames;
  const HopCosts ask(path.data, format.OnWire(format.Ask()));
  const HopCosts grant(path.acks, format.OnWire(format.AckWith(format.transfer)));
  return ask.Run(1, 0, path.data.size() - 1) + grant.Run(1, 0, path.acks.size() - 1) + Constants(path.data) +
         path.receiver_rx_latency + Constants(path.acks) + path.sender_rx_latency;
}

}  // namespace

Time IdealArrival(const IdealPath& path, Bytes size, Operation operation) {
  if (FillsWindow(path, size)) return Windowed(path, size, operation).arrived() + Asking(path);
  const Frames frames = FramesOf(path, size, operation);
  return frames.HeaviestTo(frames.count) + Constants(path.data) + path.receiver_rx_latency + Asking(path);
}

Time IdealCompletion(const IdealPath& path, Bytes size, Operation verb) {
  const bool read = verb == Operation::read_request;
  if (!read && FillsWindow(path, size)) return Windowed(path, size, verb).completed() + Asking(path);
  const FrameFormat& format = path.frames;
  const Frames frames = FramesOf(path, size, read ? Operation::read_response : verb);
  const int64_t count = frames.count;
  const Time constants =
      Constants(path.data) + path.receiver_rx_latency + Constants(path.acks) + path.sender_rx_latency;
  const size_t back = path.acks.size() - 1;
  if (read) {
    const HopCosts request(path.acks, format.OnWire(format.ReadRequest()));
    return request.Run(1, 0, back) + frames.HeaviestTo(count) + constants;
  }
  const HopCosts ack(path.acks, format.OnWire(format.Ack()));
  const int64_t acks = (count + path.ack_every - 1) / path.ack_every;

  // The path turns around at the frame that causes the q-th ACK. Between the second and the last but one ACK
  // the weight is convex in q (a maximum of linear functions), so its maximum is at an end of that range.
  Time heaviest;
  for (const int64_t q : {int64_t{1}, int64_t{2}, acks - 1, acks}) {
    if (q < 1 || q > acks) continue;
    const int64_t turning = std::min(q * path.ack_every, count);
    heaviest = std::max(heaviest, frames.HeaviestTo(turning) + ack.Run(acks - q + 1, 0, back));
  }
  return heaviest + constants + Asking(path);
}

}  // namespace headroom
