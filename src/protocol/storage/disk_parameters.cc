#include "protocol/storage/disk_parameters.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headroom {

namespace {

constexpr double kZ99 = 2.3263478740408408;  // 99 % of standard normal values are below this

double Sigma(const TimeLaw& law) {
  return std::log(static_cast<double>(law.p99.v) / static_cast<double>(law.median.v)) / kZ99;
}

// 4 KiB random reads at queue depth 1, median, p99 and p99.999: AnandTech, Intel Optane P4800X review,
// page 4. The tail contains two in 100,000 reads, and p99.999 is its middle; its width is ours.
constexpr double kRareReads = 2e-5;

/// Latency, I/Os per second and bandwidths: Lenovo's product guide of the Intel P4500, 2 TB. Slow reads, as
/// on TLC disks of that time: p99 is 5/4 of the median, with a tail of milliseconds.
DiskParameters NvmeTlc() {
  return {{Microseconds(85), Microseconds(106), 1e-5, Microseconds(300), Milliseconds(3)},
          Microseconds(20),
          490'000,
          GigabitsPerSecond(8 * 32) / 10,
          MegabitsPerSecond(8 * 1050),
          Bytes(int64_t{4} << 20),
          "nvme-tlc"};
}

/// Other values: Intel's product specification of the P3700, 330566-005.
DiskParameters NvmeMlc() {
  return {{Microseconds(76), Microseconds(96), kRareReads, Microseconds(2'036), Microseconds(3'500)},
          Microseconds(20),
          460'000,
          MegabitsPerSecond(8 * 2800),
          MegabitsPerSecond(8 * 2000),
          Bytes(int64_t{4} << 20),
          "nvme-mlc"};
}

/// Other values: Intel's specification of the P4800X, as that review's second part prints it.
DiskParameters Optane() {
  return {{Microseconds(9), Microseconds(10), kRareReads, Microseconds(24), Microseconds(50)},
          Microseconds(10),
          550'000,
          MegabitsPerSecond(8 * 2400),
          MegabitsPerSecond(8 * 2000),
          Bytes(int64_t{4} << 20),
          "optane"};
}

struct NamedDisk {
  const char* name;
  DiskParameters (*make)();
};
constexpr NamedDisk kNamedDisks[] = {{"none", [] { return DiskParameters{}; }},
                                     {"nvme-tlc", NvmeTlc},
                                     {"nvme-mlc", NvmeMlc},
                                     {"optane", Optane}};

}  // namespace

Time TimeLaw::Mean() const {
  if (!varies()) return median;
  const double sigma = Sigma(*this);
  const double most = static_cast<double>(median.v) * std::exp(sigma * sigma / 2);
  const double rare = static_cast<double>(tail_from.v + tail_to.v) / 2;
  return Time(std::llround((1 - tail) * most + tail * rare));
}

Time TimeLaw::Draw(RandomStream& random) const {
  if (!varies()) return median;
  // Always draws three numbers, so that no draw shifts later ones.
  const double of = random.Uniform(), radius = random.Uniform(), angle = random.Uniform();
  if (of < tail) return tail_from + Time(std::llround(radius * static_cast<double>((tail_to - tail_from).v)));
  const double normal = std::sqrt(-2 * std::log(radius)) * std::cos(2 * std::numbers::pi * angle);
  return Time(std::llround(static_cast<double>(median.v) * std::exp(Sigma(*this) * normal)));
}

Time DiskParameters::Alone(bool reads, Bytes bytes) const {
  const Rate bandwidth = reads ? read_bandwidth : write_bandwidth;
  const Bytes waits = reads ? bytes : Bytes(std::max<int64_t>((bytes - cache).v, 0));
  return (reads ? read : write).Mean() + (bandwidth.v > 0 ? SerializationTime(waits, bandwidth) : Time());
}

DiskParameters FindDevice(std::string_view name) {
  for (const NamedDisk& device : kNamedDisks)
    if (name == device.name) return device.make();
  return {};
}

std::vector<std::string> DeviceNames() {
  std::vector<std::string> names;
  for (const NamedDisk& device : kNamedDisks) names.emplace_back(device.name);
  return names;
}

}  // namespace headroom
