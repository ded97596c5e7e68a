// Applies a network's faults: events start and stop each fault, and record both. With several ranks
// (sim/parts.h), every rank schedules all faults, so entities have the same numbers. The events of a node
// that a rank has not built do not run there.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "pfc/corrupt_pfc.h"
#include "pfc/pause_storm.h"
#include "scenario/scenario.h"
#include "sim/parts.h"

namespace headroom {

class Network;

class Faults {
 public:
  /// A fault began or ended.
  struct Change {
    NodeId node = 0;
    int port = -1;      ///< −1: no particular port
    int priority = -1;  ///< −1: none, or several priorities
    std::string what;
    Time at{};
    bool start = true;
  };

  /// Schedules all faults of the scenario. The network must outlive this object.
  explicit Faults(Network& network);
  ~Faults();

  /// Called when an extent node of a service (its number) leaves or returns.
  using OnExtentNode = std::function<void(uint32_t service, NodeId node, bool away)>;
  void SetOnExtentNode(OnExtentNode f) { on_extent_node_ = std::move(f); }

  /// All changes of this rank, and their order.
  const std::vector<Change>& changes() const { return changes_; }
  const LogOrder& order() const { return noted_; }

 private:
  class Timer;
  /// A delayed effect of a fault.
  class Later final : public EventTarget {
   public:
    explicit Later(std::function<void()> f) : f_(std::move(f)) {}
    void OnEvent(uint64_t) override { f_(); }

   private:
    std::function<void()> f_;
  };
  void Apply(const MarkFault& fault);
  void Apply(const LossFault& fault);
  void Apply(const PauseStormFault& fault);
  void Apply(const SlowReceiverFault& fault);
  void Apply(const LinkDownFault& fault);
  void Apply(const LinkSpeedFault& fault);
  void Apply(const MacsecFault& fault);
  void Apply(const PortBlockedFault& fault);
  void Apply(const CorruptFault& fault);
  void Apply(const NicRestartFault& fault) { Restart(fault.host, "nic_restart", fault.times); }
  void Apply(const WarmRestartFault& fault) { Restart(fault.node, "warm_restart", fault.times); }
  void Apply(const ExtentNodeDownFault& fault);
  void Restart(NodeId node, const char* what, const FaultTimes& times);
  /// `note` is the fault's entry in the time line; `start` and `stop` are the effects of its beginning and
  /// end.
  void Schedule(const Change& note, const FaultTimes& times, std::function<void()> start,
                std::function<void()> stop);
  /// The same where both ends of a link change: these are events of no node.
  void ScheduleAtBothEnds(const Change& note, const FaultTimes& times, std::function<void()> start,
                          std::function<void()> stop);
  EntityId AddEntity(NodeId node) const;
  /// The links between two nodes, each with the end (0 or 1) of `from`.
  std::vector<std::pair<size_t, int>> LinksBetween(NodeId from, NodeId to) const;
  const LinkEnd& EndOf(size_t link, int side) const;
  static int Index(const LinkEnd& end) { return static_cast<int>(end.port_index); }
  void SetLinks(const std::vector<uint32_t>& links, bool up, Time convergence);

  Network& network_;
  OnExtentNode on_extent_node_;
  EntityId entity_ = 0;
  std::vector<std::unique_ptr<Timer>> timers_;
  std::vector<std::unique_ptr<Later>> later_;
  std::vector<std::unique_ptr<PauseStorm>> storms_;
  std::vector<std::unique_ptr<CorruptPfc>> corrupt_;
  std::vector<int> down_;                            ///< indexed by link: number of faults that hold it down
  std::vector<int> routed_;                          ///< the same numbers, as the routes know them
  std::map<uint32_t, std::multiset<Rate>> lowered_;  ///< keyed by link: rates of the current faults
  std::vector<Change> changes_;
  LogOrder noted_;  ///< order of changes_
};

}  // namespace headroom
