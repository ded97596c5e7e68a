// A queue pair of verbs: its state, its work requests and RECVs, and their completions. Its requester and
// responder make the frames.
//
// Programs use the functions of Verbs. Verbs calls SetState to Reset, after it has checked the arguments,
// before or during the run; they cannot fail. The requester and the responder call the MessageOwner
// functions, in events of the run. A failure in these becomes the status of a completion.
#pragma once

#include "nic/transport/requester.h"
#include "nic/transport/responder.h"
#include "nic/verbs/verbs.h"
#include "nic/verbs/verbs_nic.h"

namespace headroom {

/// A work request in the send queue.
struct SendWork {
  SendWr wr;
  OperationTimes times;
  Time done_at = kNever;              ///< UC, UD: the end of its last frame's transmission
  uint32_t receive = 0;               ///< number of the RECV that it uses, if any
  std::vector<uint8_t> inline_bytes;  ///< copied when it was posted
};

/// The message that is arriving.
struct Inbound {
  bool has_recv = false;  ///< it has a RECV; a RECV that UC did not use up waits for the next SEND
  ReceiveWork recv;
  uint64_t address = 0;  ///< of a WRITE: its address
  uint32_t key = 0;
  uint64_t length = 0;  ///< of a WRITE: its length
  uint64_t offset = 0;  ///< bytes received so far
};

class QueuePair final : public MessageOwner {
 public:
  QueuePair(Verbs& verbs, VerbsNic& nic, const QpInitAttr& attr);
  uint32_t number() const { return requester.number(); }

  void SetState(QpState to);
  /// REQUIRES: Verbs has checked the request, and the queue has a free slot.
  void PostSend(const SendWr& wr);
  void PostReceive(const ReceiveWr& wr);
  /// Completes all work requests and RECVs as flushed; later ones, too.
  void EnterError();
  /// Resets everything except the frame in transmission. Completions that were not polled are lost.
  void Reset();
  void AddCompletion(CompletionQueue& cq, const CompletionQueue::Entry& entry, bool solicited);

  bool Begins(Requester& r, const SendRequest& request, uint32_t index) override;
  Time StepTakes(Requester& r, uint32_t index) override;
  bool TakeStep(Requester& r, uint32_t index) override;
  void Completed(Requester& r, const SendRequest& request) override;
  void Failed(Requester& r, WcStatus status, const std::string& why) override;
  void Dress(Requester& r, Frame& frame, const SendRequest& request, uint32_t index) override;
  void DressRead(FrameExtension& e, uint32_t index, uint64_t offset) override;
  void DressAsk(FrameExtension& e, uint32_t index) override;
  void Started(Requester& r, const Frame& frame, uint32_t index) override;
  void MayBeOut(Requester& r) override;
  void TakeResponse(const Frame& frame, uint32_t index, uint64_t offset) override;
  uint8_t Take(const Frame& frame) override;
  uint8_t TakePlaced(const Frame& frame) override;
  bool Place(const Frame& frame) override;
  uint8_t CheckRead(const Frame& frame) const override;
  uint8_t Admits(uint32_t receive) override;
  void TakeDatagram(const Frame& frame) override;
  void DressResponse(Frame& frame, uint32_t key, uint64_t address, uint64_t bytes) const override;

 private:
  Verbs& verbs_;
  VerbsNic& nic_;

 public:
  Requester& requester;
  Responder& responder;
  QpType type;
  QpState state = QpState::reset;
  uint8_t rnr_timer = 12;
  uint8_t max_dest_reads = Verbs::kMaxReads;
  bool sq_sig_all;
  QpCapabilities cap;
  uint32_t qkey = 0;
  uint32_t sq_occupied = 0, rq_occupied = 0;
  SharedReceiveQueue* srq;

 private:
  QueuePair(Verbs& verbs, VerbsNic& nic, const QpInitAttr& attr, VerbsNic::Pair halves);

  // Sending and completing.
  void DressDatagram(Frame& frame, FrameExtension& e, const SendWr& wr, Operation operation);
  void CompleteWork(WcStatus status, uint32_t message = kNoMessage);
  void CompleteReceive(const Frame* frame, WcStatus status);
  void Write(CompletionQueue& cq, const CompletionQueue::Entry& entry, bool solicited);
  void FlushSends();
  void AwaitEnd(SendWork& work, Time end);
  void Settle();
  void HearOfAll();
  bool Says(const SendWr& wr) const { return wr.signaled || sq_sig_all; }

  // Receiving.
  uint8_t TakeMessage(const Frame& frame, bool placed);
  uint8_t TakeSend(const Frame& frame, const FrameExtension* extension, bool placed);
  uint8_t TakeWrite(const Frame& frame, const FrameExtension* extension, bool placed);
  bool TakeReceive();
  const ReceiveWork* ReceiveOf(uint32_t number);
  uint64_t PayloadOf(const Frame& frame, uint64_t length, uint64_t offset) const;
  void Land(const MemoryRange& range, uint64_t offset, uint64_t length, const FrameExtension* e);

  CompletionQueue& send_cq_;
  CompletionQueue& recv_cq_;
  Ring<SendWork> work_;      ///< one entry for each of the requester's `requests`
  uint32_t unreleased_ = 0;  ///< requests without a completion since the last one that had a completion
  uint32_t steps_ = 0;       ///< number of entries in `work_` without packets
  Inbound inbound_;
  Ring<ReceiveWork> receive_queue_;
  Ring<ReceiveWork> early_;         ///< RECVs of messages that began to arrive before their turn
  uint32_t sends_numbered_ = 0;     ///< number of posted work requests that use a RECV
  uint32_t receives_numbered_ = 0;  ///< number of RECVs that messages have used at their turn
};

}  // namespace headroom
