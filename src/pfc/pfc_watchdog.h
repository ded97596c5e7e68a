// The PFC watchdog of a device: polls the queues it watches, and acts on the stormed ones.
//
// drop: pauses of that (port, priority) are ignored, and the port sends none. Frames that wait in the queue,
// arrive for it, or arrive at that port in that priority are dropped. forward: the pauses are ignored. alert:
// the watchdog only counts. Other queues and ports go on as before.
//
// Polls are at 0, poll, 2 × poll …; they are separate events and never prolong a run.
//
// Source: sonic-swss, pfcwdsworch.cpp, pfcactionhandler.cpp; pfc/watchdog_machine.h has the decision of a
// poll.
#pragma once

#include <ns3/nstime.h>
#include <ns3/object.h>
#include <ns3/traced-callback.h>

#include <functional>
#include <vector>

#include "pfc/closed_queues.h"
#include "pfc/pause_receiver.h"
#include "pfc/pause_sender.h"
#include "pfc/watchdog_machine.h"

namespace headroom {

/// SONiC's counters of a watched queue: packets while it was stormed, also with action alert.
struct WatchdogCounters {
  struct Packets {
    uint64_t tx_ok = 0, tx_drop = 0;  ///< sent from the queue; dropped before they left
    uint64_t rx_ok = 0, rx_drop = 0;  ///< of the priority: arrived at the port; dropped on arrival
  };
  uint64_t detected = 0, restored = 0;
  bool stormed = false;
  Packets all, last;  ///< all: in total; last: since the last detection
};

class PfcWatchdog final : public ns3::Object, public EventTarget {
 public:
  struct WatchedPort {
    Port* port = nullptr;
    PauseReceiver* receiver = nullptr;
    PauseSender* sender = nullptr;
    uint8_t priorities = 0;  ///< mask
    /// For each priority: the queue that its pause stops, and the group that sends it.
    std::array<uint8_t, kPriorities> queue_of{}, group_of{};
    /// Bytes that wait for a queue of the port, wherever they wait.
    std::function<int64_t(int queue)> waiting;
  };
  /// A storm began or ended.
  struct Change {
    Time at;
    uint16_t port = 0;
    uint8_t priority = 0;
    bool storm = false;
    bool forced = false;  ///< by the big red switch: no storm was detected
    std::string why;      ///< the reason, if no poll detected the change
  };
  using StormTrace = void (*)(const Port&, uint8_t priority, bool storm);

  static ns3::TypeId GetTypeId();

  /// Starts the polls. `closed` belongs to the ports' node; all of these must outlive this object.
  void Setup(const WatchdogParameters& parameters, const std::vector<WatchedPort>& ports,
             ClosedQueues* closed, EntityId entity);
  /// The link at a port went down: its queues are reset.
  void Reset(const Port& port);
  /// The watchdog's device restarts, and the watchdog with it. Polls have no effect until the end, and then
  /// start anew. A stormed queue stays stormed.
  void SetSuspended(bool suspended);

  const WatchdogParameters& parameters() const { return parameters_; }
  size_t size() const { return queues_.size(); }
  uint16_t port_of(size_t queue) const { return queues_[queue].at.port->index(); }
  uint8_t priority_of(size_t queue) const { return queues_[queue].priority; }
  uint8_t queue_of(size_t queue) const { return queues_[queue].queue(); }
  /// The counters as of now.
  WatchdogCounters counters(size_t queue) const;
  const std::vector<Change>& changes() const { return changes_; }

  void OnEvent(uint64_t arg) override;

 private:
  struct Queue {
    WatchedPort at;
    uint8_t priority = 0;
    uint8_t queue() const { return at.queue_of[priority]; }
    uint8_t group() const { return at.group_of[priority]; }
    WatchdogMachine machine;
    WatchdogCounters counters;
    bool stormed = false;
    WatchdogCounters::Packets base;  ///< the counters at the start of the storm
  };
  WatchdogReading Read(const Queue& q) const;
  WatchdogCounters::Packets PacketsOf(const Queue& q) const;
  void Begin(Queue& q);
  void End(Queue& q, const char* why);
  void SchedulePoll(Time at);
  ns3::Time GetDetection() const { return ns3::TimeStep(static_cast<uint64_t>(parameters_.detection.v)); }
  ns3::Time GetPoll() const { return ns3::TimeStep(static_cast<uint64_t>(parameters_.poll.v)); }

  WatchdogParameters parameters_;
  ClosedQueues* closed_ = nullptr;
  EntityId entity_ = 0;
  std::vector<Queue> queues_;
  bool suspended_ = false;
  std::vector<Change> changes_;
  ns3::TracedCallback<const Port&, uint8_t, bool> storm_trace_;
};

}  // namespace headroom
