#include "run/services.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/senders.h"
#include "scenario/service_load.h"
#include "workload/io.h"
#include "workload/key_value_arrivals.h"
#include "workload/transfer_arrivals.h"

namespace headroom {

namespace {

/// The largest I/O that is asked of a service.
uint32_t LargestIo(const Scenario& scenario, uint32_t service) {
  int64_t largest = 1;
  for (const WorkloadParameters& w : scenario.workloads) {
    const IoArrivals* const io = w.arrivals->AsIos();
    if (io == nullptr || io->service != service) continue;
    largest = std::max(largest, LargestBlock(*io).v);
  }
  return static_cast<uint32_t>(largest);
}

/// The first of them; null where there is none.
const StorageLeg* LegOverTcp(const Scenario& scenario) {
  for (const StorageParameters& service : scenario.services) {
    for (const StorageLeg* leg : {&service.front, service.back ? &*service.back : nullptr,
                                  service.failover ? &service.failover->to : nullptr})
      if (leg != nullptr && leg->protocol == StorageProtocol::tcp) return leg;
  }
  return nullptr;
}

/// By workload; of one that has no operations nothing is asked.
std::vector<IoSpan> SpansOf(const Scenario& scenario) {
  std::vector<IoSpan> spans;
  for (const WorkloadParameters& w : scenario.workloads)
    spans.push_back(w.arrivals->Span(scenario.warmup, scenario.duration));
  return spans;
}

bool InsertsInto(const Scenario& scenario, uint32_t service) {
  return std::ranges::any_of(scenario.workloads, [service](const WorkloadParameters& w) {
    const KeyValueArrivals* const keys = w.arrivals->AsKeys();
    return keys != nullptr && keys->service == service && keys->inserts > 0;
  });
}

}  // namespace

Services::Services(const Scenario& scenario, Network& network, bool histories)
    : scenario_(scenario),
      operations_(SpansOf(scenario), scenario.topology.hosts, scenario.observe.operations.one_in,
                  scenario.warmup),
      hosts_(scenario.topology.hosts),
      generators_(scenario.workloads.size()) {
  AddStorage(network, histories);
  if (!scenario.key_values.empty() || !scenario.connections.empty()) {
    for (NodeId host = 0; host < scenario.topology.hosts; ++host)
      service_hosts_.push_back({&network.nic(host).verbs(), network.context(host)});
  }
  AddKeyValues(histories);
  AddConnections();
  const HostView view = network.hosts();
  for (uint32_t w = 0; w < scenario.workloads.size(); ++w) {
    const WorkloadParameters& workload = scenario.workloads[w];
    if (!OffersOperations(workload)) continue;
    const IoArrivals* const io = workload.arrivals->AsIos();
    const Bytes disk = io != nullptr ? scenario.services[io->service].disk_size : Bytes(0);
    generators_[w] = workload.arrivals->MakeOperations(workload, w, {view, disk, *this});
    ++generating_;
  }
  operations_.SetOnDone([this](const OperationRecord& ended) {
    if (on_ended_) on_ended_(ended);
    generators_[ended.workload]->OnEnded(ended);
    CheckDone();
  });
}

void Services::AddStorage(Network& network, bool histories) {
  const Scenario& scenario = scenario_;
  if (scenario.services.empty()) return;
  const StorageLeg* const tcp = LegOverTcp(scenario);
  for (const StorageParameters& service : scenario.services) {
    for (const std::vector<NodeId>* of :
         {&service.compute, &service.extent_nodes, &service.front_ends, &service.partition_servers}) {
      for (const NodeId host : *of) {
        if (hosts_[host] != nullptr) continue;
        hosts_[host] =
            std::make_unique<HostCores>(network.nic(host).verbs(), network.context(host),
                                        scenario.hosts[host], service.front.priority, operations_.trail());
        if (tcp != nullptr) {
          IpParameters ip;
          ip.mtu = scenario.ip_mtu;
          ip.priority = tcp->priority;
          hosts_[host]->SetIp(network.ip(ip));
        }
      }
    }
  }
  for (uint32_t i = 0; i < scenario.services.size(); ++i) {
    const auto attached = [this, i](NodeId client) {
      for (size_t w = 0; w < generators_.size(); ++w) {
        const IoArrivals* const io = scenario_.workloads[w].arrivals->AsIos();
        if (io != nullptr && io->service == i) generators_[w]->OnAttached(client);
      }
    };
    if (histories) {
      histories_.push_back(std::make_unique<ServiceHistory>());
      histories_.back()->extents = scenario.services[i].back.has_value();
    }
    services_.push_back(std::make_unique<StorageService>(
        scenario.services[i], static_cast<uint16_t>(i + 1), TagOfService(scenario, i), LargestIo(scenario, i),
        hosts_, scenario.topology, operations_, histories ? histories_.back().get() : nullptr, attached));
    services_.back()->SetOnMove([this, i](const Failover::Change& change) {
      if (on_move_) on_move_(i, change);
    });
  }
  network.faults().SetOnExtentNode([this](uint32_t service, NodeId node, bool away) {
    services_[service]->SetExtentNodeAway(node, away);
  });
}

void Services::AddKeyValues(bool histories) {
  for (uint32_t i = 0; i < scenario_.key_values.size(); ++i) {
    const KeyValueParameters& service = scenario_.key_values[i];
    const bool judged = histories && service.keeps_values();
    key_histories_.push_back(judged ? std::make_unique<KeyHistory>() : nullptr);
    key_values_.push_back(MakeKeyValueService(
        service, {service_hosts_, scenario_.topology, operations_, LoadOfKeys(scenario_, i), scenario_.warmup,
                  TagOfKeyValues(scenario_, i), key_histories_.back().get()}));
  }
}

void Services::AddConnections() {
  for (uint32_t i = 0; i < scenario_.connections.size(); ++i) {
    connections_.push_back(MakeConnectionService(
        scenario_.connections[i],
        {service_hosts_, scenario_.topology, operations_, LoadOfConnections(scenario_, i), scenario_.warmup,
         TagOfConnections(scenario_, i)}));
  }
}

void Services::Start() {
  for (const auto& generator : generators_) {
    if (generator) generator->Start();
  }
  for (size_t i = 0; i < services_.size(); ++i) {
    services_[i]->Start();
  }
  for (uint32_t i = 0; i < connections_.size(); ++i) {
    connections_[i]->Start([this, i](NodeId client) {
      for (size_t w = 0; w < generators_.size(); ++w) {
        const TransferArrivals* const transfers = scenario_.workloads[w].arrivals->AsTransfers();
        if (transfers != nullptr && transfers->service == i) generators_[w]->OnAttached(client);
      }
    });
  }
  for (size_t w = 0; w < generators_.size(); ++w) {
    const KeyValueArrivals* const keys = scenario_.workloads[w].arrivals->AsKeys();
    if (keys == nullptr) continue;
    for (const NodeId client : keys->from) generators_[w]->OnAttached(client);
  }
}

void Services::Offer(uint32_t workload, const OperationRequest& request, bool ramp) {
  OperationRequest numbered = request;
  numbered.operation = operations_.Begin(workload, request.client, request.kind, Bytes(request.bytes), ramp);
  operations_[numbered.operation].stream = request.stream;
  operations_[numbered.operation].address = request.address;
  if (const KeyValueArrivals* const keys = scenario_.workloads[workload].arrivals->AsKeys())
    return key_values_[keys->service]->Submit(numbered);
  if (const TransferArrivals* const transfers = scenario_.workloads[workload].arrivals->AsTransfers())
    return connections_[transfers->service]->Submit(numbered);
  Trail* const trail = operations_.trail();
  const bool begins = trail != nullptr && trail->current() == 0;  // else a completion led to it
  const Time now = EventQueue::Get().now();
  if (begins) trail->SetCurrent(trail->Add(0, OperationPart::other, now, now));
  services_[scenario_.workloads[workload].arrivals->AsIos()->service]->Submit(numbered);
  if (begins) trail->SetCurrent(0);
}

void Services::OnExhausted() {
  if (--generating_ == 0) {
    NoteCores();
    for (const auto& service : key_values_) service->NoteProcesses();
    for (const auto& service : connections_) service->NoteCores();
  }
  CheckDone();
}

void Services::OnOver(uint32_t workload, NodeId host) {
  for (const auto& generator : generators_) {
    if (generator) generator->OnOtherOver(workload, host);
  }
}

void Services::CheckDone() {
  if (!Done() || done_called_) return;
  done_called_ = true;
  for (const auto& service : services_) service->EndBackground();
  if (on_done_) on_done_();
}

void Services::ForEachQueuePair(const std::function<void(int, NodeId, uint32_t)>& use) const {
  for (size_t i = 0; i < services_.size(); ++i)
    services_[i]->ForEachQueuePair([&](NodeId host, uint32_t qp) { use(static_cast<int>(i), host, qp); });
  for (size_t i = 0; i < key_values_.size(); ++i) {
    const auto service = static_cast<int>(services_.size() + i);
    key_values_[i]->ForEachQueuePair([&](NodeId host, uint32_t qp) { use(service, host, qp); });
  }
  for (size_t i = 0; i < connections_.size(); ++i) {
    const auto service = static_cast<int>(services_.size() + key_values_.size() + i);
    connections_[i]->ForEachQueuePair([&](NodeId host, uint32_t qp) { use(service, host, qp); });
  }
}

void Services::Collect(Time end, RunRecord& record) {
  operations_.Collect(end, record.operations, record.operation_totals);
  for (const auto& service : services_) record.services.push_back(service->Record());
  for (const auto& service : key_values_) record.key_values.push_back(service->Record());
  for (const auto& service : connections_) record.connections.push_back(service->Record());
  const bool of_keys = std::ranges::any_of(key_histories_, [](const auto& h) { return h != nullptr; });
  if (!histories_.empty() || of_keys) record.histories = Judge(record);
  if (cores_.empty()) NoteCores();
  record.cores = std::move(cores_);
}

HistoryJudgement Services::Judge(const RunRecord& record) const {
  const auto name = [this](NodeId node) { return scenario_.topology.nodes[node].name; };
  HistoryJudgement all;
  for (size_t i = 0; i < histories_.size(); ++i) {
    const StorageParameters& service = scenario_.services[i];
    all += histories_[i]->Judge({[&](uint32_t disk) {
                                   return fmt::format("{}'s disk of {}", name(service.compute[disk]),
                                                      service.name);
                                 },
                                 name});
  }
  for (uint32_t i = 0; i < key_histories_.size(); ++i) {
    if (key_histories_[i] == nullptr) continue;
    const KeyValueParameters& service = scenario_.key_values[i];
    KeyHistory::Names names;
    names.key = [&](uint64_t key) { return fmt::format("key {} of {}", key, service.name); };
    names.loaded = static_cast<uint64_t>(LoadOfKeys(scenario_, i).keys);
    // A table that is full has refused some, and one where PUTs of new keys move others hides these.
    names.forgets = service.system == KeyValueSystem::herd || record.key_values[i].refused > 0 ||
                    InsertsInto(scenario_, i);
    all += key_histories_[i]->Judge(names);
  }
  return all;
}

/// How busy the cores have been. What is left when nothing more is asked for would hide those that are full.
void Services::NoteCores() {
  const Time now = EventQueue::Get().now();
  for (const auto& host : hosts_) {
    if (!host) continue;
    for (size_t core = 0; core < host->cores(); ++core)
      cores_.push_back({host->host(), static_cast<int>(core), host->process(core).busy(), now});
  }
}

}  // namespace headroom
