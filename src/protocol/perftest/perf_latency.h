// perftest's latency loop: one message at a time, in alternating directions.
#pragma once

#include "protocol/perftest/perf_connection.h"

namespace headroom {

class LatencyLoop {
 public:
  /// REQUIRES: `test` and `times` outlive this object.
  LatencyLoop(Nic& from, Nic& to, const PerfTest& test, PerfTimes& times);
  void Start() { Ping(); }

 private:
  void Post(PerfEnd& end);
  void Ping();
  void Pong() { Post(connection_.server()); }
  void OnSent(PerfEnd& end);
  void OnReceived(PerfEnd& end);

  const PerfTest& test_;
  PerfTimes& times_;
  PerfConnection connection_;
};

}  // namespace headroom
