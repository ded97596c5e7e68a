#include "scenario/keys/sections/scenario_keys.h"

#include <fmt/format.h>

#include "scenario/experiment.h"
#include "scenario/keys/faults/fault_keys.h"
#include "scenario/keys/hosts/host_keys.h"
#include "scenario/keys/hosts/nic_keys.h"
#include "scenario/keys/network/class_keys.h"
#include "scenario/keys/network/topology_keys.h"
#include "scenario/keys/sections/experiment_keys.h"
#include "scenario/keys/services/service_keys.h"
#include "scenario/keys/switches/switch_keys.h"
#include "scenario/keys/workloads/workload_keys.h"

namespace headroom::keys {

FrameFormat HpccFrames() {
  return {.header = 48,
          .reth = 0,
          .aeth = 0,
          .immdt = 0,
          .ieth = 0,
          .ack = 46,
          .cnp = 60,
          .pfc = 43,
          .gap = 0,
          .min = 0,
          .ack_min = 60,
          .whole_ns = true};
}

namespace {

constexpr int64_t kMostMtu = 9000;
constexpr const char* kTimesPage = "models/event-queue.md";

/// A number of bytes, with or without a unit.
KindOf<int64_t> Mtu(int64_t least) {
  return {{"size, whole number", fmt::format("{} to {}", least, kMostMtu),
           fmt::format(R"({{"oneOf": [{}, {}]}})", ShapeOfIntegers(least, kMostMtu).schema,
                       Sizes().shape.schema)},
          [least](const Node& node, int64_t& mtu, Reading&) {
            const bool unit =
                node.IsScalar() && node.text.find_first_not_of("0123456789") != std::string::npos;
            mtu = unit ? ParseSize(node).v : ParseInteger(node, least, kMostMtu);
            if (mtu < least || mtu > kMostMtu)
              throw ScenarioError(node.where, Quote(node.text) + " is out of range",
                                  fmt::format("allowed: {} to {}", least, kMostMtu));
          },
          [](const int64_t& mtu, const Writing&) { return std::to_string(mtu); }};
}

/// A frame's size has 16 bits: the largest MTU with all headers stays below that.
KindOf<int64_t> FrameBytes(int64_t least) {
  const KindOf<Bytes> size = Sizes(Bytes(least), Kibibytes(16));
  return {size.shape,
          [size](const Node& node, int64_t& out, Reading& reading) {
            Bytes bytes(out);
            size.read(node, bytes, reading);
            out = bytes.v;
          },
          [](const int64_t& bytes, const Writing&) { return fmt::format("{}B", bytes); }};
}

/// A key for comparisons only: it is left out at its default.
template <class F>
KindOf<F> Seldom(KindOf<F> kind) {
  kind.write = [write = kind.write](const F& value, const Writing& writing) {
    return value == F{} ? std::string() : write(value, writing);
  };
  return kind;
}

KindOf<TcpParameters::AfterIdle> AfterIdle() {
  using Rule = TcpParameters::AfterIdle;
  return Seldom(OneOf<Rule>({{"rfc2861", Rule::halved}, {"rfc5681", Rule::restarted}, {"off", Rule::kept}}));
}

const KeysOf<FrameFormat>& FrameKeys() {
  using Frame = FrameFormat;
  static const KeysOf<Frame> keys(
      {.name = "frames", .page = "models/links-and-ports.md"},
      {{"header", &Frame::header, FrameBytes(0),
        "bytes of every data frame, including FCS, without payload and extended headers"},
       {"reth", &Frame::reth, FrameBytes(0),
        "extra bytes on the first frame of a WRITE and on a READ request"},
       {"aeth", &Frame::aeth, FrameBytes(0), "extra bytes on the first and last frame of a READ response"},
       {"immdt", &Frame::immdt, FrameBytes(0),
        "extra bytes on the last frame of a message with immediate data"},
       {"ieth", &Frame::ieth, FrameBytes(0), "extra bytes on the last frame of a SEND with invalidate"},
       {"ack", &Frame::ack, FrameBytes(1), "size of an ACK"},
       {"cnp", &Frame::cnp, FrameBytes(1), "size of a CNP"},
       {"pfc", &Frame::pfc, FrameBytes(1), "size of a PFC frame"},
       {"gap", &Frame::gap, FrameBytes(0), "bytes of preamble and gap on the wire"},
       {"min", &Frame::min, FrameBytes(0), "minimum size of a frame"},
       {"ack_min", &Frame::ack_min, Seldom(FrameBytes(0)), "minimum size of an ACK", {.standard = "0B"}},
       {"whole_ns",
        &Frame::whole_ns,
        Seldom(Flag()),
        "transmission times are rounded down to whole nanoseconds, as in the HPCC simulator",
        {.standard = "false"}}});
  return keys;
}

/// A simulator's name, or sizes.
KindOf<FrameFormat> Frames() {
  const KindOf<FrameFormat> sizes = Mapping(FrameKeys());
  const std::vector<std::string> names{"rocev2", "hpcc"};
  Shape shape = sizes.shape;
  shape.kind = "choice, mapping";
  shape.bounds = ShapeOfChoice(names).bounds;
  shape.schema = fmt::format(R"({{"oneOf": [{}, {}]}})", ShapeOfChoice(names).schema, sizes.shape.schema);
  return {shape,
          [=](const Node& node, FrameFormat& frames, Reading& reading) {
            if (!node.IsScalar()) return sizes.read(node, frames, reading);
            if (ParseChoice(node, names) == 1) frames = HpccFrames();
          },
          sizes.write};
}

/// A section that other code reads, because that code knows the names to which the section refers.
KindOf<Scenario> SectionWith(Shape shape) { return Described<Scenario>(std::move(shape)); }

/// Keys that hold for the whole run.
std::vector<KeyOf<Scenario>> KeysOfRun() {
  return {{"include",
           Described<Scenario>(Texts().shape),
           "base files, overridden by this file; mappings merge key by key, and lists of sections are joined",
           {.unlisted = true}},
          {"name",
           &Scenario::name,
           Name(),
           "name of the scenario; results go to results/NAME",
           {.standard = "the file's name"}},
          {"seed", &Scenario::seed, Integers(1, kLargestSeed), "seed of the random streams (ns-3's RngRun)"},
          {"duration",
           &Scenario::duration,
           Times(Time(1)),
           "time at which messages stop starting",
           {.standard = "10ms, or just after the last arrival; required with poisson, stream, verbs and io"}},
          {"deadline",
           &Scenario::deadline,
           Times(Time(1)),
           "time at which the run ends at the latest, finished or not",
           {.standard = "10 × duration"}},
          {"warmup", &Scenario::warmup, Times(), "time from which on counters run and messages count"},
          {"mtu",
           &Scenario::mtu,
           Mtu(256),
           "maximum RDMA payload of a packet",
           {.page = "models/links-and-ports.md", .tried = {"1024", "4096"}, .cost = Cost::reconfiguration}},
          {"ip_mtu",
           &Scenario::ip_mtu,
           Mtu(576),
           "maximum size of an IP packet of services on TCP",
           {.page = "models/ip.md"}},
          {"tcp_slow_start_after_idle",
           &Scenario::tcp_after_idle,
           AfterIdle(),
           "TCP's congestion window after a silence of more than the retransmission timeout; rfc2861: it is "
           "halved for each timeout, as in Linux; rfc5681: at most the initial window; off: it stays",
           {.standard = "rfc2861", .page = "models/ip.md"}},
          {"frames",
           &Scenario::frames,
           Frames(),
           "frame sizes: a named set, such as another simulator's for cross-checks, or a mapping",
           {.standard = "rocev2", .page = "models/links-and-ports.md"}},
          {"results",
           &Scenario::results,
           Seldom(OneOf<Results>({{"memory", Results::memory}, {"stream", Results::stream}})),
           "where messages, operations and pauses are kept until the run ends; stream: on disk",
           {.standard = "memory"}}};
}

/// The keys of its sections, and the number of its runs.
std::vector<KeyOf<Scenario>> KeysOfSections() {
  return {{"topology",
           SectionWith(TopologyKind().shape),
           "hosts, switches and links",
           {.required = true, .page = kTopologyPage}},
          {"priorities",
           SectionWith(Classes().shape),
           "traffic classes by name",
           {.standard = "storage (3, DSCP 3, lossless) and cnp (6, DSCP 48, strict)",
            .page = kLinksPage,
            .cost = Cost::setting}},
          {"switches",
           SectionWith(ShapeOfList(SwitchKeys().shape(), 0)),
           "parameters of matching switches; for each key, the last matching entry applies",
           {.page = "models/shared-buffer.md", .cost = Cost::setting}},
          {"nics",
           SectionWith(ShapeOfList(NicKeys().shape(), 0)),
           "NIC parameters of matching hosts; for each key, the last matching entry applies",
           {.page = "models/nic-and-transport.md", .cost = Cost::setting}},
          {"hosts",
           SectionWith(ShapeOfList(HostKeys().shape(), 0)),
           "software costs of matching hosts that run services; for each key, the last matching entry "
           "applies",
           {.standard = "nothing", .page = "models/storage-protocols.md", .cost = Cost::hardware}},
          {"services",
           SectionWith(Services().shape),
           "systems that execute the operations of workloads",
           {.standard = "nothing", .page = "models/storage-protocols.md", .cost = Cost::setting}},
          {"workloads",
           SectionWith(Workloads().shape),
           "generators of messages and operations",
           {.required = true, .page = "models/workloads.md"}},
          {"faults",
           SectionWith(Faults().shape),
           "failures in the network",
           {.page = "models/faults.md", .tried = {"without"}, .cost = Cost::repair}},
          {"observe", SectionWith(ObservationKeys().shape()),
           "records that the result has in addition to the summary"},
          {"vary",
           SectionWith(Vary().shape),
           "key paths, as for --set, each with a list of values; all combinations run, and expectations "
           "refer to them",
           {.page = "expectations.md"}},
          {"seeds",
           SectionWith(ShapeOfIntegers(1, kMostSeeds)),
           "number of runs, which use the seeds seed, seed + 1, …",
           {.standard = "1", .page = "expectations.md"}},
          {"expect",
           SectionWith(Expectations().shape),
           "expected results, for headroom validate",
           {.page = "expectations.md"}}};
}

}  // namespace

const KeysOf<Scenario>& ScenarioKeys() {
  static const KeysOf<Scenario> keys({.name = "scenario", .page = "models/event-queue.md", .block = true},
                                     Chain(KeysOfRun(), KeysOfSections()));
  return keys;
}

}  // namespace headroom::keys
