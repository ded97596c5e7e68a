// A running job of fio at each host: its clones' loops (backend.c: do_io; io_u.c: rate_ddir), in simulated
// time.
//
// A clone issues I/Os while fewer than `depth` of its I/Os are open, then waits until one ends. It thinks,
// and waits for its rate, when all of them have ended; with `offload` it waits for its rate at the same time.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "workload/io_arrivals.h"
#include "workload/operation_generator.h"
#include "workload/operations/io_offsets.h"

namespace headroom {

class FioGenerator final : public OperationGenerator {
 public:
  /// REQUIRES: the arrivals have a job.
  FioGenerator(const IoArrivals& arrivals, const WorkloadParameters& workload, uint32_t index,
               const HostView& hosts, OperationOffers& offers);
  void Start() override;
  void OnAttached(NodeId host) override;
  void OnEnded(const OperationRecord& ended) override;
  void OnOtherOver(uint32_t workload, NodeId host) override;
  void OnEvent(uint64_t arg) override;

 private:
  enum class State {
    waiting,   ///< waiting for the disk, for other jobs, or for its start
    choosing,  ///< may begin the next I/O
    full,      ///< waiting until one I/O ends
    issued,    ///< may have to think
    thinking,  ///< waiting until all have ended, and then until `wake`
    rate,      ///< the same, or with offload only until `wake`
    issuing,   ///< issuing an I/O of direction `writes` now
    over
  };
  struct Host;
  struct Clone {
    Host* host = nullptr;
    uint32_t number = 0;
    State state = State::waiting;
    std::unique_ptr<IoOffsets> offsets;
    RandomStream kinds, sizes, gaps;
    int64_t base = 0;  ///< start of its region on the disk
    Time begun, ends;
    int open = 0;
    int64_t issued = 0, ended = 0, bytes = 0;
    bool writes = false;
    std::array<Time, 2> next{};           ///< earliest time by rate
    std::array<int64_t, 2> side_bytes{};  ///< issued bytes
    std::array<int64_t, 2> last_us{};     ///< last time with gaps that are random or counted in I/Os
    Time wake;
    bool awaits = false;  ///< an event at `wake` is pending
    int64_t thought = 0;  ///< number of I/Os when it last thought
    Time thought_at;
  };
  struct Host {
    NodeId id = 0;
    EntityId entity = 0;
    uint64_t events = 0;
    bool attached = false;
    int before = 0;  ///< number of jobs that must end first
    size_t active = 0;
    std::vector<Clone> clones;
  };

  void TryToBegin(Host& host);
  void Run(Clone& clone);
  /// Takes one step. Returns false if it must wait.
  bool Step(Clone& clone);
  bool MustThink(const Clone& clone) const;
  bool SleepUntilWake(Clone& clone, bool drained);
  void Choose(Clone& clone);
  bool Issue(Clone& clone);
  bool Done(const Clone& clone) const;
  Time NextByRate(Clone& clone, bool writes);
  int64_t SizeAt(Clone& clone, int64_t offset);
  void End(Clone& clone);
  void Schedule(Clone& clone, Time at);

  const IoArrivals arrivals_;
  const IoJob& job_;
  const uint32_t index_;
  const Time stop_;
  OperationOffers& offers_;
  EntityId entity_;
  std::vector<Host> hosts_;
  std::vector<uint32_t> host_of_;  ///< indexed by node: index in hosts_, plus one
  size_t active_ = 0;              ///< number of clones that are not over
};

}  // namespace headroom
