#include "run/services.h"

#include <algorithm>
#include <iterator>

#include "history/judgement.h"
#include "protocol/storage/storage_parameters.h"
#include "scenario/paths/cut.h"
#include "scenario/senders.h"
#include "scenario/service_load.h"
#include "sim/parts.h"
#include "workload/io_span.h"

namespace headroom {

namespace {

/// The class of the first service over TCP; none without such a service. Indexed by workload; empty for a
/// workload without operations.
std::optional<uint8_t> ClassOfTcp(const Scenario& scenario) {
  for (const AnyService& service : scenario.services)
    if (const auto priority = service->TcpClass()) return priority;
  return std::nullopt;
}

/// UINT32_MAX if several parts may run services.
uint32_t ContextOf(const Scenario& scenario, const Network& network, bool histories) {
  const std::vector<NodeId> hosts =
      Parts::Get().ranks() > 1 ? HostsOfFirstRank(scenario, histories) : HostsTogether(scenario);
  return hosts.empty() ? UINT32_MAX : network.context(hosts.front());
}

/// By workload; empty for one without operations.
std::vector<IoSpan> SpansOf(const Scenario& scenario) {
  std::vector<IoSpan> spans;
  for (const WorkloadParameters& w : scenario.workloads)
    spans.push_back(w.arrivals->Span(scenario.warmup, scenario.duration));
  return spans;
}

}  // namespace

Services::Services(const Scenario& scenario, Network& network, bool histories)
    : scenario_(scenario),
      network_(network),
      context_(ContextOf(scenario, network, histories)),
      operations_(SpansOf(scenario), scenario.topology.hosts, scenario.observe.operations.one_in,
                  scenario.warmup, Trail(HostsOfServices(scenario).size(), network.LongestWindow())),
      cores_(scenario.topology.hosts),
      asked_(scenario.workloads.size()),
      generators_(scenario.workloads.size()) {
  Parts::Get().CountByPart(generating_);
  const Parts::Within part(context_);
  MakeCores(network);
  MakeServices(histories);
  MakeGenerators(network);
  network.faults().SetOnExtentNode([this](uint32_t service, NodeId node, bool away) {
    const Parts::Within at(network_.context(node));
    if (at.here()) services_[service]->SetAway(node, away);
  });
  operations_.SetOnDone([this](const OperationRecord& ended) {
    if (on_ended_) on_ended_(ended);
    generators_[ended.workload]->OnEnded(ended);
    CheckDone();
  });
}

/// Makes the cores of all hosts whose services share cores, and the TCP stack of hosts that use TCP, before
/// any service is made.
void Services::MakeCores(Network& network) {
  if (scenario_.services.empty()) return;  // a rank need not have the NICs of all hosts (run/network.h)
  const std::optional<uint8_t> tcp = ClassOfTcp(scenario_);
  IpParameters of_ip;
  of_ip.mtu = scenario_.ip_mtu;
  of_ip.tcp.after_idle = scenario_.tcp_after_idle;
  of_ip.priority = tcp.value_or(of_ip.priority);
  for (const AnyService& service : scenario_.services) {
    const std::optional<uint8_t> priority = service->CoreClass();
    if (!priority) continue;
    for (const NodeId host : service->Hosts()) {
      if (cores_[host] != nullptr) continue;
      const Parts::Within part(network.context(host));
      cores_[host] =
          std::make_unique<HostCores>(network.nic(host).verbs(), network.context(host), scenario_.hosts[host],
                                      *priority, operations_.trail(), scenario_.warmup);
      if (tcp) cores_[host]->SetIp(network.ip(of_ip));
    }
  }
  for (NodeId host = 0; host < scenario_.topology.hosts; ++host)
    hosts_.push_back({&network.nic(host).verbs(), network.context(host), cores_[host].get()});
  const auto install = [&](NodeId host) {
    hosts_[host].ip = &network.ip(of_ip);
    hosts_[host].ip->Install(host);
  };
  for (const AnyService& service : scenario_.services) {
    if (service->TcpClass() && !service->CoreClass()) std::ranges::for_each(service->Hosts(), install);
  }
}

void Services::MakeServices(bool histories) {
  for (size_t n = 0; n < scenario_.services.size(); ++n) {
    services_.push_back(MakeService(*scenario_.services[n], {.hosts = hosts_,
                                                             .topology = scenario_.topology,
                                                             .operations = operations_,
                                                             .warmup = scenario_.warmup,
                                                             .load = LoadOfService(scenario_, n),
                                                             .divided = Divided(),
                                                             .histories = histories,
                                                             .number = static_cast<uint16_t>(n),
                                                             .tag = TagOfService(scenario_, n),
                                                             .note = [this](const ServiceEvent& event) {
                                                               if (on_event_) on_event_(event);
                                                             }}));
  }
}

void Services::MakeGenerators(Network& network) {
  const HostView view = network.hosts();
  for (uint32_t w = 0; w < scenario_.workloads.size(); ++w) {
    const WorkloadParameters& workload = scenario_.workloads[w];
    if (!OffersOperations(workload)) continue;
    const size_t service = ServiceOf(workload);
    asked_[w] = services_[service].get();
    const auto* const storage = scenario_.services[service].Find<StorageParameters>();
    const Bytes disk = storage != nullptr ? storage->disk_size : Bytes(0);
    generators_[w] = workload.arrivals->MakeOperations(workload, w, {view, disk, *this});
    if (RunsHere()) ++generating_;
  }
}

void Services::Start() {
  if (!RunsHere()) return;
  if (Trail* const trail = operations_.trail(); trail != nullptr && Divided()) trail->JoinRanks();
  const Parts::Within part(context_);
  for (const auto& generator : generators_) {
    if (generator) generator->Start();
  }
  for (const auto& service : services_) {
    service->Start([this, of = service.get()](NodeId client) {
      for (size_t w = 0; w < generators_.size(); ++w) {
        if (asked_[w] == of) generators_[w]->OnAttached(client);
      }
    });
  }
}

void Services::Offer(uint32_t workload, const OperationRequest& request, bool ramp) {
  OperationRequest numbered = request;
  numbered.operation = operations_.Begin(workload, request, ramp);
  Trail* const trail = operations_.trail();
  const bool begins = trail != nullptr && trail->current() == 0;  // otherwise a completion caused the request
  const Time now = EventQueue::Get().now();
  if (begins) trail->SetCurrent(trail->Add(0, OperationPart::other, now, now));
  asked_[workload]->Submit(numbered);
  if (begins) trail->SetCurrent(0);
}

void Services::OnExhausted() {
  if (--generating_ == 0) {
    NoteCores();
    for (const auto& service : services_) service->Stop();
  }
  CheckDone();
}

void Services::OnOver(uint32_t workload, NodeId host) {
  for (const auto& generator : generators_) {
    if (generator) generator->OnOtherOver(workload, host);
  }
}

void Services::CheckDone() {
  if (Done() && on_done_) on_done_();
}

void Services::ForEachQueuePair(const std::function<void(int, NodeId, uint32_t)>& use) const {
  for (size_t n = 0; n < services_.size(); ++n)
    services_[n]->ForEachQueuePair([&](NodeId host, uint32_t qp) { use(static_cast<int>(n), host, qp); });
}

void Services::Collect(Time end, RunRecord& record) {
  if (Parts::Get().rank() > 0 && !Divided()) return;  // the first rank ran them
  for (const auto& service : services_) records_.push_back(service->Record());
  if (busy_.empty()) NoteCores();
  if (Divided()) JoinRanks();
  if (Parts::Get().rank() > 0) return;
  record.operation_totals = operations_.Collect(end);
  for (const auto& service : services_) {
    HistoryJudgement judgement = record.histories.value_or(HistoryJudgement());
    if (service->Judge(judgement)) record.histories = std::move(judgement);
  }
  record.services = std::move(records_);
  record.cores = std::move(busy_);
}

/// Rank 0 takes the results of the others; the others give them.
void Services::JoinRanks() {
  Parts& parts = Parts::Get();
  std::vector<Packet> out(static_cast<size_t>(parts.ranks()));
  if (parts.rank() > 0) {
    Packer pack(out[0]);
    operations_.PackShare(pack);
    for (const auto& record : records_) record->PackShare(pack);
    pack(busy_);
  }
  const std::vector<Packet> shares = parts.Swap(std::move(out));
  for (int r = 1; parts.rank() == 0 && r < parts.ranks(); ++r) {
    Unpacker from(shares[static_cast<size_t>(r)]);
    const auto there = [&](NodeId host) { return parts.RankOf(parts.Of(network_.context(host))) == r; };
    operations_.JoinShare(from);
    for (auto& record : records_) record = record->JoinedWith(from, there);
    std::vector<CoreRecord> busy;
    from(busy);
    std::ranges::move(busy, std::back_inserter(busy_));
  }
  std::ranges::stable_sort(busy_, {}, &CoreRecord::host);
}

/// Records the use of cores. Later idle time would hide that cores were fully used until the last request.
void Services::NoteCores() {
  for (const auto& host : cores_) {
    if (!host || !network_.IsHere(host->host())) continue;
    for (size_t core = 0; core < host->cores(); ++core)
      busy_.push_back({host->process(core).use(), host->host(), static_cast<int>(core)});
  }
}

}  // namespace headroom
