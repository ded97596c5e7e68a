// RDMA verbs of one host, modelled on libibverbs: queue pairs, completion queues, shared receive queues,
// memory regions. Protocols use this interface and nothing below it.
//
// Operations of each transport (ibv_post_send(3); InfiniBand Architecture Specification 9.2, table of
// opcodes):
//
//   operation                 RC  UC  UD
//   SEND, SEND_WITH_IMM       x   x   x    UD: at most one MTU
//   SEND_WITH_INV             x
//   RDMA_WRITE, …_WITH_IMM    x   x
//   RDMA_READ                 x
//   LOCAL_INV, REG_MR         x   x        on RC and UC, in the order of the send queue
//   shared receive queue      x       x
//
// Success and failure: a call that returns int returns 0, EINVAL or ENOMEM. EINVAL: the queue pair's state or
// type does not allow the call, or an attribute is bad. ENOMEM: the queue is full. A failed call changes
// nothing. A Create, Alloc or Reg call returns null if it refuses. An error of an operation under way is the
// status of its completion.
//
// Phase: all calls are allowed from the NIC's Setup on, before the run and in events of the run, unless their
// comment restricts them. Objects live as long as the Verbs. No call runs a handler: each handler runs in a
// separate event.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nic/verbs/completion_queue.h"
#include "nic/verbs/memory.h"
#include "nic/verbs/work_request.h"
#include "sim/deque.h"

namespace headroom {

class QueuePair;
class VerbsNic;

enum class QpType : uint8_t { rc, uc, ud };
enum class QpState : uint8_t { reset, init, rtr, rts, sqd, sqe, err };

/// A queue of RECVs shared by several queue pairs. A used RECV comes back as a completion.
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
  bool sq_sig_all = false;  ///< every send work request gets a completion
  uint8_t priority = 3;     ///< traffic class of all its frames
  uint8_t tag = 0;          ///< tag of all its frames (Frame::tag)
};

/// The new state and the attributes of that step; other attributes are ignored.
struct QpAttr {
  QpState state = QpState::reset;
  // For the step to init:
  uint32_t qkey = 0;  ///< UD
  // For the step to rtr: A UD queue pair has no peer; its address handles name peers.
  AddressHandle address;
  uint32_t dest_qp_num = 0;
  uint32_t rq_psn = 0;              ///< the peer's sq_psn
  uint8_t min_rnr_timer = 12;       ///< code of the RNR timer that its RNR NAKs carry: 0.64 ms
  uint8_t max_dest_rd_atomic = 16;  ///< READs that it answers at the same time
  // For the step to rts:
  uint32_t sq_psn = 0;
  std::optional<uint8_t> timeout;    ///< 4.096 us × 2^timeout, 0: never; none: the NIC's `rto`
  std::optional<uint8_t> retry_cnt;  ///< 0 to 7; none: the NIC's `retry`
  uint8_t rnr_retry = 7;             ///< 7: no limit
  uint8_t max_rd_atomic = 16;        ///< outstanding READs, at most 16
};

class Verbs {
 public:
  static constexpr uint32_t kGrhBytes =
      40;  ///< size of the GRH before the payload of a datagram in the RECV's buffer
  static constexpr uint8_t kMaxReads = 16;

  explicit Verbs(VerbsNic& nic);
  ~Verbs();

  /// A completion queue for `cqe` completions. Always succeeds.
  CompletionQueue* CreateCq(uint32_t cqe);
  /// A shared receive queue for `max_wr` RECVs. Always succeeds.
  SharedReceiveQueue* CreateSrq(uint32_t max_wr);
  /// A queue pair in state reset. Null if the attributes contradict each other: no completion queue, UC with
  /// a shared receive queue, more inline data than 256 bytes, no work requests, an unknown priority. If the
  /// NIC signals marks by a flag on its ACKs (ack_flag), marks on UC and UD have no effect, and PostSend
  /// refuses READs: these have no ACKs.
  QueuePair* CreateQp(const QpInitAttr& attr);
  /// Registers the virtual addresses [addr, addr + length). With `bytes`, of the same length, the region has
  /// content. Without `bytes`, data are counted and not carried. With a prefix, `bytes` contains only the
  /// prefixes. `access`: bits of Access. `bytes` must outlive the region. Null if ibv_reg_mr would refuse, or
  /// if the content has another length (Memory::Register).
  MemoryRegion* RegMr(uint64_t addr, uint64_t length, unsigned access, std::span<uint8_t> bytes = {},
                      const MemoryPrefix& prefix = {}) {
    return memory_.Register(addr, length, access, bytes, prefix);
  }
  /// The same with content for the first bytes of each of consecutive buffers of `stride` bytes, and with
  /// memory only for buffers that hold data. `contents` must outlive the region.
  MemoryRegion* RegMr(uint64_t addr, uint64_t stride, unsigned access, BufferContents& contents) {
    return memory_.Register(addr, stride, access, contents);
  }
  /// A region without memory, for a later REG_MR. Always succeeds.
  MemoryRegion* AllocMr() { return memory_.Allocate(); }
  /// From now on the region's keys are invalid; an operation in progress that uses them fails.
  void DeregMr(MemoryRegion* region) { memory_.Deregister(*region); }
  /// Returns true if counted data in this range of a region, valid or not, were damaged in transit, as a CRC
  /// over content would show.
  bool Damaged(uint32_t key, uint64_t addr, uint64_t length) const {
    return !memory_.damage.empty() && memory_.damage.First(Memory::PlaceOf(key), addr, length).has_value();
  }
  /// A program has written counted data there: the range is no longer damaged.
  void Overwrite(uint32_t key, uint64_t addr, uint64_t length) {
    if (!memory_.damage.empty()) memory_.damage.Clear(Memory::PlaceOf(key), addr, length);
  }
  /// Adds a source of damage, switched off, and returns its number. While it is on, each packet that writes
  /// payload to a region has one byte changed behind the NIC's checks, with this probability. `stream` names
  /// its random stream. REQUIRES: before the run.
  size_t AddCorruption(double probability, const std::string& stream) {
    return memory_.damage.AddSource(probability, stream);
  }
  /// REQUIRES: `number` is one that AddCorruption returned.
  void SetCorruption(size_t number, bool on) { memory_.damage.SetSource(number, on); }
  /// Adds the handler of a program that polls a region. When the last byte of a WRITE arrives, `handler` runs
  /// in a separate event, with the address and length of the whole WRITE. Replaces the region's previous
  /// handler.
  void WatchMr(MemoryRegion* region, MemoryWatch::Handler handler);

  /// Steps: reset → init → rtr → rts; rts ⇄ sqd; sqe → rts; any → err, reset. Returns EINVAL for another step
  /// or a bad attribute.
  int ModifyQp(QueuePair* qp, const QpAttr& attr);
  /// Posts a copy of `wr`; inline data are copied too. In states err and sqe the work request is accepted and
  /// completes flushed. Returns EINVAL in states before rts, or if the type or the sizes do not permit `wr`.
  /// Returns ENOMEM if the send queue has no free slot (completion_queue.h states when a slot is free).
  int PostSend(QueuePair* qp, const SendWr& wr);
  /// Returns EINVAL in state reset or with a shared receive queue, ENOMEM if the receive queue is full.
  int PostRecv(QueuePair* qp, const ReceiveWr& wr);
  /// Returns ENOMEM if the queue is full.
  int PostSrqRecv(SharedReceiveQueue* srq, const ReceiveWr& wr);

  /// `handler` runs each time that the NIC returns after a restart. In a restart all queue pairs fail; memory
  /// regions and completion queues stay. Handlers run in the order in which they were added.
  void ListenForRestart(std::function<void()> handler) { on_restart_.push_back(std::move(handler)); }

  static QpState StateOf(const QueuePair* qp);
  static uint32_t NumberOf(const QueuePair* qp);
  /// Whether the send queue has no free slot.
  static bool IsFull(const QueuePair* qp);
  NodeId host() const;

  // Only for the NIC, in events of the run:
  /// Makes all queue pairs fail, for this reason.
  void Fail(const std::string& why);
  void Restarted() {
    for (const auto& handler : on_restart_) handler();
  }
  void RunHandler(uint32_t cq) { cqs_[cq].handler_(); }
  void RunWatch(uint32_t number);
  /// The oldest completion that the NIC has written is now in memory.
  void AddWritten();

 private:
  friend class QueuePair;
  /// A completion on its way to memory. No queue: the queue pair has been removed.
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
  Deque<CompletionQueue> cqs_;
  Deque<MemoryWatch> watches_;
  Deque<SharedReceiveQueue> srqs_;
  std::vector<std::unique_ptr<QueuePair>> pairs_;
  std::vector<std::function<void()>> on_restart_;
};

/// Takes both ends from reset to rts and connects them, on the path of `source_port`, as a connection manager
/// does. No time passes. False if an end refuses a step; both may then be in any state. All attributes in
/// `attr` count except state, address and peer. REQUIRES: both are in state reset.
bool ConnectQps(Verbs& a, QueuePair* at_a, Verbs& b, QueuePair* at_b, uint16_t source_port = 49152,
                const QpAttr& attr = {});

}  // namespace headroom
