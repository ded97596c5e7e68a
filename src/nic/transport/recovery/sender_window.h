// The sender's window: packets stay in a buffer until they are acknowledged, one by one. After a timeout the
// whole buffer is sent again, and nothing else until it is empty.
//
// Source: Wang et al., A fast RDMA method for unreliable networks, which compares its scheme with this one: a
// buffer for each peer. Ours: the responder places packets in any order, because the network may reorder
// them. READ responses are in no buffer, because they are not acknowledged; the reader requests missing ones
// again. With `connects` a message other than a READ requests a set-up of its receiver before its first
// packet, as the paper's existing methods set up a connection before the data (section 1.2). The receiver
// keeps no state for it and grants each request: this is ours.
#pragma once

#include <map>
#include <vector>

#include "nic/transport/nic_interface.h"
#include "nic/transport/recovery.h"
#include "nic/transport/recovery/context_requests.h"
#include "nic/transport/recovery/read_responses.h"
#include "nic/transport/recovery/repeats.h"
#include "nic/transport/requester.h"
#include "sim/deque.h"

namespace headroom {

class SenderWindow;

/// State shared by the queue pairs to one peer.
struct PeerBuffer {
  size_t used = 0;       ///< packets
  bool stalled = false;  ///< the whole buffer is being sent again
  std::vector<SenderWindow*> users;
  Deque<SenderWindow*> waiting;  ///< queue pairs that wait for room
};
/// The buffers of a NIC, by peer.
using PeerBuffers = std::map<NodeId, PeerBuffer>;

class SenderWindow final : public RequesterRecovery {
 public:
  SenderWindow(Requester& r, PeerBuffers& buffers)
      : r_(r),
        buffers_(buffers),
        p_(r.nic().constants().transport.recovery),
        requests_(r, [](uint64_t) { return true; }),
        responses_(p_) {}

  std::optional<Repeat> Next(Requester& r) override { return repeats_.Next(r); }
  bool HasNext(const Requester& r) override { return !repeats_.Empty(r); }
  void OnNak(Requester&, const Frame&) override {}
  void OnReadResponse(Requester& r, const Frame& frame) override;
  void RepeatOldest(Requester& r) override;
  void OnAcknowledged(Requester& r) override;
  void Forget() override;
  void OnStopped() override { Forget(); }
  void OnExecuted(Requester&) override;
  void OnPosted(Requester&) override;
  void OnGrant(Requester&, const Frame& grant) override { requests_.OnGrant(grant); }
  bool Awaits() const override { return requests_.Awaits(); }
  bool MayBegin(Requester&, const SendRequest& request) override;
  bool MayGo(Requester& r) override;
  void OnMade(Requester& r, const SendRequest& request, uint64_t psn, Frame& frame) override;
  void OnAck(Requester& r, const Frame& ack) override;

 private:
  PeerBuffer& Buffer();
  void RepeatKept();
  void RepeatReads();
  void KeepTimer();
  void FreeBelow(uint64_t psn);
  void Free(size_t packets);

  Requester& r_;
  PeerBuffers& buffers_;
  const RecoveryParameters& p_;
  ContextRequests requests_;  ///< unused without set-up
  PeerBuffer* buffer_ = nullptr;
  Deque<uint64_t> kept_;    ///< PSNs in the buffer, in order
  uint64_t last_kept_ = 0;  ///< one past the last PSN that was ever kept
  bool waits_ = false;
  Repeats repeats_;
  ReadResponses responses_;
  Time heard_;  ///< time of the last response to a READ
};

}  // namespace headroom
