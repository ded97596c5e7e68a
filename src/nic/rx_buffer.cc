#include "nic/rx_buffer.h"

namespace headroom {

RxBuffer::RxBuffer(const RxBufferParameters& parameters, PortOwner* nic, Port* port, PauseSender* sender,
                   ClosedQueues* closed, uint8_t lossless, uint32_t context)
    : parameters_(parameters),
      nic_(nic),
      port_(port),
      sender_(sender),
      closed_(closed),
      lossless_(lossless),
      entity_(EventQueue::Get().AddEntity(context)),
      rate_(port->rate()) {}

void RxBuffer::SlowDown(Rate rate) {
  slow_ = true;
  rate_ = rate;
  closed_->SetOwner(this);
}

void RxBuffer::Recover() {
  slow_ = false;
  rate_ = port_->rate();
  if (frames_.Empty()) closed_->SetOwner(nic_);
}

void RxBuffer::Receive(Port& port, Frame* frame) {
  if (bytes_ + frame->bytes > parameters_.size.v) {
    port.CountDrop(DropReason::buffer_full, *frame);
    return port.pool().Give(frame);
  }
  bytes_ += frame->bytes;
  frames_.PushBack(frame);
  if (!xoff_ && bytes_ >= parameters_.xoff.v) Xoff();
  if (!busy_) TakeNext();
}

void RxBuffer::TakeNext() {
  busy_ = true;
  const Time done = EventQueue::Get().now() + SerializationTime(Bytes(frames_.Front()->bytes), rate_);
  EventQueue::Get().PushTarget(done, TimedEvent::Order(EventClass::nic_timer, entity_), this, 0);
}

void RxBuffer::OnEvent(uint64_t) {
  Frame* frame = frames_.Front();
  frames_.PopFront();
  bytes_ -= frame->bytes;
  busy_ = false;
  if (!frames_.Empty()) {
    TakeNext();
  } else if (!slow_) {
    closed_->SetOwner(nic_);
  }
  if (xoff_ && bytes_ <= parameters_.xon.v) Xon();
  nic_->Receive(*port_, frame);
}

void RxBuffer::Xoff() {
  xoff_ = true;
  sender_->Xoff(lossless_, bytes_);
}

void RxBuffer::Xon() {
  xoff_ = false;
  sender_->Xon(lossless_);
}

}  // namespace headroom
