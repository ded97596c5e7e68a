// Of key_value_service.h: which service a type is.
#include "protocol/keyvalue/echo_service.h"
#include "protocol/keyvalue/herd_service.h"
#include "protocol/keyvalue/table_service.h"

namespace headroom {

std::unique_ptr<KeyValueService> MakeKeyValueService(const KeyValueParameters& parameters,
                                                     const KeyValueGround& ground) {
  switch (parameters.system) {
    case KeyValueSystem::herd:
      return std::make_unique<HerdService>(parameters, ground);
    case KeyValueSystem::echo:
      return std::make_unique<EchoService>(parameters, ground);
    default:
      return std::make_unique<TableService>(parameters, ground);
  }
}

}  // namespace headroom
