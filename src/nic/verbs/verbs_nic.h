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
  /// Adds both halves of a new queue pair, with the same number, not connected.
  virtual Pair AddPair(MessageOwner& owner, Transport transport, uint8_t priority) = 0;
  /// From now on the requester sends to this host.
  virtual void Direct(Requester& r, NodeId peer, uint16_t source_port) = 0;
  /// The queue pair restarts at line rate.
  virtual void BeginAnew(Requester& r) = 0;
  /// Whether marks in this priority return on ACKs only.
  virtual bool FlagsAcks(uint8_t priority) const = 0;
  /// A program polled a completion of an operation between this host and `peer`.
  virtual void OnPolled(NodeId peer, const Wc& wc) = 0;

 protected:
  ~VerbsNic() = default;
};

}  // namespace headroom
