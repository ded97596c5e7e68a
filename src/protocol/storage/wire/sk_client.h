// The client's end of sK-RDMA: a disk whose reads and writes are executed by a server.
//
// For each I/O the client registers its buffer (REG_MR) and posts the request's SEND immediately behind it.
// The SEND has the buffer's descriptor and, for a write, the CRC of its data. The order of the send queue
// delays the SEND until the registration is complete. The server READs the data of a write, or WRITEs those
// of a read, and answers with SEND_WITH_INVALIDATE. This ends the registration, and carries the CRC of a
// read.
//
// A message with a wrong check counts as lost: the queue pair is connected again.
//
// A request uses a credit, which represents a RECV posted at the server; its response returns the credit.
// Open requests of a failed queue pair are repeated on the next one; the server executes them once.
//
// Source: Bai et al., NSDI 2023, section 4.2 (sK-RDMA), from SMB Direct: MS-SMBD; registration and its order
// as in Linux fs/smb/client/smbdirect.c. Sizes of messages are ours.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "protocol/service_record.h"
#include "protocol/session_qp.h"
#include "protocol/storage/wire/sk_message.h"

namespace headroom {

struct SkParameters {
  uint32_t credits = 128;  ///< the most requests open at the same time
  bool crc = true;
  bool content = true;  ///< data are carried; otherwise they are only counted. Both ends must agree
  uint8_t priority = 3;
  uint8_t tag = 0;  ///< tag of its frames
  Time reopen = Milliseconds(1);
};

/// A request to the disk. `bytes`: the data of a write; ignored for a read.
struct SkIo {
  SkKind kind = SkKind::read;
  uint64_t block = 0;
  uint32_t length = 0;
  std::vector<uint8_t> bytes;
  uint64_t request = 0;            ///< the program's name for it, passed to the server
  std::function<void()> posted{};  ///< called whenever it is sent
};

/// The result of an I/O.
struct SkEnd {
  SkStatus status = SkStatus::ok;
  std::vector<uint8_t>& bytes;  ///< data of a read
  /// T1 to T4 of its last request, T5 and T6 of the response.
  OperationTimes times{};
  uint32_t qp = 0;       ///< the queue pair of that request
  uint32_t retries = 0;  ///< number of repetitions on other queue pairs
};

class SkClient final : public Endpoint, public CmParty, public EventTarget {
 public:
  using Done = std::function<void(const SkEnd&)>;
  struct Counters {
    uint64_t requests = 0;  ///< requests sent, including repetitions
    uint64_t responses = 0;
    uint64_t corrupt = 0;  ///< reads with a wrong CRC, and responses with a wrong check
    uint64_t losses = 0;
    uint64_t starved = 0;  ///< number of waits for a credit
  };

  SkClient(Process& process, ConnectionManager& cm, const SkParameters& parameters, EntityId entity,
           const std::string& name);
  void Open(NodeId server, uint16_t service) { peer_ = server, session_ = cm_.Open(*this, server, service); }
  /// `f` is called once, when it is connected for the first time.
  void SetOnAttached(std::function<void()> f) { on_attached_ = std::move(f); }
  void End() { cm_.End(session_); }
  /// `done` is called with the result: failed, if the session ends first.
  void Submit(SkIo io, Done done);

  const Counters& counters() const { return counters_; }
  size_t open() const { return ios_.size(); }
  bool joined() const { return state_ == State::joined; }
  QueuePair* qp() const { return qp_.get(); }
  /// The time that a request waited for a credit, since the first request.
  ResourceUse CreditUse() const;
  const std::vector<uint32_t>& qp_numbers() const { return qp_.numbers(); }

  void OnCompletion(const Wc& wc) override;
  void OnTurn() override;
  int64_t BytesOf(const Wc& wc) const override;
  int64_t BytesOfTurn() const override;
  CmOffer Offer() override;
  void OnOffer(const CmOffer& offer) override;
  void OnJoined() override;
  void OnLost() override { Lose(); }
  void OnEnded(bool answered) override;
  void OnEvent(uint64_t) override {
    if (state_ == State::lost) cm_.Reopen(session_);  // otherwise the session has ended in the meantime
  }

 private:
  enum class State : uint8_t { none, joined, lost, ended };
  enum Kind : uint32_t { kReceive = 0, kRequest = 1u << 28, kRegister = 2u << 28 };
  static constexpr uint32_t kKinds = 0xf0000000;
  struct OpenIo {
    SkIo io;
    Done done;
    MemoryRegion* region = nullptr;  ///< the region registered for it, possibly not complete
    uint64_t since = 0;              ///< the step since which it waits, or the step that sent it
    OperationTimes times{};          ///< times of its request
    uint32_t sent = 0;               ///< number of times sent
    Time starved{};                  ///< Starved() when it arrived
  };
  std::map<uint64_t, OpenIo>::iterator Next() { return ios_.lower_bound(unsent_); }
  void AskIfDue();
  void Deregister();
  /// The total time that requests have waited for credits.
  Time Starved() const;
  void Send(uint64_t number, OpenIo& open);
  void OnResponse(const Wc& wc);
  void OnRequestOut(const Wc& wc);
  bool Right(const SkMessage& message, const OpenIo& open) const;
  void PostReceive(uint32_t slot);
  void Lose();
  uint64_t AddressOf(uint64_t number) const;

  Process& process_;
  ConnectionManager& cm_;
  const SkParameters parameters_;
  const uint64_t base_;
  const EntityId entity_;
  SessionQp qp_;
  uint64_t session_ = 0;
  NodeId peer_ = 0;
  State state_ = State::none;
  uint32_t credits_ = 0;
  Time asked_since_ = kNever;              ///< time of the first request
  Time starved_since_ = kNever, starved_;  ///< start of the present wait; total of earlier waits
  std::map<uint64_t, OpenIo> ios_;         ///< keyed by number
  uint64_t next_ = 0;
  uint64_t unsent_ = 0;  ///< I/Os from this number on have not been sent on the present queue pair
  std::vector<MemoryRegion*> idle_;
  std::vector<uint8_t> receives_;
  MemoryRegion* receives_region_ = nullptr;
  std::function<void()> on_attached_;
  Counters counters_;
};

}  // namespace headroom
