// An end of a stream over SMC-R: a socket of SMC-R in Linux.
//
//   Write ─► waits ─► send(): call + copy ─► send buffer ─► WRITE into the peer's RMB, CDC message ─► delay
//   ─► recv(): call + copy ─► OnReadable
//
// Send buffer and RMB are rings of one size. Positions count bytes of the stream:
//
//   freed <= sent <= prepared <= freed + size        of the send buffer
//   0 <= sent - peer consumed <= size                of the peer's RMB: producer and consumer cursor
//   0 <= peer produced - consumed <= size            of the own RMB
//
// Each transmission is one WRITE, two where the rings wrap, and a CDC message that tells the cursors. The
// consumer cursor goes with it. It goes alone where the peer has waited for room, or half of the RMB is not
// known to be free, and more than a tenth of it was read since.
//
// A connection begins as TCP. CLC messages on it make an SMC-R connection of it, or it goes on as TCP.
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
  uint64_t clcs = 0;              ///< CLC messages that this end has sent
  uint64_t writes = 0, cdcs = 0;  ///< that it has posted
  uint64_t written = 0;           ///< bytes of the WRITEs
  uint64_t updates = 0;           ///< of the CDC messages: those without data, for the consumer cursor
};

class SmcStream final : public Stream, public StreamUser, public SmcConnection, public EventTarget {
 public:
  /// `tcp`: the connection that it begins as. All outlive this, and this the run. REQUIRES: before the run.
  SmcStream(const StreamSite& site, SmcHost& host, NodeId peer, bool opener, std::unique_ptr<Stream> tcp,
            const ApplicationCosts& costs, const SmcParameters& parameters);

  /// The opener's end of the connection that it begins as.
  Stream& tcp() { return *tcp_; }

  // Stream.
  void Write(std::span<const uint8_t> bytes) override;
  size_t Read(std::span<uint8_t> bytes) override;
  uint64_t unsent() const override;
  uint64_t unread() const override;
  void Close() override;
  bool open() const override { return state_ == State::open || (state_ == State::plain && tcp_->open()); }
  void ForEachQueuePair(const UseQueuePair& use) const override;

  /// It goes on as TCP.
  bool plain() const { return state_ == State::plain; }
  /// Cursors, for who checks them: the peer's RMB has sent() - peer_consumed() bytes of this end.
  uint64_t sent() const { return sent_; }
  uint64_t peer_consumed() const { return peer_consumed_; }
  uint64_t peer_produced() const { return peer_produced_; }
  uint64_t consumed() const { return consumed_; }
  const SmcStreamCounters& counters() const { return counters_; }
  /// Null: it has none, or none any more.
  const SmcLink* link() const { return group_ == nullptr ? nullptr : group_->link.get(); }

  // Events of its TCP connection.
  void OnOpen() override;
  void OnReadable() override;
  void OnEnded(bool failed) override;
  // What its link tells.
  void OnCdc(const smc::MessageBytes& bytes) override;
  void OnCdcSent() override;
  void OnSlot() override;
  void OnLinkLost() override;
  void OnEvent(uint64_t arg) override;

 private:
  enum class State : uint8_t {
    begins,  ///< TCP is connecting, or CLC messages are exchanged
    open,
    closing,  ///< its program has closed it: written bytes go out, then a CDC message reports the end
    plain,    ///< it goes on as TCP
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
  const uint64_t size_;  ///< of each ring
  const EntityId entity_;
  uint64_t events_ = 0;
  State state_ = State::begins;

  // Beginning.
  uint64_t expects_ = 0;        ///< number of the current wait
  std::function<void()> then_;  ///< once memory and queue pair are made
  bool first_contact_ = false;
  bool declined_ = false;  ///< by this end: CLC messages of the peer may still come
  SmcGroup* group_ = nullptr;
  uint32_t token_ = 0, peer_token_ = 0, peer_rkey_ = 0;
  std::vector<uint8_t> clc_;  ///< the beginning of what comes on TCP, of a CLC message or perhaps of one
  bool opening_ = false;      ///< it is settled how it goes on

  // Sending.
  ByteQueue waiting_;
  std::vector<uint8_t> send_buffer_;
  MemoryRegion* send_region_ = nullptr;
  uint64_t prepared_ = 0, sent_ = 0, freed_ = 0, peer_consumed_ = 0;
  Deque<uint64_t> cdcs_;      ///< that are not complete: `sent_` of each
  uint64_t since_ = 0;        ///< the step that the first of what waits has waited since
  uint64_t ready_since_ = 0;  ///< the same of what is prepared and not sent
  bool sending_ = false;
  size_t piece_ = 0;
  bool cdc_due_ = false;  ///< though there may be no data to send
  uint8_t state_flags_ = 0;
  uint16_t sequence_ = 0;
  bool write_blocked_ = false;

  // Receiving.
  std::vector<uint8_t> rmb_;
  MemoryRegion* rmb_region_ = nullptr;
  struct Arrival {
    uint64_t end = 0;
    Time ready;         ///< when a call may fetch it
    uint64_t step = 0;  ///< that it came with
  };
  Deque<Arrival> arriving_;  ///< in the delay
  Deque<Arrival> arrived_;   ///< behind it, and not fetched
  uint64_t peer_produced_ = 0, ready_ = 0, received_ = 0, consumed_ = 0, confirmed_ = 0, readable_ = 0;
  bool peer_blocked_ = false;  ///< it waits for room
  bool receiving_ = false, end_came_ = false, peer_closed_ = false, ending_ = false;
  bool finished_ = false, tcp_ended_ = false;

  SmcStreamCounters counters_;
};

}  // namespace headroom
