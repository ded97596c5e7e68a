// Cost of an operation of a key-value service: its READs and calls, alone and with others.
//
// A READ consists of a request and the returned data. A call consists of a request, the work of a server's
// process, and an answer. A process that prefetches answers a request once two more have arrived behind it,
// or once `empty_polls` checks of empty slots lead to a no-op. A lone request always waits for the no-op.
// With other requests, either may come first.
//
// Type redis: a command and its reply, each in one write, and the work of threads that sleep.
//
// The cost is exact between two hosts with ideal NICs, except for the position of the server's process: a
// request waits until the process reaches its slot. The cost includes the mean over all positions.
#pragma once

#include <vector>

#include "analysis/bounds/ideal_time.h"
#include "analysis/bounds/services/wire_cost.h"
#include "scenario/scenario.h"
#include "workload/key_value_arrivals.h"

namespace headroom {

/// READs of one size, or calls of one kind, of a mean operation.
struct KeyStep {
  struct Message {
    Operation verb = Operation::read_request;
    Transport transport = Transport::rc;
    int64_t payload = 0;
  };
  double times = 0;
  Message there, back;  ///< for a READ: the request, and the data
  Time work;            ///< work of a server's process; 0: a READ
  Time client{};        ///< type redis: work of a client's thread
  bool reads() const { return there.verb == Operation::read_request; }
};

/// Two hosts from the client's view.
struct KeyEnds {
  IdealPath there, back;
};

class KeyCost {
 public:
  /// The cost of a mean operation of this workload. Keeps references.
  KeyCost(const Scenario& scenario, const KeyValueArrivals& arrivals);

  const std::vector<KeyStep>& steps() const { return steps_; }
  /// True if the steps equal those of a run. If false, a run may have fewer steps: a GET may miss, and a
  /// table's key may be found at once.
  bool exact() const { return exact_; }

  /// For a client's process with one open operation and no other traffic, in picoseconds.
  double Alone(const KeyEnds& ends) const;
  /// The minimum time from posting to the last answer, with `open` open operations in total.
  double Least(const KeyEnds& ends, int64_t open) const;
  /// The minimum time of a client's process or thread for a mean operation, in picoseconds.
  double posting() const;
  /// Work of servers' processes for a mean operation, in picoseconds.
  double work() const;
  BothWays OnWire() const;

 private:
  double SharedInPipeline() const;
  void AddGet(double times);
  void AddPut(double times);
  void AddCall(double times, const KeyStep::Message& there, const KeyStep::Message& back, int accesses);
  void AddCommand(double times, int64_t request, int64_t reply);
  void AddRead(double times, int64_t bytes);
  bool OnStreams() const { return p_.system == KeyValueSystem::redis; }
  bool AlwaysHits() const;
  Time Of(const KeyStep& step, const KeyEnds& ends, Time served) const;
  Time ServedAlone(const KeyStep& step) const;
  Time Awake() const;

  const Scenario& scenario_;
  const KeyValueArrivals& kv_;
  const KeyValueParameters& p_;
  std::vector<KeyStep> steps_;
  bool exact_ = true;
};

}  // namespace headroom
