// Of key_value_service.h: which service a type is.
#include "protocol/keyvalue/herd_service.h"

namespace headroom {

std::unique_ptr<KeyValueService> MakeKeyValueService(const KeyValueParameters& parameters,
                                                     const KeyValueGround& ground) {
  return std::make_unique<HerdService>(parameters, ground);
}

}  // namespace headroom
