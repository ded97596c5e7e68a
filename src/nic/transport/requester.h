// The requester of a queue pair: turns its send queue into frames, and completes requests from answers,
// despite losses.
//
// If it shares a queue pair with a responder, READ responses leave at its turns and its rate. One-way bulk
// has no responder at this end.
//
// Source: InfiniBand Architecture Specification 9.7 (reliable service: PSN, ACK, NAK, go-back-N).
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "dcqcn/rate_limiter.h"
#include "dcqcn/reaction_point.h"
#include "nic/transport/balancing.h"
#include "nic/transport/message_owner.h"
#include "nic/transport/nic_interface.h"
#include "nic/transport/psn.h"
#include "nic/transport/recovery.h"
#include "nic/transport/send_request.h"
#include "sim/ring.h"

namespace headroom {

class Responder;

class alignas(64) Requester {
 public:
  enum class State : uint8_t {
    idle,   ///< nothing to send
    ready,  ///< in the round of requesters that may send now
    pacing  ///< waits for the limiter, or for the end of a recovery delay
  };
  /// Whether its requests become frames. Responses become frames in any phase.
  enum class Phase : uint8_t {
    stopped,  ///< not yet ready, or no longer
    drains,   ///< only for requests that have begun
    runs
  };

  Requester(NicInterface& nic, MessageOwner& owner, uint32_t number)
      : nic_(&nic), number_(number), owner_(&owner) {
    rto = nic.constants().transport.rto;
    retry_limit = nic.constants().transport.retry;
  }
  void SetResponder(Responder& responder) { responder_ = &responder; }
  /// REQUIRES: called before the first request; the transport is reliable. From now on each frame is flagged
  /// if it is among the first `packets` packets of a request.
  void MarkFirstWindow(uint64_t packets) {
    first_window_ = packets;
    marks_first_window_ = true;
  }
  void SetRecovery(std::unique_ptr<RequesterRecovery> recovery) {
    recovery_ = std::move(recovery);
    recovers_ = true;
  }
  /// From now on each frame has an entropy of its own; null: none has.
  void SetBalancing(std::unique_ptr<Balancing> balancing) {
    balancing_ = std::move(balancing);
    balances_ = balancing_ != nullptr;
  }

  /// Adds something to send, unless it is stopped. Computes the request's place in the queue, and its time of
  /// arrival in the NIC.
  void Post(SendRequest request);
  /// Whether something remains to be sent, now or after another event.
  bool HasMore() const;
  /// The next frame. REQUIRES: it has its turn.
  NextFrame Next();
  /// The cause of a delay is over.
  void Resume() { ResumeAt(nic_->now() + nic_->constants().tx_latency); }
  void ResumeAt(Time earliest);

  void OnAck(const Frame& frame) {
    if ((recovers_ || controlled || balances_) && !Show(frame)) [[unlikely]]
      return;
    OnAnswer(WholePsn(frame.psn + 1, una_psn));
  }
  /// The answer to a request for a context arrived.
  void OnGrant(const Frame& frame) {
    if (recovers_ && phase != Phase::stopped) recovery_->OnGrant(*this, frame);
  }
  void OnNak(const Frame& frame);
  /// The number of packets to send, except READ requests; includes responses.
  uint64_t Backlog() const;
  /// The number of packets of READs, below this PSN, whose responses are expected.
  uint64_t ReadsBelow(uint64_t psn) const;
  /// Whether everything it has to send is new, and no request is in flight.
  bool IsFresh() const;
  /// The size of the requester's window has changed.
  void NoteWindow();
  void OnReadResponse(const Frame& frame);
  /// The event at rto_event.
  void OnRetransmitTimer();
  /// The transmission of a frame with a work request starts.
  void NoteStarted(const Frame& frame);
  /// Frames that need no answer have left; a later step may have waited for that.
  void OnOut() {
    owner_->MayBeOut(*this);
    if (cursor < requests.Size() && requests[cursor].IsStep()) ResumeAt(nic_->now());
  }
  /// Removes the oldest request from the queue, unless it is a step that has not been taken. Returns false in
  /// that case.
  bool CompleteFront();
  /// Gives up its requests, and sends nothing more.
  void Stop();
  /// Empties the queue; the next packet will be `psn`, for now.
  void Forget(uint64_t psn);
  /// Resets everything except frames in transmission.
  void Reset();

  // For its recovery:
  /// The request that contains a PSN; null if no unacknowledged request does.
  const SendRequest* Find(uint64_t psn, uint32_t* index) const;
  /// The first READ in the send queue; null if there is none.
  const SendRequest* FirstRead(uint32_t* index) const;
  /// The responder has executed everything below `una`.
  void OnAnswer(uint64_t una);
  /// Everything below `una` is complete.
  void Acknowledge(uint64_t una);
  /// Acknowledges the requests that the responder has executed, up to the first READ that still lacks
  /// responses.
  void AcknowledgeExecuted() {
    if (acknowledged_to_ > una_psn) OnAnswer(acknowledged_to_);
  }
  /// The peer has shown that it is alive: earlier timeouts do not count.
  void Alive();
  /// A timeout of this length has ended. Returns false if there were too many, and the requester fails.
  bool MayTimeOut(Time took);
  /// Waits for an answer that no packet requests.
  void AwaitAnswer();
  /// Waits for a RECV at its peer, with this timer. Returns false if it has done so too often, and fails.
  bool MayRetryRnr();
  bool Posted(uint32_t index) const { return requests[index].available <= nic_->now(); }
  /// The responder has executed everything below this PSN.
  uint64_t executed_to() const { return std::max(una_psn, acknowledged_to_); }
  NicInterface& nic() const { return *nic_; }
  /// The requester gets a turn at this time, if it has something to send.
  void WakeAt(Time at) { nic_->Arm(NicTimer::resume, number_, at); }

  MessageOwner& owner() const { return *owner_; }
  Responder* responder() const { return responder_; }
  uint32_t number() const { return number_; }
  /// A data frame, without its contents.
  Frame* DataFrame() const;

 private:
  // The members are ordered by cache line: those that every packet and every ACK touches come first.
  NicInterface* nic_;
  Responder* responder_ = nullptr;
  Time hold_until_;  ///< no request starts before this: RNR timer, recovery delay
  uint32_t number_;
  uint32_t posted_reads_ = 0;       ///< READs in the queue that are not complete
  uint8_t reads_ = 0;               ///< READs sent and not complete
  bool recovering_ : 1 = false;     ///< went back for a lost response; cleared by the next response in order
  bool answered_last_ : 1 = false;  ///< the last turn sent an answer (answers and requests alternate)
  bool shut_ : 1 = false;           ///< since the last ACK it had a turn with a full window
  bool recovers_ : 1 = false;       ///< has a recovery
  bool marks_first_window_ : 1 = false;
  bool balances_ : 1 = false;  ///< each of its frames has an entropy of its own

 public:
  /// Frames carry this queue pair's own number, by which the peer finds its responder: true for bulk.
  bool named_by_sender : 1 = false;
  /// It has a congestion control other than DCQCN.
  bool controlled : 1 = false;
  /// The queue pair's control permits no READ response.
  bool holds_answers : 1 = false;
  // Its peer, and its turns.
  State state = State::idle;
  Phase phase = Phase::stopped;
  Transport transport = Transport::rc;
  uint8_t priority = 0;
  uint8_t round = 0;  ///< the round of its turns: its priority's, or the one for the host's traffic to itself
  uint8_t tag = 0;    ///< tag of its frames
  uint16_t generation = 0;  ///< number of its restarts; reveals late CNPs
  uint16_t source_port = 0;
  NodeId peer = 0;
  uint32_t peer_qp = 0;  ///< queue pair number in its requests; named_by_sender: its own number
  uint32_t flow_hash = 0;
  uint32_t next_ready = 0;  ///< the next requester in the round
  uint32_t cursor = 0;      ///< index in `requests` of the request with next_psn

  uint64_t next_psn = 0;  ///< next PSN to send
  uint64_t una_psn =
      0;  ///< oldest PSN that is not acknowledged; the highest that may go is una_psn + window − 1
  uint64_t high_psn = 0;  ///< one past the highest PSN ever sent
  Ring<SendRequest> requests;

  Time rto_deadline = kNever;  ///< kNever: nothing is outstanding, or a retransmission comes first
  Time rto;
  // The conditions for sending: a time, a window and a rate. The NIC sets all three.
  LimiterState limiter;
  uint64_t window = kPsnWindow;  ///< in packets, from the oldest unacknowledged one on
  RpState rate;
  Time rate_event = kNever;
  int64_t wire_bytes = 0;  ///< bytes sent at this rate so far, with preamble, gap and retransmissions

  // For the parts of messages' times (message_times.h).
  Time held_by = Time(-1);  ///< the rate cut that set the rate of `limiter`, if times are kept
  Time shut_at;             ///< the last time at which its limiter let it go but its window was full
  Time opened_at;           ///< the time when the ACK that opened the window took effect

  int retry_limit = 0;
  uint8_t rnr_limit = 7;
  uint8_t max_reads = 16;
  uint64_t end_psn = 0;  ///< one past the last posted PSN

 private:
  int retries_ = 0;  ///< number of successive timeouts
  uint8_t rnr_retries_ = 0;
  uint64_t retried_ = UINT64_MAX;  ///< the oldest unacknowledged packet at the last timeout
  MessageOwner* owner_;
  Time resume_at_ = kNever;       ///< time when a work request on its way to the NIC wakes the requester
  Time rto_event_ = kNever;       ///< time of the pending event, if any
  uint64_t acknowledged_to_ = 0;  ///< highest PSN in ACKs that arrived before the responses of earlier READs
  std::unique_ptr<RequesterRecovery> recovery_;  ///< null for go-back-N
  std::unique_ptr<Balancing> balancing_;         ///< null: all frames have its source port
  uint64_t first_window_ = 0;                    ///< in packets; set if frames are marked

  bool Show(const Frame& ack);
  [[gnu::cold]] void Balance(Frame& frame) const;
  void HearOfPath(const Frame& answer);
  NextFrame NextRequest();
  bool PassesShut() const;
  bool MayStart(const SendRequest& request);
  bool RunStep(SendRequest& request);
  [[gnu::always_inline]] NextFrame MakeData(const SendRequest& request, uint64_t psn);
  NextFrame MakeReadRequest(const SendRequest& request);
  NextFrame MakeReadRequest(const SendRequest& request, uint32_t index, uint64_t psn, uint64_t packets);
  [[gnu::cold]] NextFrame MakeRepeat(const RequesterRecovery::Repeat& repeat);
  void Number(const SendRequest& request, uint64_t psn, const NextFrame& made) {
    if (recovers_ || marks_first_window_) [[unlikely]]
      Tell(request, psn, *made.frame);
  }
  [[gnu::cold]] void Tell(const SendRequest& request, uint64_t psn, Frame& frame);
  void CountRepeated(const SendRequest& request);
  void Await(Time available);
  void ArmRetransmit();
  void GoBack(uint64_t psn, Time earliest);
  bool GivesUp(Time took);
  void AcknowledgeBefore(const SendRequest& read, uint64_t una);
  void Recover(uint64_t psn);
};

}  // namespace headroom
