// The server's end of an sK-RDMA connection (sk_client.h): it moves the data, passes the request to the disk,
// and answers.
//
// A write's data are READ from the client and compared with the request's CRC before the disk sees them. A
// read's data are written to the client by WRITE, and the response is posted immediately behind. A write
// repeated on a new queue pair is executed once: the disk continues it if it has begun, and a finished one is
// answered from memory. A read is executed again.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "protocol/session_qp.h"
#include "protocol/storage/wire/registered_pool.h"
#include "protocol/storage/wire/sk_client.h"

namespace headroom {

/// The storage of blocks.
class SkDisk {
 public:
  using Done = std::function<void(SkStatus)>;
  virtual ~SkDisk() = default;
  /// `data` (null if data are only counted) contain the bytes to write, or are filled; they remain valid
  /// until `done`.
  virtual void Execute(const SkMessage& request, uint8_t* data, Done done) = 0;
};

class SkServer final : public Endpoint, public CmParty {
 public:
  struct Counters {
    uint64_t requests = 0, repeated = 0;
    uint64_t reads = 0, writes = 0;  ///< RDMA operations
    uint64_t answers = 0;
    uint64_t executed = 0;  ///< requests executed by the disk
    uint64_t corrupt = 0;   ///< writes with a wrong CRC, and requests with a wrong check
    uint64_t losses = 0;
  };

  /// `buffers`: each as long as the longest I/O. All must outlive this object.
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
    RegisteredBuffer buffer;  ///< for a write until it is done, for a read until the client has the response
    bool asked = false;       ///< received on the present queue pair: an answer is due
    bool answering = false;   ///< it is in to_answer_
    SkStatus status = SkStatus::ok;
    uint64_t since = 0;  ///< the step since which it has waited
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
  std::map<uint64_t, Request> requests_;  ///< keyed by number: requests that may be repeated
  Ring<uint64_t> to_answer_;              ///< numbers; some may no longer be repeated
  std::vector<uint8_t> receives_;
  MemoryRegion* receives_region_ = nullptr;
  bool waiting_ = false;  ///< some requests wait for memory
  Counters counters_;
};

}  // namespace headroom
