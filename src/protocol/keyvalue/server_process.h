// A server's process that spins on its slots: it checks them one after the other, without end, and serves
// those that hold a request, on its own core.
//
// With prefetching, requests pass a pipeline of two stages: while one request is taken in and its memory is
// fetched, the request two before it is answered. After several successive empty checks a no-op advances the
// pipeline, so that its requests do not wait for ever (Kalia et al., HERD, SIGCOMM 2014, section 4.1.1).
//
// Checks of empty slots are not events: the position of the process follows from the time when it began.
#pragma once

#include <cstdint>
#include <vector>

#include "protocol/core_thread.h"
#include "protocol/keyvalue/key_value_parameters.h"
#include "protocol/keyvalue/key_value_record.h"
#include "sim/ring.h"

namespace headroom {

/// The work of a process on a slot that holds a request.
class SlotServer {
 public:
  virtual ~SlotServer() = default;
  /// The number of random accesses to memory that it needs, in addition to those in ProcessCosts::request.
  virtual int AccessesOf(uint32_t process, uint32_t slot) = 0;
  /// The work on the request is over: the answer leaves.
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
  /// The times when a request was in its slot, was taken up, and was executed.
  struct Times {
    Time ready, taken, executed;
    Time worked;  ///< the time worked for it
  };

  /// Process `number`, at a host with the ns-3 node `context`. `server` must outlive this object.
  ServerProcess(uint32_t number, uint32_t context, uint32_t slots, const Parameters& parameters,
                SlotServer& server);

  /// A request is now in this slot. Returns false if the same request is already there and not yet executed.
  bool Ready(uint32_t slot);
  const Times& times(uint32_t slot) const { return times_[slot]; }

  /// Records its work from the warm-up until now.
  void Note();
  /// The recorded work, or the work at the end.
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
  std::vector<uint64_t> ready_;  ///< bits: requests that have not been taken up
  std::vector<bool> taken_up_;   ///< requests that were taken up and not executed
  uint32_t ready_count_ = 0;
  std::vector<Times> times_;
  uint32_t position_ = 0;  ///< the slot that it checks next, as of `idle_since_`
  Time idle_since_;
  uint32_t taken_ = kNone;  ///< the slot in progress; kNone: a no-op
  Ring<uint32_t> pipeline_;
  ServerProcessRecord record_;
  bool noted_ = false;
};

}  // namespace headroom
