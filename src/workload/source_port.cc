#include "workload/source_port.h"

namespace headroom {

uint16_t SourcePort(const std::string& workload, const std::string& src, const std::string& dst,
                    uint32_t number) {
  uint64_t h = 0xcbf29ce484222325u;  // FNV-1a
  const auto add = [&h](const std::string& s) {
    for (const unsigned char c : s + "/") h = (h ^ c) * 0x100000001b3u;
  };
  add(workload);
  add(src);
  add(dst);
  add(std::to_string(number));
  return static_cast<uint16_t>(0xC000 + (h ^ (h >> 32)) % 0x4000);
}

}  // namespace headroom
