#include "nic/verbs/damage.h"

namespace headroom {

size_t Damage::AddSource(double probability, const std::string& stream) {
  const std::string name = stream + "/" + std::to_string(sources_.size());
  sources_.push_back({probability, false, RandomStream(name)});
  return sources_.size() - 1;
}

void Damage::SetSource(size_t number, bool on) {
  if (sources_[number].on != on) on_ += on ? 1 : -1;
  sources_[number].on = on;
}

std::optional<Damage::Hit> Damage::Strike(uint64_t length) {
  constexpr uint64_t kBits = 8;
  for (Source& source : sources_) {
    if (!source.on || source.random.Uniform() >= source.probability) continue;
    const uint64_t at = source.random.Below(length);
    return Hit{at, static_cast<uint8_t>(1u << source.random.Below(kBits))};
  }
  return std::nullopt;
}

void Damage::Clear(uint32_t region, uint64_t addr, uint64_t length) {
  const auto from = bytes_.lower_bound({region, addr});
  auto to = from;
  while (to != bytes_.end() && to->first == region && to->second - addr < length) ++to;
  bytes_.erase(from, to);
}

std::optional<uint64_t> Damage::First(uint32_t region, uint64_t addr, uint64_t length) const {
  const auto at = bytes_.lower_bound({region, addr});
  if (at == bytes_.end() || at->first != region || at->second - addr >= length) return std::nullopt;
  return at->second - addr;
}

}  // namespace headroom
