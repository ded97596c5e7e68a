// The fault `slow_receiver` of a NIC without resources: its receive buffer, which such a NIC has only during
// the fault. A NIC with resources has the buffer in its stages (nic_stages_receive.cc).
//
// Frames wait in order of arrival and are passed on one after the other, each after bytes / rate. A frame
// without room is dropped. A NIC that keeps up with its line never has more than one frame in the buffer. So
// the buffer exists only while a fault slows the NIC down, and until it is empty again.
#pragma once

#include "net/port.h"
#include "nic/resources/rx_buffer.h"
#include "pfc/closed_queues.h"
#include "sim/ring.h"

namespace headroom {

class SlowReceiver final : public PortOwner, public EventTarget {
 public:
  /// `lossless` is a mask of priorities. `line`: the rate of all ports. `closed` stands between the ports and
  /// `nic`. `entity`: of its events.
  SlowReceiver(const RxBufferParameters& parameters, PortOwner* nic, Rate line,
               std::vector<PauseSender*> senders, ClosedQueues* closed, uint8_t lossless, EntityId entity);
  /// From now on the NIC takes frames out at this rate.
  void SlowDown(Rate rate);
  /// The NIC keeps up with its line again.
  void Recover();

  void Receive(Port& port, Frame* frame) override;
  void Prepare(const Port&, Frame&) const override {}
  void ReceivePfc(Port& port, const Frame& frame) override { nic_->ReceivePfc(port, frame); }
  void Dequeued(Port& port, Frame& frame, int64_t left) override { nic_->Dequeued(port, frame, left); }
  void Discarded(Port& port, Frame& frame) override { nic_->Discarded(port, frame); }
  void OnEvent(uint64_t arg) override;

 private:
  void TakeNext();

  RxBuffer buffer_;
  PortOwner* nic_;
  Rate line_;
  ClosedQueues* closed_;
  EntityId entity_;
  Rate rate_;
  bool slow_ = false;
  bool busy_ = false;  ///< the first frame is being taken out
  struct Arrived {
    Port* port = nullptr;
    Frame* frame = nullptr;
  };
  Ring<Arrived> frames_;
};

}  // namespace headroom
