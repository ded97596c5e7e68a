// Flow control of one end of a bRPC connection on RDMA: its two windows, when it acknowledges RECVs, and
// which work requests request an event at the peer or a completion here. It uses neither time nor a network.
//
//   data          -1 from the remote-RQ window, which the peer's counts of RECVs give back
//                 -1 from the SQ window, which signaled completions give back
//   pure ACK      neither; kReserved pure ACKs may be outstanding, freed by their own completion
//
//   0 <= each window <= capacity = min(own queue, peer's queue) - kReserved, always
//
// Source: apache/brpc src/brpc/rdma/rdma_endpoint.cpp at 71871ee9 (CutFromIOBufList, SendAck, SendImm,
// HandleCompletion).
#pragma once

#include <algorithm>
#include <cstdint>

namespace headroom {

/// Lengths of a queue pair's queues.
struct BrpcQueues {
  int sq = 128, rq = 128;
  bool operator==(const BrpcQueues&) const = default;
};

class BrpcFlow {
 public:
  static constexpr int kReserved = 3;
  static constexpr uint32_t kMostUnsolicitedBytes = 1 << 20;

  BrpcFlow() = default;
  /// `every`: each work request asks for an event and a completion.
  BrpcFlow(const BrpcQueues& own, const BrpcQueues& peer, bool every = false)
      : every_(every),
        capacity_(std::min(own.sq, peer.rq) - kReserved),
        peer_capacity_(std::min(own.rq, peer.sq) - kReserved),
        rq_window_(capacity_),
        sq_window_(capacity_),
        acks_(kReserved) {}

  int capacity() const { return capacity_; }
  int rq_window() const { return rq_window_; }
  int sq_window() const { return sq_window_; }
  int acks() const { return acks_; }           ///< number of pure ACKs that may be sent
  uint32_t reposted() const { return owed_; }  ///< RECVs that have not been reported to the peer
  bool Writable() const { return rq_window_ > 0 && sq_window_ > 0; }

  /// How a work request with data is posted.
  struct Data {
    uint32_t imm = 0;
    bool solicited = false;
    uint32_t completes =
        0;  ///< number of work requests that its completion covers, if signaled; 0: not signaled
  };
  /// A work request is posted. `last`: it takes bytes from the last write of its batch. REQUIRES: Writable.
  Data OnData(uint32_t bytes, bool last);
  /// A completion that covers `count` work requests. Returns true if a waiting writer resumes.
  bool OnSent(uint32_t count);
  /// The peer has posted `count` RECVs again. Returns true if a waiting writer resumes.
  bool OnImm(uint32_t count);
  /// A RECV that data used is posted again. Returns the count for a pure ACK to be sent now; 0: none.
  uint32_t OnReposted() { return Acknowledge(1); }
  /// The same after the completion of a pure ACK.
  uint32_t OnAckSent() {
    ++acks_;
    return Acknowledge(0);
  }

 private:
  uint32_t Acknowledge(uint32_t more);

  bool every_ = false;
  int capacity_ = 0, peer_capacity_ = 0;
  int rq_window_ = 0, sq_window_ = 0, acks_ = 0;
  uint32_t owed_ = 0;
  uint32_t unsignaled_ = 0;
  // Since the last solicited request: work requests, their bytes, and RECVs that they acknowledged.
  int unsolicited_ = 0;
  uint32_t unsolicited_bytes_ = 0;
  uint32_t unsolicited_acks_ = 0;
};

}  // namespace headroom
