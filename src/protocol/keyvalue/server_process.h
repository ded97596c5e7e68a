// A server's process that spins on its slots: it looks at one after the other, for ever, and serves those
// that hold a request, on a core of its own.
//
// With prefetching, requests go through a pipeline of two stages: while one is taken in and the memory that
// it needs is fetched, the one two before it is answered. After some empty looks in a row nothing takes their
// place, so that those in the pipeline do not wait for ever (Kalia et al., HERD, SIGCOMM 2014,
// section 4.1.1).
//
// Looks at empty slots are no events: where the process looks is known from when it began.
#pragma once

#include <cstdint>
#include <vector>

#include "protocol/core_thread.h"
#include "protocol/keyvalue/key_value_parameters.h"
#include "protocol/keyvalue/key_value_record.h"
#include "sim/ring.h"

namespace headroom {

/// A process's work on a slot that holds a request.
class SlotServer {
 public:
  virtual ~SlotServer() = default;
  /// Random accesses to memory that it will take, beside those in ProcessCosts::request.
  virtual int AccessesOf(uint32_t process, uint32_t slot) = 0;
  /// Its time is over: the answer goes out.
  virtual void Execute(uint32_t process, uint32_t slot) = 0;
};

class ServerProcess final : public CoreThread {
 public:
  struct Parameters {
    ProcessCosts costs;
    bool prefetch = true;
    int empty_polls = 100;
    Time warmup;
  };
  /// When a request was in its slot, was taken up, and was executed.
  struct Times {
    Time ready, taken, executed;
    Time worked;  ///< for it
  };

  /// `number` of this process, at a host with the ns-3 node `context`. `server` outlives this.
  ServerProcess(uint32_t number, uint32_t context, uint32_t slots, const Parameters& parameters,
                SlotServer& server);

  /// A request is in this slot now. False: the same request is there already and not yet executed.
  bool Ready(uint32_t slot);
  const Times& times(uint32_t slot) const { return times_[slot]; }

  /// Notes what it did: from the warm-up until now.
  void Note();
  /// What was noted, or is so at the end.
  ServerProcessRecord Record();

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t FirstReady(uint32_t from) const;
  uint32_t Position(Time now) const;
  int64_t LooksUntil(Time now) const;
  void Next() override { Look(true); }
  void Finished() override;
  void Look(bool due);
  void Take(uint32_t slot);
  void PushNoop();
  Time CostOf(uint32_t slot);
  void Answer(uint32_t slot);

  const uint32_t number_;
  const Parameters p_;
  SlotServer& server_;
  uint32_t slots_;
  std::vector<uint64_t> ready_;  ///< bits: requests that were not taken up
  std::vector<bool> taken_up_;   ///< and those that were, and are not executed
  uint32_t ready_count_ = 0;
  std::vector<Times> times_;
  uint32_t position_ = 0;  ///< where it looks next, at `idle_since_`
  Time idle_since_;
  uint32_t taken_ = kNone;  ///< under work; kNone: a no-op
  Ring<uint32_t> pipeline_;
  ServerProcessRecord record_;
  bool noted_ = false;
};

}  // namespace headroom
