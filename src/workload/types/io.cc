// Type io: reads and writes of a service's disks, in a closed loop or at a rate (workload/operations/io.h).
#include "workload/operations/io.h"

#include <fmt/format.h>

#include <cmath>

#include "scenario/size_files.h"
#include "scenario/yaml/nearest.h"
#include "workload/types/io_types.h"

namespace headroom {

namespace {

class IoType final : public DiskType<IoType> {
 public:
  using DiskType::DiskType;
  std::unique_ptr<OperationGenerator> MakeOperations(const WorkloadParameters& workload, uint32_t index,
                                                     const OperationGround& ground) const override {
    return std::make_unique<IoGenerator>(a, workload, index, ground);
  }
  bool CloseLoop() override {
    if (a.rate > 0) a.depth = kDepthOfLoops;
    a.rate = 0;
    a.think = Time(0);
    return true;
  }
  /// A ramp begins with the first I/O of any host.
  bool ActsPartByPart(const WorkloadParameters&) const override { return a.ramp == Time(0); }
};

}  // namespace

std::unique_ptr<Arrivals> IoFrom(IoArrivals a) { return std::make_unique<IoType>(std::move(a)); }

}  // namespace headroom

namespace headroom::keys {

namespace {

using Io = IoArrivals;

constexpr const char* kIoPage = "models/storage-protocols.md";
constexpr Bytes kMostBlock{int64_t{1} << 30};
constexpr int64_t kMostDepth = 65'536;

const KeysOf<Io::Block>& BlockKeys() {
  static const KeysOf<Io::Block> keys(
      {.name = "block", .page = kIoPage},
      {{"size", &Io::Block::size, Sizes(Bytes(1), kMostBlock), "size of an I/O", {.required = true}},
       {"share",
        &Io::Block::share,
        Fractions(),
        "share of the I/Os that have this size; the sum of shares is 100%",
        {.standard = "100%, if the list has one entry"}}});
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
                            "with several sizes, give each its share");
      sum += blocks[i].share;
    }
    constexpr double kRounding = 1e-9;
    if (std::abs(sum - 1) > kRounding && !reading.errors.Any())
      throw ScenarioError(node.where, fmt::format("the shares sum to {:.6g}%", sum * 100),
                          "give shares that sum to 100%");
  };
  return kind;
}

/// A key for the closed loop, or for the open one.
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
  return OfAll<Io>(name, of_loop, help, std::move(traits));
}

void CheckLargestBlock(const Node& node, const Io& io, const StorageParameters& service, Reading& reading) {
  const LargestIo most = LargestOf(service);
  if (LargestBlock(io) <= most.bytes) return;
  reading.errors.Add(ScenarioError(node.Find("blocks")->where,
                                   fmt::format("a block of {} is larger than {}, the limit of service {}",
                                               FormatSize(LargestBlock(io)), most.what, Quote(service.name)),
                                   fmt::format("allowed: up to {}", FormatSize(most.bytes))));
}

void CheckOnce(const Node& node, const Io& io, Reading& reading) {
  if (!io.addresses.once || io.blocks.size() < 2) return;
  reading.errors.Add(ScenarioError(node.Find("addresses")->where,
                                   "addresses: once needs blocks of one size, but several are given",
                                   "give blocks of one size"));
}

void CheckIo(const Node& node, Workload& w, Reading& reading) {
  const Io& io = DataOf<Io>(w);
  CheckStop(node, io.start, io.stop, reading);
  const auto needs = [&](const char* key, const char* other) {
    const Node* value = node.Find(key);
    if (value && !node.Find(other))
      reading.errors.Add(ScenarioError(value->where, fmt::format("\"{}\" needs {}", key, other)));
  };
  needs("arrival", "rate");
  needs("think", "depth");
  CheckOnce(node, io, reading);
  if (!CheckFrom(node, io, reading)) return;
  CheckLargestBlock(node, io, (*reading.services)[io.service].parameters.As<StorageParameters>(), reading);
}

const KeysOf<Workload>& IoKeys() {
  static const KeysOf<Workload> keys(
      {.name = "workload_io",
       .page = kIoPage,
       .help = "reads and writes on the disks of a service, at each host of from",
       .type = "io",
       .one_of = {{"depth", "rate"}}},
      [&] {
        std::vector<KeyOf<Workload>> all = IoTypeKeys("io");
        all.insert(
            all.end(),
            {{"service", ServiceOfIo(), "service that provides the disks", {.required = true}},
             Of("blocks", &Io::blocks, Blocks(), "sizes of the I/Os, with their shares", {.required = true}),
             Of("reads", &Io::reads, Fractions(1, true), "share of reads; the other I/Os are writes"),
             InLoop(false, "depth", &Io::depth, Integers(1, kMostDepth),
                    "closed loop: number of open I/Os of a disk",
                    {.standard = "none", .tried = {"/2"}, .cost = Cost::diagnosis}),
             InLoop(true, "rate", &Io::rate, Numbers(1e-3, 1e9),
                    "open loop: I/Os per second of a disk, regardless of the number of open I/Os",
                    {.standard = "none", .tried = {"/2"}, .cost = Cost::diagnosis}),
             InLoop(true, "arrival", &Io::even, OneOf<bool>({{"poisson", false}, {"even", true}}),
                    "with rate: whether gaps between I/Os are exponential or equal", {.standard = "poisson"}),
             InLoop(false, "think", &Io::think, Times(),
                    "with depth: time from the end of an I/O to the start of the next"),
             Of("addresses", &Io::addresses, Addresses(), "distribution of addresses on the disk",
                {.standard = "random"}),
             Of("ramp", &Io::ramp, Times(), "time after start whose I/Os are left out of the percentiles"),
             Of("start", &Io::start, Times(), "time of the first I/O"),
             Of("stop", &Io::stop, Maybe(Times(Time(1))), "time at which I/Os stop starting",
                {.standard = "the duration"}),
             FromOfIo()});
        return all;
      }(),
      CheckIo, StartingWith<IoType>);
  return keys;
}

const RegisteredType kIo({.place = 8, .keys = IoKeys});

}  // namespace

}  // namespace headroom::keys
