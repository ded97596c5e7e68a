// The addresses of I/Os on a disk: random, sequential, once, or a mapping.
#include <fmt/format.h>

#include <cmath>

#include "workload/types/io_types.h"

namespace headroom::keys {

namespace {

using AddressOrder = IoAddresses::Order;

/// A key that selects the distribution of addresses. Its number is the parameter of this distribution.
KindOf<IoAddresses> Uneven(AddressOrder order, const KindOf<double>& number) {
  return {number.shape,
          [=, read = number.read](const Node& node, IoAddresses& a, Reading& reading) {
            read(node, a.parameter, reading);
            if (order == AddressOrder::zipf && a.parameter == 1)
              throw ScenarioError(node.where, "theta of zipf must differ from 1", "0.99, or 1.01");
            a.order = order;
          },
          [=, write = number.write](const IoAddresses& a, const Writing& writing) {
            return a.order == order ? write(a.parameter, writing) : std::string();
          }};
}

const KeysOf<IoZone>& ZoneKeys() {
  static const KeysOf<IoZone> keys(
      {.name = "zone", .page = kIosPage},
      {{"ios", &IoZone::ios, Fractions(), "share of the I/Os", {.required = true}},
       {"space",
        &IoZone::space,
        Fractions(),
        "share of the disk that the zone covers, after the previous zone",
        {.required = true}}});
  return keys;
}

KindOf<IoAddresses> Zones() {
  const KindOf<std::vector<IoZone>> list = ListOf(Mapping(ZoneKeys()));
  return {list.shape,
          [read = list.read](const Node& node, IoAddresses& a, Reading& reading) {
            read(node, a.read_zones, reading);
            a.write_zones = a.read_zones;
            a.order = AddressOrder::zones;
            double ios = 0, space = 0;
            for (const IoZone& zone : a.read_zones) ios += zone.ios, space += zone.space;
            constexpr double kRoundingOfZones = 1e-9;
            if (reading.errors.Any()) return;
            if (std::abs(ios - 1) > kRoundingOfZones)
              throw ScenarioError(node.where,
                                  fmt::format("the zones have {:.6g}% of the I/Os together", ios * 100),
                                  "100% together");
            if (space > 1 + kRoundingOfZones)
              throw ScenarioError(node.where, fmt::format("the zones cover {:.6g}% of the disk", space * 100),
                                  "allowed: up to 100% together");
          },
          [write = list.write](const IoAddresses& a, const Writing& writing) {
            return a.order == AddressOrder::zones ? write(a.read_zones, writing) : std::string();
          }};
}

/// A whole percentage.
KindOf<IoAddresses> RandomShare() {
  const KindOf<double> share = Fractions(1, true);
  return {share.shape,
          [read = share.read](const Node& node, IoAddresses& a, Reading& reading) {
            double value = 1;
            read(node, value, reading);
            a.random_reads = a.random_writes = static_cast<int>(std::lround(value * 100));
            if (std::abs(value * 100 - a.random_reads) > 1e-9)
              throw ScenarioError(node.where, Quote(node.text) + " is not a whole percentage",
                                  "allowed: 0 to 100%");
          },
          [write = share.write](const IoAddresses& a, const Writing& writing) {
            return a.random_reads < 100 || a.order == AddressOrder::uniform
                       ? write(a.random_reads / 100.0, writing)
                       : std::string();
          }};
}

const KeysOf<IoAddresses>& AddressKeys() {
  static const KeysOf<IoAddresses> keys(
      {.name = "addresses", .page = kIosPage, .some_of = {{"zipf", "pareto", "normal", "zones", "random"}}},
      {{"zipf",
        Uneven(AddressOrder::zipf, Numbers(1e-3, 100)),
        "theta of Zipf's law: the block of rank r has a frequency proportional to r^-theta",
        {.standard = "none"}},
       {"pareto",
        Uneven(AddressOrder::pareto, Numbers(1e-3, 0.999)),
        "h of the Pareto distribution: a share h of the blocks gets 1-h of the I/Os",
        {.standard = "none"}},
       {"normal",
        Uneven(AddressOrder::normal, Fractions(1, true)),
        "standard deviation of the normal distribution, as a share of the disk",
        {.standard = "none"}},
       {"zones", Zones(), "parts of the disk, in order from its beginning", {.standard = "none"}},
       {"centre",
        &IoAddresses::centre,
        Maybe(Fractions(1, true)),
        "zipf, pareto and normal: address of the most frequent block, as a share of the disk",
        {.standard = "drawn"}},
       {"random", RandomShare(), "share of random I/Os; the others are sequential", {.standard = "100%"}}},
      [](const Node& node, IoAddresses& a, Reading& reading) {
        int orders = 0;
        for (const char* key : {"zipf", "pareto", "normal", "zones"}) {
          if (node.Find(key) && ++orders > 1)
            reading.errors.Add(ScenarioError(node.Find(key)->where,
                                             "two distributions of addresses are given",
                                             "give one of zipf, pareto, normal, zones"));
        }
        if (a.centre && (orders == 0 || node.Find("zones")))
          reading.errors.Add(
              ScenarioError(node.Find("centre")->where, "\"centre\" needs zipf, pareto or normal"));
      });
  return keys;
}

IoAddresses AddressesOf(const std::string& word) {
  IoAddresses a;
  if (word == "sequential") a.order = AddressOrder::sequential;
  a.once = word == "once";
  return a;
}

}  // namespace

KindOf<IoAddresses> Addresses() {
  Shape shape = AddressKeys().shape();
  shape.kind = "choice, mapping";
  shape.bounds = "random, sequential, once, or a mapping";
  shape.schema =
      fmt::format(R"({{"oneOf": [{{"enum": ["random", "sequential", "once"]}}, {}]}})", shape.schema);
  return {shape,
          [](const Node& node, IoAddresses& a, Reading& reading) {
            if (!node.IsScalar()) return AddressKeys().Read(node, &a, reading);
            const std::vector<std::string> words = {"random", "sequential", "once"};
            a = AddressesOf(words[ParseChoice(node, words)]);
          },
          [](const IoAddresses& a, const Writing& writing) {
            for (const char* word : {"random", "sequential", "once"})
              if (a == AddressesOf(word)) return std::string(word);
            return AddressKeys().Write(&a, writing);
          }};
}

}  // namespace headroom::keys
