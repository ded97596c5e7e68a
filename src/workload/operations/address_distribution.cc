#include "workload/operations/address_distribution.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

/// fio sums at most this many terms.
constexpr uint64_t kMostTerms = 10'000'000;

/// 2^64 divided by the golden ratio: neighbouring ranks get distant places.
uint64_t Hashed(uint64_t rank) { return rank * 0x9E3779B97F4A7C15u; }

}  // namespace

/// The first terms are summed individually, the others with the Euler-Maclaurin formula.
double Zeta(uint64_t n, double theta) {
  constexpr uint64_t kByOne = 1000;
  double sum = 0;
  const uint64_t first = std::min(n, kByOne);
  for (uint64_t i = 1; i <= first; ++i) sum += std::pow(static_cast<double>(i), -theta);
  if (n <= kByOne) return sum;
  const auto a = static_cast<double>(kByOne), b = static_cast<double>(n);
  const auto power = [&](double x) { return std::pow(x, -theta); };
  const double integral =
      theta == 1 ? std::log(b / a) : (std::pow(b, 1 - theta) - std::pow(a, 1 - theta)) / (1 - theta);
  return sum + integral + (power(b) - power(a)) / 2 + theta / 12 * (power(a) / a - power(b) / b);
}

AddressDistribution::AddressDistribution(const IoAddresses& addresses, uint64_t blocks)
    : addresses_(addresses), blocks_(blocks) {
  if (addresses_.order != IoAddresses::Order::zipf) return;
  const double theta = addresses_.parameter, n = static_cast<double>(blocks_);
  zeta_ = Zeta(std::min(blocks_, kMostTerms), theta);
  second_ = 1 + std::pow(0.5, theta);
  eta_ = (1 - std::pow(2 / n, 1 - theta)) / (1 - second_ / zeta_);
}

uint64_t AddressDistribution::Rank(double u) const {
  const auto n = static_cast<double>(blocks_);
  double rank = 0;
  if (addresses_.order == IoAddresses::Order::zipf) {
    if (u * zeta_ >= second_) {
      rank = n * std::pow(eta_ * u - eta_ + 1, 1 / (1 - addresses_.parameter));
    } else if (u * zeta_ >= 1) {
      rank = 1;
    }
  } else {
    const double h = addresses_.parameter;
    rank = (n - 1) * std::pow(u, std::log(h) / std::log(1 - h));
  }
  return rank < n ? static_cast<uint64_t>(rank) : blocks_ - 1;
}

uint64_t AddressDistribution::First(RandomStream& random) const {
  using enum IoAddresses::Order;
  const auto n = static_cast<double>(blocks_);
  if (addresses_.order == normal) {
    const double by = addresses_.centre ? *addresses_.centre - 0.5 : 0;
    return static_cast<uint64_t>(n * (by < 0 ? by + 1 : by)) % blocks_;
  }
  if (addresses_.order != zipf && addresses_.order != pareto) return 0;
  return static_cast<uint64_t>(n * addresses_.centre.value_or(random.Uniform())) % blocks_;
}

/// The mean of twelve draws, each up to half the deviation to either side.
uint64_t AddressDistribution::Normal(RandomStream& random) const {
  constexpr int kDraws = 12;
  const auto n = static_cast<double>(blocks_);
  uint64_t sum = 0;
  for (int i = 0; i < kDraws; ++i) sum += static_cast<uint64_t>(random.Uniform() * (n + 1));
  sum = (sum + kDraws - 1) / kDraws;
  const double deviation = std::min(std::ceil(n * addresses_.parameter), std::floor(n / 2));
  if (deviation > 0) {
    auto by = static_cast<int64_t>(deviation * random.Uniform()) - static_cast<int64_t>(deviation) / 2;
    const auto fits = [&] {
      const auto at = static_cast<int64_t>(sum) + by;
      return at >= 0 && at < static_cast<int64_t>(blocks_);
    };
    while (by != 0 && !fits()) by /= 2;
    sum = static_cast<uint64_t>(static_cast<int64_t>(sum) + by);
  }
  return sum;
}

uint64_t AddressDistribution::InZone(RandomStream& random, const std::vector<IoZone>& zones) const {
  const double drawn = random.Uniform(), n = static_cast<double>(blocks_);
  double ios = 0, space = 0;
  for (size_t i = 0; i < zones.size(); ++i) {
    if (drawn < (ios += zones[i].ios) || i + 1 == zones.size()) {
      const double begin = std::floor(space * n);
      const double blocks = std::max(1.0, std::floor((space + zones[i].space) * n) - begin);
      return std::min(blocks_ - 1, static_cast<uint64_t>(begin + std::floor(blocks * random.Uniform())));
    }
    space += zones[i].space;
  }
  return 0;
}

uint64_t AddressDistribution::Draw(RandomStream& random, uint64_t first, bool writes) const {
  switch (addresses_.order) {
    case IoAddresses::Order::zipf:
    case IoAddresses::Order::pareto:
      return (Hashed(Rank(random.Uniform())) + first) % blocks_;
    case IoAddresses::Order::normal:
      return (Hashed(Normal(random)) + first) % blocks_;
    case IoAddresses::Order::zones:
      return InZone(random, writes ? addresses_.write_zones : addresses_.read_zones);
    case IoAddresses::Order::uniform:
    case IoAddresses::Order::sequential:
      break;
  }
  return std::min(blocks_ - 1, static_cast<uint64_t>(random.Uniform() * static_cast<double>(blocks_)));
}

}  // namespace headroom
