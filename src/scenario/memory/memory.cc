#include "scenario/memory/memory.h"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "net/frame.h"
#include "scenario/expected_traffic.h"
#include "scenario/memory/counts.h"
#include "scenario/memory/parts.h"
#include "scenario/memory/paused_share.h"
#include "switch/buffer/policy/buffer_policy.h"

namespace headroom {

namespace {

/// The program with its libraries.
constexpr Forecast kProgram{24e6, 45e6};

Time LatencyOf(NodeId node, const Scenario& s) {
  const uint32_t hosts = s.topology.hosts;
  if (node >= hosts) return s.switches[node - hosts].transit();
  return s.nics[node].tx_latency + s.nics[node].rx_latency;
}

TopologySize SizeOf(const Topology& topology) {
  TopologySize size;
  size.hosts = topology.hosts;
  size.switches = static_cast<double>(topology.nodes.size()) - size.hosts;
  size.links = static_cast<double>(topology.links.size());
  return size;
}

/// Contents of switches' groups are counted by ingress and egress port; most pairs of ports never exchange
/// traffic.
double ContentBytes(const Scenario& s) {
  if (!s.observe.causes) return 0;
  std::vector<double> ports(s.topology.nodes.size());
  for (const TopologyLink& link : s.topology.links) ++ports[link.a.node], ++ports[link.b.node];
  double lossless = 0, classes = 0;
  for (const TrafficClass& c : s.classes)
    lossless += !c.name.empty() && c.lossless, classes += !c.name.empty();
  const double tags = static_cast<double>(s.workloads.size() + s.services.size() + 1);
  constexpr double kCell = 3 * sizeof(int64_t);  // bytes, and a weight while a pause lasts
  double bytes = 0;
  for (size_t n = s.topology.hosts; n < ports.size(); ++n) bytes += ports[n] * ports[n];
  return bytes * lossless * classes * tags * kCell;
}

/// A policy keeps numbers for every group and queue, whether or not a class uses it.
double PolicyBytes(const Scenario& s) {
  constexpr double kNumbers =
      4 * sizeof(int64_t);  // rate of drain, departed bytes, and the queue's own number
  double bytes = 0;
  for (const TopologyLink& link : s.topology.links) {
    for (const NodeId node : {link.a.node, link.b.node}) {
      if (node < s.topology.hosts) continue;
      const BufferParameters& buffer = s.switches[node - s.topology.hosts].buffer;
      if (buffer.policy.HasObject())
        bytes += kPriorities * (1.0 + buffer.slices) * (sizeof(BufferPolicy::Object) + kNumbers);
    }
  }
  return bytes;
}

}  // namespace

double EstimateMemory(const TopologySize& size) {
  return 2700 * 2 * size.links + 3200 * size.hosts + 5000 * size.switches +
         8 * size.switches * size.switches + 16 * size.hosts;
}

Forecast FramesInFlight(const Scenario& s) {
  double packets = 0, payload = 0;
  for (const WorkloadParameters& w : s.workloads) {
    packets += ExpectedPackets(w, s);
    payload += w.arrivals->Expected(s) * w.arrivals->MeanBytes();
  }
  if (packets == 0) return {};
  const Bytes size = s.frames.Data(static_cast<int64_t>(payload / packets), false);
  const double frame = std::max(static_cast<double>(size.v), 1.0);
  double on_links = 0, buffers = 0;
  for (const TopologyLink& link : s.topology.links) {
    const Time both_ways =
        (link.spec.delay + link.spec.phy) * 2 + LatencyOf(link.a.node, s) + LatencyOf(link.b.node, s);
    const Time lag = link.spec.reorder.probability > 0 ? link.spec.reorder.most * 2 : Time{};
    on_links += static_cast<double>(link.spec.rate.v) / 8 * InSeconds(both_ways + lag) + 2 * frame;
  }
  for (const SwitchParameters& sw : s.switches) buffers += static_cast<double>(sw.buffer.size.v);
  constexpr double kFilled = 0.02;
  // These send a packet again while copies of it are still on their way.
  using Type = RecoveryParameters::Type;
  const Type recovery = s.nics.front().transport.recovery.type;
  const bool repeats =
      recovery == Type::receiver_window || recovery == Type::counter || recovery == Type::sender_window;
  const double most = (on_links + buffers) / frame;
  return {std::min(packets, (on_links / 2 + kFilled * buffers) / frame),
          repeats ? most : std::min(packets, most)};
}

std::vector<MemoryPart> MemoryParts(const Scenario& s) {
  std::vector<Demand> demands;
  const double paused = PausedShareOf(s);
  for (const WorkloadParameters& w : s.workloads) {
    const Forecast count = w.arrivals->Count(w, s);
    demands.push_back({&w, count, OpenOf(w, s, count, paused), PacketsOf(w, s, count), paused});
  }
  constexpr double kWithRecord = 1.25;  // includes the record of its counters at the end
  const double network = EstimateMemory(SizeOf(s.topology));
  std::vector<MemoryPart> parts = {
      {"the program", "", kProgram},
      {"the network",
       "fewer hosts",
       {network + PolicyBytes(s), kWithRecord * network + ContentBytes(s) + PolicyBytes(s)},
       MemoryPart::Of::topology}};
  // The only frame of a message carries the parts of the message's time.
  constexpr double kExtended = sizeof(FrameExtension) + sizeof(Itinerary) + 2 * sizeof(Itinerary::Wait) + 64;
  // The frame also carries the extension for a control's feedback.
  const bool asks = std::ranges::any_of(
      s.nics, [](const NicParameters& nic) { return nic.HasControl() && nic.control->has_feedback(); });
  constexpr double kFeedback = sizeof(FrameExtension) + sizeof(Feedback::Records) + 64;
  const double more = asks ? kFeedback : 0;
  const Forecast frames = FramesInFlight(s);
  parts.push_back({"frames",
                   "give a lower load, or smaller buffers",
                   {frames.expected * (sizeof(Frame) + kExtended / 4 + more),
                    frames.worst * (sizeof(Frame) + kExtended + more)}});
  // Each of four logs: a buffer with the places in it, copied once as it grows; then pages of its runs.
  constexpr double kLogs = 4, kBuffers = 3.0 * (4 << 20), kPages = 100.0 * (64 << 10);
  if (s.results == Results::stream)
    parts.push_back({"buffers of records on their way to disk",
                     "results: memory",
                     {kLogs * kBuffers / 2, kLogs * kBuffers + kPages}});
  for (const auto& of : {PartsOfMessages, PartsOfServices, PartsOfObservations}) {
    for (MemoryPart& part : of(s, demands)) parts.push_back(std::move(part));
  }
  return parts;
}

static Forecast SumOf(const std::vector<MemoryPart>& parts) {
  Forecast bytes;
  for (const MemoryPart& part : parts) bytes += part.bytes;
  return bytes;
}

Forecast EstimateMemory(const Scenario& scenario) { return SumOf(MemoryParts(scenario)); }

const MemoryPart& LargestPart(const std::vector<MemoryPart>& parts) {
  return *std::ranges::max_element(parts, {}, [](const MemoryPart& part) { return part.bytes.expected; });
}

std::string DescribeMemory(const std::vector<MemoryPart>& parts) {
  const MemoryPart& most = LargestPart(parts);
  return fmt::format("the run would take about {} of memory; the largest part ({}) is for {}",
                     FormatMemory(SumOf(parts).expected), FormatMemory(most.bytes.expected), most.what);
}

double MachineMemory() {
  double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  // Control groups version 2 and 1; "max" and other texts do not change the number.
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream stream(path);
    double limit = 0;
    if (stream >> limit && limit > 0) bytes = std::min(bytes, limit);
  }
  return bytes;
}

double FreeMemory() {
  double bytes = MachineMemory();
  std::ifstream stream("/proc/meminfo");
  for (std::string key, rest; stream >> key && std::getline(stream, rest);) {
    constexpr double kUnit = 1024;
    if (key == "MemAvailable:") bytes = std::min(bytes, std::strtod(rest.c_str(), nullptr) * kUnit);
  }
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit limit = {};
    if (getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      bytes = std::min(bytes, static_cast<double>(limit.rlim_cur));
  }
  return bytes;
}

double ResidentMemory() {
  std::ifstream statm("/proc/self/statm");
  double size = 0, pages = 0;
  statm >> size >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

double HeapMemory() {
  const struct mallinfo2 heap = mallinfo2();
  return static_cast<double>(heap.uordblks) + static_cast<double>(heap.hblkhd);
}

std::string FormatMemory(double bytes) {
  const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  size_t unit = 0;
  while (bytes >= 999.95 && unit + 1 < std::size(units)) bytes /= 1000, ++unit;
  return fmt::format("{:.1f} {}", bytes, units[unit]);
}

}  // namespace headroom
