// The buffers of an Azure region's switches. The file with the table states the source of each number.
#pragma once

#include "switch/buffer/buffer_parameters.h"

namespace headroom {

BufferParameters Azure24MbBuffer();
BufferParameters AzureDeepBuffer();
BufferParameters AzureDeepHubBuffer();

}  // namespace headroom
