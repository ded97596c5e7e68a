// The messages or operations around a percentile of their time, and sums over them: found in two visits of
// all, so that memory need not hold all.
//
// Up to a number of messages, bands end at exact ranks. Beyond that, times are counted in buckets
// (LogBuckets), and a band has all messages from the bucket of its first rank to the bucket of its last.
#pragma once

#include <array>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "run/recording/records.h"
#include "workload/distributions/log_buckets.h"
#include "workload/operation.h"

namespace headroom {

/// A percentile, and the width of the band around it, in hundredths of a per cent of all.
struct Band {
  const char* name;
  size_t at, around;
};
inline constexpr std::array kBands{Band{"p50", 5000, 500}, Band{"p99", 9900, 50}, Band{"p999", 9990, 5}};

/// The parts of the time of a message or an operation. `row`: its place among those with equal times.
struct Split {
  Time took;
  RowKey row;
  std::span<const Time> parts;
  std::span<const WaitRecord> waits;
};

/// A queue: node, port, queue.
using WaitPlace = std::tuple<NodeId, uint16_t, uint8_t>;
struct WaitSum {
  double queued = 0, paused = 0, ack_queued = 0, ack_paused = 0;
  double All() const { return queued + paused + ack_queued + ack_paused; }
};
/// Sums over a band, in µs.
struct BandSums {
  size_t count = 0;
  std::vector<double> parts_us;
  std::map<WaitPlace, WaitSum> waits;
};

class Bands {
 public:
  explicit Bands(size_t exact) : most_(exact) {}

  /// First visit.
  void Count(Time took, const RowKey& row);
  bool empty() const { return count() == 0; }
  /// Call it between the visits.
  void Choose();
  /// Second visit: each that was counted.
  void Add(const Split& split);
  /// The sums over kBands[band], once all are added. REQUIRES: !empty().
  BandSums Sums(size_t band) const;

 private:
  struct Place {
    Time took;
    RowKey row;
    auto operator<=>(const Place&) const = default;
  };
  struct Member {
    Place place;
    std::vector<Time> parts;
    std::vector<WaitRecord> waits;
  };
  /// In ps.
  struct WholeSum {
    int64_t queued = 0, paused = 0, ack_queued = 0, ack_paused = 0;
  };
  struct Chosen {
    Place from{}, to{};  ///< exact: the first and the last
    uint32_t from_bucket = 0, to_bucket = 0;
    std::vector<Member> members;  ///< exact
    size_t count = 0;             ///< in buckets: sums, which do not depend on the order
    std::vector<int64_t> parts;
    std::map<WaitPlace, WholeSum> waits;
  };
  bool exact() const { return buckets_.count() == 0; }
  size_t count() const { return exact() ? each_.size() : buckets_.count(); }
  static void AddTo(Chosen& band, const Split& split);
  static BandSums SumsOf(const Chosen& band);

  size_t most_;
  std::vector<Place> each_;
  LogBuckets buckets_;
  std::array<Chosen, kBands.size()> chosen_;
};

}  // namespace headroom
