#include "nic/resources/rx_buffer.h"

namespace headroom {

RxBuffer::RxBuffer(const RxBufferParameters& parameters, PortOwner* nic, Port* port, PauseSender* sender,
                   ClosedQueues* closed, uint8_t lossless, uint32_t context)
    : memory_(parameters, sender, lossless),
      nic_(nic),
      port_(port),
      closed_(closed),
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
  if (!memory_.Take(frame->bytes)) {
    port.CountDrop(DropReason::buffer_full, *frame);
    return port.pool().Give(frame);
  }
  frames_.PushBack(frame);
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
  busy_ = false;
  if (!frames_.Empty()) {
    TakeNext();
  } else if (!slow_) {
    closed_->SetOwner(nic_);
  }
  memory_.Give(frame->bytes);
  nic_->Receive(*port_, frame);
}

}  // namespace headroom
