// What a run leaves behind, as plain data. The network fills it; summaries, tables and files are made from
// it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "history/judgement.h"
#include "net/port_counters.h"
#include "net/topology/topology.h"
#include "net/traffic_class.h"
#include "nic/transport/message_parts.h"
#include "nic/verbs/work_request.h"
#include "protocol/core_costs.h"
#include "protocol/service_record.h"
#include "sim/units.h"
#include "workload/message_record.h"
#include "workload/operation.h"

namespace headroom {

/// One span in which a priority was paused, seen at one end of a link.
struct PauseRecord {
  enum class Direction { rx, tx };  ///< rx: this node was paused; tx: this node paused its peer
  Time start;
  Time end = kNever;  ///< kNever: still paused at the end of the run
  NodeId node = 0;
  uint16_t port = 0;
  uint8_t priority = 0;
  Direction direction = Direction::rx;
  uint32_t refreshes = 0;
  Bytes group_bytes;   ///< tx: the priority group's bytes when the pause began; rx: 0
  bool storm = false;  ///< tx: whatever the node held
};

/// Where pauses come from.
struct PauseRoot {
  enum class Kind : uint8_t {
    queue,     ///< of a port, not paused: it is fed faster than it drains
    blocked,   ///< the same, which may not send for another reason than a pause
    receiver,  ///< the receive buffer of a NIC
    storm,     ///< a port that pauses whatever its node holds
    cycle,     ///< queues that wait for one another; one of them
    rest       ///< all that is small, together: no place
  };
  Kind kind = Kind::queue;
  NodeId node = 0;
  uint16_t port = 0;
  uint8_t queue = 0;  ///< receiver, storm: the priority that it pauses
  uint8_t tag = 0;    ///< of the frames waiting there (workload/frame_tag.h)
  auto operator<=>(const PauseRoot&) const = default;
};
constexpr const char* PauseRootName(PauseRoot::Kind kind) {
  constexpr const char* names[] = {"queue", "blocked", "receiver", "storm", "cycle", "rest"};
  return names[static_cast<int>(kind)];
}

/// A part of what a node paused its peer for.
struct PauseCause {
  uint32_t pause = 0;  ///< its place in RunRecord::pauses
  PauseRoot root;
  double share = 0;  ///< those of a pause sum to 1
};

/// What the packet that decided over a message, or the ACK that ended it, waited for in one place.
struct WaitRecord {
  NodeId node = 0;
  uint16_t port = 0;  ///< by which it left
  uint8_t queue = 0;
  bool back = false;  ///< it was the ACK
  Time since;
  Time queued, paused;
};

/// Something that an operator would want on a time line. `kind` and `detail` go to events.csv as they are.
struct EventRecord {
  static constexpr int kNone = -1;
  Time time;
  std::string kind;  ///< first_mark, first_drop, fault_start, fault_stop, watchdog_detected,
                     ///< watchdog_restored, watchdog_forced, qp_error, failover, failback, deadlock
  NodeId node = 0;
  int port = kNone;
  int priority = kNone;
  std::string detail;
};

/// Counters of one priority at one port, from the end of the warm-up on. Bytes are frames with FCS. At a
/// switch with maps to other groups and queues, sent and marked frames and peak_queue are the queue's of this
/// number, other peaks the group's.
struct PortPriorityCounters {
  uint64_t tx_bytes = 0, tx_packets = 0, rx_bytes = 0, rx_packets = 0;
  uint64_t tx_wire_bytes = 0;  ///< with preamble and gap: for the utilisation
  uint64_t marked_packets = 0;
  std::array<uint64_t, kDropReasons> drops{};
  uint64_t pauses_tx = 0, pauses_rx = 0;  ///< XOFF intervals
  uint64_t pause_frames_tx = 0,
           resume_frames_tx = 0;  ///< PFC frames that named this priority, refreshes included
  uint64_t pfc_frames_rx = 0;     ///< the same, received, pauses and resumes together
  Time paused_tx, paused_rx;
  Bytes peak_queue, peak_group, peak_headroom;
  Bytes headroom_configured;  ///< of a lossless group; else 0
  /// Contents of SAI's watermarks: bytes beyond the reserve of the group, or queue.
  Bytes peak_group_shared, peak_queue_shared;
  bool operator==(const PortPriorityCounters&) const = default;
};
/// Those of all priorities. Most ports have traffic of one or two: only these take memory.
class PortCounters {
 public:
  const PortPriorityCounters& operator[](size_t priority) const {
    static const PortPriorityCounters none{};
    return slot_[priority] == 0 ? none : used_[slot_[priority] - 1u];
  }
  /// From now on the priority takes memory. References to other priorities' counters are invalid then.
  PortPriorityCounters& operator[](size_t priority) {
    if (slot_[priority] == 0) {
      used_.reserve(used_.size() + 1);
      used_.emplace_back();
      slot_[priority] = static_cast<uint8_t>(used_.size());
    }
    return used_[slot_[priority] - 1u];
  }

  /// The records in use, in any order.
  auto begin() const { return used_.begin(); }
  auto end() const { return used_.end(); }

 private:
  std::array<uint8_t, kPriorities> slot_{};  ///< in used_, from 1 on
  std::vector<PortPriorityCounters> used_;
};
struct PortRecord {
  NodeId node = 0;
  uint16_t port = 0;
  Rate rate;
  PortCounters priority;
};

/// The watermarks of one pool. A pool may lack some.
struct PoolRecord {
  std::string name;
  std::optional<Bytes> peak_ingress, peak_headroom;  ///< shared by its groups; in its headroom
  std::optional<Bytes> peak_egress;                  ///< shared by its queues
};

struct SwitchRecord {
  NodeId node = 0;
  Bytes peak, peak_headroom, headroom_configured, peak_ingress_pool;
  double closest_to_xoff =
      0;  ///< 0 … 1: the largest ratio of a lossless group's shared bytes to its threshold
  std::vector<PoolRecord> pools{};
};

/// A queue that a PFC watchdog watches, counted over the whole run as SONiC's `pfcwd show stats` has it:
/// packets while it was stormed.
struct WatchdogRecord {
  struct Packets {
    uint64_t tx_ok = 0, tx_drop = 0, rx_ok = 0, rx_drop = 0;
  };
  NodeId node = 0;
  uint16_t port = 0;
  uint8_t priority = 0;
  std::string action;  ///< drop, forward, alert
  bool stormed = false;
  uint64_t detected = 0, restored = 0;
  Packets all, last;  ///< last: since the last detection
};

struct QueueSample {
  Time time;
  NodeId node = 0;
  uint16_t port = 0;
  uint8_t queue = 0;
  Bytes bytes;
};
struct GroupSample {
  Time time;
  NodeId node = 0;
  uint16_t port = 0;
  uint8_t group = 0;
  Bytes shared, headroom;
  Bytes xoff_at;  ///< of `shared`, at which the group would pause its sender now; −1 of a lossy group
};
struct RateSample {
  Time time;
  NodeId host = 0;
  uint32_t qp = 0;  ///< number of the QP at its host, in the order of creation, from 0
  Rate rate;        ///< that the reaction point, or rate and window of another control, allow
  Bytes sent;       ///< on the wire, since the sample before or the beginning
  NodeId peer = 0;  ///< the host at the other end, at that time
};
struct GoodputSample {
  Time time;
  uint32_t workload = 0;
  Bytes delivered;  ///< in the interval that ends at `time`
};

/// A congestion notification that came back to a sender.
struct CnpRecord {
  Time time;
  NodeId host = 0;
  uint32_t qp = 0;
  bool cut = false;  ///< it reduced the rate; else it fell into a reduction window, or came late
};
struct DropRecord {
  Time time;
  NodeId node = 0;
  uint16_t port = 0;  ///< where it came in, or would have left
  uint8_t priority = 0;
  DropReason reason{};
  uint32_t bytes = 0;
};

/// A row of RDMA Estats (nic/estats.h): the operations of one connection, kind and outcome that were polled
/// in one interval.
struct EstatsRecord {
  static constexpr int kNoWorkload = -1, kNoService = -1;
  struct Spans {
    Time p50, p99, p999, max;
  };
  Time until;  ///< the interval's end
  NodeId host = 0, peer = 0;
  uint32_t qp = 0;
  int workload = kNoWorkload;  ///< owner of the queue pair or operation, if any
  int service = kNoService;    ///< the same, of a work request
  WcOpcode operation = WcOpcode::send;
  WcStatus status = WcStatus::success;
  std::optional<ServiceOperation> asked;               ///< of a service, in place of `operation`
  OperationStatus asked_status = OperationStatus::ok;  ///< and of `status`
  uint64_t count = 0;
  Spans t5_t1, t6_t1;

  /// As in files.
  std::string OperationName() const { return asked ? asked->Name() : WcOpcodeCode(operation); }
  const char* StatusName() const { return asked ? OperationStatusName(asked_status) : WcStatusCode(status); }
};

/// Bytes are frames with FCS, of every kind but PFC: sent = delivered + dropped + in flight.
struct Conservation {
  uint64_t sent = 0, delivered = 0, dropped = 0, in_flight = 0;
  bool pools_ok = true;  ///< every pool's charges less releases equal its buffered bytes, none below zero
  bool Ok() const { return pools_ok && sent == delivered + dropped + in_flight; }
};

enum class RunStatus { complete, deadline, interrupted, deadlock };
constexpr const char* RunStatusName(RunStatus s) {
  constexpr const char* names[] = {"complete", "deadline", "interrupted", "deadlock"};
  return names[static_cast<int>(s)];
}

/// The whole of it. Node, port and workload names are in the scenario.
struct RunRecord {
  RunStatus status = RunStatus::complete;
  Time end;
  uint64_t events = 0;
  uint64_t packet_hops = 0;       ///< completed transmissions of any frame but PFC on a link
  uint64_t data_packet_hops = 0;  ///< of data frames alone
  std::vector<MessageRecord> messages;
  std::vector<MessageParts> message_parts;  ///< as `messages`; empty if not requested
  std::vector<WaitRecord> message_waits;
  std::vector<OperationRecord> operations;                                     ///< those that are kept
  std::vector<WaitRecord> operation_waits;                                     ///< of their messages
  std::vector<std::array<OperationTotals, kOperationKinds>> operation_totals;  ///< by workload
  std::vector<std::shared_ptr<const ServiceRecord>> services;                  ///< by number (ServiceAt)
  std::vector<CoreRecord> cores;                                               ///< of hosts with services
  std::vector<PauseRecord> pauses;
  std::vector<PauseCause> pause_causes;  ///< of those that nodes sent, in their order, the largest first
  std::vector<EventRecord> events_log;
  std::vector<PortRecord> ports;
  std::vector<SwitchRecord> switches;
  std::vector<WatchdogRecord> watchdogs;  ///< by node, port and priority
  std::vector<QueueSample> queues;
  std::vector<GroupSample> groups;
  std::vector<RateSample> rates;
  std::vector<GoodputSample> goodput;
  std::vector<EstatsRecord> estats;  ///< by interval, host, peer, queue pair, operation and status
  std::vector<EstatsRecord>
      estats_totals;       ///< of all hosts and the whole run; only operation and status count
  Time clock_error_bound;  ///< of T5−T1 in these
  std::vector<CnpRecord> cnps;
  std::vector<DropRecord> drops;
  uint64_t data_packets_delivered = 0;  ///< and of these, marked: ecn.marked_fraction is their ratio
  uint64_t marked_packets = 0;
  uint64_t cnp_sent = 0, cnp_handled = 0,
           cnp_ignored = 0;  ///< handled: cut the rate; ignored: within the reduction window
  uint64_t retransmitted_packets = 0, naks = 0, timeouts = 0;
  std::optional<uint32_t> contexts_used;  ///< at once, at most, of a host; none: messages need no context
  uint64_t contexts_refused = 0;
  Conservation conservation;
  std::optional<HistoryJudgement> histories;  ///< of all services with one

  /// The record of a service by its number, as one of its kind. Throws std::bad_cast for another kind.
  template <class R>
  const R& Service(size_t number) const {
    return dynamic_cast<const R&>(*services.at(number));
  }
  /// REQUIRES: `message` is one of `messages`, and they were split.
  const MessageParts& PartsOf(const MessageRecord& message) const {
    return message_parts[static_cast<size_t>(&message - messages.data())];
  }
  /// What it waited for in queues along its critical path. REQUIRES: the same.
  std::span<const WaitRecord> WaitsOf(const MessageRecord& message) const {
    const MessageParts& parts = PartsOf(message);
    return std::span(message_waits).subspan(parts.first_wait, parts.waits);
  }
  /// The same of its messages, the last one's first. REQUIRES: it is one of `operations`.
  std::span<const WaitRecord> WaitsOf(const OperationRecord& operation) const {
    return std::span(operation_waits).subspan(operation.first_wait, operation.waits);
  }
};

}  // namespace headroom
