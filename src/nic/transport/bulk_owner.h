// Bulk: messages with a number, without content or address.
#pragma once

#include "nic/transport/message_owner.h"

namespace headroom {

class NicInterface;

class BulkOwner final : public MessageOwner {
 public:
  explicit BulkOwner(NicInterface& nic) : nic_(nic) {}
  bool Begins(Requester&, const SendRequest&, uint32_t) override { return true; }
  /// The only step of bulk is a registration.
  Time StepTakes(Requester& r, uint32_t index) override;
  bool TakeStep(Requester&, uint32_t) override { return true; }
  void Completed(Requester& r, const SendRequest& request) override;
  void Failed(Requester& r, WcStatus status, const std::string& why) override;

 private:
  NicInterface& nic_;
};

}  // namespace headroom
