// The common parts of services of keys whose clients call processes of servers.
#pragma once

#include "protocol/keyvalue/key_service.h"
#include "protocol/keyvalue/slot_exchange.h"

namespace headroom {

class CalledService : public KeyService, protected SlotExchangeProgram, protected SlotExchangeUser {
 public:
  /// All clients are attached at once.
  void Start(const Attached& attached) final;
  void Stop() final { exchange_.NoteProcesses(); }
  std::shared_ptr<const ServiceRecord> Record() final;
  void ForEachQueuePair(const UseQueuePair& use) const override { exchange_.ForEachQueuePair(use); }

  /// Adds the settings that all these services share.
  static SlotExchangeParameters Complete(SlotExchangeParameters exchange,
                                         const KeyValueParameters& parameters);

 protected:
  /// `exchange`: the parameters of this kind of service only, such as verbs and the answers' length.
  CalledService(const KeyValueParameters& parameters, const ServiceGround& ground,
                SlotExchangeParameters exchange);

  /// By default its server is called.
  void Begin(uint32_t token) override { exchange_.Ask(asked(token).client, asked(token).server, token); }
  NodeId HostOfServer(uint32_t process) const final { return exchange_.HostOfServer(process); }

  /// The answer belongs to the call: stores the call's times in its operation. Proceed must follow.
  void Account(uint32_t token);
  void OnGivenUp(uint32_t token) final;
  /// The answer to a PUT has arrived. `done`: there was room.
  void TakeDone(uint32_t token, bool done);

  SlotExchange exchange_;
};

}  // namespace headroom
