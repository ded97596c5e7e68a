// RDMAvisor's daemon, one per host: applications' connections share one reliable queue pair per peer.
//
// An application sends requests through shared memory and an event, and gets results in the same way. A
// worker turns all waiting requests of applications into work requests at once. A poller takes completions
// and notifies applications. A connection has a number at either end, its vQPN of 4 bytes. Work requests, and
// so their completions, contain the own number in wr_id; a SEND has the peer's as immediate data. vQPN 0
// means the daemon itself. RECVs are in one queue that all peers and applications share. So the queue pairs
// are RC, because the NIC has no such queue for UC.
//
//   connect ->      to vQPN 0: the asking host, its vQPN, a port
//      <- accept    to that vQPN: the other end's; 0: nobody listens there
//   fetch ->        to the peer's vQPN: address of a payload that the peer is to READ
//      <- fetched
//
// Payloads use the verb that their flags request. Without flags, small payloads use SEND. Others use WRITE
// or, if the worker is busy, a READ by the peer. Small payloads are copied to registered memory; larger
// payloads are registered in place.
//
// Source: Wang et al., RDMAvisor, 2017. The paper also considers the peer's memory in this choice; Headroom's
// daemon never runs out of memory.
#pragma once

#include <deque>
#include <map>
#include <set>

#include "protocol/connections/core.h"
#include "protocol/connections/transfers.h"
#include "sim/footprint.h"

namespace headroom {

/// The requested transport or verb of a connection or a payload.
enum RaasFlags : unsigned { kRaasRc = 1, kRaasUc = 2, kRaasSend = 4, kRaasWrite = 8, kRaasRead = 16 };

/// The receiver of a daemon's events: the library in its applications.
class DaemonUser {
 public:
  virtual ~DaemonUser() = default;
  /// The connection with this number exists, with a vQPN, or was refused: 0.
  virtual void OnConnected(uint32_t connection, uint32_t vqpn) = 0;
  /// A transfer of this host has ended.
  virtual void OnResult(uint32_t operation) = 0;
  /// A payload has arrived by SEND for this connection of this host, in a buffer that must be released.
  virtual void OnMessage(NodeId host, uint32_t connection, const PayloadMark& mark, uint32_t bytes,
                         uint32_t buffer) = 0;
  /// The thread of the host to notify.
  virtual uint32_t ThreadOf(uint32_t connection) const = 0;
};

class Daemon {
 public:
  /// All must outlive this object.
  Daemon(NodeId host, const ConnectionParameters& parameters, const ServiceGround& ground,
         Transfers& transfers, DaemonUser& user);
  /// Makes the queue pair between the two.
  static void Join(Daemon& a, Daemon& b);

  void Listen(uint16_t port) { ports_.insert(port); }
  /// Returns 0 or an errno: EPROTONOSUPPORT for UC, EHOSTUNREACH.
  int Connect(uint32_t connection, NodeId peer, uint16_t port, unsigned flags);
  /// Sends a transfer that was begun, on a connection of this host. Returns EINVAL if the transfer
  /// contradicts its flags.
  int Send(uint32_t vqpn, uint32_t operation, unsigned flags);
  /// A buffer passed to OnMessage may be used again.
  void Release(uint32_t buffer);

  NodeId host() const { return host_; }
  size_t queue_pairs() const { return peers_.size(); }
  size_t connections() const { return virtuals_.size() - 1; }
  const std::deque<Core>& workers() const { return workers_; }
  const Core& poller() const { return poller_; }
  void ForEachQueuePair(const std::function<void(NodeId, uint32_t)>& use) const;

  /// The memory of this process that a service uses: connection_footprint.cc.
  static Forecast FootprintOf(const ConnectionParameters& parameters, const ServiceLoad& load, Forecast open);

 private:
  static constexpr uint32_t kControl = UINT32_MAX;
  enum class What : uint8_t { payload, fetch, read_for_peer, control };
  /// A request for a worker to post.
  struct Request {
    What what = What::control;
    uint32_t vqpn = 0;  ///< own vQPN; 0: no connection
    uint32_t peer = 0;  ///< place in peers_
    uint32_t imm = 0;   ///< vQPN that receives the control message
    uint32_t operation = kControl;
    unsigned flags = 0;
    PayloadMark mark;
  };
  struct Posted {
    What what = What::control;
    uint32_t operation = kControl;
    PayloadMark mark;
    int64_t registered = 0;
  };
  struct Peer {
    Daemon* daemon = nullptr;
    QueuePair* qp = nullptr;
    int open = 0;        ///< work requests taken and not complete
    Ring<Request> full;  ///< requests that wait until a work request is free
    bool failed = false;
  };
  struct Virtual {
    uint32_t connection = 0, there = 0;  ///< connection: own number; there: the peer's vQPN
    uint32_t peer = 0;
    Ring<Posted> posted;     ///< in the order of their completions
    Ring<uint32_t> fetched;  ///< operations that the peer must fetch
  };
  struct Worker {
    Ring<Request> ready;     ///< requests whose queue pair has reserved room
    Ring<Request> requests;  ///< in order of arrival
    std::vector<Request> batch;
    Time looked, worked_then;
    double load = 0;
    bool works = false;
  };

  void Ask(const Request& request);
  void Work(uint32_t worker);
  bool Take(Worker& worker, Request& request);
  Time Prepare(Worker& worker, Request& request);
  bool Busy(Worker& worker, const Core& core);
  void Post(const Request& request);
  void PostPayload(const Request& request, SendWr& wr, Posted& posted);
  void Poll();
  Time CostOf(const Wc& wc);
  void Take(const Wc& wc);
  void TakeSent(const Wc& wc);
  void TakeMessage(const Wc& wc);
  void OnControl(const PayloadMark& mark, uint32_t vqpn, uint32_t peer);
  void Fail(uint32_t peer);
  uint32_t WorkerOf(uint32_t peer) const { return peer % static_cast<uint32_t>(workers_.size()); }
  uint32_t NewVirtual(uint32_t connection, uint32_t peer);

  const NodeId host_;
  const uint8_t tag_;  ///< tag of its queue pairs' frames
  const ConnectionParameters& p_;
  Verbs& verbs_;
  Transfers& transfers_;
  DaemonUser& user_;
  CompletionQueue* cq_;
  SharedReceiveQueue* srq_;
  PayloadMemory receives_, control_;
  std::deque<Core> workers_;
  std::vector<Worker> work_;  ///< indexed by worker
  Core poller_;
  bool polling_ = false;
  std::vector<Wc> polled_;
  std::vector<Peer> peers_;
  std::map<NodeId, uint32_t> place_of_;  ///< index in peers_
  std::map<uint32_t, uint32_t> peer_of_qp_;
  std::deque<Virtual> virtuals_;  ///< indexed by vQPN; the first is the daemon
  std::set<uint16_t> ports_;
};

}  // namespace headroom
