#include "protocol/keyvalue/stores/mica_index.h"

#include <utility>

namespace headroom {

MicaIndex::MicaIndex() : places_(64) {}

MicaBucket& MicaIndex::Write(uint32_t number) {
  size_t at = Home(number);
  if (places_[at].bucket == 0) {
    if (2 * (buckets_.size() + 1) > places_.size()) {
      Grow();
      at = Home(number);
    }
    buckets_.emplace_back();
    places_[at] = {number, static_cast<uint32_t>(buckets_.size())};
  }
  return buckets_[places_[at].bucket - 1];
}

void MicaIndex::Grow() {
  std::vector<Place> before(2 * places_.size());
  std::swap(before, places_);
  for (const Place& place : before) {
    if (place.bucket != 0) places_[Home(place.number)] = place;
  }
}

}  // namespace headroom
