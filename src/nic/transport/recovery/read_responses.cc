#include "nic/transport/recovery/read_responses.h"

namespace headroom {

bool ReadResponses::Take(Requester& r, const Frame& frame) {
  const uint64_t psn = WholePsn(frame.psn, r.una_psn);
  if (psn < r.una_psn || psn >= r.high_psn || in_.Has(psn)) return false;
  uint32_t index = 0;
  const SendRequest* const request = r.Find(psn, &index);
  if (request == nullptr || !request->IsRead()) return false;
  const uint64_t first = request->first_psn, end = first + request->packets;
  if (!IsBulk(request->message)) {
    const auto mtu = static_cast<uint64_t>(r.nic().constants().mtu);
    r.owner().TakeResponse(frame, index, mtu * (psn - first));
  }
  in_.Arrived(psn, r.nic().now());
  r.OnAnswer(end);  // the READ and all earlier messages have been executed
  TakeInTurn(r);
  return true;
}

void ReadResponses::TakeInTurn(Requester& r) {
  MessageSink& sink = r.nic().sink();
  uint32_t index = 0;
  for (;;) {
    const SendRequest* const read = r.FirstRead(&index);
    if (read == nullptr || r.una_psn < read->first_psn || !in_.Has(r.una_psn)) return;
    const uint64_t end = read->first_psn + read->packets;
    const uint32_t message = read->message;
    uint64_t to = r.una_psn;
    while (to < end && in_.Has(to)) {
      ++to;
      if (IsBulk(message) && sink.HearsPackets()) sink.OnPacket(message, to == end);
    }
    if (IsBulk(message) && to == end) sink.OnDelivered(message, r.nic().Landed());
    r.Acknowledge(to);
    r.AcknowledgeExecuted();
  }
}

}  // namespace headroom
