// The receive buffer of a NIC that takes frames out more slowly than they come in.
//
// Frames wait in order of arrival and are handed on one after the other, each after bytes / rate. From `xoff`
// bytes on the NIC pauses its peer, in all lossless priorities, until `xon` bytes are left; what finds no
// room is dropped. A NIC that keeps up with its line never has more than a frame in there, so the buffer
// stands before the NIC only while a fault slows it down, and until it is empty again.
#pragma once

#include "net/port.h"
#include "nic/parameters.h"
#include "pfc/closed_queues.h"
#include "pfc/pause_sender.h"
#include "sim/ring.h"

namespace headroom {

class RxBuffer final : public PortOwner, public EventTarget {
 public:
  /// `lossless` is a mask of priorities. `closed` stands between `port` and `nic`.
  RxBuffer(const RxBufferParameters& parameters, PortOwner* nic, Port* port, PauseSender* sender,
           ClosedQueues* closed, uint8_t lossless, uint32_t context);
  /// From now on the NIC takes out this much.
  void SlowDown(Rate rate);
  /// It keeps up with its line again.
  void Recover();

  void Receive(Port& port, Frame* frame) override;
  void Prepare(const Port&, Frame&) const override {}
  void ReceivePfc(Port& port, const Frame& frame) override { nic_->ReceivePfc(port, frame); }
  void Dequeued(Port& port, Frame& frame, int64_t left) override { nic_->Dequeued(port, frame, left); }
  void Discarded(Port& port, Frame& frame) override { nic_->Discarded(port, frame); }
  void OnEvent(uint64_t arg) override;

 private:
  void TakeNext();
  void Xoff();
  void Xon();

  RxBufferParameters parameters_;
  PortOwner* nic_;
  Port* port_;
  PauseSender* sender_;
  ClosedQueues* closed_;
  uint8_t lossless_;
  EntityId entity_;
  Rate rate_;
  bool slow_ = false;
  bool busy_ = false;  ///< the first frame is being taken out
  bool xoff_ = false;
  int64_t bytes_ = 0;
  Ring<Frame*> frames_;
};

}  // namespace headroom
