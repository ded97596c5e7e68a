// RDMAvisor's daemon, one at each host: applications' connections go over one reliable queue pair for each
// peer.
//
// An application asks by shared memory and an event, and hears the same way. A worker makes work requests of
// applications' requests, all that are waiting at once. A poller takes completions and notifies applications.
// A connection has a number, its vQPN of 4 bytes, at either end: own ones are in the wr_id of work requests,
// and so in their completions; a SEND has the peer's as immediate data. vQPN 0 is the daemon itself. RECVs
// are in one queue that all peers and applications share, which is why the queue pairs are RC: the NIC has
// none for UC.
//
//   connect ->      to vQPN 0: the asking host, its vQPN, a port
//      <- accept    to that vQPN: the other end's; 0: nobody listens there
//   fetch ->        to the peer's vQPN: address of a payload that the peer is to READ
//      <- fetched
//
// Payloads go as their flags request. Without flags, small ones go by SEND, others by WRITE, or, if the
// worker is busy, by a READ of the peer. Small ones are copied to memory that is registered, others are
// registered themselves.
//
// Source: Wang et al., RDMAvisor, 2017. The paper has the peer's memory in this choice, too; here memory is
// never short.
#pragma once

#include <deque>
#include <map>
#include <set>

#include "protocol/connections/core.h"
#include "protocol/connections/transfers.h"
#include "sim/footprint.h"

namespace headroom {

/// How a connection or a payload is to go.
enum RaasFlags : unsigned { kRaasRc = 1, kRaasUc = 2, kRaasSend = 4, kRaasWrite = 8, kRaasRead = 16 };

/// Who hears of a daemon's connections: the library in its applications.
class DaemonUser {
 public:
  virtual ~DaemonUser() = default;
  /// The connection of this number exists, with a vQPN, or was refused: 0.
  virtual void OnConnected(uint32_t connection, uint32_t vqpn) = 0;
  /// A transfer of this host's has ended.
  virtual void OnResult(uint32_t operation) = 0;
  /// A payload has come by SEND to this connection of this host, into a buffer to Release.
  virtual void OnMessage(NodeId host, uint32_t connection, const PayloadMark& mark, uint32_t bytes,
                         uint32_t buffer) = 0;
  /// The host's thread to notify.
  virtual uint32_t ThreadOf(uint32_t connection) const = 0;
};

class Daemon {
 public:
  /// All outlive this.
  Daemon(NodeId host, const ConnectionParameters& parameters, const ServiceGround& ground,
         Transfers& transfers, DaemonUser& user);
  /// One queue pair between the two.
  static void Join(Daemon& a, Daemon& b);

  void Listen(uint16_t port) { ports_.insert(port); }
  /// 0, or an errno: EPROTONOSUPPORT for UC, EHOSTUNREACH.
  int Connect(uint32_t connection, NodeId peer, uint16_t port, unsigned flags);
  /// A transfer that was begun, on a connection of this host's. EINVAL: it contradicts its flags.
  int Send(uint32_t vqpn, uint32_t operation, unsigned flags);
  /// A buffer that came with OnMessage may be used again.
  void Release(uint32_t buffer);

  NodeId host() const { return host_; }
  size_t queue_pairs() const { return peers_.size(); }
  size_t connections() const { return virtuals_.size() - 1; }
  const std::deque<Core>& workers() const { return workers_; }
  const Core& poller() const { return poller_; }
  void ForEachQueuePair(const std::function<void(NodeId, uint32_t)>& use) const;

  /// A service's memory of this process: connection_footprint.h.
  static Forecast FootprintOf(const ConnectionParameters& parameters, const ServiceLoad& load, Forecast open);

 private:
  static constexpr uint32_t kControl = UINT32_MAX;
  enum class What : uint8_t { payload, fetch, read_for_peer, control };
  /// What a worker is to post.
  struct Request {
    What what = What::control;
    uint32_t vqpn = 0;  ///< own; 0: of no connection
    uint32_t peer = 0;  ///< place in peers_
    uint32_t imm = 0;   ///< vQPN that a control message goes to
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
    int open = 0;        ///< work requests taken up and not complete
    Ring<Request> full;  ///< that wait for one of these
    bool failed = false;
  };
  struct Virtual {
    uint32_t connection = 0, there = 0;  ///< there: the peer's vQPN
    uint32_t peer = 0;
    Ring<Posted> posted;     ///< in the order of their completions
    Ring<uint32_t> fetched;  ///< operations that the peer is to fetch
  };
  struct Worker {
    Ring<Request> ready;     ///< whose queue pair has room, kept for them
    Ring<Request> requests;  ///< as they came
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
  const uint8_t tag_;  ///< of its queue pairs' frames
  const ConnectionParameters& p_;
  Verbs& verbs_;
  Transfers& transfers_;
  DaemonUser& user_;
  CompletionQueue* cq_;
  SharedReceiveQueue* srq_;
  PayloadMemory receives_, control_;
  std::deque<Core> workers_;
  std::vector<Worker> work_;  ///< by worker
  Core poller_;
  bool polling_ = false;
  std::vector<Wc> polled_;
  std::vector<Peer> peers_;
  std::map<NodeId, uint32_t> place_of_;  ///< in peers_
  std::map<uint32_t, uint32_t> peer_of_qp_;
  std::deque<Virtual> virtuals_;  ///< by vQPN; the first is the daemon
  std::set<uint16_t> ports_;
};

}  // namespace headroom
