#include "scenario/keys/services/storage_system_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "protocol/channel/storage_call.h"

namespace headroom::keys {

namespace {

using Disk = DiskParameters;

constexpr const char* kOfTheDevice = "the device's";
constexpr Time kLongestIo = Seconds(100);
constexpr int kMostFragments = 32;

const KeysOf<TimeLaw>& TailKeys() {
  static const KeysOf<TimeLaw> keys(
      {.name = "tail", .page = kStorageSystemPage, .cost = Cost::diagnosis},
      {{"share", &TimeLaw::tail, Fractions(1, true), "share of the I/Os", {.required = true}},
       {"from", &TimeLaw::tail_from, Times(Time(0), kLongestIo), "shortest of the times", {.required = true}},
       {"to", &TimeLaw::tail_to, Times(Time(0), kLongestIo), "longest of the times", {.required = true}}},
      [](const Node& node, TimeLaw& law, Reading& reading) {
        if (law.tail_from > law.tail_to)
          reading.errors.Add(ScenarioError(
              node.where,
              fmt::format("from {} is above to {}", FormatTime(law.tail_from), FormatTime(law.tail_to))));
      });
  return keys;
}

const KeysOf<TimeLaw>& TimeLawKeys() {
  static const KeysOf<TimeLaw> keys(
      {.name = "time_law", .page = kStorageSystemPage, .cost = Cost::diagnosis},
      {{"median",
        &TimeLaw::median,
        Times(Nanoseconds(1), kLongestIo),
        "median of a lognormal distribution",
        {.required = true}},
       {"p99",
        &TimeLaw::p99,
        Times(Nanoseconds(1), kLongestIo),
        "99th percentile of the distribution",
        {.required = true}},
       {"tail",
        Mapping(TailKeys()),
        "a rare share of longer times, uniform in a range",
        {.standard = "none"}}},
      [](const Node& node, TimeLaw& law, Reading& reading) {
        if (law.p99 < law.median)
          reading.errors.Add(ScenarioError(
              node.where,
              fmt::format("p99 {} is below the median {}", FormatTime(law.p99), FormatTime(law.median))));
      });
  return keys;
}

/// A constant time, or a distribution.
KindOf<TimeLaw> TimeLaws() {
  const KindOf<Time> one = Times(Time(0), kLongestIo);
  const KindOf<TimeLaw> mapping = Mapping(TimeLawKeys());
  Shape shape = mapping.shape;
  shape.kind = "time, mapping";
  shape.bounds = one.shape.bounds;
  shape.schema = fmt::format(R"({{"oneOf": [{}, {}]}})", one.shape.schema, mapping.shape.schema);
  return {shape,
          [=](const Node& node, TimeLaw& law, Reading& reading) {
            law = {};  // the entry names no device
            if (node.IsScalar()) {
              one.read(node, law.median, reading);
            } else {
              mapping.read(node, law, reading);
            }
          },
          [=](const TimeLaw& law, const Writing& writing) {
            return law.varies() ? mapping.write(law, writing) : one.write(law.median, writing);
          }};
}

/// Sets the defaults for the rest of the mapping.
KindOf<Disk> Device() {
  return {ShapeOfChoice(DeviceNames()),
          [](const Node& node, Disk& disk, Reading&) {
            disk = FindDevice(ParseKnown(node, "device", DeviceNames()));
          },
          [](const Disk& disk, const Writing&) { return disk.device; }};
}

KindOf<Rate> Bandwidths() {
  return OrWord("unlimited", Rate(0), Rates(MegabitsPerSecond(100), kHighestRate));
}

const KeysOf<Disk>& BandwidthKeys() {
  static const KeysOf<Disk> keys(
      {.name = "disk_bandwidth", .page = kStorageSystemPage, .cost = Cost::diagnosis},
      {{"read",
        &Disk::read_bandwidth,
        Bandwidths(),
        "bandwidth of a single stream of reads",
        {.standard = kOfTheDevice}},
       {"write",
        &Disk::write_bandwidth,
        Bandwidths(),
        "rate at which the cache writes to the disk",
        {.standard = kOfTheDevice}}});
  return keys;
}

const KeysOf<Disk>& DiskKeys() {
  static const KeysOf<Disk> keys(
      {.name = "disk", .page = kStorageSystemPage, .cost = Cost::diagnosis},
      {{"device",
        Device(),
        "named device, which gives the defaults of the other keys",
        {.cost = Cost::fixed}},
       {"read", &Disk::read, TimeLaws(), "time of a read", {.standard = kOfTheDevice}},
       {"write", &Disk::write, TimeLaws(), "time of a write into the cache", {.standard = kOfTheDevice}},
       {"iops",
        &Disk::iops,
        OrWord("unlimited", 0, Numbers(1, 1e9)),
        "maximum I/Os started per second; further I/Os queue",
        {.standard = kOfTheDevice}},
       {"bandwidth", Mapping(BandwidthKeys()), "maximum bytes read and written per second"},
       {"cache", &Disk::cache, Sizes(Bytes(0), Bytes(int64_t{1} << 40)),
        "protected write cache; a write that fits does not wait for bandwidth"}});
  return keys;
}

const KeysOf<StorageParameters>& PlacementKeys() {
  using enum FailureDomain;
  static const KeysOf<StorageParameters> keys(
      {.name = "placement", .page = kStorageSystemPage, .cost = Cost::fixed},
      {{"across", &StorageParameters::across,
        OneOf<FailureDomain>(
            {{"host", host}, {"rack", rack}, {"cluster", cluster}, {"datacenter", datacenter}}),
        "kind of place that replicas or fragments of an extent never share, if there are enough places; "
        "otherwise they only never share a host"}});
  return keys;
}

const KeysOf<ErasureParameters>& ErasureKeys() {
  using Erasure = ErasureParameters;
  static const KeysOf<Erasure> keys(
      {.name = "erasure", .page = kStorageSystemPage, .cost = Cost::fixed},
      {{"data", &Erasure::data, Integers(2, 30), "number of data fragments"},
       {"local", &Erasure::local, Integers(0, 15),
        "number of groups of data fragments; each group has one parity; 0: a Reed-Solomon code"},
       {"global", &Erasure::global, Integers(0, 30), "number of parities over all data"},
       {"coded", &Erasure::coded, Fractions(1, true),
        "share of the disks' extents that is coded; the others are replicated"},
       {"cycles_per_byte",
        &Erasure::cycles_per_byte,
        Numbers(0, 1e6),
        "cycles of a partition server's core per rebuilt byte",
        {.standard = "4.35; without local groups 8.06"}}},
      [](const Node& node, Erasure& e, Reading& reading) {
        if (!node.Find("cycles_per_byte") && e.local == 0) e.cycles_per_byte = kReedSolomonCycles;
        if (e.local > 0 && e.data % e.local != 0)
          reading.errors.Add(ScenarioError(
              node.where,
              fmt::format("{} data fragments do not divide into {} groups of the same size", e.data, e.local),
              "give data as a multiple of local"));
        if (e.local + e.global == 0)
          reading.errors.Add(
              ScenarioError(node.where, "the code has no parity", "give local or global of 1 or more"));
        if (e.fragments() > kMostFragments)
          reading.errors.Add(ScenarioError(node.where,
                                           fmt::format("{} fragments are too many", e.fragments()),
                                           fmt::format("allowed: up to {}", kMostFragments)));
      });
  return keys;
}

const KeysOf<BackgroundParameters>& BackgroundKeys() {
  using Background = BackgroundParameters;
  const auto rates = [] { return OrWord("none", Rate(0), Rates()); };
  static const KeysOf<Background> keys(
      {.name = "background", .page = kStorageSystemPage, .cost = Cost::diagnosis},
      {{"gc", &Background::gc, rates(),
        "rate at which each partition server reads in order to collect "
        "garbage"},
       {"reencode", &Background::reencode, rates(),
        "rate at which each partition server reads in order "
        "to code replicated extents"},
       {"piece", &Background::piece, Sizes(Bytes(4096), Bytes(64 << 20)), "size of a background read"}});
  return keys;
}

}  // namespace

KindOf<StorageParameters> PlacementOfExtents() {
  const KindOf<StorageParameters> mapping = Mapping(PlacementKeys());
  return {mapping.shape, mapping.read,
          [write = mapping.write](const StorageParameters& p, const Writing& writing) {
            return p.back ? write(p, writing) : std::string();
          }};
}
KindOf<std::optional<ErasureParameters>> ErasureOfExtents() { return Maybe(Mapping(ErasureKeys())); }
KindOf<std::optional<BackgroundParameters>> BackgroundOfServers() { return Maybe(Mapping(BackgroundKeys())); }

/// Messages carry extents' numbers; half of the numbers are reserved for extents beyond the initial ones.
static void CheckNumbersOfExtents(const Node& service, const StorageParameters& p, Reading& reading) {
  constexpr int64_t kMost = (int64_t{1} << StoragePlace::kObjectBits) / 4;
  if (!p.back || p.compute.empty()) return;
  const auto disks = static_cast<int64_t>(p.compute.size());
  const int64_t each = (p.disk_size.v + p.extent.v - 1) / p.extent.v;
  if (disks * each <= kMost) return;
  constexpr int64_t kMebibyte = 1 << 20;
  const int64_t most_each = std::max<int64_t>(kMost / disks, 1);
  const Bytes enough((p.disk_size.v + most_each * kMebibyte - 1) / (most_each * kMebibyte) * kMebibyte);
  const Node* at = service.Find("extent");
  if (at == nullptr) at = service.Find("disk_size");
  reading.errors.Add(
      ScenarioError(at ? at->where : service.Find("compute")->where,
                    fmt::format("{} of {} need {} extents of {}, but a service has at most {}",
                                disks == 1 ? "1 disk" : fmt::format("{} disks", disks),
                                FormatSize(p.disk_size), disks * each, FormatSize(p.extent), kMost),
                    fmt::format("give extent: {} or more, or a smaller disk_size", FormatSize(enough))));
}

void CheckExtents(const Node& service, const StorageParameters& p, Reading& reading) {
  CheckNumbersOfExtents(service, p, reading);
  const Node* erasure = service.Find("erasure");
  if (erasure && p.erasure && p.erasure->fragments() <= kMostFragments && !p.extent_nodes.empty() &&
      static_cast<size_t>(p.erasure->fragments()) > p.extent_nodes.size())
    reading.errors.Add(ScenarioError(erasure->where,
                                     fmt::format("{} fragments need as many extent nodes, but the "
                                                 "service has {}",
                                                 p.erasure->fragments(), p.extent_nodes.size()),
                                     "give more extent nodes, or fewer fragments"));
  const Node* background = service.Find("background");
  if (background && p.background && p.background->reencode.v > 0 && !p.erasure)
    reading.errors.Add(ScenarioError(background->where, "\"reencode\" needs erasure coding",
                                     "give erasure: {} beside background"));
}

KindOf<DiskParameters> DiskOfNode() { return Mapping(DiskKeys()); }

}  // namespace headroom::keys
