// Several processes that run one network, joined by sockets: ranks without MPI.
#pragma once

#include <functional>
#include <string>

#include "sim/exchange.h"

namespace headroom {

/// Runs `body` in `ranks` forked processes, and returns the text of rank 0. A failure in one of them also
/// fails here.
std::string TextFromRanks(int ranks, const std::function<std::string(Exchange&)>& body);

}  // namespace headroom
