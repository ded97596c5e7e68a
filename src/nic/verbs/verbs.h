// RDMA verbs of one host, read like libibverbs: queue pairs, completion queues, shared receive queues, memory
// regions. Protocols are written on this and see nothing below it.
//
// What each transport can do (ibv_post_send(3); InfiniBand Architecture Specification 9.2, table of opcodes):
//
//   operation                 RC  UC  UD
//   SEND, SEND_WITH_IMM       x   x   x    UD: at most one MTU
//   SEND_WITH_INV             x
//   RDMA_WRITE, …_WITH_IMM    x   x
//   RDMA_READ                 x
//   LOCAL_INV, REG_MR         x   x        on RC and UC, in the order of the send queue
//   shared receive queue      x       x
//
// Calls return 0 or an errno: EINVAL what the queue pair cannot do in its state or of its type, ENOMEM a full
// queue. What only shows when an operation is under way comes as the status of its completion. Nothing is
// called back from within a call: a completion queue's handler runs as an event of its own.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nic/verbs/completion_queue.h"
#include "nic/verbs/memory.h"
#include "nic/verbs/work_request.h"

namespace headroom {

class QueuePair;
class VerbsNic;

enum class QpType : uint8_t { rc, uc, ud };
enum class QpState : uint8_t { reset, init, rtr, rts, sqd, sqe, err };

/// A queue for RECVs that several queue pairs take from. Those taken by a message come back as completions.
class SharedReceiveQueue {
 public:
  explicit SharedReceiveQueue(uint32_t max_wr) : max_wr_(max_wr) {}
  uint32_t posted() const { return queue_.Size(); }

 private:
  friend class QueuePair;
  friend class Verbs;
  Ring<ReceiveWork> queue_;
  uint32_t max_wr_;
  uint32_t occupied_ = 0;
};

struct QpCapabilities {
  uint32_t max_send_wr = 128;
  uint32_t max_recv_wr = 128;
  uint32_t max_inline_data = 256;  ///< bytes
};

struct QpInitAttr {
  QpType type = QpType::rc;
  CompletionQueue* send_cq = nullptr;
  CompletionQueue* recv_cq = nullptr;
  SharedReceiveQueue* srq = nullptr;
  QpCapabilities cap;
  bool sq_sig_all = false;  ///< every send work request completes with a completion
  uint8_t priority = 3;     ///< traffic class of all its frames
  uint8_t tag = 0;          ///< of all its frames (Frame::tag)
};

/// The state to go to and what belongs to that step; the rest is not looked at.
struct QpAttr {
  QpState state = QpState::reset;
  // To init.
  uint32_t qkey = 0;  ///< UD
  // To rtr. A UD queue pair has no peer: its address handles have.
  AddressHandle address;
  uint32_t dest_qp_num = 0;
  uint32_t rq_psn = 0;              ///< the peer's sq_psn
  uint8_t min_rnr_timer = 12;       ///< code of the RNR timer that its RNR NAKs carry: 0.64 ms
  uint8_t max_dest_rd_atomic = 16;  ///< READs it answers at a time
  // To rts.
  uint32_t sq_psn = 0;
  std::optional<uint8_t> timeout;    ///< 4.096 us × 2^timeout, 0: never; none: as the NIC's `rto`
  std::optional<uint8_t> retry_cnt;  ///< 0 to 7; none: as the NIC's `retry`
  uint8_t rnr_retry = 7;             ///< 7: for ever
  uint8_t max_rd_atomic = 16;        ///< READs outstanding, at most 16
};

class Verbs {
 public:
  static constexpr uint32_t kGrhBytes = 40;  ///< before the payload of a datagram in the RECV's buffer
  static constexpr uint8_t kMaxReads = 16;

  explicit Verbs(VerbsNic& nic);
  ~Verbs();

  CompletionQueue* CreateCq(uint32_t cqe);
  SharedReceiveQueue* CreateSrq(uint32_t max_wr);
  /// Null where the attributes contradict each other: no completion queue, UC with a shared receive queue,
  /// more inline data than 256 bytes, no work requests. Where a NIC flags its ACKs for marks (ack_flag),
  /// those on UC and UD go unheard, and PostSend refuses READs: these have no ACKs.
  QueuePair* CreateQp(const QpInitAttr& attr);
  /// Memory at [addr, addr + length) of the host's virtual addresses. With `bytes`, of the same length, it
  /// has content; without, data are counted and not carried; with a prefix `bytes` are the content of the
  /// prefixes alone. `access`: bits of Access. Null where ibv_reg_mr refuses, or for content of another
  /// length (Memory::Register).
  MemoryRegion* RegMr(uint64_t addr, uint64_t length, unsigned access, std::span<uint8_t> bytes = {},
                      const MemoryPrefix& prefix = {}) {
    return memory_.Register(addr, length, access, bytes, prefix);
  }
  /// A region to be given memory by REG_MR.
  MemoryRegion* AllocMr() { return memory_.Allocate(); }
  void DeregMr(MemoryRegion* region) { memory_.Deregister(*region); }
  /// Whether counted data in this range of a region, valid or not, are other than those that were sent, as a
  /// CRC would tell of content.
  bool Damaged(uint32_t key, uint64_t addr, uint64_t length) const {
    return !memory_.damage.empty() && memory_.damage.First(Memory::PlaceOf(key), addr, length).has_value();
  }
  /// A program has written counted data there.
  void Overwrite(uint32_t key, uint64_t addr, uint64_t length) {
    if (!memory_.damage.empty()) memory_.damage.Clear(Memory::PlaceOf(key), addr, length);
  }
  /// From when this is on, each packet whose payload comes to lie in a region has one byte changed behind the
  /// NIC's checks, with this probability. Returns its number, with which `stream` is that of its random
  /// numbers; it is off.
  size_t AddCorruption(double probability, const std::string& stream) {
    return memory_.damage.AddSource(probability, stream);
  }
  void SetCorruption(size_t number, bool on) { memory_.damage.SetSource(number, on); }
  /// What a program that spins on a region would notice: `handler` runs, as an event of its own, when the
  /// last byte of a WRITE is there, with the address and length of the whole WRITE. Takes the place of the
  /// handler before.
  void WatchMr(MemoryRegion* region, MemoryWatch::Handler handler);

  /// reset → init → rtr → rts; rts ⇄ sqd; sqe → rts; any → err, reset. EINVAL for another step or a bad
  /// attribute.
  int ModifyQp(QueuePair* qp, const QpAttr& attr);
  int PostSend(QueuePair* qp, const SendWr& wr);
  int PostRecv(QueuePair* qp, const ReceiveWr& wr);
  int PostSrqRecv(SharedReceiveQueue* srq, const ReceiveWr& wr);

  /// `handler` runs each time that the NIC is back after a restart, in which all queue pairs failed. Memory
  /// regions and completion queues are as before. Handlers run in the order in which they came.
  void ListenForRestart(std::function<void()> handler) { on_restart_.push_back(std::move(handler)); }

  static QpState StateOf(const QueuePair* qp);
  static uint32_t NumberOf(const QueuePair* qp);
  NodeId host() const;

  // Events.
  /// All queue pairs fail, for this reason.
  void Fail(const std::string& why);
  void Restarted() {
    for (const auto& handler : on_restart_) handler();
  }
  void RunHandler(uint32_t cq) { cqs_[cq].handler_(); }
  void RunWatch(uint32_t number);
  /// The oldest of the completions that the NIC has written is in memory.
  void AddWritten();

 private:
  friend class QueuePair;
  /// A completion on its way to memory. No queue: its queue pair is no more.
  struct Written {
    QueuePair* pair = nullptr;
    CompletionQueue* cq = nullptr;
    CompletionQueue::Entry entry;
    bool solicited = false;
  };
  bool CanSend(const QueuePair& qp, const SendWr& wr) const;
  bool IsHost(const AddressHandle& address) const;
  int ReadyToReceive(QueuePair& qp, const QpAttr& attr);
  int ReadyToSend(QueuePair& qp, const QpAttr& attr);

  VerbsNic& nic_;
  Memory memory_;
  Ring<Written> written_;
  std::deque<CompletionQueue> cqs_;
  std::deque<MemoryWatch> watches_;
  std::deque<SharedReceiveQueue> srqs_;
  std::vector<std::unique_ptr<QueuePair>> pairs_;
  std::vector<std::function<void()>> on_restart_;
};

/// What a connection manager does: both ends from reset to rts, joined, by the path of `source_port`. False
/// where one of them refuses.
bool ConnectQps(Verbs& a, QueuePair* at_a, Verbs& b, QueuePair* at_b, uint16_t source_port = 49152);

}  // namespace headroom
