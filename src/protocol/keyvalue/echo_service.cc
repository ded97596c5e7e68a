#include "protocol/keyvalue/echo_service.h"

#include <algorithm>

#include "protocol/keyvalue/versioned_value.h"

namespace headroom {

SlotExchangeParameters EchoService::ParametersOf(const KeyValueParameters& p, const ServiceLoad& load) {
  SlotExchangeParameters e;
  e.request.method = p.request;
  e.reply.method = p.reply;
  e.longest_answer = static_cast<uint32_t>(load.largest.v);
  return e;
}

EchoService::EchoService(const KeyValueParameters& parameters, const ServiceGround& ground)
    : CalledService(parameters, ground, ParametersOf(parameters, ground.load)) {}

uint32_t EchoService::Encode(uint32_t token, std::span<uint8_t> request) {
  const Asked& a = asked(token);
  FillVersion(a.key, NextVersion(token), request.last(a.bytes));
  return a.bytes;
}

SlotExchangeAnswer EchoService::Execute(uint32_t, std::span<const uint8_t> request,
                                        std::span<uint8_t> answer) {
  std::ranges::copy(request, answer.begin());
  return {static_cast<uint32_t>(request.size()), 0};
}

/// The answer must be the data that was sent, or an answer to an earlier request.
bool EchoService::OnAnswer(uint32_t token, std::span<const uint8_t> answer, uint32_t) {
  const Asked& a = asked(token);
  if (answer.size() != a.bytes || !IsVersionOf(a.key, answer)) return false;
  Account(token);
  Proceed(token, true);
  return true;
}

static const ServiceType kEcho{"echo", &MakeAs<EchoService, KeyValueParameters>};

}  // namespace headroom
