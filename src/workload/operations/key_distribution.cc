#include "workload/operations/key_distribution.h"

#include <algorithm>
#include <cmath>

#include "workload/operations/address_distribution.h"

namespace headroom {

namespace {

/// YCSB draws the ranks of its scrambled distribution from this range, regardless of the number of records.
constexpr uint64_t kScrambledRanks = 10'000'000'000;

uint64_t RanksOf(const KeyValueArrivals& kv) {
  const auto records = static_cast<uint64_t>(kv.keys);
  if (kv.choice == KeyChoice::scrambled_zipf) return kScrambledRanks;
  return kv.choice == KeyChoice::latest ? std::max<uint64_t>(records - 1, 1) : records;
}

/// YCSB reserves room for twice the expected inserts.
uint64_t ExpectedKeys(const KeyValueArrivals& kv) {
  constexpr double kRoom = 2;
  const double inserts = static_cast<double>(kv.operations) * kv.inserts * kRoom;
  return static_cast<uint64_t>(kv.keys) + static_cast<uint64_t>(inserts) + 1;
}

/// A number in [0, n) for any n: one draw has only 2^32 values.
uint64_t Below(RandomStream& random, uint64_t n) {
  constexpr uint64_t kFine = uint64_t{1} << 22;
  if (n < kFine) return random.Below(n);
  const double u = (static_cast<double>(random.Below(kFine)) + random.Uniform()) / static_cast<double>(kFine);
  return std::min(static_cast<uint64_t>(u * static_cast<double>(n)), n - 1);
}

}  // namespace

uint64_t FnvHash(uint64_t number) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (int byte = 0; byte < 8; ++byte) {
    hash ^= number >> (8 * byte) & 0xff;
    hash *= 1'099'511'628'211u;
  }
  return hash >> 63 ? ~hash + 1 : hash;
}

Zipf::Zipf(uint64_t items, double theta)
    : items_(items), theta_(theta), zeta_(Zeta(items, theta)), second_(1 + std::pow(0.5, theta)) {
  Prepare();
}

void Zipf::Prepare() {
  if (items_ > 2) eta_ = (1 - std::pow(2 / static_cast<double>(items_), 1 - theta_)) / (1 - second_ / zeta_);
}

void Zipf::Grow(uint64_t items) {
  if (items == items_) return;
  for (uint64_t i = items_ + 1; i <= items; ++i) zeta_ += std::pow(static_cast<double>(i), -theta_);
  items_ = items;
  Prepare();
}

uint64_t Zipf::Rank(double u) const {
  const double share = u * zeta_;
  if (share < 1 || items_ == 1) return 0;
  if (share < second_ || items_ == 2) return 1;
  const auto n = static_cast<double>(items_);
  return std::min(static_cast<uint64_t>(n * std::pow(eta_ * u - eta_ + 1, 1 / (1 - theta_))), items_ - 1);
}

KeyDistribution::KeyDistribution(const KeyValueArrivals& kv)
    : choice_(kv.choice),
      records_(static_cast<uint64_t>(kv.keys)),
      scrambled_(ExpectedKeys(kv)),
      hot_(static_cast<uint64_t>(static_cast<double>(records_) * kv.hot_keys)),
      hot_operations_(kv.hot_operations),
      mean_(static_cast<double>(records_) * kv.exponential_keys / -std::log(1 - kv.exponential_operations)),
      zipf_(RanksOf(kv), kv.theta),
      next_(records_),
      last_(records_ - 1) {}

uint64_t KeyDistribution::Scrambled(RandomStream& random) const {
  for (;;) {
    const uint64_t record = FnvHash(zipf_.Rank(random.Uniform())) % scrambled_;
    if (record <= last_) return record;
  }
}

uint64_t KeyDistribution::Latest(RandomStream& random) {
  zipf_.Grow(std::max<uint64_t>(last_, 1));
  return last_ - std::min(zipf_.Rank(random.Uniform()), last_);
}

uint64_t KeyDistribution::Hotspot(RandomStream& random) const {
  const bool hot = random.Uniform() < hot_operations_;
  if ((hot && hot_ > 0) || hot_ == records_) return Below(random, hot_);
  return hot_ + Below(random, records_ - hot_);
}

uint64_t KeyDistribution::Exponential(RandomStream& random) const {
  for (;;) {
    const double back = -std::log(random.Uniform()) * mean_;
    if (back <= static_cast<double>(last_)) return last_ - static_cast<uint64_t>(back);
  }
}

uint64_t KeyDistribution::Draw(RandomStream& random) {
  switch (choice_) {
    case KeyChoice::uniform:
      break;
    case KeyChoice::zipf:
      return zipf_.Rank(random.Uniform());
    case KeyChoice::scrambled_zipf:
      return Scrambled(random);
    case KeyChoice::latest:
      return Latest(random);
    case KeyChoice::hotspot:
      return Hotspot(random);
    case KeyChoice::sequential:
      return in_turn_++ % records_;
    case KeyChoice::exponential:
      return Exponential(random);
  }
  return Below(random, records_);
}

void KeyDistribution::Acknowledge(uint64_t record) {
  ended_.insert(record);
  while (!ended_.empty() && *ended_.begin() == last_ + 1) {
    ended_.erase(ended_.begin());
    ++last_;
  }
}

}  // namespace headroom
