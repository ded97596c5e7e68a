// The common parts of both loops: connected queue pairs of two hosts, registered memory at both ends, and the
// test's work request.
#pragma once

#include "nic/nic.h"
#include "protocol/perftest/perf.h"

namespace headroom {

/// One end of a test.
struct PerfEnd {
  Verbs* verbs = nullptr;
  CompletionQueue* send_cq = nullptr;
  CompletionQueue* recv_cq = nullptr;
  MemoryRegion* memory = nullptr;  ///< memory that the other end writes and reads
  std::vector<QueuePair*> qps;
};

class PerfConnection {
 public:
  PerfConnection(Nic& from, Nic& to, const PerfTest& test);

  PerfEnd& client() { return client_; }
  PerfEnd& server() { return server_; }
  /// The test's work request, from one of the ends.
  SendWr Request(const PerfEnd& from, size_t qp, bool signaled) const;
  void PostReceive(const PerfEnd& at, size_t qp) const;

 private:
  PerfEnd MakeEnd(Nic& nic) const;

  const PerfTest& test_;
  PerfEnd client_, server_;
};

}  // namespace headroom
