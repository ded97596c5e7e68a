// Part of Nic: credits, by which receivers pace their senders (controls that want Control::kCredits).
#include "nic/nic.h"

namespace headroom {

/// A request was posted, or waiting data may not leave.
void Nic::OnBacklog(Requester& r) {
  Controlled& c = controls_[r.number()];
  Control& control = *c.control;
  if (!control.Wants(Control::kCredits)) return;
  const bool fresh = r.IsFresh() && now() >= c.quiet_at;
  control.OnBacklog(now(), r.Backlog(), fresh);
  Apply(r, false);
  if (fresh) r.NoteWindow();
}

/// Informs the receiver how many credits the queue pair requests, and how many it has received.
void Nic::AskForCredits(Requester& r, Control::Ask ask) {
  const Control& control = *controls_[r.number()].control;
  Frame* const f = r.DataFrame();
  f->kind = FrameKind::ask;
  f->about.credits = true;
  if (parameters_->control->credits()->control_class) f->priority = constants_->cnp_priority;
  f->psn = static_cast<uint32_t>(control.asked());
  f->message = r.requests.Empty() ? kNoMessage : r.requests.Back().message;
  f->charge = f->bytes = static_cast<uint16_t>(constants_->frames.Cnp().v);
  counters_.sent_bytes += f->bytes;
  FrameExtension& e = pool_->Attach(*f);
  e.psn = control.asked();
  e.address = control.credited();
  e.key = r.priority;
  e.all = &r.owner() == &bulk_ && !r.named_by_sender;  // credits for READ responses: only the peer's
                                                       // requester has a number here
  if (e.all) f->qp = r.responder()->peer_qp;
  e.length = ask == Control::Ask::again ? 1 : 0;
  // The queue pair may have its turn, in which the port waits for a frame. So an event queues this frame
  // immediately afterwards.
  Arm(NicTimer::control, reinterpret_cast<uint64_t>(f), now());
}

void Nic::OnCreditAsk(const Responder& s, const Frame& ask) {
  if (credit_scheduler_ == nullptr) {
    const NicParameters& p = *parameters_;
    const auto own = p.HasControl() ? p.control->credits() : std::nullopt;
    UseStream(NicTimer::credit);
    credit_scheduler_ =
        std::make_unique<CreditScheduler>(*this, *ports_[0], own.value_or(CreditParameters{}).share);
  }
  NoteComing(ask);
  credit_scheduler_->OnAsk(s, ask, *pool_->ExtensionOf(ask));
}

void Nic::OnCredit(const Frame& frame) {
  NoteComing(frame);
  Requester& r = requesters_[frame.qp];
  if (!r.controlled || frame.generation != r.generation) return;
  Control& control = *controls_[r.number()].control;
  if (!control.Wants(Control::kCredits)) return;
  control.OnCredit(now(), WholePsn(frame.psn, control.credited()));
  Apply(r, true);
}

}  // namespace headroom
