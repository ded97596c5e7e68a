#include "nic/transport/bulk_owner.h"

#include "nic/transport/message_times.h"
#include "nic/transport/nic_interface.h"
#include "nic/transport/requester.h"
#include "nic/transport/responder.h"

namespace headroom {

Time BulkOwner::StepTakes(Requester&, uint32_t) { return nic_.constants().registration_latency; }

/// The message's owner may then post more requests to the same queue pair.
void BulkOwner::Completed(Requester&, const SendRequest& request) {
  if (request.IsStep()) return;
  if (nic_.times() != nullptr) nic_.times()->OnEnded(request.message, nic_.now());
  if (nic_.costs() == nullptr) return nic_.sink().OnCompleted(request.message, nic_.now());
  nic_.Arm(NicTimer::completed, request.message, nic_.costs()->Complete(nic_.now(), true));
}

/// Its messages stay and will not finish: nothing else is posted here.
void BulkOwner::Failed(Requester& r, WcStatus status, const std::string& why) {
  r.Stop();
  if (Responder* s = r.responder()) {
    s->receives = false;
    s->answers.Clear();
  }
  for (uint32_t i = 0; i < r.requests.Size(); ++i) {
    if (r.requests[i].IsStep()) continue;
    nic_.sink().OnFailed(r.requests[i].message, nic_.now(), status);
    status = WcStatus::wr_flush_err;
  }
  nic_.sink().OnQueuePairError(nic_.host(), r.number(), why);
}

}  // namespace headroom
