// An end of a stream over SMC-R: a socket of SMC-R in Linux.
//
//   Write ─► waits ─► send(): call + copy ─► send buffer ─► WRITE into the peer's RMB, CDC message ─► delay
//   ─► recv(): call + copy ─► OnReadable
//
// Send buffer and RMB are rings of equal size. Positions count bytes of the stream:
//
//   freed <= sent <= prepared <= freed + size        of the send buffer
//   0 <= sent - peer consumed <= size                of the peer's RMB: producer and consumer cursor
//   0 <= peer produced - consumed <= size            of the own RMB
//
// Each transmission is one WRITE, or two if the rings wrap, and a CDC message with the cursors. It also
// carries the consumer cursor. The cursor is sent alone if more than a tenth of the RMB was read since, and
// the peer has waited for room or does not know that half of the RMB is free.
//
// A connection begins as TCP. CLC messages turn it into an SMC-R connection, or it continues as TCP.
//
// Source: net/smc of Linux (smc_tx.c, smc_rx.c, smc_cdc.c, smc_close.c, af_smc.c). Departures:
// docs/models/smc-r.md.
#pragma once

#include <memory>
#include <string>

#include "protocol/application_costs.h"
#include "protocol/smc/smc_host.h"
#include "protocol/stream/byte_queue.h"
#include "protocol/stream/stream.h"
#include "protocol/tcp/tcp_stream.h"
#include "sim/deque.h"

namespace headroom {

struct SmcStreamCounters {
  uint64_t clcs = 0;              ///< CLC messages sent by this end
  uint64_t writes = 0, cdcs = 0;  ///< WRITEs and CDC messages posted by this end
  uint64_t written = 0;           ///< bytes of the WRITEs
  uint64_t updates = 0;           ///< CDC messages without data, for the consumer cursor
};

class SmcStream final : public Stream, public StreamUser, public SmcConnection, public EventTarget {
 public:
  /// `tcp`: the TCP connection as which it begins. All must outlive this object, and this object the run.
  /// REQUIRES: called before the run.
  SmcStream(const StreamSite& site, SmcHost& host, NodeId peer, bool opener, std::unique_ptr<Stream> tcp,
            const ApplicationCosts& costs, const SmcParameters& parameters);

  /// The opener's end of the initial TCP connection.
  Stream& tcp() { return *tcp_; }

  // Stream.
  void Write(std::span<const uint8_t> bytes) override;
  size_t Read(std::span<uint8_t> bytes) override;
  uint64_t unsent() const override;
  uint64_t unread() const override;
  void Close() override;
  bool open() const override { return state_ == State::open || (state_ == State::plain && tcp_->open()); }
  void ForEachQueuePair(const UseQueuePair& use) const override;

  /// Whether it continues as TCP.
  bool plain() const { return state_ == State::plain; }
  /// Cursors, for checks: the peer's RMB has sent() - peer_consumed() bytes of this end.
  uint64_t sent() const { return sent_; }
  uint64_t peer_consumed() const { return peer_consumed_; }
  uint64_t peer_produced() const { return peer_produced_; }
  uint64_t consumed() const { return consumed_; }
  const SmcStreamCounters& counters() const { return counters_; }
  /// Null if it has no link, or no longer.
  const SmcLink* link() const { return group_ == nullptr ? nullptr : group_->link.get(); }

  // Events of its TCP connection.
  void OnOpen() override;
  void OnReadable() override;
  void OnEnded(bool failed) override;
  // Events of its link.
  void OnCdc(const smc::MessageBytes& bytes) override;
  void OnCdcSent() override;
  void OnSlot() override;
  void OnLinkLost() override;
  void OnEvent(uint64_t arg) override;

 private:
  enum class State : uint8_t {
    begins,  ///< TCP is connecting, or CLC messages are exchanged
    open,
    closing,  ///< its program has closed it: written bytes are sent, then a CDC message reports the end
    plain,    ///< it continues as TCP
    ended
  };
  enum Event : uint64_t { kArrive, kEnd, kSetUp, kTimeout, kEvents };

  // Beginning.
  void Expect(Time longest);
  void SendClc(const smc::Clc& clc);
  void OnClc(const smc::Clc& clc);
  void OnProposal();
  void OnAccept(const smc::Clc& clc);
  void OnConfirm(const smc::Clc& clc);
  void OnLlc(const smc::Llc& request);
  void SetUp(std::function<void()> then);
  void Assign(SmcGroup& group);
  smc::Clc Offer(smc::ClcType type) const;
  void Know(const smc::Clc& clc);
  void ConfirmRkey(std::function<void()> then);
  void LeaveGroup();
  void Decline();
  void OpenAs(State state);
  void SkipClc();

  // Sending.
  void SendNext();
  CoreCost BeginSend();
  void Sent();
  void Transmit(uint64_t cause);
  void PostData(uint64_t bytes, uint64_t cause);
  void PostCdc(uint64_t cause);
  bool LinkWorks() const { return group_ != nullptr && !group_->link->lost(); }
  bool Corked() const;
  uint64_t Free() const { return size_ - (prepared_ - freed_); }
  uint64_t Room() const { return size_ - (sent_ - peer_consumed_); }

  // Receiving.
  void ReceiveNext();
  CoreCost BeginReceive();
  void Received();
  bool UpdateIsDue() const;

  // Ending.
  void End(bool failed);
  void SayClosed(uint8_t flag);
  void Finish();

  CoreCost CostOf(size_t bytes, int posts = 0) const;
  void After(Time delay, Event event, uint64_t number = 0);

  const StreamSite site_;
  SmcHost& host_;
  const NodeId peer_;
  const bool opener_;
  const std::unique_ptr<Stream> tcp_;
  const ApplicationCosts costs_;
  const SmcParameters parameters_;
  const uint64_t size_;  ///< size of each ring
  const EntityId entity_;
  uint64_t events_ = 0;
  State state_ = State::begins;

  // State of the set-up.
  uint64_t expects_ = 0;        ///< number of the current wait
  std::function<void()> then_;  ///< called once memory and queue pair are made
  bool first_contact_ = false;
  bool declined_ = false;  ///< this end declined: CLC messages of the peer may still arrive
  SmcGroup* group_ = nullptr;
  uint32_t token_ = 0, peer_token_ = 0, peer_rkey_ = 0;
  std::vector<uint8_t> clc_;  ///< the first bytes received on TCP, which may be a CLC message
  bool opening_ = false;      ///< it is decided how the stream continues

  // Sending.
  ByteQueue waiting_;
  std::vector<uint8_t> send_buffer_;
  MemoryRegion* send_region_ = nullptr;
  uint64_t prepared_ = 0, sent_ = 0, freed_ = 0, peer_consumed_ = 0;
  Deque<uint64_t> cdcs_;      ///< CDC messages that are not complete: `sent_` of each
  uint64_t since_ = 0;        ///< the step since which the first waiting byte has waited
  uint64_t ready_since_ = 0;  ///< the step since which the first prepared and unsent byte has waited
  bool sending_ = false;
  size_t piece_ = 0;
  bool cdc_due_ = false;  ///< a CDC message is due, possibly without data
  uint8_t state_flags_ = 0;
  uint16_t sequence_ = 0;
  bool write_blocked_ = false;

  // Receiving.
  std::vector<uint8_t> rmb_;
  MemoryRegion* rmb_region_ = nullptr;
  struct Arrival {
    uint64_t end = 0;
    Time ready;         ///< time from which a call may fetch it
    uint64_t step = 0;  ///< the step with which it arrived
  };
  Deque<Arrival> arriving_;  ///< data during the delay
  Deque<Arrival> arrived_;   ///< data after the delay that were not fetched
  uint64_t peer_produced_ = 0, ready_ = 0, received_ = 0, consumed_ = 0, confirmed_ = 0, readable_ = 0;
  bool peer_blocked_ = false;  ///< the peer waits for room
  bool receiving_ = false, end_came_ = false, peer_closed_ = false, ending_ = false;
  bool finished_ = false, tcp_ended_ = false;

  SmcStreamCounters counters_;
};

}  // namespace headroom
