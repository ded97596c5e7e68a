// A queue pair with both its halves: all that it has beyond sending and acknowledging bulk. Verbs' queue
// pairs, and those of bulk READs.
//
// Work requests wait in `work`, one for each entry of the requester's `requests`. READ responses and, behind
// them, the ACKs and NAKs that may not overtake them, wait in `answers` and go out at the queue pair's rate.
#pragma once

#include "nic/queue_pair.h"
#include "nic/verbs.h"

namespace headroom {

/// A work request in the send queue.
struct SendWork {
  SendWr wr;
  OperationTimes times;
  Time done_at = kNever;              ///< UC, UD: the end of its last frame's transmission
  std::vector<uint8_t> inline_bytes;  ///< taken when it was posted
};

/// A READ to be answered, or an ACK or NAK that must not overtake one.
struct Answer {
  FrameKind kind = FrameKind::data;
  uint8_t syndrome = 0;
  bool echo = false;
  uint64_t psn = 0;  ///< of the next response; of an ACK or NAK its own
  uint64_t first_psn = 0;
  uint64_t end_psn = 0;
  uint32_t message = 0;
  uint32_t executed = 0;  ///< messages, up to this READ
  int64_t bytes = 0;
  uint64_t address = 0;
  uint32_t key = 0;
};

/// The message that is coming in.
struct Inbound {
  bool active = false;
  bool has_recv = false;  ///< a RECV was taken for it; one that UC did not use up waits for the next SEND
  ReceiveWork recv;
  uint64_t address = 0;  ///< of a WRITE
  uint32_t key = 0;
  uint64_t length = 0;  ///< of a WRITE
  uint64_t offset = 0;  ///< bytes so far
};

struct QueuePair {
  uint32_t requester = 0, responder = 0;  ///< its halves; of verbs' queue pairs both are its number
  QpType type = QpType::rc;
  QpState state = QpState::rts;
  bool bulk = true;  ///< no work requests, no completions, memory everywhere

  // Send queue.
  uint8_t max_reads = Verbs::kMaxReads;
  uint8_t reads = 0;           ///< sent and not complete
  uint32_t posted_reads = 0;   ///< and not complete
  bool recovering = false;     ///< went back for a lost response; cleared by the next that is in order
  bool answered_last = false;  ///< answers and requests take turns
  uint8_t rnr_limit = 7;
  uint8_t rnr_retries = 0;
  Time resume_at = kNever;       ///< a work request that is on its way to the NIC wakes it up then
  Time hold_until;               ///< no request starts before this: RNR timer, recovery delay
  uint64_t acknowledged_to = 0;  ///< by ACKs that came before the responses of READs before them
  Ring<SendWork> work;
  uint32_t unreleased = 0;  ///< completed without a completion since the last one that had one

  // Responder.
  uint8_t max_dest_reads = Verbs::kMaxReads;
  uint8_t rnr_timer = 12;
  uint64_t response_high = 0;  ///< one past the highest response ever sent
  Ring<Answer> answers;
  Inbound inbound;
  Ring<ReceiveWork> receive_queue;

  // Verbs.
  CompletionQueue* send_cq = nullptr;
  CompletionQueue* recv_cq = nullptr;
  SharedReceiveQueue* srq = nullptr;
  QpCapabilities cap;
  bool sq_sig_all = false;
  uint32_t qkey = 0;
  AddressHandle address;
  uint32_t sq_occupied = 0, rq_occupied = 0;
};

}  // namespace headroom
