// RDMA Estats: latencies of operations, for the NIC and for the waiting program, in histograms by connection,
// operation, status and interval (Bai et al., NSDI 2023).
//
// T1 is when a work request was posted, T5 when its completion was written, T6 when the program polled it.
// T5−T1 is the time in the NIC and the network, with the error of the NIC's clock (nic/clock.h). T6−T1 is the
// time that the program waited.
#pragma once

#include <map>

#include "nic/clock.h"
#include "nic/latency_histogram.h"
#include "nic/verbs/work_request.h"
#include "sim/packing.h"

namespace headroom {

class Nic;

class Estats {
 public:
  struct Key {
    int64_t interval =
        0;            ///< the interval that ends at interval × every, that instant included; counted from 1
    NodeId host = 0;  ///< the host that posted
    NodeId peer = 0;  ///< kNoPeer if unknown
    uint32_t qp = 0;
    WcOpcode operation = WcOpcode::send;
    WcStatus status = WcStatus::success;
    auto operator<=>(const Key&) const = default;
  };
  struct Spans {
    LatencyHistogram t5_t1, t6_t1;
  };

  /// Operations posted before `from` are left out. REQUIRES: every > 0.
  explicit Estats(Time every, Time from = {}) : every_(every), from_(from) {}

  /// From now on counts all completions that the programs of this host poll. REQUIRES: this object outlives
  /// the run.
  void Watch(Nic& nic);
  /// Adds an operation that ended: posted at `t1`, completed at `t5`, polled at `t6`, in true time. The
  /// interval is that of t6; key.interval is ignored.
  void Add(Key key, Time t1, Time t5, Time t6, const ClockParameters& clock);

  /// With several ranks (sim/parts.h), after the run: what this rank's hosts have counted.
  void PackShare(Packer& pack);
  /// Adds what another rank's hosts have counted.
  void Join(Unpacker& share);

  Time every() const { return every_; }
  const std::map<Key, Spans>& spans() const { return spans_; }

 private:
  void OnCompletion(const Nic& nic, NodeId peer, const Wc& wc);
  Time every_, from_;
  std::map<Key, Spans> spans_;
};

}  // namespace headroom
