// The keys of a workload of type io: reads and writes of a service's disks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenario/keys/workloads/io_keys.h"
#include "scenario/keys/workloads/service_of.h"
#include "scenario/referenced_files.h"
#include "scenario/size_files.h"
#include "scenario/yaml/nearest.h"

namespace headroom::keys {

namespace {

using Io = IoArrivals;

constexpr const char* kIoPage = "models/storage-protocols.md";
constexpr Bytes kMostBlock{int64_t{1} << 30};
constexpr int64_t kMostDepth = 65'536;

const KeysOf<Io::Block>& BlockKeys() {
  static const KeysOf<Io::Block> keys(
      {.name = "block", .page = kIoPage},
      {{"size", &Io::Block::size, Sizes(Bytes(1), kMostBlock), "of an I/O", {.required = true}},
       {"share",
        &Io::Block::share,
        Fractions(),
        "share of the I/Os; the sum of shares is 100%",
        {.standard = "100%, where it is the only one"}}});
  return keys;
}

KindOf<std::vector<Io::Block>> Blocks() {
  KindOf<std::vector<Io::Block>> kind = ListOf(Mapping(BlockKeys()));
  kind.shape.bounds = "a list, or the path of a file";
  kind.shape.schema = fmt::format(R"({{"oneOf": [{}, {{"type": "string"}}]}})", kind.shape.schema);
  kind.read = [read = kind.read](const Node& node, std::vector<Io::Block>& blocks, Reading& reading) {
    if (node.IsScalar()) {
      blocks = ReadBlockFile(ParsePath(node), kMostBlock, node.where);
      return;
    }
    read(node, blocks, reading);
    double sum = 0;
    for (size_t i = 0; i < blocks.size(); ++i) {
      const Node& item = node.items[i];
      if (blocks.size() > 1 && !item.Find("share"))
        throw ScenarioError(item.where, "the key \"share\" is missing",
                            "where sizes are several each has one");
      sum += blocks[i].share;
    }
    constexpr double kRounding = 1e-9;
    if (std::abs(sum - 1) > kRounding && !reading.errors.Any())
      throw ScenarioError(node.where, fmt::format("the shares sum to {:.6g}%", sum * 100),
                          "they are of all I/Os, 100% together");
  };
  return kind;
}

/// A key of the closed loop, or of the open one.
template <class F>
KeyOf<Workload> InLoop(bool open, const char* name, F Io::*field, const std::type_identity_t<KindOf<F>>& kind,
                       const char* help, Traits traits = {}) {
  const KindOf<Io> of_loop{kind.shape,
                           [field, read = kind.read](const Node& node, Io& io, Reading& reading) {
                             read(node, io.*field, reading);
                           },
                           [open, field, write = kind.write](const Io& io, const Writing& writing) {
                             return (io.rate > 0) == open ? write(io.*field, writing) : std::string();
                           }};
  return {name, ArrivalsOf<Io>, of_loop, help, std::move(traits)};
}

void CheckLargestBlock(const Node& node, const Io& io, const StorageParameters& service, Reading& reading) {
  const LargestIo most = LargestOf(service);
  if (LargestBlock(io) <= most.bytes) return;
  reading.errors.Add(ScenarioError(node.Find("blocks")->where,
                                   fmt::format("a block of {} is larger than {} of service {}",
                                               FormatSize(LargestBlock(io)), most.what, Quote(service.name)),
                                   fmt::format("allowed: up to {}", FormatSize(most.bytes))));
}

void CheckOnce(const Node& node, const Io& io, Reading& reading) {
  if (!io.addresses.once || io.blocks.size() < 2) return;
  reading.errors.Add(ScenarioError(node.Find("addresses")->where, "each block once, of several sizes",
                                   "blocks: of one size"));
}

void CheckIo(const Node& node, Workload& w, Reading& reading) {
  const Io& io = ArrivalsOf<Io>(w);
  CheckStop(node, io.start, io.stop, reading);
  const auto needs = [&](const char* key, const char* other) {
    const Node* value = node.Find(key);
    if (value && !node.Find(other))
      reading.errors.Add(ScenarioError(value->where, fmt::format("\"{}\" goes with {}", key, other)));
  };
  needs("arrival", "rate");
  needs("think", "depth");
  CheckOnce(node, io, reading);
  if (!CheckFrom(node, io, reading)) return;
  CheckLargestBlock(node, io, (*reading.services)[io.service].parameters, reading);
}

}  // namespace

KindOf<Workload> ServiceOfIo() {
  return ServiceKind<Io>(
      &Reading::services, &Writing::services, "", "storage",
      +[](const Service& service, Io& io, Workload& w) {
        io.from = service.parameters.compute;
        io.to = service.parameters.back ? service.parameters.front_ends : service.parameters.extent_nodes;
        w.source.from = service.source.compute;
        w.source.to = service.source.extent_nodes;
        w.parameters.priority = service.parameters.front.priority;
      });
}

KeyOf<Workload> FromOfIo() {
  const auto from = [](Workload& w) -> std::vector<NodeId>& { return ArrivalsOf<Io>(w).from; };
  return {"from",
          HostsKind(from, &WorkloadSource::from),
          "a host, a shell pattern over hosts, or a list of them",
          {.standard = "the compute hosts of the service"}};
}

bool CheckFrom(const Node& node, const IoArrivals& io, const Reading& reading) {
  if (io.to.empty()) return false;
  const StorageParameters& service = (*reading.services)[io.service].parameters;
  for (const NodeId host : io.from) {
    if (std::ranges::find(service.compute, host) != service.compute.end()) continue;
    reading.errors.Add(
        ScenarioError(node.Find("from")->where,
                      fmt::format("{} is no compute host of service {}",
                                  Quote(reading.topology->nodes[host].name), Quote(service.name))));
    break;
  }
  return true;
}

KindOf<Workload> OtherFile() {
  return {{"file", "", R"({"type": "string"})"},
          [](const Node& node, Workload& w, Reading&) { w.source.file = ParsePath(node); },
          [](const Workload& w, const Writing& writing) {
            return WriteTexts({writing.files->Add(w.source.file)});
          }};
}

LargestIo LargestOf(const StorageParameters& service) {
  LargestIo most{service.extent, "an extent"};
  const auto limit = [&](Bytes bytes, const char* of) {
    if (bytes < most.bytes) most = {bytes, of};
  };
  limit(service.disk_size, "a disk");
  if (service.front.protocol == StorageProtocol::sk_rdma) limit(service.front.pool, "the pool");
  return most;
}

const KeysOf<Workload>& IoKeys() {
  static const KeysOf<Workload> keys(
      {.name = "workload_io",
       .page = kIoPage,
       .help = "reads and writes of a service's disks, one disk at each host of from",
       .type = "io",
       .one_of = {{"depth", "rate"}}},
      [&] {
        std::vector<KeyOf<Workload>> all = CommonKeys("io");
        all.insert(
            all.end(),
            {{"service", ServiceOfIo(), "service that provides the disks", {.required = true}},
             Of("blocks", &Io::blocks, Blocks(), "sizes of the I/Os with their shares", {.required = true}),
             Of("reads", &Io::reads, Fractions(1, true), "share of reads; the others are writes"),
             InLoop(false, "depth", &Io::depth, Integers(1, kMostDepth), "closed loop: open I/Os of a disk",
                    {.standard = "none"}),
             InLoop(true, "rate", &Io::rate, Numbers(1e-3, 1e9),
                    "open loop: I/Os per second of a disk, regardless of open ones", {.standard = "none"}),
             InLoop(true, "arrival", &Io::even, OneOf<bool>({{"poisson", false}, {"even", true}}),
                    "with rate: gaps are exponential, or equal", {.standard = "poisson"}),
             InLoop(false, "think", &Io::think, Times(), "with depth: from the end of an I/O to the next"),
             Of("addresses", &Io::addresses, Addresses(), "distribution of addresses on the disk",
                {.standard = "random"}),
             Of("ramp", &Io::ramp, Times(),
                "time after start; I/Os that start within it are not in the percentiles"),
             Of("start", &Io::start, Times(), "of the first I/O"),
             Of("stop", &Io::stop, Maybe(Times(Time(1))), "no I/O starts at or after this",
                {.standard = "the duration"}),
             FromOfIo()});
        return all;
      }(),
      CheckIo, StartingWith<Io>);
  return keys;
}

}  // namespace headroom::keys
