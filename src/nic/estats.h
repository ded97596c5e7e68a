// RDMA Estats: how long operations took, for the NIC and for who waits for them, in histograms by connection,
// operation, status and interval (Bai et al., NSDI 2023).
//
// T1 is when a work request was posted, T5 when its completion was written, T6 when it was polled. T5−T1 is
// what the NIC and the network took, with the error of the NIC's clock (nic/clock.h), T6−T1 what the program
// waited.
#pragma once

#include <map>

#include "nic/clock.h"
#include "nic/latency_histogram.h"
#include "nic/verbs/work_request.h"

namespace headroom {

class Nic;

class Estats {
 public:
  struct Key {
    int64_t interval = 0;  ///< that ends at interval × every, that instant included; from 1
    NodeId host = 0;       ///< that posted
    NodeId peer = 0;       ///< kNoPeer: unknown
    uint32_t qp = 0;
    WcOpcode operation = WcOpcode::send;
    WcStatus status = WcStatus::success;
    auto operator<=>(const Key&) const = default;
  };
  struct Spans {
    LatencyHistogram t5_t1, t6_t1;
  };

  /// What is posted before `from` is left out. REQUIRES: every > 0.
  explicit Estats(Time every, Time from = {}) : every_(every), from_(from) {}

  /// Counts whatever the programs of this host poll from now on. REQUIRES: this outlives the run.
  void Watch(Nic& nic);
  /// An operation that ended: posted at `t1`, completed at `t5`, polled at `t6`, in true time. The interval
  /// is that of t6; key.interval is not looked at.
  void Add(Key key, Time t1, Time t5, Time t6, const ClockParameters& clock);

  Time every() const { return every_; }
  const std::map<Key, Spans>& spans() const { return spans_; }

 private:
  void OnCompletion(const Nic& nic, NodeId peer, const Wc& wc);
  Time every_, from_;
  std::map<Key, Spans> spans_;
};

}  // namespace headroom
