#include "run/services.h"

#include <algorithm>

namespace headroom {

namespace {

/// The largest I/O that is asked of a service.
uint32_t LargestIo(const Scenario& scenario, uint32_t service) {
  int64_t largest = 1;
  for (const WorkloadParameters& w : scenario.workloads) {
    const auto* io = std::get_if<IoArrivals>(&w.arrivals);
    if (io == nullptr || io->service != service) continue;
    for (const IoArrivals::Block& b : io->blocks) largest = std::max(largest, b.size.v);
  }
  return static_cast<uint32_t>(largest);
}

/// By workload; of one that is not of type io nothing is asked.
std::vector<IoSpan> SpansOf(const Scenario& scenario) {
  std::vector<IoSpan> spans;
  for (const WorkloadParameters& w : scenario.workloads) {
    const auto* io = std::get_if<IoArrivals>(&w.arrivals);
    spans.push_back(io == nullptr ? IoSpan{} : SpanOf(*io, scenario.warmup, scenario.duration));
  }
  return spans;
}

}  // namespace

Services::Services(const Scenario& scenario, Network& network)
    : scenario_(scenario),
      operations_(SpansOf(scenario), scenario.topology.hosts, scenario.observe.operations.one_in,
                  scenario.warmup),
      hosts_(scenario.topology.hosts),
      generators_(scenario.workloads.size()) {
  if (scenario.services.empty()) return;
  std::vector<HostCores*> cores(hosts_.size());
  for (const StorageParameters& service : scenario.services) {
    for (const std::vector<NodeId>* of : {&service.compute, &service.extent_nodes}) {
      for (const NodeId host : *of) {
        if (cores[host] != nullptr) continue;
        hosts_[host] =
            std::make_unique<HostCores>(network.nic(host).verbs(), network.context(host),
                                        scenario.hosts[host], service.front.priority, operations_.trail());
        cores[host] = hosts_[host].get();
      }
    }
  }
  for (uint32_t i = 0; i < scenario.services.size(); ++i) {
    const auto attached = [this, i](NodeId client) {
      for (size_t w = 0; w < generators_.size(); ++w) {
        if (generators_[w] && std::get<IoArrivals>(scenario_.workloads[w].arrivals).service == i)
          generators_[w]->OnAttached(client);
      }
    };
    services_.push_back(std::make_unique<StorageService>(scenario.services[i], static_cast<uint16_t>(i + 1),
                                                         LargestIo(scenario, i), cores, scenario.topology,
                                                         operations_, attached));
  }
  const HostView view = network.hosts();
  for (uint32_t w = 0; w < scenario.workloads.size(); ++w) {
    const auto* io = std::get_if<IoArrivals>(&scenario.workloads[w].arrivals);
    if (io == nullptr) continue;
    generators_[w] = std::make_unique<IoGenerator>(scenario.workloads[w], w, view,
                                                   scenario.services[io->service].disk_size, *this);
    ++generating_;
  }
  operations_.SetOnDone([this](const OperationRecord& ended) {
    if (on_ended_) on_ended_(ended);
    generators_[ended.workload]->OnEnded(ended.client);
    CheckDone();
  });
}

void Services::Start() {
  for (const auto& generator : generators_) {
    if (generator) generator->Start();
  }
  for (const auto& service : services_) service->Start();
}

void Services::Offer(uint32_t workload, const OperationRequest& request, bool ramp) {
  OperationRequest numbered = request;
  numbered.operation = operations_.Begin(workload, request.client, request.kind, Bytes(request.bytes), ramp);
  Trail* const trail = operations_.trail();
  const bool begins = trail != nullptr && trail->current() == 0;  // else a completion led to it
  const Time now = EventQueue::Get().now();
  if (begins) trail->SetCurrent(trail->Add(0, OperationPart::other, now, now));
  services_[std::get<IoArrivals>(scenario_.workloads[workload].arrivals).service]->Submit(numbered);
  if (begins) trail->SetCurrent(0);
}

void Services::OnExhausted() {
  if (--generating_ == 0) NoteCores();
  CheckDone();
}

void Services::CheckDone() {
  if (!Done() || done_called_) return;
  done_called_ = true;
  if (on_done_) on_done_();
}

void Services::ForEachQueuePair(const std::function<void(int, NodeId, uint32_t)>& use) const {
  for (size_t i = 0; i < services_.size(); ++i)
    services_[i]->ForEachQueuePair([&](NodeId host, uint32_t qp) { use(static_cast<int>(i), host, qp); });
}

void Services::Collect(Time end, RunRecord& record) {
  operations_.Collect(end, record.operations, record.operation_totals);
  for (const auto& service : services_) record.services.push_back(service->Record());
  if (cores_.empty()) NoteCores();
  record.cores = std::move(cores_);
}

/// How busy the cores have been. What is left when nothing more is asked for would hide those that are full.
void Services::NoteCores() {
  const Time now = EventQueue::Get().now();
  for (const auto& host : hosts_) {
    if (!host) continue;
    for (size_t core = 0; core < host->cores(); ++core)
      cores_.push_back(
          {host->host(), static_cast<int>(core), std::min(host->process(core).busy(), now), now});
  }
}

}  // namespace headroom
