// perftest's bandwidth loop.
#pragma once

#include "protocol/perftest/perf_connection.h"

namespace headroom {

class BandwidthLoop {
 public:
  /// REQUIRES: `test` and `times` outlive this object.
  BandwidthLoop(Nic& from, Nic& to, const PerfTest& test, PerfTimes& times);
  void Start() { Post(); }

 private:
  struct Progress {
    int posted = 0, completed = 0;
  };
  void Post();
  void OnSent();
  void OnReceived();

  const PerfTest& test_;
  PerfTimes& times_;
  PerfConnection connection_;
  std::vector<Progress> progress_;  ///< indexed by queue pair
  size_t completed_ = 0;
};

}  // namespace headroom
