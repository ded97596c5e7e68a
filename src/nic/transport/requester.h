// The requester of a queue pair: its send queue becomes frames, and answers complete it, whatever is lost.
//
// Where it shares a queue pair with a responder, READ responses go out in its turns, and at its rate; bulk
// that goes one way has no responder at its end.
//
// Source: InfiniBand Architecture Specification 9.7 (reliable service: PSN, ACK, NAK, go-back-N).
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "dcqcn/rate_limiter.h"
#include "dcqcn/reaction_point.h"
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
    ready,  ///< in the round of those that may send now
    pacing  ///< waits for the limiter, or for the end of a recovery delay
  };
  /// Whether its requests become frames. Responses do in any phase.
  enum class Phase : uint8_t {
    stopped,  ///< not yet, or not any more
    drains,   ///< those that have begun
    runs
  };

  Requester(NicInterface& nic, MessageOwner& owner, uint32_t number)
      : nic_(&nic), number_(number), owner_(&owner) {
    rto = nic.constants().transport.rto;
    retry_limit = nic.constants().transport.retry;
  }
  void SetResponder(Responder& responder) { responder_ = &responder; }
  /// REQUIRES: before the first request; the transport is reliable. From now on its frames are flagged if
  /// they are among the first so many packets of a request.
  void MarkFirstWindow(uint64_t packets) {
    first_window_ = packets;
    marks_first_window_ = true;
  }
  void SetRecovery(std::unique_ptr<RequesterRecovery> recovery) {
    recovery_ = std::move(recovery);
    recovers_ = true;
  }

  /// Something to send, unless it is stopped. Computes its place in the queue, and its time of arrival in the
  /// NIC.
  void Post(SendRequest request);
  /// Whether something is left to send, now or once something else has happened.
  bool HasMore() const;
  /// The next frame. REQUIRES: its turn.
  NextFrame Next();
  /// Something that held it up is over.
  void Resume() { ResumeAt(nic_->now() + nic_->constants().tx_latency); }
  void ResumeAt(Time earliest);

  void OnAck(const Frame& frame) {
    if ((recovers_ || controlled) && !Show(frame)) [[unlikely]]
      return;
    OnAnswer(WholePsn(frame.psn + 1, una_psn));
  }
  /// The answer to a request for a context.
  void OnGrant(const Frame& frame) {
    if (recovers_ && phase != Phase::stopped) recovery_->OnGrant(*this, frame);
  }
  void OnNak(const Frame& frame);
  /// Packets to send that are no READs, responses among them.
  uint64_t Backlog() const;
  /// Packets of READs whose responses are to come, below this PSN.
  uint64_t ReadsBelow(uint64_t psn) const;
  /// All it has to send is new, and no request is on its way.
  bool IsFresh() const;
  /// Its window has another size.
  void NoteWindow();
  void OnReadResponse(const Frame& frame);
  /// The event at rto_event.
  void OnRetransmitTimer();
  /// The transmission of a frame of a work request starts.
  void NoteStarted(const Frame& frame);
  /// Such frames that were not to be answered are out: a step behind them may have waited for that.
  void OnOut() {
    owner_->MayBeOut(*this);
    if (cursor < requests.Size() && requests[cursor].IsStep()) ResumeAt(nic_->now());
  }
  /// The oldest request leaves the queue, unless it is a step that has not been taken. Then false.
  bool CompleteFront();
  /// Gives up its requests, and sends nothing more.
  void Stop();
  /// The queue is empty; the next packet will be `psn`, for now.
  void Forget(uint64_t psn);
  /// As new, except for frames in transmission.
  void Reset();

  // For its recovery. The request of a PSN; null: no unacknowledged
  /// one.
  const SendRequest* Find(uint64_t psn, uint32_t* index) const;
  /// The first READ in the send queue; null: none.
  const SendRequest* FirstRead(uint32_t* index) const;
  /// Everything below `una` has been executed by the responder.
  void OnAnswer(uint64_t una);
  /// Everything below `una` is done.
  void Acknowledge(uint64_t una);
  /// The same of what the responder has executed, before the responses of READs among it are here.
  void AcknowledgeExecuted() {
    if (acknowledged_to_ > una_psn) OnAnswer(acknowledged_to_);
  }
  /// The peer has shown that it is alive: timeouts until then do not count.
  void Alive();
  /// A timeout of this length is over. False: they are too many, and it fails.
  bool MayTimeOut(Time took);
  /// An answer is due that no packet asks for.
  void AwaitAnswer();
  /// It waits for a RECV at its peer, by this timer. False: it has done so too often, and fails.
  bool MayRetryRnr();
  bool Posted(uint32_t index) const { return requests[index].available <= nic_->now(); }
  /// Everything below it has been executed by the responder.
  uint64_t executed_to() const { return std::max(una_psn, acknowledged_to_); }
  NicInterface& nic() const { return *nic_; }
  /// It has a turn at this time, if it has something to send.
  void WakeAt(Time at) { nic_->Arm(NicTimer::resume, number_, at); }

  MessageOwner& owner() const { return *owner_; }
  Responder* responder() const { return responder_; }
  uint32_t number() const { return number_; }
  /// A data frame, without its contents.
  Frame* DataFrame() const;

 private:
  // Line by line of the cache: what every packet and every ACK touch comes first.
  NicInterface* nic_;
  Responder* responder_ = nullptr;
  Time hold_until_;  ///< no request starts before this: RNR timer, recovery delay
  uint32_t number_;
  uint32_t posted_reads_ = 0;       ///< and not complete
  uint8_t reads_ = 0;               ///< sent and not complete
  bool recovering_ : 1 = false;     ///< went back for a lost response; cleared by the next that is in order
  bool answered_last_ : 1 = false;  ///< answers and requests take turns
  bool shut_ : 1 = false;           ///< it had a turn and a full window since the last ACK
  bool recovers_ : 1 = false;       ///< has a recovery
  bool marks_first_window_ : 1 = false;

 public:
  /// Frames carry this queue pair's own number, by which the peer finds its responder: bulk.
  bool named_by_sender : 1 = false;
  /// It has a congestion control other than DCQCN.
  bool controlled : 1 = false;
  /// Its control lets no READ response go.
  bool holds_answers : 1 = false;
  // Whom it sends to, and its turns.
  State state = State::idle;
  Phase phase = Phase::stopped;
  Transport transport = Transport::rc;
  uint8_t priority = 0;
  uint8_t round = 0;  ///< whose turns it takes: its priority's, or those for the host's traffic to itself
  uint8_t tag = 0;    ///< of its frames
  uint16_t generation = 0;  ///< number of its restarts; reveals late CNPs
  uint16_t source_port = 0;
  NodeId peer = 0;
  uint32_t peer_qp = 0;  ///< what its requests carry; named_by_sender: its own number
  uint32_t flow_hash = 0;
  uint32_t next_ready = 0;  ///< link of the round
  uint32_t cursor = 0;      ///< index in `requests` of the one that holds next_psn

  uint64_t next_psn = 0;  ///< to send
  uint64_t una_psn = 0;   ///< oldest not acknowledged; the highest that may go is una_psn + window − 1
  uint64_t high_psn = 0;  ///< one past the highest ever sent
  Ring<SendRequest> requests;

  Time rto_deadline = kNever;  ///< kNever: nothing outstanding, or to be sent again first
  Time rto;
  // What lets it send: a time, a window and a rate. The NIC sets all three.
  LimiterState limiter;
  uint64_t window = kPsnWindow;  ///< packets, from the oldest that is not acknowledged on
  RpState rate;
  Time rate_event = kNever;
  int64_t wire_bytes = 0;  ///< sent at this rate so far, preamble and gap included, repeated ones too

  // For where messages' time goes (message_times.h).
  Time held_by = Time(-1);  ///< the cut that set the rate of `limiter`, if times are kept
  Time shut_at;             ///< its window was full when its limiter let it go, last at this time
  Time opened_at;           ///< and the ACK that opened it took effect

  int retry_limit = 0;
  uint8_t rnr_limit = 7;
  uint8_t max_reads = 16;
  uint64_t end_psn = 0;  ///< one past the last posted

 private:
  int retries_ = 0;  ///< timeouts in a row
  uint8_t rnr_retries_ = 0;
  uint64_t retried_ = UINT64_MAX;  ///< the unacknowledged packet at the last of them
  MessageOwner* owner_;
  Time resume_at_ = kNever;       ///< a work request that is on its way to the NIC wakes it up then
  Time rto_event_ = kNever;       ///< the pending event, if any
  uint64_t acknowledged_to_ = 0;  ///< by ACKs that came before the responses of READs before them
  std::unique_ptr<RequesterRecovery> recovery_;  ///< null: go-back-N
  uint64_t first_window_ = 0;                    ///< packets, where frames are marked

  bool Show(const Frame& ack);
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
