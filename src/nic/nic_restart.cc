// Part of Nic: restarts of the NIC's driver.
#include "nic/nic.h"
#include "nic/transport/message_times.h"

namespace headroom {

void Nic::BeginRestart() {
  const char* const why = "NIC restart";
  for (Requester& r : requesters_) {
    if (&r.owner() != &bulk_ || r.phase == Requester::Phase::stopped) continue;
    r.requests.Empty() ? r.Stop() : bulk_.Failed(r, WcStatus::wr_flush_err, why);
  }
  for (Responder& s : responders_) {
    s.receives = false;
    s.answers.Clear();
  }
  if (verbs_ != nullptr) verbs_->Fail(why);
  if (contexts_ != nullptr) contexts_->Clear();
  if (credit_scheduler_ != nullptr) credit_scheduler_->Clear();
  if (times_ != nullptr) times_->OnDropped(host_);
  if (stages_ == nullptr) return;
  for (int round = 0; round < kRounds; ++round) {
    NicStages::Outbound& out = stages_->outbound[round];
    for (; !out.frames.Empty(); out.frames.PopFront()) {
      PortOf(round).CountDrop({DropReason::restart}, *out.frames.Front().frame);
      pool_->Give(out.frames.Front().frame);
    }
    out.bytes = 0;
    out.responses = 0;
  }
}

}  // namespace headroom
