#include "sim/random.h"

#include <ns3/rng-seed-manager.h>

#include <cmath>

namespace headroom {

RandomStream::RandomStream(const std::string& name) {
  uint64_t h = 0xcbf29ce484222325u;  // FNV-1a
  for (const unsigned char c : name) h = (h ^ c) * 0x100000001b3u;
  number_ = h >> 2;  // ns-3 reserves the upper half of stream numbers
}

void RandomStream::Open() {
  stream_.emplace(ns3::RngSeedManager::GetSeed(), number_, ns3::RngSeedManager::GetRun());
}

double RandomStream::Exponential(double mean) { return -mean * std::log(Uniform()); }

}  // namespace headroom
