// The members of their NIC that verbs use, beyond those for requesters and responders.
#pragma once

#include "nic/transport/nic_interface.h"
#include "nic/verbs/work_request.h"

namespace headroom {

class MessageOwner;

class VerbsNic : public NicInterface {
 public:
  struct Pair {
    Requester* requester;
    Responder* responder;
  };
  /// Both halves of a new queue pair, of one number, not connected.
  virtual Pair AddPair(MessageOwner& owner, Transport transport, uint8_t priority) = 0;
  /// From now on it sends to this host.
  virtual void Direct(Requester& r, NodeId peer, uint16_t source_port) = 0;
  /// It begins anew, at line rate.
  virtual void BeginAnew(Requester& r) = 0;
  /// Whether marks in this priority travel back on ACKs, and on nothing else.
  virtual bool FlagsAcks(uint8_t priority) const = 0;
  /// A program polled a completion, of something between this host and `peer`.
  virtual void OnPolled(NodeId peer, const Wc& wc) = 0;

 protected:
  ~VerbsNic() = default;
};

}  // namespace headroom
