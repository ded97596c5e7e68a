// One end of an sU-RDMA connection: a stream of bytes in each direction, on a reliable queue pair that is
// made anew when it fails. The stream continues where it stopped: each byte is delivered once, in order.
//
// Written bytes are sent in chunks, one at a time, in the mode for their size:
//
//   small    SEND of the data
//   medium   WRITE of the data to a landing at the receiver, then SEND "write done"
//   large    SEND of a descriptor; the receiver READs the data, then SENDs "read done"
//
// A SEND needs a credit, which represents a RECV posted at the receiver. It uses a whole credit, whatever its
// size. The receiver grants credits with any message, or in a separate one when half of them are owed.
// Answers (read done, credits) need no credit: a RECV is posted for each possible one, since each grants at
// least one credit, or ends the current chunk. So no RNR NAK is ever sent, and one buffer suffices for
// progress.
//
// Data are in registered memory at both ends. Cores copy small chunks at both ends, behind a header and out
// of a RECV's buffer. They copy medium ones out of their landing, which the next chunk needs. For the CRC,
// they sum up all data at both ends. Each copy costs the cycles of its bytes.
//
// Source: Bai et al., NSDI 2023, section 4.1: pool, credits, modes, chunks, CRC. Thresholds, layout, and how
// a connection begins and continues are ours.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "protocol/service_record.h"
#include "protocol/session_qp.h"
#include "protocol/storage/wire/registered_pool.h"
#include "protocol/storage/wire/su_message.h"
#include "sim/deque.h"

namespace headroom {

struct SuParameters {
  uint32_t small = 4096;     ///< the largest chunk that uses SEND, in bytes
  uint32_t large = 65'536;   ///< the largest chunk that uses WRITE; a larger chunk uses READ
  uint32_t chunk = 262'144;  ///< maximum size of a chunk
  uint32_t credits = 64;     ///< RECVs for the peer's data
  uint32_t landings = 4;     ///< number of buffers, of `large` bytes each, for the peer's WRITEs
  bool crc = true;
  bool content = true;  ///< data are carried; otherwise they are only counted. Both ends must agree
  bool begins = true;   ///< arriving data are new to the host, not a part of earlier work
  uint8_t priority = 3;
  uint8_t tag = 0;                ///< tag of its frames
  Time reopen = Milliseconds(1);  ///< from the failure of a queue pair to the next try
};

/// Data of a stream. Data without bytes are only counted.
struct SuData {
  uint64_t position = 0;
  uint32_t length = 0;
  const uint8_t* bytes = nullptr;
  uint64_t tag = 0;                          ///< tag of their Write
  uint64_t left = 0;                         ///< remaining bytes of the same message
  SuSaid said{};                             ///< the words with it
  Time completed = kNever, polled = kNever;  ///< T5 and T6 of their completion
};

/// Pools shared by the sockets of a process. Chunks use two pools: a host with its memory full of outgoing
/// data must still be able to read.
struct SuPools {
  RegisteredPool* messages =
      nullptr;  ///< buffers of SuMessage::kBytes + `small`; content at least for the message
  RegisteredPool* outgoing = nullptr;  ///< buffers of SuMessage::kBytes + `chunk`
  RegisteredPool* incoming = nullptr;  ///< buffers of `chunk`
};

/// The user of a socket.
class SuUser {
 public:
  virtual ~SuUser() = default;
  /// The next data of the stream. Returns false if the user cannot take the data now. The data
  /// then stay in their receive buffers until Resume().
  virtual bool OnData(const SuData& data) = 0;
  /// The other end reports that it has all data up to this position with a correct CRC.
  virtual void OnSent(uint64_t position) { (void)position; }
  /// Received data differ from the sent ones; or a message about them was damaged, and `length` is 0. They
  /// are sent again.
  virtual void OnCorrupt(uint64_t position, uint32_t length) { (void)position, (void)length; }
  /// A chunk of the Write with this tag was posted, or its SEND is complete: the times of that work request.
  virtual void OnChunk(uint64_t tag, const OperationTimes& times) { (void)tag, (void)times; }
  virtual void OnAttached() {}
  virtual void OnEnded(bool answered) { (void)answered; }
  /// Whether data with this tag belong to a new request.
  virtual bool IsNew(uint64_t /*tag*/) const { return false; }
};

class SuSocket final : public Endpoint, public CmParty, public EventTarget {
 public:
  struct Counters {
    uint64_t chunks[3] = {};  ///< small, medium and large chunks, including retransmissions
    uint64_t sends = 0, writes = 0, reads = 0;
    uint64_t credit_messages = 0;
    uint64_t corrupt = 0;  ///< chunks with a wrong CRC, and messages with a wrong check
    uint64_t losses = 0;   ///< queue pairs that failed
    uint64_t starved = 0;  ///< number of waits of a chunk for a credit
  };

  /// All must outlive this object; `entity`: entity of its timers; `name`: name of its random numbers.
  /// REQUIRES: `messages` has room for the RECVs of both ends' credits.
  SuSocket(Process& process, ConnectionManager& cm, const SuPools& pools, const SuParameters& parameters,
           SuUser& user, EntityId entity, const std::string& name);

  void Open(NodeId host, uint16_t service) {
    session_ = cm_.Open(*this, host, service), opener_ = true, peer_ = host;
  }
  void Accept(uint64_t session, NodeId from) { session_ = session, peer_ = from; }
  /// Appends to the stream. Returns the position behind the appended bytes. `tag` and `said` accompany all
  /// its data. REQUIRES: `bytes` is as long as `length`, or empty.
  uint64_t Write(uint64_t length, std::vector<uint8_t> bytes = {}, uint64_t tag = 0, const SuSaid& said = {});
  /// The user accepts data again.
  void Resume();
  void End() { cm_.End(session_); }

  const Counters& counters() const { return counters_; }
  bool joined() const { return state_ == State::joined; }
  QueuePair* qp() const { return qp_.get(); }
  /// The time that a chunk waited for a credit or a landing, since the first chunk was due.
  ResourceUse CreditUse() const;
  const std::vector<uint32_t>& qp_numbers() const { return qp_.numbers(); }
  uint32_t credits() const { return credits_; }
  /// Credits granted to the peer and not yet reported to it.
  uint32_t owed_credits() const { return owed_; }
  /// Free landings at the peer, as far as this end knows; and landings freed here that the peer does not know
  /// of yet.
  uint32_t free_landings() const { return peer_landings_ - static_cast<uint16_t>(landed_ - peer_freed_); }
  uint32_t owed_landings() const { return static_cast<uint16_t>(freed_landings_ - told_landings_); }
  uint64_t written() const { return written_; }
  uint64_t received() const { return received_; }

  void OnCompletion(const Wc& wc) override;
  void OnTurn() override;
  int64_t BytesOf(const Wc& wc) const override;
  int64_t BytesOfTurn() const override;
  CmOffer Offer() override;
  void OnOffer(const CmOffer& offer) override;
  void OnJoined() override;
  void OnLost() override { Lose(); }
  void OnEnded(bool answered) override;
  void OnEvent(uint64_t) override;

 private:
  enum class Mode : uint8_t { small, medium, large };
  /// State of the queue pair. ready: in both directions, but the other end may not know this yet.
  enum class State : uint8_t { none, ready, joined, lost };
  /// The upper bits of work requests' numbers. The lower bits are, for a RECV, its buffer's number, for a
  /// chunk, its own.
  enum Kind : uint32_t {
    kReceive = 0,
    kChunk = 1u << 28,
    kWrite = 2u << 28,
    kRead = 3u << 28,
    kAnswer = 4u << 28
  };
  static constexpr uint32_t kKinds = 0xf0000000;
  struct Written {
    uint64_t end = 0;
    std::vector<uint8_t> bytes;
    uint64_t tag = 0;
    SuSaid said{};
    uint64_t since = 0;  ///< the step since which its next chunk has waited
  };
  struct Chunk {
    bool open = false;
    uint32_t number = 0;
    Mode mode = Mode::small;
    uint32_t length = 0;
    bool more = false;  ///< it is not the last chunk of its Write
    uint64_t tag = 0;
    uint64_t cause = 0;  ///< the step that posts it
    RegisteredBuffer buffer;
  };
  /// Arrived data that must be passed on.
  struct Arrived {
    enum class In : uint8_t { message, landing, chunk } in = In::message;
    SuData data;
    uint32_t receive = 0;  ///< number of its RECV
    RegisteredBuffer buffer;
    bool is_new = false;  ///< belongs to a new request: waits until the core takes it up
  };

  Mode ModeOf(uint32_t length) const;
  const Written* Next() const;
  /// The number of Writes that the next chunk belongs to, or that wait behind it.
  size_t Unsent() const;
  Written* Next() { return const_cast<Written*>(std::as_const(*this).Next()); }
  void WaitsFor(OperationPart what);
  uint32_t LengthOf(const Written& of) const;
  RegisteredPool& PoolOf(Mode mode) const {
    return mode == Mode::small ? *pools_.messages : *pools_.outgoing;
  }
  void GiveChunkBack();
  /// The bytes that a core touches for data of this length.
  int64_t BytesOf(int64_t length, bool copied) const { return length * (copied + parameters_.crc); }
  bool CanSend();
  void EndStarved();
  bool LandingsFull(Mode mode) const;
  void SendNext();
  void SendChunk();
  void GrantIfDue();
  void PostMessage(SuMessage message, uint32_t number, const RegisteredBuffer* with = nullptr);
  void Confirm(uint64_t position);
  void ChunkDone();
  void OnReceived(uint32_t number);
  void OnChunk(const SuMessage& message, uint32_t number);
  void StartRead();
  void OnRead();
  SuData DataOf(const SuMessage& message) const;
  bool Right(const SuMessage& message, const uint8_t* bytes, uint32_t key, uint64_t address);
  void Keep(const Arrived& arrived);
  void TakeUpNew();
  void HandOver();
  void Free(const Arrived& arrived);
  void PostReceive(uint32_t number);
  void GiveUp();
  void Lose();
  uint32_t Held() const;
  bool Up() const { return state_ == State::ready || state_ == State::joined; }
  uint32_t Controls() const { return peer_credits_ + 2; }

  Process& process_;
  ConnectionManager& cm_;
  SuPools pools_;
  const SuParameters parameters_;
  SuUser& user_;
  const uint64_t base_;
  const EntityId entity_;
  SessionQp qp_;
  uint64_t session_ = 0;
  NodeId peer_ = 0;
  bool opener_ = false;
  State state_ = State::none;

  // State of sending.
  Deque<Written> writes_;
  uint64_t written_ = 0;  ///< end of the last Write
  uint32_t chunks_begun_ = 0;
  uint64_t position_ = 0;                                ///< position of the current chunk, or of the next
  uint64_t confirmed_ = 0;                               ///< end of the data known to be at the peer
  OperationPart waits_for_ = OperationPart::connection;  ///< the cause for which the next chunk waits
  Time asked_since_ = kNever;                            ///< time of the first chunk that was due
  Time starved_since_ = kNever,
       starved_;  ///< start of the present wait for a credit or landing; total of earlier waits
  Chunk chunk_;
  uint32_t credits_ = 0, peer_credits_ = 0;
  uint64_t peer_landing_ = 0;
  uint32_t peer_landing_key_ = 0, peer_landings_ = 0;
  uint16_t landed_ = 0, peer_freed_ = 0;  ///< WRITEs sent; WRITEs that the peer has taken out

  // State of receiving.
  std::vector<RegisteredBuffer> receives_;
  std::vector<bool> held_;  ///< indexed by buffer: its data wait for the user
  uint64_t received_ = 0;   ///< end of the received data
  Deque<Arrived> arrived_;
  uint32_t taken_up_ = 0;  ///< number of new requests taken up
  uint32_t put_off_ = 0;   ///< number of these whose answers wait to be sent
  std::optional<SuMessage> reading_;
  uint32_t reading_receive_ = 0;
  uint64_t reading_since_ = 0;  ///< the step since which a READ has waited for memory
  RegisteredBuffer read_buffer_;
  uint32_t owed_ = 0;
  uint64_t landing_address_ = 0;
  MemoryRegion* landing_ = nullptr;
  std::vector<uint8_t> landing_bytes_;
  uint16_t arrived_landings_ = 0, freed_landings_ = 0, told_landings_ = 0;
  bool handing_over_ = false;
  Time completed_ = kNever, polled_ = kNever;  ///< T5 and T6 of the completion that is being handled
  bool attached_ = false;

  Counters counters_;
};

}  // namespace headroom
