// A machine's requirements on its parameters.
#pragma once

#include <string>

namespace headroom {

struct MachineDemand {
  const char* key;   ///< that is wrong
  std::string what;  ///< is wrong with it; "{}" stands for its value
  std::string change;
};

}  // namespace headroom
