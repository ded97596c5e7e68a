#include "protocol/messages/traffic.h"

#include <algorithm>

#include "workload/frame_tag.h"
#include "workload/source_port.h"

namespace headroom {

size_t Traffic::PairHash::operator()(const PairKey& k) const {
  uint64_t h = (uint64_t{k.src} << 32) ^ (uint64_t{k.dst} << 8) ^ k.priority ^ (uint64_t{k.workload} << 52);
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
  return h ^ (h >> 33);
}

Traffic::Traffic(const std::vector<WorkloadParameters>& workloads, const HostView& hosts,
                 std::vector<Nic*> nics)
    : workloads_(workloads),
      hosts_(hosts),
      nics_(std::move(nics)),
      delivered_bytes_(workloads.size(), 0),
      numbers_(workloads.size(), std::vector<uint32_t>(nics_.size(), 0)),
      rank_(static_cast<uint32_t>(Parts::Get().rank())),
      ranks_(static_cast<uint32_t>(Parts::Get().ranks())) {
  for (Nic* nic : nics_) {
    if (nic != nullptr) nic->SetSink(this);
  }
  Parts::Get().CountByPart(generating_);
  Parts::Get().CountByPart(unfinished_);
  for (uint32_t i = 0; i < workloads.size(); ++i) {
    const GeneratorGround ground{hosts_, *this, &nics_, this};
    generators_.push_back(workloads[i].arrivals->MakeGenerator(workloads[i], i, ground));
  }
}

void Traffic::Start() {
  for (auto& g : generators_) {
    if (!g) continue;
    const std::vector<NodeId> senders = g->Senders();
    generating_ += senders.empty();
    for (const NodeId h : senders) {
      const Parts::Within part(hosts_.contexts[h]);
      ++generating_;
    }
  }
  for (auto& g : generators_) {
    if (g) g->Start();
  }
}

uint16_t Traffic::SourcePortOf(const PairKey& key, uint32_t number) const {
  const auto& nodes = hosts_.topology->nodes;
  return SourcePort(workloads_[key.workload].name, nodes[key.src].name, nodes[key.dst].name, number);
}

void Traffic::AddCores(std::vector<CoreRecord>& all) const {
  if (!cores_.empty()) {
    all.insert(all.end(), cores_.begin(), cores_.end());
    return;
  }
  for (const auto& g : generators_) {
    if (g) g->AddCores(all);
  }
}

void Traffic::Connect(Pair& pair, const PairKey& key, std::optional<uint16_t> source_port) {
  QueuePair qp;
  qp.source_port =
      source_port ? *source_port : SourcePortOf(key, static_cast<uint32_t>(pair.queue_pairs.size()));
  Nic& poster = *nics_[PosterOf(key)];
  const NodeId peer = Reads(key.workload) ? key.src : key.dst;
  const uint8_t tag = FrameTag(key.workload);
  const bool both_halves = Reads(key.workload) || workloads_[key.workload].registers;
  qp.requester = both_halves ? poster.AddQueuePair(peer, key.priority, qp.source_port, tag)
                             : poster.AddRequester(peer, key.priority, qp.source_port, tag);
  pair.queue_pairs.push_back(qp);
}

/// The connection begins anew, by another path.
void Traffic::Renew(QueuePair& qp, const PairKey& key, uint16_t source_port) {
  qp.source_port = source_port;
  nics_[PosterOf(key)]->Renew(qp.requester, qp.source_port);
}

void Traffic::Offer(uint32_t workload, NodeId src, NodeId dst, Bytes size, uint8_t priority,
                    std::optional<uint16_t> source_port) {
  const WorkloadParameters& w = workloads_[workload];
  const PairKey key{workload, src, dst, priority};
  const Parts::Within part(hosts_.contexts[PosterOf(key)]);
  if (!part.here()) return;
  Pair& pair = pairs_[key];
  uint32_t index = 0;
  if (!w.qp_per_message) {
    index = pair.turn++ % static_cast<uint32_t>(w.qps_per_pair);
    if (index >= pair.queue_pairs.size()) Connect(pair, key, source_port);
  } else if (pair.free.empty()) {
    index = static_cast<uint32_t>(pair.queue_pairs.size());
    Connect(pair, key, source_port);
    ++pair.turn;
  } else {
    index = pair.free.back();
    pair.free.pop_back();
    const uint32_t number = pair.turn++;
    Renew(pair.queue_pairs[index], key, source_port ? *source_port : SourcePortOf(key, number));
  }
  const QueuePair& qp = pair.queue_pairs[index];

  const uint32_t id = Begin(workload, src, dst, size, priority);
  At(id).source_port = qp.source_port;
  At(id).qp = qp.requester;
  if (w.qp_per_message) {
    queue_pair_of_.resize(messages_.size());
    queue_pair_of_[PlaceOf(id)] = index;
  }
  Nic& poster = *nics_[PosterOf(key)];
  if (w.registers) poster.PostRegistration(qp.requester);
  poster.Post(qp.requester, id, size.v, w.verb);
}

uint32_t Traffic::Begin(uint32_t workload, NodeId src, NodeId dst, Bytes size, uint8_t priority) {
  const uint32_t id = on_ended_ ? NewId() : NumberOf(static_cast<uint32_t>(messages_.size()));
  MessageRecord m;
  m.workload = workload;
  m.src = src;
  m.dst = dst;
  m.number = numbers_[workload][src]++;
  m.priority = priority;
  m.size = size;
  m.start = EventQueue::Get().now();
  if (on_ended_) {
    At(id) = m;
  } else {
    messages_.push_back(m);
    begun_.Note();
  }
  ++unfinished_;
  return id;
}

void Traffic::CountDelivered(Bytes mtu) {
  mtu_ = mtu.v;
  hears_packets_ = true;
}

int64_t Traffic::PayloadOf(const MessageRecord& message, bool last) const {
  const int64_t size = message.size.v;
  return !last ? mtu_ : size == 0 ? 0 : size - (size - 1) / mtu_ * mtu_;
}

void Traffic::OnPacket(uint32_t message, bool last) {
  if (!IsHere(message)) {
    Arrived& arriving = arriving_[message];
    arriving.last |= last;
    arriving.packets += !last;
    return;
  }
  const MessageRecord& m = At(message);
  delivered_bytes_[m.workload] += static_cast<uint64_t>(PayloadOf(m, last));
}

void Traffic::EndInterval() {
  for (const auto& [message, arrived] : arriving_)
    arrived_.push_back({message, interval_, arrived.packets, arrived.last});
  arriving_.clear();
  ++interval_;
}

Traffic::Apart& Traffic::Elsewhere(uint32_t message) {
  constexpr size_t kMostWithLetGo = 1024;  // of messages that have not arrived, and of repeated packets
  if (on_ended_ && apart_.size() == kMostWithLetGo) LetGoOfApart();
  const auto [at, fresh] = apart_at_.try_emplace(message, apart_.size());
  if (fresh) apart_.push_back({message});
  return apart_[at->second];
}

void Traffic::OnCompleted(uint32_t message, Time at) {
  At(message).completed = at;
  --unfinished_;
  const MessageRecord m = At(message);  // a copy: the generator may offer more
  if (workloads_[m.workload].qp_per_message) {
    pairs_[{m.workload, m.src, m.dst, m.priority}].free.push_back(queue_pair_of_[PlaceOf(message)]);
  }
  if (on_ended_) End(message, m);
  generators_[m.workload]->OnCompleted(m.src, m.dst);
  CheckDone();
}

void Traffic::OnExhausted() {
  --generating_;
  CheckDone();
}

std::vector<uint32_t> Traffic::PutInOrder() {
  const std::vector<uint32_t> order = begun_.Order();
  if (order.empty()) return order;
  headroom::PutInOrder(messages_, order);
  headroom::PutInOrder(failures_, failed_.Order());
  std::vector<uint32_t> now(order.size());
  for (auto& numbers : numbers_) std::ranges::fill(numbers, 0);
  for (uint32_t i = 0; i < order.size(); ++i) {
    now[order[i]] = i;
    messages_[i].number = numbers_[messages_[i].workload][messages_[i].src]++;
  }
  for (MessageFailure& f : failures_) f.message = now[f.message];
  return order;
}

void Traffic::CheckDone() {
  if (Done() && on_done_) on_done_();
}

void Traffic::OnQueuePairError(NodeId host, uint32_t qp, const std::string& why) {
  if (on_error_) on_error_(host, qp, why);
}

}  // namespace headroom
