// ECHO (Kalia et al., HERD, SIGCOMM 2014, section 3.2.2): a process of the server returns a client's data,
// with any verbs and transports, after random accesses to memory.
#pragma once

#include "protocol/keyvalue/called_service.h"

namespace headroom {

class EchoService final : public CalledService {
 public:
  EchoService(const KeyValueParameters& parameters, const ServiceGround& ground);
  static SlotExchangeParameters ParametersOf(const KeyValueParameters& parameters, const ServiceLoad& load);

 private:
  int AccessesOf(uint32_t, std::span<const uint8_t>) override { return p_.accesses; }
  SlotExchangeAnswer Execute(uint32_t process, std::span<const uint8_t> request,
                             std::span<uint8_t> answer) override;
  uint32_t Encode(uint32_t token, std::span<uint8_t> request) override;
  bool OnAnswer(uint32_t token, std::span<const uint8_t> answer, uint32_t says) override;
};

}  // namespace headroom
