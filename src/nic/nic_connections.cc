// Part of Nic: bulk connections at their receiving end.
#include "nic/nic.h"

namespace headroom {

/// From here on `qp` is the number at this NIC. The first frame of a bulk connection makes its responder, in
/// place of a connection manager. CNPs, ACKs and credits for READ responses go to the requester beside the
/// responder.
void Nic::Resolve(Frame& frame) {
  uint32_t number = connections_.Find(frame.src, frame.qp);
  frame.named_by_sender = false;
  if (frame.kind != FrameKind::data && frame.kind != FrameKind::ask) {
    frame.qp = responders_[number].requester()->number();
  } else {
    frame.qp = number != ConnectionTable::kNone ? number : AcceptConnection(frame).number();
  }
}

/// The other end of the connection that this frame opens.
Responder& Nic::AcceptConnection(const Frame& first) {
  // A request for credits may use another class than the data.
  const bool asks = first.kind == FrameKind::ask && first.about.credits;
  Responder& s =
      NewResponder(bulk_, asks ? static_cast<uint8_t>(pool_->ExtensionOf(first)->key) : first.priority);
  connections_.Add(first.src, first.qp, s.number());
  s.tag = first.tag;
  s.peer = first.src;
  s.peer_qp = first.qp;
  s.generation = s.newest = first.generation;
  BeginBulk(s, first.source_port);
  if (first.kind == FrameKind::data &&
      IsReadRequest(first.opcode)) {  // its READ responses have their own rate
    Requester& r = NewRequester(bulk_, first.priority);
    r.tag = first.tag;
    Direct(r, s.peer, s.source_port);
    r.phase = Requester::Phase::runs;
    r.SetResponder(s);
    s.SetRequester(r);
  }
  return s;
}

/// A bulk connection has restarted at its sender, on another path. Late frames of the previous generation
/// have no effect.
void Nic::Follow(Responder& s, const Frame& frame) {
  s.generation = frame.generation;
  const bool newer = static_cast<int16_t>(frame.generation - s.newest) > 0;
  if (!IsBulk(frame.message) || !newer) return;
  s.newest = frame.generation;
  BeginBulk(s, frame.source_port);
  if (Requester* r = s.requester()) BeginBulk(*r, s.source_port);
}

}  // namespace headroom
