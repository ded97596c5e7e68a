// Cost of an operation of a key-value service: its READs and calls, alone and in company.
//
// A READ takes a request and the data back. A call takes a request, a server's process, and an answer. A
// process that prefetches answers a request once two more have come behind it, or a no-op does so after
// `empty_polls` looks at empty slots. Alone it is always the no-op; in company either may be shorter.
//
// Of type redis: a command and its reply, each in one write, and the work of threads that sleep.
//
// Exact between two hosts with ideal NICs, but for the place where the server's process looks: a request
// waits until it comes around to its slot. The mean over all places is in it.
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
  Message there, back;  ///< of a READ: the request, and the data
  Time work;            ///< of a server's process; 0: a READ
  Time client{};        ///< of type redis: of a client's thread
  bool reads() const { return there.verb == Operation::read_request; }
};

/// Two hosts as seen from the client.
struct KeyEnds {
  IdealPath there, back;
};

class KeyCost {
 public:
  /// The cost of a mean operation of this workload. Keeps references.
  KeyCost(const Scenario& scenario, const KeyValueArrivals& arrivals);

  const std::vector<KeyStep>& steps() const { return steps_; }
  /// The steps are those of a run. Else it may take fewer: a GET may miss, a table's key may be found at
  /// once.
  bool exact() const { return exact_; }

  /// For a client's process with one operation open at a time and nothing else: picoseconds.
  double Alone(const KeyEnds& ends) const;
  /// From posting to the last answer, whatever else is open: `open` operations in all.
  double Least(const KeyEnds& ends, int64_t open) const;
  /// The least time that a client's process or thread spends on it: picoseconds.
  double posting() const;
  /// Work of servers' processes for it: picoseconds.
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
