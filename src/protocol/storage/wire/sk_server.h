// The server's end of an sK-RDMA connection (sk_client.h): moves the data, has the disk do its part, answers.
//
// A write's data are READ from the client and compared with the request's CRC before the disk sees them. A
// read's data are WRITTEN to the client, and the response posted right behind. A write that comes
// again on a new queue pair is executed once: what the disk has begun goes on, what it has done is answered
// from memory. A read is executed again.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "protocol/session_qp.h"
#include "protocol/storage/wire/registered_pool.h"
#include "protocol/storage/wire/sk_client.h"

namespace headroom {

/// What stores blocks.
class SkDisk {
 public:
  using Done = std::function<void(SkStatus)>;
  virtual ~SkDisk() = default;
  /// `data` (null where data are counted) hold what is to be written, or are filled; they stay until `done`.
  virtual void Execute(const SkMessage& request, uint8_t* data, Done done) = 0;
};

class SkServer final : public Endpoint, public CmParty {
 public:
  struct Counters {
    uint64_t requests = 0, repeated = 0;
    uint64_t reads = 0, writes = 0;  ///< RDMA operations
    uint64_t answers = 0;
    uint64_t executed = 0;  ///< by the disk
    uint64_t corrupt = 0;   ///< writes whose CRC was wrong, and requests whose check was
    uint64_t losses = 0;
  };

  /// `buffers`: of the longest I/O. All outlive this.
  SkServer(Process& process, ConnectionManager& cm, RegisteredPool& buffers, const SkParameters& parameters,
           SkDisk& disk, const std::string& name);
  void Accept(uint64_t session, NodeId from) { session_ = session, peer_ = from; }

  const Counters& counters() const { return counters_; }
  QueuePair* qp() const { return qp_.get(); }
  const std::vector<uint32_t>& qp_numbers() const { return qp_.numbers(); }

  void OnCompletion(const Wc& wc) override;
  void OnTurn() override;
  int64_t BytesOf(const Wc& wc) const override;
  int64_t BytesOfTurn() const override;
  CmOffer Offer() override;
  void OnOffer(const CmOffer& offer) override;
  void OnJoined() override {}
  void OnLost() override {}
  void OnEnded(bool answered) override;

 private:
  enum class State : uint8_t { none, up, lost };
  enum class Stage : uint8_t { buffer, fetching, disk, done };
  enum Kind : uint32_t { kReceive = 0, kFetch = 1u << 28, kAnswer = 2u << 28 };
  static constexpr uint32_t kKinds = 0xf0000000;
  struct Request {
    SkMessage message;
    Stage stage = Stage::buffer;
    RegisteredBuffer buffer;  ///< of a write until it is done, of a read until the client has the response
    bool asked = false;       ///< by the queue pair that is now: an answer is due
    bool answering = false;   ///< it is in to_answer_
    SkStatus status = SkStatus::ok;
    uint64_t since = 0;  ///< the step that it has waited since
  };
  void OnRequest(uint32_t slot);
  void StartWaiting();
  void Start(uint64_t number, Request& request);
  void OnFetched(Request& request);
  bool Right(const Request& request) const;
  void Execute(uint64_t number, Request& request);
  void AnswerLater(uint64_t number, Request& request);
  void Answer(Request& request);
  void Forget(uint64_t oldest);
  void Release(Request& request);
  void PostReceive(uint32_t slot);
  void Lose();

  Process& process_;
  ConnectionManager& cm_;
  RegisteredPool& buffers_;
  const SkParameters parameters_;
  SkDisk& disk_;
  const uint64_t base_;
  SessionQp qp_;
  uint64_t session_ = 0;
  NodeId peer_ = 0;
  State state_ = State::none;
  std::map<uint64_t, Request> requests_;  ///< by number: those that may come again
  Ring<uint64_t> to_answer_;              ///< numbers; some may not be asked for any more
  std::vector<uint8_t> receives_;
  MemoryRegion* receives_region_ = nullptr;
  bool waiting_ = false;  ///< requests for memory
  Counters counters_;
};

}  // namespace headroom
