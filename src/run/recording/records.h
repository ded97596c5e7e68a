// The record of a run, as plain data. The network fills it; summaries, tables and files are made from it.
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
#include "net/frame_kind.h"
#include "net/identifiers.h"
#include "net/port_counters.h"
#include "net/topology/topology.h"
#include "net/traffic_class.h"
#include "nic/transport/message_parts.h"
#include "nic/verbs/work_request.h"
#include "protocol/core_costs.h"
#include "protocol/service_record.h"
#include "sim/units.h"
#include "sim/window_work.h"
#include "workload/message_record.h"
#include "workload/operation.h"

namespace headroom {

class EndedRecords;

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
  bool storm = false;  ///< tx: the pause did not depend on the node's buffer
};

/// The origin of pauses.
struct PauseRoot {
  enum class Kind : uint8_t {
    queue,     ///< a queue of a port, not paused: more arrives than it drains
    blocked,   ///< a queue that may not send for a reason other than a pause
    receiver,  ///< the receive buffer of a NIC
    storm,     ///< a port that pauses regardless of its node's buffer
    cycle,     ///< one of several queues that wait for each other
    rest       ///< the sum of all small roots, without a place
  };
  Kind kind = Kind::queue;
  NodeId node = 0;
  uint16_t port = 0;
  uint8_t queue = 0;  ///< receiver, storm: the priority that it pauses
  uint8_t tag = 0;    ///< tag of the frames waiting there (workload/frame_tag.h)
  auto operator<=>(const PauseRoot&) const = default;
};
constexpr const char* PauseRootName(PauseRoot::Kind kind) {
  constexpr const char* names[] = {"queue", "blocked", "receiver", "storm", "cycle", "rest"};
  return names[static_cast<int>(kind)];
}

/// A part of the cause for which a node paused its peer.
struct PauseCause {
  uint32_t pause = 0;  ///< its index in RunRecord::pauses
  PauseRoot root;
  double share = 0;  ///< the shares of a pause sum to 1
};

/// The wait of a message's deciding packet, or of the ACK that ended it, in one place.
struct WaitRecord {
  NodeId node = 0;
  uint16_t port = 0;  ///< the port by which it left
  uint8_t queue = 0;
  bool back = false;  ///< the packet was the ACK
  Time since;
  Time queued, paused;
};

/// An event for an operator's time line. `kind` and `detail` are written to events.csv unchanged.
struct EventRecord {
  static constexpr int kNone = -1;
  Time time;
  std::string kind;  ///< first_mark, first_drop, fault_start, fault_stop, watchdog_detected,
                     ///< watchdog_restored, watchdog_forced, qp_error, failover, failback, deadlock
  NodeId node = 0;
  int port = kNone;
  int priority = kNone;
  std::string detail;
  template <class P>
  void Pack(P& pack) {
    pack(time, kind, node, port, priority, detail);
  }
};

/// Counters of one priority at one port since the end of the warm-up. Bytes are frames with FCS. At a switch
/// that maps priorities to other groups and queues, sent and marked frames and peak_queue are those of the
/// queue with this number, other peaks those of the group.
struct PortPriorityCounters {
  uint64_t tx_bytes = 0, tx_packets = 0, rx_bytes = 0, rx_packets = 0;
  uint64_t tx_wire_bytes = 0;  ///< with preamble and gap: used for the utilisation
  uint64_t marked_packets = 0;
  std::array<uint64_t, kDropReasons> drops{};
  uint64_t pauses_tx = 0, pauses_rx = 0;  ///< XOFF intervals
  uint64_t pause_frames_tx = 0,
           resume_frames_tx = 0;  ///< PFC frames that named this priority, refreshes included
  uint64_t pfc_frames_rx = 0;     ///< received PFC frames, pauses and resumes together
  Time paused_tx, paused_rx;      ///< time for which the port paused its peer; for which it was paused
  Bytes peak_queue, peak_group, peak_headroom;
  Bytes headroom_configured;  ///< for a lossless group; else 0
  /// The values of SAI's watermarks: bytes beyond the reserve of the group, or of the queue.
  Bytes peak_group_shared, peak_queue_shared;
  bool operator==(const PortPriorityCounters&) const = default;
};
/// The counters of all priorities. Most ports have traffic of one or two priorities: only these take memory.
class PortCounters {
 public:
  const PortPriorityCounters& operator[](size_t priority) const {
    static const PortPriorityCounters none{};
    return slot_[priority] == 0 ? none : used_[slot_[priority] - 1u];
  }
  /// The call allocates memory for the priority. References to other priorities' counters become invalid.
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
  template <class P>
  void Pack(P& pack) {
    pack(slot_, used_);
  }

 private:
  std::array<uint8_t, kPriorities> slot_{};  ///< index in used_, from 1
  std::vector<PortPriorityCounters> used_;
};
struct PortRecord {
  NodeId node = 0;
  uint16_t port = 0;
  Rate rate;
  PortCounters priority;
  template <class P>
  void Pack(P& pack) {
    pack(node, port, rate, priority);
  }
};

/// The watermarks of one pool. A watermark that the pool does not have is empty.
struct PoolRecord {
  std::string name;
  std::optional<Bytes> peak_ingress, peak_headroom;  ///< bytes shared by its groups; bytes in its headroom
  std::optional<Bytes> peak_egress;                  ///< bytes shared by its queues
  template <class P>
  void Pack(P& pack) {
    pack(name, peak_ingress, peak_headroom, peak_egress);
  }
};

struct SwitchRecord {
  NodeId node = 0;
  Bytes peak, peak_headroom, headroom_configured, peak_ingress_pool;
  double closest_to_xoff =
      0;  ///< 0 … 1: the largest ratio of a lossless group's shared bytes to its threshold
  std::vector<PoolRecord> pools{};
  template <class P>
  void Pack(P& pack) {
    pack(node, peak, peak_headroom, headroom_configured, peak_ingress_pool, closest_to_xoff, pools);
  }
};

/// A queue that a PFC watchdog watches, counted over the whole run as in SONiC's `pfcwd show stats`: packets
/// while it was stormed.
struct WatchdogRecord {
  struct Packets {
    uint64_t tx_ok = 0, tx_drop = 0, rx_ok = 0, rx_drop = 0;
  };
  NodeId node = 0;
  uint16_t port = 0;
  uint8_t priority = 0;
  std::string action;  ///< drop, forward or alert
  bool stormed = false;
  uint64_t detected = 0, restored = 0;
  Packets all, last;  ///< all: in total; last: since the last detection
  template <class P>
  void Pack(P& pack) {
    pack(node, port, priority, action, stormed, detected, restored, all, last);
  }
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
  Bytes xoff_at;  ///< value of `shared` at which the group would now pause its sender; −1 for a lossy group
};
struct RateSample {
  Time time;
  NodeId host = 0;
  uint32_t qp = 0;  ///< number of the QP at its host, in the order of creation, from 0
  Rate rate;        ///< the rate that the reaction point, or another control's rate and window, permits
  Bytes sent;       ///< bytes on the wire since the previous sample or the beginning
  NodeId peer = 0;  ///< the host at the other end, at that time
};
struct GoodputSample {
  Time time;
  uint32_t workload = 0;
  Bytes delivered;  ///< bytes in the interval that ends at `time`
};

/// A congestion notification that returned to a sender.
struct CnpRecord {
  Time time;
  NodeId host = 0;
  uint32_t qp = 0;
  bool cut = false;  ///< it reduced the rate; otherwise it arrived in a reduction window, or late
};
struct DropRecord {
  Time time;
  Bytes limit, fill;  ///< as in DropCause
  NodeId node = 0;
  NodeId src = 0, dst = 0;        ///< hosts of the frame
  uint32_t message = kNoMessage;  ///< index in RunRecord::messages; kNoMessage: none
  std::optional<uint32_t> psn;    ///< low bits; none: this kind of frame has none
  uint32_t bytes = 0;
  uint16_t port = 0;  ///< the port at which it arrived, or would have left
  uint8_t priority = 0;
  DropReason reason{};
  FrameKind kind{};
  int8_t queue = -1;  ///< as in DropCause
};

/// A row of RDMA Estats (nic/estats.h): the operations of one connection, kind and result that were polled in
/// one interval.
struct EstatsRecord {
  static constexpr int kNoWorkload = -1, kNoService = -1;
  struct Spans {
    Time p50, p99, p999, max;
  };
  Time until;  ///< end of the interval
  NodeId host = 0, peer = 0;
  uint32_t qp = 0;
  int workload = kNoWorkload;  ///< workload that owns the queue pair or operation, if any
  int service = kNoService;    ///< service that owns it, for a work request
  WcOpcode operation = WcOpcode::send;
  WcStatus status = WcStatus::success;
  std::optional<ServiceOperation> asked;               ///< for a service: replaces `operation`
  OperationStatus asked_status = OperationStatus::ok;  ///< for a service: replaces `status`
  uint64_t count = 0;
  Spans t5_t1, t6_t1;

  /// The name as in files.
  std::string OperationName() const { return asked ? asked->Name() : WcOpcodeCode(operation); }
  const char* StatusName() const { return asked ? OperationStatusName(asked_status) : WcStatusCode(status); }
};

/// Bytes are frames with FCS, of every kind except PFC: sent = delivered + dropped + in flight.
struct Conservation {
  uint64_t sent = 0, delivered = 0, dropped = 0, in_flight = 0;
  bool pools_ok =
      true;  ///< each pool's charges minus releases equal its buffered bytes, and no value is negative
  bool Ok() const { return pools_ok && sent == delivered + dropped + in_flight; }
};

enum class RunStatus { complete, deadline, interrupted, deadlock };
constexpr const char* RunStatusName(RunStatus s) {
  constexpr const char* names[] = {"complete", "deadline", "interrupted", "deadlock"};
  return names[static_cast<int>(s)];
}

/// Counts before the end of the warm-up, which the other counters leave out.
struct WarmupRecord {
  std::array<std::array<uint64_t, kDropReasons>, kPriorities> drops{};
  uint64_t pause_frames = 0;
  uint64_t marked_packets = 0, cnp_sent = 0;  ///< marked_packets: data packets, at their receivers
  uint64_t retransmitted_packets = 0, naks = 0, timeouts = 0;
  void Join(const WarmupRecord& other) {
    for (size_t p = 0; p < kPriorities; ++p) {
      for (size_t r = 0; r < kDropReasons; ++r) drops[p][r] += other.drops[p][r];
    }
    for (auto sum : {&WarmupRecord::pause_frames, &WarmupRecord::marked_packets, &WarmupRecord::cnp_sent,
                     &WarmupRecord::retransmitted_packets, &WarmupRecord::naks, &WarmupRecord::timeouts})
      this->*sum += other.*sum;
  }
};

/// The complete record. Node, port and workload names are found in the scenario.
struct RunRecord {
  RunStatus status = RunStatus::complete;
  Time end;
  uint64_t events = 0;
  uint64_t packet_hops = 0;       ///< completed transmissions of all frames except PFC on a link
  uint64_t data_packet_hops = 0;  ///< completed transmissions of data frames only
  /// With `results: stream`: messages, operations and pauses are there, not in the lists here.
  std::shared_ptr<EndedRecords> ended;
  std::vector<MessageRecord> messages;
  std::vector<MessageParts> message_parts;  ///< indexed like `messages`; empty if not requested
  std::vector<WaitRecord> message_waits;
  std::vector<OperationRecord> operations;                                     ///< the kept operations
  std::vector<WaitRecord> operation_waits;                                     ///< waits of their messages
  std::vector<std::array<OperationTotals, kOperationKinds>> operation_totals;  ///< indexed by workload
  std::vector<std::shared_ptr<const ServiceRecord>> services;                  ///< indexed by number
  std::vector<CoreRecord> cores;  ///< cores of hosts with services
  std::vector<PauseRecord> pauses;
  std::vector<PauseCause> pause_causes;  ///< causes of the pauses that nodes sent, in the pauses' order, the
                                         ///< largest first
  std::vector<EventRecord> events_log;
  std::vector<PortRecord> ports;
  std::vector<SwitchRecord> switches;
  std::vector<WatchdogRecord> watchdogs;  ///< ordered by node, port and priority
  std::vector<QueueSample> queues;
  std::vector<GroupSample> groups;
  std::vector<RateSample> rates;
  std::vector<GoodputSample> goodput;
  std::vector<EstatsRecord> estats;  ///< ordered by interval, host, peer, queue pair, operation and status
  std::vector<EstatsRecord>
      estats_totals;  ///< totals over all hosts and the whole run; only operation and status are used as keys
  Time clock_error_bound;  ///< error bound of T5−T1 in these
  std::vector<CnpRecord> cnps;
  std::vector<DropRecord> drops;
  uint64_t data_packets_delivered = 0;  ///< delivered data packets, and marked ones among them:
                                        ///< ecn.marked_fraction is their ratio
  uint64_t marked_packets = 0;
  uint64_t cnp_sent = 0, cnp_handled = 0,
           cnp_ignored = 0;  ///< handled: cut the rate; ignored: arrived in the reduction window
  uint64_t retransmitted_packets = 0, naks = 0, timeouts = 0;
  std::optional<uint32_t> contexts_used;  ///< the most contexts used at the same time at a host; none:
                                          ///< messages need no context
  uint64_t contexts_refused = 0;
  std::optional<WindowWork::Totals> work;  ///< if RunOptions::estimate_ranks requests it
  WarmupRecord warmup;
  Conservation conservation;
  std::optional<HistoryJudgement> histories;  ///< judgement of all services with a history

  /// The record of a service by its number, cast to its kind. Throws std::bad_cast for another kind.
  template <class R>
  const R& Service(size_t number) const {
    return dynamic_cast<const R&>(*services.at(number));
  }
  /// REQUIRES: `message` is one of `messages`, and its time was split.
  const MessageParts& PartsOf(const MessageRecord& message) const {
    return message_parts[static_cast<size_t>(&message - messages.data())];
  }
  /// The message's waits in queues along its critical path. REQUIRES: the same.
  std::span<const WaitRecord> WaitsOf(const MessageRecord& message) const {
    const MessageParts& parts = PartsOf(message);
    return std::span(message_waits).subspan(parts.first_wait, parts.waits);
  }
  /// The same for the messages of an operation, the last message's waits first. REQUIRES: `operation` is one
  /// of `operations`.
  std::span<const WaitRecord> WaitsOf(const OperationRecord& operation) const {
    return std::span(operation_waits).subspan(operation.first_wait, operation.waits);
  }
};

}  // namespace headroom
