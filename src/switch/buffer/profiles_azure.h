// The buffers of an Azure region's switches. The file with the table says where each number is from.
#pragma once

#include "switch/buffer/buffer_parameters.h"

namespace headroom {

BufferParameters Azure24MbBuffer();
BufferParameters AzureDeepBuffer();
BufferParameters AzureDeepHubBuffer();

}  // namespace headroom
