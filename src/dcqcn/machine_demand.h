// A machine's requirements on its parameters.
#pragma once

#include <string>

namespace headroom {

struct MachineDemand {
  const char* key;   ///< the key that is wrong
  std::string what;  ///< the fault of this key; "{}" stands for its value
  std::string change;
};

}  // namespace headroom
