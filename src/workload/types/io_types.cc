#include "workload/types/io_types.h"

#include <algorithm>
#include <cmath>

#include "scenario/keys/workloads/service_of.h"
#include "scenario/referenced_files.h"
#include "scenario/scenario.h"
#include "workload/distributions/distributions.h"
#include "workload/io_span.h"
#include "workload/types/line_limits.h"

namespace headroom {

Time IosOfDisks::NeededArrival() const { return ios().start; }

std::vector<LoneMessage> IosOfDisks::LastAlone(const HostView& hosts) const {
  const IoArrivals& a = ios();
  return {Alone(hosts, LargestBlock(a), a.start, a.from, a.to)};
}

void IosOfDisks::AddShares(const WorkloadParameters&, const HostView&, ShareSink& sink) const {
  const IoArrivals& a = ios();
  for (const NodeId from : a.from) {
    for (const NodeId to : a.to) {
      sink.Add(from, to, 1 - a.reads);
      sink.Add(to, from, a.reads);
    }
  }
}

void IosOfDisks::OfferFlows(const WorkloadParameters& workload, const HostView&, FlowSink& sink) const {
  const IoArrivals& a = ios();
  for (const NodeId from : a.from) {
    for (const NodeId to : a.to) {
      if (from == to || sink.Full()) continue;
      if (a.reads < 1) sink.Offer(from, to, workload.priority, 0);
      if (a.reads > 0) sink.Offer(to, from, workload.priority, 0);
    }
  }
}

/// A closed loop starts as many operations as the hosts' lines, the disks and the depth permit.
double IosOfDisks::Expected(const Scenario& s) const {
  const IoArrivals& a = ios();
  const Time span = SpanOf(a.start, a.stop, s);
  const double hosts = static_cast<double>(a.from.size());
  if (a.rate > 0) return hosts * a.rate * InSeconds(span);
  const double one_way = MeanBlock(a) * std::max(a.reads, 1 - a.reads);
  double most = std::min(LineBytes(a.from, span, s), LineBytes(a.to, span, s)) / one_way;
  const DiskParameters& disk = s.services[a.service].As<StorageParameters>().disk;
  if (disk.iops > 0) most = std::min(most, disk.iops * static_cast<double>(a.to.size()) * InSeconds(span));
  const double each = InSeconds(a.think) + a.reads * InSeconds(disk.read.Mean()) +
                      (1 - a.reads) * InSeconds(disk.write.Mean());
  const double open = hosts * a.depth;
  return open + (each > 0 ? std::min(most, open * InSeconds(span) / each) : most);
}

double IosOfDisks::MeanBytes() const { return MeanBlock(ios()); }

double IosOfDisks::MeanPieces(double step) const {
  const IoArrivals& a = ios();
  double mean = 0;
  if (a.write_blocks.empty()) {
    for (const IoBlock& b : a.blocks) mean += b.share * Pieces(static_cast<double>(b.size.v), step);
  } else {
    ForEachBlock(a, [&](bool, Bytes size, double share) {
      mean += share * Pieces(static_cast<double>(size.v), step);
    });
  }
  return mean;
}

std::optional<double> IosOfDisks::PerSecond(const HostView&) const {
  const IoArrivals& a = ios();
  if (a.rate == 0) return std::nullopt;
  return a.rate * static_cast<double>(a.from.size());
}

/// Data travel once; with a back leg they pass a front end and the partition server, and writes then go to
/// all replicas.
double IosOfDisks::Legs(const Scenario& s) const {
  const IoArrivals& a = ios();
  const auto& service = s.services[a.service].As<StorageParameters>();
  return service.back ? 2 + a.reads + (1 - a.reads) * service.replicas : 1;
}

Forecast IosOfDisks::Count(const WorkloadParameters&, const Scenario& s) const {
  const IoArrivals& a = ios();
  const double expected = Expected(s);
  if (a.rate > 0) return Drawn(expected);
  constexpr double kLuckyDraws = 1.5;  // smaller I/Os, and faster disks, than on average
  const double share = std::max(a.reads, 1 - a.reads);
  const Time span = SpanOf(a.start, a.stop, s);
  double most = ThroughLines(a.from, a.to, MeanBlock(a) * share, span, s);
  const DiskParameters& disk = s.services[a.service].As<StorageParameters>().disk;
  if (disk.iops > 0) most = std::min(most, disk.iops * static_cast<double>(a.to.size()) * InSeconds(span));
  const double open = static_cast<double>(a.from.size()) * a.depth * Clones();
  const double worst = std::max(expected, open + kLuckyDraws * Loopback(a.from, a.to, s) * most);
  return {std::min(expected, ThroughRoundTrips(open, 1, span, s)), worst};
}

std::optional<Forecast> IosOfDisks::Open(const WorkloadParameters&, const Scenario&,
                                         const Forecast& count) const {
  const IoArrivals& a = ios();
  if (a.rate > 0) return std::nullopt;
  return Min(count, Exactly(static_cast<double>(a.from.size()) * a.depth * Clones()));
}

std::optional<double> IosOfDisks::Depth() const {
  const IoArrivals& a = ios();
  if (a.rate > 0 || a.trace) return std::nullopt;
  return static_cast<double>(a.from.size()) * a.depth * Clones();
}

double IosOfDisks::Stretch(const Scenario& s, const Forecast& count) const {
  const IoArrivals& a = ios();
  if (a.rate == 0) return 1;
  const Time span = SpanOf(a.start, a.stop, s);
  const double share = std::max(a.reads, 1 - a.reads), bytes = MeanBlock(a);
  double most = ThroughLines(a.from, a.to, bytes * share, span, s);
  for (const std::vector<NodeId>* hosts : {&a.from, &a.to}) {
    double served = 0;
    for (const NodeId host : *hosts) {
      constexpr int64_t kMessages = 3;  // messages of an I/O, at either end
      const HostParameters& software = s.hosts[host];
      const double each = InSeconds(software.costs.OfRdma(kMessages, static_cast<int64_t>(bytes)));
      served += each > 0 ? software.cores * InSeconds(span) / each : INFINITY;
    }
    most = std::min(most, served);
  }
  return most > 0 ? std::max(1.0, count.expected / most) : 1;
}

std::optional<AskedService> IosOfDisks::Asks() const {
  return AskedService{ServiceOperation::Of::disk, ios().service};
}

std::vector<OperationKind> IosOfDisks::Kinds() const { return {OperationKind::read, OperationKind::write}; }

IoSpan IosOfDisks::Span(Time warmup, Time duration) const {
  const IoArrivals& a = ios();
  return {std::max(warmup, a.start + a.ramp), std::min(a.stop.value_or(duration), duration), {}, false};
}

ServiceLoad IosOfDisks::Load() const {
  ServiceLoad load;
  load.largest = LargestBlock(ios());
  return load;
}

std::unique_ptr<Arrivals> ArrivalsFrom(IoArrivals a) {
  if (a.job) return FioFrom(std::move(a));
  if (a.trace) return TraceFrom(std::move(a));
  return IoFrom(std::move(a));
}

}  // namespace headroom

namespace headroom::keys {

KindOf<Workload> ServiceOfIo() {
  return ServiceKind<IoArrivals>(
      {"storage"}, +[](const ServiceEntry& service, IoArrivals& io, Workload& w) {
        const auto& p = service.parameters.As<StorageParameters>();
        io.from = p.compute;
        io.to = p.back ? p.front_ends : p.extent_nodes;
        w.source.from = service.source.clients;
        w.source.to = service.source.servers;
        w.parameters.priority = p.front.priority;
      });
}

KeyOf<Workload> FromOfIo() {
  const auto from = [](Workload& w) -> std::vector<NodeId>& { return DataOf<IoArrivals>(w).from; };
  return {"from",
          // Devices of a trace go to these hosts in round-robin order.
          HostsKind(from, &WorkloadSource::from),
          "a host, a shell pattern over hosts, or a list of them",
          {.standard = "the compute hosts of the service"}};
}

bool CheckFrom(const Node& node, const IoArrivals& io, const Reading& reading) {
  if (io.to.empty()) return false;
  const auto& service = (*reading.services)[io.service].parameters.As<StorageParameters>();
  for (const NodeId host : io.from) {
    if (std::ranges::find(service.compute, host) != service.compute.end()) continue;
    reading.errors.Add(
        ScenarioError(node.Find("from")->where,
                      fmt::format("{} is not a compute host of service {}",
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
  if (const auto buffers = service.LargestInBuffers()) limit(*buffers, "the pool");
  return most;
}

std::vector<KeyOf<Workload>> IoTypeKeys(const char* type) {
  return OperationKeys(type, "I/Os", "services: [{front: {priority: …}}]");
}

}  // namespace headroom::keys
