// Work requests and completions, as a user of verbs sees them.
#pragma once

#include <cstdint>
#include <vector>

#include "net/topology/topology.h"
#include "nic/transport/wc_status.h"
#include "sim/units.h"

namespace headroom {

struct MemoryRegion;

enum class WrOpcode : uint8_t {
  rdma_write,
  rdma_write_with_imm,
  send,
  send_with_imm,
  send_with_inv,
  rdma_read,
  local_inv,
  reg_mr
};
enum class WcOpcode : uint8_t { rdma_write, send, rdma_read, local_inv, reg_mr, recv, recv_rdma_with_imm };

/// Whether only the NIC executes it, at its turn in the send queue, without packets.
constexpr bool IsStep(WrOpcode opcode) { return opcode == WrOpcode::local_inv || opcode == WrOpcode::reg_mr; }
/// The code as in the enumeration, for files.
const char* WcOpcodeCode(WcOpcode opcode);

/// A buffer. Local key 0 means all of the host's memory, without content.
struct Sge {
  uint64_t addr = 0;
  uint32_t length = 0;
  uint32_t lkey = 0;
};

/// The destination of a datagram or a connection. The source port decides the path.
struct AddressHandle {
  NodeId host = 0;
  uint16_t source_port = 49152;
};

struct SendWr {
  uint64_t wr_id = 0;
  WrOpcode opcode = WrOpcode::send;
  bool signaled = false;
  bool fence = false;        ///< waits for earlier READs
  bool inline_data = false;  ///< the data are copied when posted, from `inline_bytes` or from the region
  bool solicited = false;    ///< requests an event at the receiver
  Sge sge;
  uint64_t remote_addr = 0;
  uint32_t rkey = 0;  ///< remote key; for send_with_inv and local_inv, the key to invalidate
  uint32_t imm_data = 0;
  // For datagrams:
  AddressHandle ah;
  uint32_t remote_qpn = 0;
  uint32_t remote_qkey = 0;
  // reg_mr: assigns `mr` the range of `sge` (its bytes are `content`, if any) with this key and access.
  MemoryRegion* mr = nullptr;
  uint32_t key = 0;
  unsigned access = 0;
  uint8_t* content = nullptr;  ///< has sge.length bytes; null: none
  uint64_t cause = 0;          ///< a number chosen by the poster, which completions return
  bool timed = true;           ///< its time is split into parts (MessageTimes), if it has a cause
};

struct ReceiveWr {
  uint64_t wr_id = 0;
  Sge sge;
};

/// A RECV in its queue.
struct ReceiveWork {
  ReceiveWr wr;
  Time posted;
};

/// Times of an operation's stations, in true time; nic/clock.h converts T2 … T5 to the NIC's clock. kNever
/// for stations that the operation did not reach or does not have. T1 … T6 as in RDMA Estats (Bai et al.,
/// NSDI 2023).
struct OperationTimes {
  Time posted = kNever;        ///< T1
  Time first_sent = kNever;    ///< T2: the transmission of its first frame starts, for the first time
  Time last_sent = kNever;     ///< T3: the transmission of its last frame starts, for the last time
  Time acknowledged = kNever;  ///< T4: the last bit of the frame that completes it has arrived
  Time completed = kNever;     ///< T5: the completion is written
  Time polled = kNever;        ///< T6

  /// The transmission of the operation's first or last frame starts, or of a frame that is both.
  void NoteSent(bool first, bool last, Time now) {
    if (first && first_sent == kNever) first_sent = now;
    if (last) last_sent = now;
  }
};

struct Wc {
  uint64_t wr_id = 0;
  WcStatus status = WcStatus::success;
  WcOpcode opcode = WcOpcode::send;
  uint32_t byte_len = 0;  ///< bytes received or read; for a datagram, including the GRH's 40 bytes
  uint32_t imm_data = 0;
  uint32_t invalidated_rkey = 0;
  uint32_t qp_num = 0;
  uint32_t src_qp = 0;  ///< for a datagram: the sending queue pair
  NodeId src = 0;       ///< for a datagram: the sending host
  bool with_imm = false, with_inv = false, grh = false;
  uint64_t cause = 0;             ///< number from the work request that completed, or that used this RECV
  uint32_t message = UINT32_MAX;  ///< its number in MessageTimes, if it has one
  OperationTimes times;
  /// Whether this completes a RECV; otherwise it completes a posted send.
  bool IsReceive() const { return opcode == WcOpcode::recv || opcode == WcOpcode::recv_rdma_with_imm; }
};

}  // namespace headroom
