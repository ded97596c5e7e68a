#include "analysis/check/check_services.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/bounds/ideal_path.h"
#include "analysis/bounds/io_cost.h"
#include "analysis/check/check_thresholds.h"
#include "protocol/storage/sk_message.h"
#include "protocol/storage/su_message.h"
#include "report/text/text_table.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

using Severity = Finding::Severity;
using IoLimit = IoCheck::Limit;

constexpr const char* kProtocolNames[] = {"sk_rdma", "su_rdma"};

/// At most so many, evenly spread.
std::vector<NodeId> SampleOf(const std::vector<NodeId>& hosts) {
  constexpr size_t kMost = 24;
  const size_t stride = 1 + (hosts.size() - 1) / kMost;
  std::vector<NodeId> sample;
  for (size_t i = 0; i < hosts.size(); i += stride) sample.push_back(hosts[i]);
  return sample;
}

IoEnds EndsOf(const Fabric& fabric, NodeId client, NodeId server) {
  constexpr uint32_t kSourcePort = 0xC000;
  const Scenario& s = fabric.scenario();
  const auto there = fabric.paths().Of(client, server, kSourcePort);
  const auto back = fabric.paths().Of(server, client, kSourcePort);
  return {IdealPathOf(s, there, back), IdealPathOf(s, back, there), s.hosts[client].rdma,
          s.hosts[server].rdma, s.nics[client].registration_latency};
}

double PerSecond(double n, double picoseconds) { return picoseconds > 0 ? n * 1e12 / picoseconds : HUGE_VAL; }

/// Sums over the extent nodes of one disk's I/Os, in picoseconds.
struct DiskSums {
  double alone = 0, client_core = 0, stream = 0;
  double server_core = 0;  ///< at the node whose cores have the most to do, over these
  Time request = kNever;   ///< the shortest request with its acknowledgement
};

class IoWorkload {
 public:
  IoWorkload(const Fabric& fabric, const WorkloadParameters& workload)
      : fabric_(fabric),
        scenario_(fabric.scenario()),
        io_(std::get<IoArrivals>(workload.arrivals)),
        service_(scenario_.services[io_.service]) {
    check_.workload = workload.name;
    check_.service = service_.name;
    check_.rate = io_.rate;
    for (const IoArrivals::Block& b : io_.blocks)
      check_.mean_bytes += b.share * static_cast<double>(b.size.v);
    check_.least_alone = kNever;
    double best = -1;
    for (const NodeId host : SampleOf(io_.from)) {
      const DiskSums sums = SumsOf(host);
      const Time alone(std::llround(sums.alone));
      check_.least_alone = std::min(check_.least_alone, alone);
      check_.most_alone = std::max(check_.most_alone, alone);
      IoCheck bounded = check_;
      bounded.bounds = BoundsOf(host, sums);
      if (bounded.Least().iops <= best) continue;
      best = bounded.Least().iops;
      check_.bounds = bounded.bounds;
      request_ = sums.request;
    }
  }
  const IoCheck& check() const { return check_; }
  const IoArrivals& io() const { return io_; }
  const StorageParameters& service() const { return service_; }
  Time request() const { return request_; }
  Bytes Largest() const { return std::ranges::max(io_.blocks, {}, &IoArrivals::Block::size).size; }

 private:
  /// Of an average I/O.
  DiskSums SumsOf(NodeId host) const {
    DiskSums sums;
    const std::vector<NodeId> nodes = SampleOf(io_.to);
    for (const NodeId node : nodes) {
      const IoEnds ends = EndsOf(fabric_, host, node);
      sums.request = std::min(sums.request, RequestRoundTrip(service_.front, ends.there));
      double ways[2] = {0, 0}, at_server = 0;
      const auto cores = static_cast<double>(
          std::min<size_t>(static_cast<size_t>(scenario_.hosts[node].cores), io_.from.size()));
      for (const IoArrivals::Block& b : io_.blocks) {
        for (const OperationKind kind : {OperationKind::read, OperationKind::write}) {
          const double share = b.share * (kind == OperationKind::read ? io_.reads : 1 - io_.reads);
          if (share <= 0) continue;
          const IoCost cost = CostOfIo(service_, kind, b.size, ends);
          const auto add = [&](double& sum, Time t, double over) {
            sum += share * static_cast<double>(t.v) / over;
          };
          const auto count = static_cast<double>(nodes.size());
          add(sums.alone, cost.alone, count);
          add(sums.client_core, cost.client_core, count);
          add(at_server, cost.server_core, cores);
          add(ways[0], cost.request_way, 1);
          add(ways[1], cost.response_way, 1);
        }
      }
      sums.server_core = std::max(sums.server_core, at_server);
      sums.stream += std::max(ways[0], ways[1]) / static_cast<double>(nodes.size());
    }
    return sums;
  }

  std::vector<IoCheck::Bound> BoundsOf(NodeId host, const DiskSums& sums) const {
    const auto nodes = static_cast<double>(io_.to.size()), disks = static_cast<double>(io_.from.size());
    const double share = nodes / disks;  // of an extent node, for each disk
    std::vector<IoCheck::Bound> bounds;
    const auto add = [&](IoLimit limit, double iops) {
      if (std::isfinite(iops)) bounds.push_back({limit, iops});
    };
    const StorageLeg& leg = service_.front;
    const bool sk = leg.protocol == StorageProtocol::sk_rdma;
    if (io_.rate == 0)
      add(IoLimit::depth, PerSecond(io_.depth, sums.alone + static_cast<double>(io_.think.v)));
    if (sk) add(IoLimit::credits, PerSecond(nodes * leg.credits, sums.alone));
    if (!sk) add(IoLimit::stream, PerSecond(nodes, sums.stream));
    const NicParameters& nic = scenario_.nics[host];
    if (sk && nic.hidden_fence)
      add(IoLimit::fence, PerSecond(nodes, static_cast<double>((sums.request + nic.registration_latency).v)));
    add(IoLimit::cores, PerSecond(std::min<double>(scenario_.hosts[host].cores, nodes), sums.client_core));
    add(IoLimit::node_cores, share * PerSecond(1, sums.server_core));
    if (service_.disk.iops > 0) add(IoLimit::disks, share * service_.disk.iops);
    // In the direction that has more of the data.
    const double bits =
        8 * check_.mean_bytes * std::max(io_.reads, 1 - io_.reads) *
        static_cast<double>(scenario_.frames.OnWire(scenario_.frames.Data(scenario_.mtu, false)).v) /
        static_cast<double>(scenario_.mtu);
    add(IoLimit::line, static_cast<double>(fabric_.LineRate(host).v) / bits);
    Rate slowest = fabric_.LineRate(io_.to.front());
    for (const NodeId node : io_.to) slowest = std::min(slowest, fabric_.LineRate(node));
    add(IoLimit::node_line, share * static_cast<double>(slowest.v) / bits);
    return bounds;
  }

  const Fabric& fabric_;
  const Scenario& scenario_;
  const IoArrivals& io_;
  const StorageParameters& service_;
  IoCheck check_;
  Time request_;
};

/// Payload that may come at once: a chunk of each connection, or all open I/Os.
struct Coming {
  size_t connections = 0;
  Bytes each, all;
};

/// Of all workloads of a service.
Coming ComingTo(bool to_nodes, const std::vector<const IoWorkload*>& workloads) {
  Coming coming;
  std::set<NodeId> hosts;
  for (const IoWorkload* w : workloads) {
    if (to_nodes ? w->io().reads == 1 : w->io().reads == 0) continue;
    const std::vector<NodeId>& from = to_nodes ? w->io().from : w->io().to;
    hosts.insert(from.begin(), from.end());
    const StorageLeg& leg = w->service().front;
    if (leg.protocol == StorageProtocol::su_rdma) {
      coming.each = std::max(coming.each, std::min(leg.chunk, w->Largest()));
      continue;
    }
    const int64_t depth = w->io().rate > 0 ? INT32_MAX : w->io().depth;
    const auto n = static_cast<int64_t>(from.size());
    const int64_t open = std::min<int64_t>(leg.credits, depth);
    coming.each += w->Largest() * open;
    coming.all += w->Largest() * (to_nodes ? open * n : std::min(leg.credits * n, depth));
  }
  coming.connections = hosts.size();
  if (coming.all.v == 0) coming.all = coming.each * static_cast<int64_t>(hosts.size());
  return coming;
}

/// What so much payload of one message takes of a buffer with cells.
double InBuffer(double payload, const Scenario& s, Bytes cell) {
  const auto mtu = static_cast<double>(s.mtu);
  const auto in_cells = [&](double bytes) {
    const Bytes frame = s.frames.Data(Operation::write, static_cast<int64_t>(bytes), true, true);
    return std::ceil(static_cast<double>(frame.v) / static_cast<double>(cell.v)) *
           static_cast<double>(cell.v);
  };
  const double full = std::floor(payload / mtu), rest = payload - full * mtu;
  return full * in_cells(mtu) + (rest > 0 ? in_cells(rest) : 0);
}

/// The least group of the host's switch that pauses for this class, congested alone.
std::optional<Bytes> LoneXoff(const SwitchClass& c, uint8_t priority) {
  std::optional<Bytes> least;
  for (const PortClass& port : c.ports) {
    const ClassAtPort& at = port.classes[priority];
    if (!at.pfc || !at.ingress || at.ingress->headroom <= 0) continue;
    const Bytes xoff(std::llround(static_cast<double>(at.ingress->reserved) + ThresholdOf(*at.ingress, 1)));
    least = std::min(least.value_or(xoff), xoff);
  }
  return least;
}

/// To the host of `hosts` whose switch pauses soonest; none where none pauses.
std::optional<ServiceIncast> IncastTo(const std::vector<NodeId>& hosts, const Coming& coming,
                                      uint8_t priority, const Fabric& fabric,
                                      const std::vector<SwitchClass>& switches) {
  std::optional<ServiceIncast> worst;
  const Scenario& s = fabric.scenario();
  for (const NodeId host : hosts) {
    const NodeId up = fabric.UplinkOf(host).to.node;
    const auto c = std::ranges::find_if(
        switches, [&](const SwitchClass& of) { return std::ranges::count(of.members, up) > 0; });
    if (c == switches.end()) continue;
    const std::optional<Bytes> xoff = LoneXoff(*c, priority);
    if (!xoff || (worst && worst->xoff <= *xoff)) continue;
    const Bytes cell = c->parameters->buffer.cell;
    const auto n = static_cast<double>(coming.connections);
    const double full = InBuffer(static_cast<double>(s.mtu), s, cell);
    const double packets = std::floor(static_cast<double>(xoff->v) / n / full);
    worst = ServiceIncast{
        .to_nodes = false,
        .at = fabric.node(host).name,
        .connections = coming.connections,
        .each = coming.each,
        .buffered =
            Bytes(std::llround(InBuffer(static_cast<double>(coming.each.v), s, cell) *
                               static_cast<double>(coming.all.v) / static_cast<double>(coming.each.v))),
        .xoff = *xoff,
        .each_below = Bytes(std::llround(packets) * s.mtu)};
  }
  return worst;
}

ServiceCheck ServiceOf(const StorageParameters& p, const Fabric& fabric) {
  const Scenario& s = fabric.scenario();
  const StorageLeg& leg = p.front;
  const bool sk = leg.protocol == StorageProtocol::sk_rdma;
  ServiceCheck check;
  check.name = p.name;
  check.protocol = kProtocolNames[static_cast<size_t>(leg.protocol)];
  check.traffic_class = s.classes[leg.priority].name;
  check.compute = p.compute.size();
  check.extent_nodes = p.extent_nodes.size();
  check.least_rtt = kNever;
  for (const NodeId client : SampleOf(p.compute)) {
    for (const NodeId server : SampleOf(p.extent_nodes)) {
      const Time rtt = RequestRoundTrip(leg, EndsOf(fabric, client, server).there);
      check.least_rtt = std::min(check.least_rtt, rtt);
      check.most_rtt = std::max(check.most_rtt, rtt);
      check.bdp =
          std::max(check.bdp, BytesIn(rtt, std::min(fabric.LineRate(client), fabric.LineRate(server))));
    }
  }
  const auto connections = static_cast<double>(check.compute);
  const double each = sk ? leg.credits : 2 * leg.credits + 2;
  const int64_t message = sk ? SkMessage::kBytes : SuMessage::kBytes + leg.small.v;
  check.receives = connections * each;
  check.receive_bytes = Bytes(message * std::llround(check.receives));
  check.pool = leg.pool;
  return check;
}

std::string OfService(const std::string& name) { return "service " + name; }
std::string OfIo(const IoCheck& check) { return "workload " + check.workload; }
std::string Gbps(double iops, double bytes) { return FormatReadable(iops * bytes * 8 / 1e9) + " Gb/s"; }
std::string Iops(double iops) { return FormatGrouped(std::floor(iops), 0); }

/// What limits it beyond what it asks for, and how that would change.
void JudgeCredits(const IoWorkload& w, Findings& findings) {
  const IoCheck& check = w.check();
  const IoCheck::Bound* const bound = check.Find(IoLimit::credits);
  if (bound == nullptr) return;
  const int credits = w.service().front.credits;
  const auto nodes = static_cast<int64_t>(w.io().to.size());
  const int64_t all = credits * nodes;
  if (check.rate == 0 && w.io().depth > all) {
    findings.push_back({Severity::warning, OfIo(check),
                        fmt::format("depth {} is more than the {} credits of service {} at {} extent node{}: "
                                    "no more than {} requests of a disk are out, the others wait at the host",
                                    w.io().depth, credits, check.service, nodes, nodes == 1 ? "" : "s", all),
                        fmt::format("front: {{credits: {}}}", (w.io().depth + nodes - 1) / nodes)});
  }
  if (check.rate > bound->iops) {
    const double open = check.rate * static_cast<double>(check.least_alone.v) / 1e12;
    findings.push_back(
        {Severity::warning, OfIo(check),
         fmt::format(
             "{} I/Os a second that take {} µs each are {} open; {} credits at {} extent node{} let {} "
             "a second through: what waits grows for as long as the load lasts",
             Iops(check.rate), FormatReadable(InMicroseconds(check.least_alone)), FormatReadable(open),
             credits, nodes, nodes == 1 ? "" : "s", Iops(bound->iops)),
         fmt::format("front: {{credits: {:.0f}}} or more, or a lower rate",
                     std::ceil(open / static_cast<double>(nodes)))});
  }
}

/// From this share of the line on it is as good as full.
constexpr double kFull = 0.9;

/// The line that data take most of, as I/Os a second.
double LineOf(const IoCheck& check) {
  return std::min(check.Find(IoLimit::line)->iops, check.Find(IoLimit::node_line)->iops);
}

/// Credits and depth together against the line: q blocks in a round trip.
void JudgeWindow(const IoWorkload& w, Findings& findings) {
  const IoCheck& check = w.check();
  const IoCheck::Bound* const bound = check.Find(IoLimit::credits);
  if (bound == nullptr || check.rate > 0 || bound->iops >= kFull * LineOf(check) ||
      check.Least().limit != IoLimit::credits)
    return;
  const int credits = w.service().front.credits;
  const double needed = std::ceil(credits * LineOf(check) / bound->iops);
  const double open = needed * static_cast<double>(w.io().to.size());
  findings.push_back(
      {Severity::note, OfIo(check),
       fmt::format("a disk reaches at most {}: {} credit{} at each extent node, blocks of {} on average, an "
                   "I/O takes {} µs; the lines carry {}",
                   Gbps(bound->iops, check.mean_bytes), credits, credits == 1 ? "" : "s",
                   FormatBytes(check.mean_bytes), FormatReadable(InMicroseconds(check.least_alone)),
                   Gbps(LineOf(check), check.mean_bytes)),
       fmt::format("front: {{credits: {:.0f}}}{} would fill them", needed,
                   w.io().depth < open ? fmt::format(" and depth: {:.0f}", open) : "")});
}

/// Depth against the line, where nothing else is less.
void JudgeDepth(const IoWorkload& w, Findings& findings) {
  const IoCheck& check = w.check();
  const IoCheck::Bound& least = check.Least();
  if (check.rate > 0 || least.limit != IoLimit::depth || least.iops >= kFull * LineOf(check)) return;
  findings.push_back(
      {Severity::note, OfIo(check),
       fmt::format("a disk reaches at most {}: depth {}, blocks of {} on average, an I/O takes {} µs; the "
                   "lines carry {}",
                   Gbps(least.iops, check.mean_bytes), w.io().depth, FormatBytes(check.mean_bytes),
                   FormatReadable(InMicroseconds(check.least_alone)), Gbps(LineOf(check), check.mean_bytes)),
       fmt::format("depth: {:.0f} would fill them, as far as credits, cores and disks do",
                   std::ceil(w.io().depth * LineOf(check) / least.iops))});
}

/// One chunk in flight: c / (RTT + c/R + turn-around) of each connection.
void JudgeStream(const IoWorkload& w, const Fabric& fabric, Findings& findings) {
  const IoCheck& check = w.check();
  const IoCheck::Bound* const bound = check.Find(IoLimit::stream);
  if (bound == nullptr || check.rate > 0 || bound->iops >= kFull * LineOf(check) ||
      check.Least().limit != IoLimit::stream)
    return;
  const StorageLeg& leg = w.service().front;
  const IoEnds ends = EndsOf(fabric, w.io().from.front(), w.io().to.front());
  const int64_t chunk = std::min(leg.chunk, w.Largest()).v;
  const Time takes = ChunkTakes(leg, chunk, ends.back, ends.server, ends.client);
  const auto nodes = static_cast<double>(w.io().to.size());
  const Rate line = std::min(fabric.LineRate(w.io().from.front()), fabric.LineRate(w.io().to.front()));
  const double on_wire = static_cast<double>(chunk) * 8e12 / static_cast<double>(line.v);
  // n connections together: n c = R (turn + c/R)
  const double turn = static_cast<double>(takes.v) - on_wire;
  const double fills = nodes > 1 ? turn * static_cast<double>(line.v) / 8e12 / (nodes - 1) : HUGE_VAL;
  std::string change = "a larger chunk, of larger I/Os, or more extent nodes";
  if (fills <= static_cast<double>(w.Largest().v)) {
    const std::string size = FormatSize(Kibibytes(std::llround(std::ceil(fills / 1024))));
    const bool written = chunk <= leg.large.v && fills > static_cast<double>(leg.large.v);
    change = fmt::format("front: {{chunk: {}{}}} and more would fill the line with {:.0f} connections", size,
                         written ? ", large: " + size : "", nodes);
  }
  findings.push_back(
      {Severity::note, OfIo(check),
       fmt::format("a connection has one chunk in flight: {} in {} µs (round trip, line and cores) are {} at "
                   "most; a disk with {:.0f} of them reaches {} I/Os a second, {}, and the lines carry {}",
                   FormatBytes(static_cast<double>(chunk)), FormatReadable(InMicroseconds(takes)),
                   Gbps(1e12 / static_cast<double>(takes.v), static_cast<double>(chunk)), nodes,
                   Iops(bound->iops), Gbps(bound->iops, check.mean_bytes),
                   Gbps(LineOf(check), check.mean_bytes)),
       change});
}

void JudgeFence(const IoWorkload& w, const Fabric& fabric, Findings& findings) {
  const IoCheck& check = w.check();
  const IoCheck::Bound* const bound = check.Find(IoLimit::fence);
  if (bound == nullptr) return;
  double most = check.rate;
  if (most == 0) {
    for (const IoCheck::Bound& b : check.bounds)
      if (b.limit != IoLimit::fence) most = most == 0 ? b.iops : std::min(most, b.iops);
  }
  if (bound->iops >= most) return;
  const Time registration = fabric.scenario().nics[w.io().from.front()].registration_latency;
  findings.push_back(
      {Severity::warning, OfIo(check),
       fmt::format("hidden_fence: a registration waits for the request before it, so a connection begins one "
                   "I/O in {} µs (round trip) + {} µs (registration): a disk begins at most {} a second, and "
                   "{} without the bug",
                   FormatReadable(InMicroseconds(w.request())), FormatReadable(InMicroseconds(registration)),
                   Iops(bound->iops), Iops(most)),
       "bugs: {hidden_fence: false}, larger I/Os, or more extent nodes"});
}

/// Cores and disks against what is asked for.
void JudgeLoad(const IoWorkload& w, Findings& findings) {
  const IoCheck& check = w.check();
  struct Part {
    IoLimit limit;
    const char *has, *change;
  };
  constexpr Part kParts[] = {
      {IoLimit::cores, "the cores of its host do", "hosts: more cores, a faster clock, fewer cycles"},
      {IoLimit::node_cores, "the cores of the extent nodes do", "hosts: more cores at the extent nodes"},
      {IoLimit::disks, "the disks of the extent nodes do (disk: iops)", "more iops, or more extent nodes"},
      {IoLimit::stream, "one chunk in flight does (front: chunk)", "larger chunks, or more extent nodes"},
      {IoLimit::line, "its host's line does", ""},
      {IoLimit::node_line, "the extent nodes' lines do", ""}};
  for (const Part& part : kParts) {
    const IoCheck::Bound* const bound = check.Find(part.limit);
    if (bound == nullptr) continue;
    if (check.rate > bound->iops) {
      findings.push_back(
          {Severity::warning, OfIo(check),
           fmt::format("rate {} I/Os a second of a disk, and no more than {} get through: so "
                       "much {}; what waits grows for as long as the load lasts",
                       Iops(check.rate), Iops(bound->iops), part.has),
           *part.change == '\0' ? "a lower rate" : fmt::format("{}, or a lower rate", part.change)});
    } else if (check.rate == 0 && check.Least().limit == part.limit &&
               (part.limit == IoLimit::cores || part.limit == IoLimit::node_cores ||
                part.limit == IoLimit::disks)) {
      findings.push_back(
          {Severity::note, OfIo(check),
           fmt::format("a disk reaches at most {} I/Os a second: so much {}", Iops(bound->iops), part.has),
           part.change});
    }
  }
}

void JudgePool(const ServiceCheck& check, Findings& findings) {
  if (check.data_bytes <= check.pool) return;
  findings.push_back(
      {Severity::note, OfService(check.name),
       fmt::format(
           "what may be open needs {} of registered memory at a core of an extent node; the pool is {}: "
           "the others wait for memory",
           FormatBytes(check.data_bytes), FormatBytes(check.pool)),
       "a larger pool, or fewer credits"});
}

void JudgeIncast(const ServiceCheck& check, const ServiceIncast& incast, Findings& findings) {
  if (!incast.MayPause()) return;
  const bool su = check.protocol == kProtocolNames[1];
  std::string change = "less depth, fewer credits or smaller blocks";
  if (su)
    change = incast.each_below.v == 0
                 ? "fewer connections"
                 : fmt::format("front: {{chunk: {}}}: with nothing else there PFC cannot fire",
                               FormatSize(incast.each_below));
  findings.push_back(
      {Severity::note, OfService(check.name),
       fmt::format(
           "{} connections may bring {} each to {}, all at once {} of its switch's buffer; a group that "
           "is congested alone goes XOFF at {}: PFC may fire",
           incast.connections, FormatBytes(incast.each), incast.at, FormatBytes(incast.buffered),
           FormatBytes(incast.xoff)),
       change});
}

}  // namespace

const IoCheck::Bound& IoCheck::Least() const { return *std::ranges::min_element(bounds, {}, &Bound::iops); }

const IoCheck::Bound* IoCheck::Find(Limit limit) const {
  const auto at = std::ranges::find(bounds, limit, &Bound::limit);
  return at == bounds.end() ? nullptr : &*at;
}

const char* LimitName(IoCheck::Limit limit) {
  constexpr const char* kNames[] = {"depth",      "credits", "chunk", "hidden_fence", "cores",
                                    "node cores", "disks",   "line",  "node lines"};
  return kNames[static_cast<size_t>(limit)];
}

ServicesChecks CheckServices(const Fabric& fabric, const std::vector<SwitchClass>& switches,
                             Findings& findings) {
  const Scenario& s = fabric.scenario();
  ServicesChecks checks;
  std::vector<IoWorkload> workloads;
  for (const WorkloadParameters& w : s.workloads)
    if (std::holds_alternative<IoArrivals>(w.arrivals)) workloads.emplace_back(fabric, w);
  for (uint32_t i = 0; i < s.services.size(); ++i) {
    const StorageParameters& p = s.services[i];
    ServiceCheck check = ServiceOf(p, fabric);
    std::vector<const IoWorkload*> users;
    for (const IoWorkload& w : workloads)
      if (w.io().service == i) users.push_back(&w);
    if (users.empty())
      findings.push_back({Severity::warning, OfService(p.name),
                          "no workload of type io names it: nothing will happen there",
                          fmt::format("workloads: [{{type: io, service: {}, …}}]", p.name)});
    Bytes each;
    for (const bool to_nodes : {true, false}) {
      const Coming coming = ComingTo(to_nodes, users);
      each = std::max(each, coming.each);
      if (coming.all.v == 0) continue;
      auto incast =
          IncastTo(to_nodes ? p.extent_nodes : p.compute, coming, p.front.priority, fabric, switches);
      if (!incast) continue;
      incast->to_nodes = to_nodes;
      JudgeIncast(check, *incast, findings);
      check.incasts.push_back(*incast);
    }
    const int64_t cores = s.hosts[p.extent_nodes.front()].cores;
    check.data_bytes = each * ((static_cast<int64_t>(check.compute) + cores - 1) / cores);
    JudgePool(check, findings);
    checks.services.push_back(check);
  }
  for (const IoWorkload& w : workloads) {
    JudgeCredits(w, findings);
    JudgeWindow(w, findings);
    JudgeDepth(w, findings);
    JudgeStream(w, fabric, findings);
    JudgeFence(w, fabric, findings);
    JudgeLoad(w, findings);
    checks.ios.push_back(w.check());
  }
  return checks;
}

}  // namespace headroom
