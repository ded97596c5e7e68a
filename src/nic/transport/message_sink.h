// Listeners to messages' ends: the recorder of a run, and workloads that wait for completions.
#pragma once

#include <cstdint>
#include <string>

#include "net/topology/topology.h"
#include "nic/transport/wc_status.h"
#include "sim/units.h"

namespace headroom {

/// `message` is the number given to Nic::Post.
class MessageSink {
 public:
  /// The receiver has the last byte.
  virtual void OnDelivered(uint32_t message, Time at) = 0;
  /// The sender has the last ACK.
  virtual void OnCompleted(uint32_t message, Time at) = 0;
  /// A packet of the message arrived with CE set.
  virtual void OnMarkedPacket(uint32_t message) = 0;
  virtual void OnRetransmittedPacket(uint32_t message) = 0;
  /// The next packet of the message has arrived; called once per packet, in order. `last`: it is the last of
  /// the message. Called only if HearsPackets() is true.
  virtual void OnPacket(uint32_t /*message*/, bool /*last*/) {}
  /// The message will not finish: its queue pair failed because of the message, or before the message's turn
  /// (wr_flush_err).
  virtual void OnFailed(uint32_t /*message*/, Time /*at*/, WcStatus /*status*/) {}
  /// A queue pair failed; its remaining messages will not finish.
  virtual void OnQueuePairError(NodeId host, uint32_t qp, const std::string& why) = 0;

  bool HearsPackets() const { return hears_packets_; }

 protected:
  ~MessageSink() = default;
  bool hears_packets_ = false;  ///< not a virtual call, because every packet needs the answer
};

}  // namespace headroom
