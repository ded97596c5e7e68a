#include "protocol/nccl/nccl_service.h"

#include <algorithm>
#include <set>

#include "nic/verbs/verbs_footprint.h"
#include "workload/operations/send_receive_target.h"
#include "workload/source_port.h"

namespace headroom {

/// The source port of a connection's first queue pair; NcclPort gives those of the others.
static uint16_t FirstPortOf(const NcclParameters& service, const Topology& topology, NodeId from, NodeId to,
                            int connection) {
  return SourcePort(service.name, topology.nodes[from].name, topology.nodes[to].name,
                    static_cast<uint32_t>(connection));
}

NcclService::NcclService(const NcclParameters& parameters, const ServiceGround& ground)
    : p_(parameters), ground_(ground) {
  for (const NodeId rank : p_.clients) {
    const ServiceHost& at = ground_.hosts[rank];
    ranks_.try_emplace(rank, *at.verbs, at.context, p_.costs.OfCores(), ground_.operations.trail(),
                       ground_.warmup);
  }
  for (size_t rank = 0; rank < p_.clients.size(); ++rank) {
    for (const int distance : p_.distances) Connect(p_.clients[rank], RankBehind(p_.clients, rank, distance));
  }
}

void NcclService::Connect(NodeId from, NodeId to) {
  const auto [at, fresh] = pair_of_.try_emplace({from, to}, static_cast<uint32_t>(pairs_.size()));
  if (!fresh) return;
  Pair& pair = pairs_.emplace_back();
  pair.from = from;
  pair.to = to;
  pair.entity = EventQueue::Get().AddEntity(ground_.hosts[to].context);
  const auto fail = [this] { Fail(); };
  for (int c = 0; c < p_.connections(); ++c) {
    pair.senders.push_back(
        std::make_unique<NcclSender>(ranks_.at(from), p_, p_.priority, ground_.tag, fail,
                                     [this](uint32_t operation) { OnGroupSent(operation); }));
    pair.receivers.push_back(
        std::make_unique<NcclReceiver>(ranks_.at(to), p_, p_.priority, ground_.tag, fail));
    NcclSender::Join(*pair.senders.back(), *pair.receivers.back(),
                     FirstPortOf(p_, ground_.topology, from, to, c));
  }
}

void NcclService::Start(const Attached& attached) { std::ranges::for_each(p_.clients, attached); }

void NcclService::Submit(const OperationRequest& request) {
  const auto rank = std::ranges::find(p_.clients, request.client) - p_.clients.begin();
  const NodeId to = RankBehind(p_.clients, static_cast<size_t>(rank), static_cast<int>(request.thread));
  Pair& pair = pairs_[pair_of_.at({request.client, to})];
  OperationRecord& operation = ground_.operations[request.operation];
  operation.participants.Add(to);
  operation.qp = Verbs::NumberOf(pair.senders[0]->qps()[0]);
  if (failed_) return ground_.operations.Complete(request.operation, OperationStatus::failed);
  if (left_.size() <= request.operation) left_.resize(request.operation + 1);
  open_.push_back(request.operation);
  uint64_t& left = left_[request.operation] = 0;
  for (int c = 0; c < p_.connections(); ++c) left += MessageCut(request.bytes, p_, c).Steps();
  const Time late(static_cast<int64_t>(request.target));
  if (late == Time(0) && pair.late.empty()) {
    Receive(pair, request.bytes);
  } else {
    Time at = EventQueue::Get().now() + late;
    if (!pair.late.empty()) at = std::max(at, pair.late.back().at);
    pair.late.push_back({at, request.bytes});
    EventQueue::Get().PushTarget(at, TimedEvent::Order(EventClass::workload, pair.entity, pair.events++),
                                 this, pair_of_.at({pair.from, pair.to}));
  }
  for (int c = 0; c < p_.connections() && !failed_; ++c)
    pair.senders[static_cast<size_t>(c)]->Send(request.operation, MessageCut(request.bytes, p_, c));
}

void NcclService::OnEvent(uint64_t arg) {
  Pair& pair = pairs_[arg];
  const uint64_t bytes = pair.late.front().bytes;
  pair.late.pop_front();
  if (!failed_) Receive(pair, bytes);
}

void NcclService::Receive(Pair& pair, uint64_t bytes) {
  for (int c = 0; c < p_.connections(); ++c)
    pair.receivers[static_cast<size_t>(c)]->Receive(MessageCut(bytes, p_, c));
}

void NcclService::OnGroupSent(uint32_t operation) {
  if (--left_[operation] > 0) return;
  std::erase(open_, operation);
  ground_.operations.Complete(operation, OperationStatus::ok);
}

void NcclService::Fail() {
  if (std::exchange(failed_, true)) return;
  ground_.note({EventQueue::Get().now(), "job_aborted", p_.clients[0], p_.name + ": a completion failed"});
  for (const Pair& pair : pairs_) {
    for (const auto& end : pair.senders) end->Close();
    for (const auto& end : pair.receivers) end->Close();
  }
  for (const uint32_t operation : std::exchange(open_, {}))
    ground_.operations.Complete(operation, OperationStatus::failed);
}

void NcclService::Stop() {
  if (busiest_) return;
  busiest_ = 0;
  for (const auto& [host, rank] : ranks_) busiest_ = std::max(*busiest_, rank.use().Share());
}

std::shared_ptr<const ServiceRecord> NcclService::Record() {
  Stop();
  NcclCounts all;
  uint64_t queue_pairs = 0;
  for (const Pair& pair : pairs_) {
    for (const auto& end : pair.senders) all += end->counts();
    for (const auto& end : pair.receivers) all += end->counts();
    queue_pairs += 2 * pair.senders.size() * static_cast<uint64_t>(p_.queue_pairs);
  }
  auto record = std::make_shared<ServiceRecord>();
  record->counts = {{"queue_pairs", queue_pairs},         {"clear_to_sends", all.clear_to_sends},
                    {"data_messages", all.data_messages}, {"writes", all.writes},
                    {"sent_bytes", all.sent_bytes},       {"received_bytes", all.received_bytes},
                    {"received", all.received},           {"unexpected", all.unexpected},
                    {"aborted", uint64_t{failed_}},       {"busiest_thread", *busiest_}};
  return record;
}

void NcclService::ForEachQueuePair(const UseQueuePair& use) const {
  for (const Pair& pair : pairs_) {
    for (const auto& end : pair.senders)
      for (const QueuePair* qp : end->qps()) use(pair.from, Verbs::NumberOf(qp));
    for (const auto& end : pair.receivers)
      for (const QueuePair* qp : end->qps()) use(pair.to, Verbs::NumberOf(qp));
  }
}

Forecast NcclService::FootprintOf(const NcclParameters& p, const Forecast& open) {
  constexpr double kNode = 48, kTask = 200;  // sizes of a map's node, and of a thread's task
  const auto ranks = static_cast<double>(p.clients.size());
  const double connections = ranks * static_cast<double>(p.distances.size()) * p.connections();
  const double slots = 1.0 * ClearToSend::kSlots * p.group;
  const double sizes = p.group > 1 ? 2 * slots * 4 : 0;
  const double qps = 2 * p.queue_pairs * (QueuePairBytes(p.steps * (p.group + 1), p.steps) + sizeof(void*));
  const double each = AllocatedBytes(sizeof(NcclSender)) + AllocatedBytes(sizeof(NcclReceiver)) +
                      2 * slots * ClearToSend::kBytes + sizes + 5 * RegionBytes(false) + RegionBytes(true) +
                      2 * p.steps * kTask;
  return Exactly(connections * (each + qps + kNode) + ranks * (sizeof(Process) + kNode) +
                 ranks * CompletionQueueBytes(p.steps * p.channels)) +
         GrownBytes(open, 3 * sizeof(uint64_t) + sizeof(MessageCut));
}

std::optional<Forecast> NcclParameters::Footprint(const Topology&, const ServiceLoad&,
                                                  const ServiceDemand& demand) const {
  return NcclService::FootprintOf(*this, demand.open);
}

void NcclParameters::ForEachPort(const Topology& topology, const UsePort& use) const {
  for (size_t rank = 0; rank < clients.size(); ++rank) {
    std::set<NodeId> peers;  // two distances may lead to the same rank
    for (const int distance : distances) peers.insert(RankBehind(clients, rank, distance));
    const NodeId from = clients[rank];
    for (const NodeId to : peers) {
      for (int i = 0; i < connections() * queue_pairs; ++i)
        use(from, to, static_cast<uint32_t>(i),
            NcclPort(FirstPortOf(*this, topology, from, to, i / queue_pairs), i % queue_pairs));
    }
  }
}

static const ServiceType kNccl{"nccl", &MakeAs<NcclService, NcclParameters>};

}  // namespace headroom
