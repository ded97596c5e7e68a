// A stream over RDMA, as in Valkey and libvalkey.
//
//   connecting   by ConnectionManager; each end makes its queue pair, its buffers and 1024 RECVs first
//   at once      both SEND RegisterXferMemory of their receive buffer
//   a write      copied to the TX copy at tx.offset; WRITE_WITH_IMM to the peer's buffer at tx.offset,
//                its length the immediate data; tx.offset moves on
//   a read       from rx.pos; once rx.pos == length, both are zero again and RegisterXferMemory is sent
//
// The buffer is no ring: a write is cut at its end, and the rest waits for the registration. At each end
//
//   rx.pos <= rx.offset <= tx.offset of the peer <= length
//
// where rx.offset is the sum of the immediate data since the last registration; the peer's tx.offset is zero
// a one-way time later.
//
// These end a connection: a command of another length or opcode, more data than the buffer's length, a failed
// completion, a work request that does not fit into the send queue. There is no fallback.
//
// Sources: valkey rdma.c at 55bbbe09 and 002c41a2, libvalkey rdma.c at 0ac6cf9b, valkey-doc
// topics/RDMA.md at fe8f96a2; docs/models/redis.md has the departures.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "protocol/application_costs.h"
#include "protocol/redis/rdma_command.h"
#include "protocol/stream/stream.h"
#include "sim/random.h"

namespace headroom {

/// The differences between the programs at both ends.
struct RdmaStreamRole {
  uint32_t inlined = 0;       ///< bytes: a write of at most this size is inlined
  uint32_t signal_every = 0;  ///< one write in this many is signaled
  uint32_t largest = 0;       ///< maximum bytes of a write: those of a reply buffer; 0: no limit
  bool copies = false;        ///< data are copied out of the buffer; otherwise they are parsed in place
  bool keeps_alive = false;   ///< it sends Keepalive
  uint8_t retry = 7, rnr_retry = 7;  ///< for its queue pair: values of the peer's accept or connect
};
/// valkey-server: its reply buffers have 16 KiB. Connect requests retry 7 and RNR retry 7.
inline constexpr RdmaStreamRole kRdmaServer{0, 512, 16 * 1024, true, true, 7, 7};
/// libvalkey, newest version: up to 256 B minus 36 are inlined. Accept requests retry 5 and RNR retry 0.
inline constexpr RdmaStreamRole kRdmaClient{220, 1024, 0, false, false, 5, 0};

/// The counts of one end.
struct RdmaStreamCounts {
  uint64_t writes = 0, written = 0;  ///< WRITE_WITH_IMMs, and their bytes
  uint64_t registrations = 0, keepalives = 0;
  RdmaStreamCounts& operator+=(const RdmaStreamCounts& o) {
    writes += o.writes, written += o.written;
    registrations += o.registrations, keepalives += o.keepalives;
    return *this;
  }
};

class RdmaStream final : public Stream, public CmParty, public Endpoint, public EventTarget {
 public:
  static constexpr uint32_t kReceives = 1024;
  static constexpr Time kKeepalive = Milliseconds(3000);
  /// The thread's work until an end's queue pair, buffers and RECVs exist.
  static Time TakesToMake(const ApplicationCosts& costs);

  struct Parameters {
    RdmaStreamRole role;
    uint32_t buffer = 1 << 20;  ///< size of its receive buffer in bytes
    ApplicationCosts costs;
    uint8_t priority = 3;
    uint8_t tag = 0;
  };
  /// `place`: number among the streams of this host's program; their memories are consecutive.
  RdmaStream(const Parameters& parameters, const StreamSite& site, uint64_t place, const std::string& name);

  void Write(std::span<const uint8_t> bytes) override;
  size_t Read(std::span<uint8_t> bytes) override;
  uint64_t unsent() const override { return waiting_.size() - sent_of_waiting_; }
  uint64_t unread() const override { return rx_.offset - rx_.pos; }
  void Close() override;
  bool open() const override { return state_ == State::open; }
  void ForEachQueuePair(const UseQueuePair& use) const override;

  /// For the opening side: opens a session to the peer's service.
  uint64_t Open(NodeId peer, uint16_t service);
  /// For the side that is opened to.
  void Accept(uint64_t session, NodeId peer);
  const RdmaStreamCounts& counts() const { return counts_; }
  /// Positions in its receive buffer and in the peer's, as far as it knows.
  struct Offsets {
    uint32_t read = 0, received = 0, sent = 0, length = 0;
  };
  Offsets offsets() const { return {rx_.pos, rx_.offset, tx_.offset, tx_.peer.length}; }

  // CmParty.
  CmOffer Offer() override;
  Time CostOfOffer() const override;
  void OnOffer(const CmOffer& offer) override;
  void OnJoined() override;
  void OnLost() override { Fail(); }
  void OnEnded(bool answered) override;
  // Endpoint.
  void OnCompletion(const Wc& wc) override;
  void OnTurn() override {}
  int64_t BytesOf(const Wc& wc) const override;
  int64_t BytesOfTurn() const override { return 0; }
  /// Event: a keep-alive is due.
  void OnEvent(uint64_t arg) override;

 private:
  enum class State : uint8_t { closed, connecting, open, ended };
  struct Buffer {
    std::unique_ptr<uint8_t[]> bytes;
    MemoryRegion* region = nullptr;
    uint32_t length = 0;
  };
  Buffer MakeBuffer(uint64_t at, uint32_t length, unsigned access);
  uint64_t AddressOf(uint32_t what) const;
  void PostReceive(uint32_t slot);
  void OnData(uint32_t length);
  void OnRegistered(const TransferMemory& buffer);
  void BeginOpen();
  void SendSome();
  void PostWrite(uint32_t length);
  void SendCommand(const RdmaCommand& command);
  void Register();
  void Post(const SendWr& wr);
  void Fail();
  void End(bool failed);

  const Parameters p_;
  const StreamSite site_;
  const uint64_t place_;
  const uint64_t base_;  ///< base of its work requests' numbers
  const EntityId entity_;
  RandomStream random_;
  State state_ = State::closed;
  uint64_t session_ = 0;
  NodeId peer_ = 0;
  QueuePair* qp_ = nullptr;
  uint32_t first_psn_ = 0;
  Buffer receive_, transmit_, commands_;
  struct {
    uint32_t pos = 0, offset = 0;
  } rx_;
  struct {
    TransferMemory peer;  ///< length 0: the peer has not registered
    uint32_t offset = 0;
    uint32_t unsignaled = 0;
  } tx_;
  std::vector<uint8_t> waiting_;  ///< data to send, of which a part has been sent
  size_t sent_of_waiting_ = 0;
  uint64_t blocked_ = 0;  ///< the step since which data wait for a registration
  bool is_blocked_ = false;
  bool sending_ = false;  ///< a pending piece of work will send data
  uint32_t next_command_ = 0;
  RdmaStreamCounts counts_;
};

}  // namespace headroom
