#include "nic/slow_receiver.h"

namespace headroom {

SlowReceiver::SlowReceiver(const RxBufferParameters& parameters, PortOwner* nic, Rate line,
                           std::vector<PauseSender*> senders, ClosedQueues* closed, uint8_t lossless,
                           EntityId entity)
    : buffer_(parameters, std::move(senders), lossless),
      nic_(nic),
      line_(line),
      closed_(closed),
      entity_(entity),
      rate_(line) {}

void SlowReceiver::SlowDown(Rate rate) {
  slow_ = true;
  rate_ = rate;
  closed_->SetOwner(this);
}

void SlowReceiver::Recover() {
  slow_ = false;
  rate_ = line_;
  if (frames_.Empty()) closed_->SetOwner(nic_);
}

void SlowReceiver::Receive(Port& port, Frame* frame) {
  if (!buffer_.Take(frame->bytes)) {
    port.CountDrop(buffer_.Full(), *frame);
    return port.pool().Give(frame);
  }
  frames_.PushBack({&port, frame});
  if (!busy_) TakeNext();
}

void SlowReceiver::TakeNext() {
  busy_ = true;
  const Time done = EventQueue::Get().now() + SerializationTime(Bytes(frames_.Front().frame->bytes), rate_);
  EventQueue::Get().PushTarget(done, TimedEvent::Order(EventClass::nic_timer, entity_), this, 0);
}

void SlowReceiver::OnEvent(uint64_t) {
  const Arrived next = frames_.Front();
  frames_.PopFront();
  busy_ = false;
  if (!frames_.Empty()) {
    TakeNext();
  } else if (!slow_) {
    closed_->SetOwner(nic_);
  }
  buffer_.Give(next.frame->bytes);
  nic_->Receive(*next.port, next.frame);
}

}  // namespace headroom
