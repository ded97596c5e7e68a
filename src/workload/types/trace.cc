// Type trace: I/Os of a recorded block trace, at its times (workload/operations/trace_generator.h).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "scenario/names.h"
#include "scenario/scenario.h"
#include "scenario/trace_files.h"
#include "scenario/yaml/nearest.h"
#include "workload/io_span.h"
#include "workload/operations/trace_generator.h"
#include "workload/types/io_types.h"

namespace headroom {

namespace {

class TraceType final : public DiskType<TraceType> {
 public:
  using DiskType::DiskType;
  std::unique_ptr<OperationGenerator> MakeOperations(const WorkloadParameters&, uint32_t index,
                                                     const OperationGround& ground) const override {
    return std::make_unique<TraceGenerator>(a, index, ground.hosts, ground.offers);
  }
  std::optional<Time> LastArrival() const override {
    Time last;
    for (const BlockTrace::Disk& disk : a.trace->disks)
      if (!disk.ios.empty()) last = std::max(last, disk.ios.back().at);
    return a.stop ? std::min(last, *a.stop) : last;
  }
  double Expected(const Scenario& s) const override {
    const Time stop = std::min(a.stop.value_or(s.duration), s.duration);
    ptrdiff_t ios = 0;
    for (const BlockTrace::Disk& disk : a.trace->disks)
      ios += std::ranges::lower_bound(disk.ios, stop, {}, &BlockTrace::Io::at) - disk.ios.begin();
    return static_cast<double>(ios);
  }
  Forecast Count(const WorkloadParameters&, const Scenario& s) const override { return Exactly(Expected(s)); }
  std::optional<Forecast> Open(const WorkloadParameters&, const Scenario&, const Forecast&) const override {
    return std::nullopt;
  }
  double Stretch(const Scenario&, const Forecast&) const override { return 1; }
  IoSpan Span(Time warmup, Time duration) const override {
    const Time until = std::min(a.stop.value_or(duration), duration);
    return {std::max(warmup, a.start + a.ramp), until, {}, true};
  }
};

}  // namespace

std::unique_ptr<Arrivals> TraceFrom(IoArrivals a) { return std::make_unique<TraceType>(std::move(a)); }

}  // namespace headroom

namespace headroom::keys {

namespace {

using Devices = std::vector<std::pair<std::string, NodeId>>;

KindOf<Devices> DeviceMap() {
  return {{"mapping", "devices of the trace and hosts",
           R"({"type": "object", "additionalProperties": {"$ref": "#/definitions/host_or_nic"}})"},
          [](const Node& node, Devices& devices, Reading& reading) {
            if (!node.IsMap())
              throw ScenarioError(node.where, Describe(node) + " is not a mapping", "{DEVICE: HOST, …}");
            for (const Entry& entry : node.entries)
              devices.emplace_back(entry.key, reading.names->Host(entry.value));
            if (devices.empty()) throw ScenarioError(node.where, "the mapping is empty");
          },
          [](const Devices& devices, const Writing& writing) {
            std::string text;
            for (const auto& [device, host] : devices)
              text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", WriteTexts({device}),
                                  writing.topology ? WriteTexts({writing.topology->nodes[host].name}) : "");
            return text.empty() ? text : '{' + text + '}';
          }};
}

/// The host of each device; UINT32_MAX if the device is left out.
std::vector<NodeId> HostsOfDevices(const Node& node, const RecordedTrace& trace, const RecordedSource& source,
                                   const std::vector<NodeId>& from) {
  std::vector<NodeId> hosts(trace.devices.size(), UINT32_MAX);
  if (source.devices.empty()) {
    for (size_t i = 0; i < hosts.size(); ++i) hosts[i] = from[i % from.size()];
    return hosts;
  }
  const Node& devices = *node.Find("devices");
  for (const auto& [device, host] : source.devices) {
    const Node* const value = devices.Find(device);
    const auto found = std::ranges::find(trace.devices, device);
    if (found == trace.devices.end())
      throw ScenarioError(value->where, fmt::format("the trace has no device {}", Quote(device)),
                          trace.devices.size() <= 20 ? "there are " + Join(trace.devices) : "",
                          Nearest(device, trace.devices));
    if (std::ranges::find(from, host) == from.end())
      throw ScenarioError(value->where, fmt::format("{} is not among the hosts of from", Quote(value->text)));
    hosts[static_cast<size_t>(found - trace.devices.begin())] = host;
  }
  return hosts;
}

/// Divides an I/O into pieces that fit: up to the end of the disk, where the rest restarts at its beginning,
/// and up to the permitted size.
class Pieces {
 public:
  Pieces(const StorageParameters& service, BlockTrace& trace)
      : disk_(service.disk_size.v), most_(LargestOf(service).bytes.v), trace_(trace) {}

  void Add(size_t disk, Time at, const RecordedTrace::Io& io) {
    int64_t offset = io.offset % disk_;
    for (int64_t left = io.bytes; left > 0;) {
      const int64_t bytes = std::min({left, most_, disk_ - offset});
      trace_.disks[disk].ios.push_back(
          {at, static_cast<uint64_t>(offset), static_cast<uint32_t>(bytes), io.writes});
      ++sizes_[io.writes][bytes];
      ++count_[io.writes];
      left -= bytes;
      offset = (offset + bytes) % disk_;
    }
  }

  /// Sets the arrivals' fields to the trace's means.
  void Describe(IoArrivals& io, Time length) const {
    const auto all = static_cast<double>(count_[0] + count_[1]);
    io.reads = static_cast<double>(count_[0]) / all;
    for (const bool writes : {false, true}) {
      std::vector<IoBlock>& blocks = writes && count_[0] > 0 ? io.write_blocks : io.blocks;
      for (const auto& [bytes, n] : sizes_[writes])
        blocks.push_back({Bytes(bytes), static_cast<double>(n) / static_cast<double>(count_[writes])});
    }
    io.rate = all / static_cast<double>(io.from.size()) / std::max(InSeconds(length), 1e-9);
  }
  bool Empty() const { return count_[0] + count_[1] == 0; }

 private:
  int64_t disk_, most_;
  BlockTrace& trace_;
  std::map<int64_t, int64_t> sizes_[2];
  int64_t count_[2] = {0, 0};
};

void ReadTrace(const Node& node, Workload& w, const Reading& reading) {
  const RecordedSource& source = w.source.recorded;
  IoArrivals& io = DataOf<IoArrivals>(w);
  const auto& service = (*reading.services)[io.service].parameters.As<StorageParameters>();
  const Node& file = *node.Find("file");
  const RecordedTrace recorded = ReadTraceFile(w.source.file, source.format, file.where);
  const std::vector<NodeId> hosts = HostsOfDevices(node, recorded, source, io.from);
  BlockTrace trace;
  for (const NodeId host : io.from) trace.disks.push_back({host, {}});
  Pieces pieces(service, trace);
  Time last = io.start;
  for (const RecordedTrace::Io& one : recorded.ios) {
    if (hosts[one.device] == UINT32_MAX) continue;
    const double after = static_cast<double>(one.at_ns) * 1e3 * source.time_scale;
    if (source.span.v > 0 && after >= static_cast<double>(source.span.v)) break;
    if (after > static_cast<double>(kLongestTime.v))
      throw ScenarioError(file.where, "the trace is longer than a day of simulated time",
                          "give time_scale: 1/1000, or span: 1s");
    last = io.start + Time(std::llround(after));
    const auto disk = std::ranges::find(io.from, hosts[one.device]) - io.from.begin();
    pieces.Add(static_cast<size_t>(disk), last, one);
  }
  if (pieces.Empty())
    throw ScenarioError(file.where, "these settings leave no I/O of the trace", "a longer span");
  pieces.Describe(io, last - io.start);
  io.trace = std::make_shared<const BlockTrace>(std::move(trace));
}

void CheckTrace(const Node& node, Workload& w, Reading& reading) {
  const IoArrivals& io = DataOf<IoArrivals>(w);
  CheckStop(node, io.start, io.stop, reading);
  if (!CheckFrom(node, io, reading) || reading.errors.Any()) return;
  reading.errors.Guard([&] { ReadTrace(node, w, reading); });
}

Workload StartingTrace() {
  Workload w = StartingWith<TraceType>();
  w.source.recorded.time_scale = 1;
  return w;
}

const KeysOf<Workload>& TraceKeys() {
  static const KeysOf<Workload> keys(
      {.name = "workload_trace",
       .page = kIosPage,
       .help = "I/Os of a block trace, started at the times in the trace regardless of the number of "
               "open I/Os",
       .type = "trace"},
      [&] {
        std::vector<KeyOf<Workload>> all = IoTypeKeys("trace");
        all.insert(
            all.end(),
            {{"service", ServiceOfIo(), "service that provides the disks", {.required = true}},
             {"file", OtherFile(), "path of the trace file, relative to the scenario", {.required = true}},
             {"format",
              OfRecorded(&RecordedSource::format),
              OneOf<TraceFormat>({{"msr", TraceFormat::msr}, {"alibaba", TraceFormat::alibaba}}),
              "format of the trace: MSR Cambridge's, or Alibaba's",
              {.required = true}},
             {"time_scale", OfRecorded(&RecordedSource::time_scale), Fractions(),
              "simulated seconds per second of the trace"},
             {"span",
              OfRecorded(&RecordedSource::span),
              Unless0(Times(Time(1))),
              "simulated time after which the trace is cut",
              {.standard = "all of it"}},
             {"devices",
              OfRecorded(&RecordedSource::devices),
              DeviceMap(),
              "devices of the trace that each host replays; other devices are left out",
              {.standard = "devices are assigned to the hosts of from in round-robin order"}},
             Of("ramp", &Io::ramp, Times(), "time after start whose I/Os are left out of the percentiles"),
             Of("start", &Io::start, Times(), "simulated time at which the trace starts"),
             Of("stop", &Io::stop, Maybe(Times(Time(1))), "time at which I/Os stop starting",
                {.standard = "the duration"}),
             FromOfIo()});
        return all;
      }(),
      CheckTrace, StartingTrace);
  return keys;
}

const RegisteredType kTrace({.place = 10, .keys = TraceKeys});

}  // namespace

}  // namespace headroom::keys
