#include "protocol/tensorflow/tensorflow_service.h"

#include <algorithm>

#include "nic/verbs/verbs_footprint.h"
#include "workload/operations/tensor_target.h"
#include "workload/source_port.h"

namespace headroom {

static uint16_t PortOf(const TensorflowParameters& service, const Topology& topology, NodeId worker,
                       NodeId server) {
  return SourcePort(service.name, topology.nodes[worker].name, topology.nodes[server].name, 0);
}

TensorflowService::TensorflowService(const TensorflowParameters& parameters, const ServiceGround& ground)
    : p_(parameters), ground_(ground) {
  Trail* const trail = ground_.operations.trail();
  for (const auto* side : {&p_.clients, &p_.servers}) {
    for (const NodeId host : *side) {
      const ServiceHost& at = ground_.hosts[host];
      hosts_.try_emplace(host, *at.verbs, at.context, p_.costs, trail, ground_.warmup);
    }
  }
  for (const NodeId worker : p_.clients) {
    WorkerStep& step = workers_.emplace_back(ground_.hosts[worker].context, p_.compute, trail);
    for (const NodeId server : p_.servers) {
      TensorChannel& here = AddChannel(worker, server, step);
      TensorChannel& there = AddChannel(server, worker, parameters_);
      TensorChannel::Join(here, there, PortOf(p_, ground_.topology, worker, server));
    }
  }
}

TensorChannel& TensorflowService::AddChannel(NodeId at, NodeId peer, TensorSource& source) {
  TensorChannel& channel =
      channels_.emplace_back(hosts_.at(at), p_, p_.priority, ground_.tag, source, [this] { Abort(); });
  channel_[{at, peer}] = &channel;
  return channel;
}

void TensorflowService::Start(const Attached& attached) {
  for (TensorChannel& channel : channels_) channel.Open([] {});
  for (const auto* side : {&p_.clients, &p_.servers}) std::ranges::for_each(*side, attached);
}

void TensorflowService::Submit(const OperationRequest& request) {
  const TensorTarget target = TensorTarget::Of(request.target);
  const NodeId server = p_.servers[target.tensor % p_.servers.size()];
  const NodeId worker = p_.clients[request.thread];
  const NodeId from = target.gradient ? worker : server, to = target.gradient ? server : worker;
  OperationRecord& operation = ground_.operations[request.operation];
  TensorChannel& channel = *channel_.at({to, from});
  operation.participants.Add(from);
  operation.qp = channel.qp();
  const uint32_t graph = operation.workload;
  WorkerStep* const step = target.gradient ? nullptr : &workers_[request.thread];
  if (step != nullptr) step->Fetches(graph);
  const TensorCall call{{graph, target.tensor, target.gradient}, {target.shape, request.bytes}};
  channel.Call(call, [this, number = request.operation, graph, step](TensorCall::Answer answer) {
    ground_.operations.Complete(number, answer.well ? OperationStatus::ok : OperationStatus::failed);
    if (step != nullptr && answer.well) step->Fetched(graph);
  });
}

void TensorflowService::Abort() {
  if (std::exchange(aborted_, true)) return;
  ground_.note({EventQueue::Get().now(), "job_aborted", p_.clients[0],
                p_.name + ": a completion failed, or a send queue was full"});
  for (TensorChannel& channel : channels_) channel.Close();
}

void TensorflowService::Stop() {
  if (busiest_) return;
  busiest_ = 0;
  for (const auto& [host, at] : hosts_) busiest_ = std::max(*busiest_, at.process.use().Share());
}

std::shared_ptr<const ServiceRecord> TensorflowService::Record() {
  Stop();
  TensorCounts all;
  for (const TensorChannel& channel : channels_) channel.Count(all);
  auto record = std::make_shared<ServiceRecord>();
  record->counts = {{"queue_pairs", uint64_t{channels_.size()}},
                    {"requests", all.requests},
                    {"metadata_updates", all.updates},
                    {"re_requests", all.re_requests},
                    {"acks", all.acks},
                    {"tensors", all.tensors},
                    {"tensor_bytes", all.tensor_bytes},
                    {"arrived", all.arrived},
                    {"unexpected", all.unexpected},
                    {"registrations", all.registrations},
                    {"most_queued", all.most_queued},
                    {"aborted", uint64_t{aborted_}},
                    {"busiest_thread", *busiest_}};
  return record;
}

void TensorflowService::ForEachQueuePair(const UseQueuePair& use) const {
  for (const TensorChannel& channel : channels_) channel.ForEachQueuePair(use);
}

Forecast TensorflowService::FootprintOf(const TensorflowParameters& p, const Forecast& open) {
  const auto workers = static_cast<double>(p.clients.size());
  const auto servers = static_cast<double>(p.servers.size());
  constexpr double kNode = 48, kTask = 160;  // sizes of a map's node, and of a thread's task
  const double ends = 2 * workers * servers;
  // Cached metadata, and requests for metadata: one name each, at both ends.
  constexpr double kName = sizeof(TensorName) + sizeof(TensorMetadata) + kNode;
  constexpr double kOpen = kName + sizeof(ControlMessage) + sizeof(TensorCall) + 2 * kNode + 2 * kTask;
  const double each = AllocatedBytes(sizeof(TensorChannel)) + 2 * RegionBytes(false) +
                      QueuePairBytes(2, p.queue_depth) + kNode;
  const double hosts = (workers + servers) * (sizeof(TensorHost) + kNode + RegionBytes(false));
  const double completions = CompletionQueueBytes(2 * p.queue_depth);
  return Exactly(ends * each + hosts + workers * (sizeof(WorkerStep) + kNode)) +
         Forecast{(kOpen + 2 * sizeof(SendWork)) * open.expected,
                  (kOpen + 4 * sizeof(SendWork)) * open.worst + (workers + servers) * completions};
}

std::optional<Forecast> TensorflowParameters::Footprint(const Topology&, const ServiceLoad&,
                                                        const ServiceDemand& demand) const {
  return TensorflowService::FootprintOf(*this, demand.open);
}

void TensorflowParameters::ForEachPort(const Topology& topology, const UsePort& use) const {
  for (const NodeId worker : clients) {
    for (const NodeId server : servers) {
      const uint16_t port = PortOf(*this, topology, worker, server);
      use(worker, server, 0, port);
      use(server, worker, 0, port);
    }
  }
}

static const ServiceType kTensorflow{"tensorflow", &MakeAs<TensorflowService, TensorflowParameters>};

}  // namespace headroom
