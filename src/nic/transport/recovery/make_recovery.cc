#include "nic/transport/recovery/make_recovery.h"

#include "nic/transport/recovery/packet_counter.h"
#include "nic/transport/recovery/receiver_window.h"
#include "nic/transport/recovery/selective_repeat.h"

namespace headroom {

using Type = RecoveryParameters::Type;

std::unique_ptr<RequesterRecovery> MakeRecovery(Requester& r, PeerBuffers& buffers) {
  const RecoveryParameters& p = r.nic().constants().transport.recovery;
  switch (p.type) {
    case Type::go_back_n:
      return nullptr;
    case Type::selective_repeat:
      return std::make_unique<SelectiveRepeat>(p);
    case Type::receiver_window:
      return std::make_unique<ReceiverWindow>(r);
    case Type::sender_window:
      return std::make_unique<SenderWindow>(r, buffers);
    case Type::counter:
      return std::make_unique<CountedSender>(r);
  }
  return nullptr;
}

std::unique_ptr<ResponderRecovery> MakeRecovery(Responder& s) {
  const RecoveryParameters& p = s.nic().constants().transport.recovery;
  switch (p.type) {
    case Type::go_back_n:
      return nullptr;
    case Type::selective_repeat:
      return std::make_unique<OutOfOrder>(OutOfOrder::Names::in_a_nak);
    case Type::receiver_window:
      return std::make_unique<ReceiveContexts>(s);
    case Type::sender_window:
      return std::make_unique<OutOfOrder>(p.cumulative_acks ? OutOfOrder::Names::nowhere
                                                            : OutOfOrder::Names::in_an_ack);
    case Type::counter:
      return std::make_unique<CountingReceiver>(s);
  }
  return nullptr;
}

}  // namespace headroom
