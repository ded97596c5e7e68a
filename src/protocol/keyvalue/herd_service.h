// HERD (Kalia et al., SIGCOMM 2014, section 4). A GET is a WRITE of 16 B; a PUT is a WRITE of key, length and
// value. A process of the server answers with a datagram: the value for a GET, 1 B for a PUT or a miss.
#pragma once

#include <deque>

#include "protocol/keyvalue/called_service.h"
#include "protocol/keyvalue/loaded_cache.h"

namespace headroom {

class HerdService final : public CalledService {
 public:
  HerdService(const KeyValueParameters& parameters, const ServiceGround& ground);
  static SlotExchangeParameters ParametersOf(const KeyValueParameters& parameters, const ServiceLoad& load);

 private:
  int AccessesOf(uint32_t process, std::span<const uint8_t> request) override;
  SlotExchangeAnswer Execute(uint32_t process, std::span<const uint8_t> request,
                             std::span<uint8_t> answer) override;
  uint32_t Encode(uint32_t token, std::span<uint8_t> request) override;
  std::optional<uint32_t> Mark(uint32_t token) override;
  bool OnAnswer(uint32_t token, std::span<const uint8_t> answer, uint32_t says) override;
  void AddTo(KeyValueRecord& record) override;

  std::deque<LoadedCache> caches_;  ///< indexed by process of the servers
};

}  // namespace headroom
