#include "protocol/messages/traffic.h"

#include <algorithm>
#include <iterator>

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
      numbers_(workloads.size(), std::vector<uint32_t>(nics_.size(), 0)) {
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
  const auto hears = [](const auto& g) { return g && g->HearsDeliveries(); };
  if (std::ranges::any_of(generators_, hears))
    deliveries_ = std::make_unique<Deliveries>(hosts_, generators_);
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

uint16_t Traffic::SourcePortOf(uint32_t workload, const NicEnds& nics, uint32_t number) const {
  const auto& nodes = hosts_.topology->nodes;
  return SourcePort(workloads_[workload].name, nodes[nics.src].name, nodes[nics.dst].name, number);
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

void Traffic::Connect(Pair& pair, const PairKey& key, const NicEnds& nics, uint16_t source_port) {
  QueuePair qp{0, source_port, nics};
  Nic& poster = *nics_[PosterOf(key.workload, nics)];
  const NodeId peer = Reads(key.workload) ? nics.src : nics.dst;
  const uint8_t tag = FrameTag(key.workload);
  const bool both_halves = Reads(key.workload) || workloads_[key.workload].registers;
  qp.requester = both_halves ? poster.AddQueuePair(peer, key.priority, qp.source_port, tag)
                             : poster.AddRequester(peer, key.priority, qp.source_port, tag);
  pair.queue_pairs.push_back(qp);
}

/// An idle queue pair begins anew, by another path.
uint32_t Traffic::Idle(Pair& pair, const PairKey& key, const NicEnds& nics, uint32_t number,
                       std::optional<uint16_t> source_port) {
  const auto between = [&](uint32_t index) { return pair.queue_pairs[index].nics == nics; };
  const auto last = std::find_if(pair.free.rbegin(), pair.free.rend(), between);
  if (last == pair.free.rend()) {
    const auto made = static_cast<uint32_t>(pair.queue_pairs.size());
    Connect(pair, key, nics, source_port ? *source_port : SourcePortOf(key.workload, nics, made));
    return made;
  }
  const uint32_t index = *last;
  pair.free.erase(std::next(last).base());
  QueuePair& qp = pair.queue_pairs[index];
  qp.source_port = source_port ? *source_port : SourcePortOf(key.workload, nics, number);
  nics_[PosterOf(key.workload, nics)]->Renew(qp.requester, qp.source_port);
  return index;
}

uint32_t Traffic::Offer(uint32_t workload, NodeId src, NodeId dst, Bytes size, uint8_t priority,
                        uint32_t number, std::optional<uint16_t> source_port) {
  const WorkloadParameters& w = workloads_[workload];
  const PairKey key{workload, src, dst, priority};
  const Parts::Within part(hosts_.contexts[PosterOf(workload, {src, dst})]);
  if (!part.here()) return kNoMessage;
  Pair& pair = pairs_[key];
  uint32_t index = pair.turn++;
  if (!w.qp_per_message) index %= static_cast<uint32_t>(w.qps_per_pair);
  if (w.qp_per_message || index >= pair.queue_pairs.size()) {
    const NicEnds nics = NicsOf(*hosts_.topology, w, src, dst, index);
    if (w.qp_per_message)
      index = Idle(pair, key, nics, index, source_port);
    else
      Connect(pair, key, nics, source_port ? *source_port : SourcePortOf(workload, nics, index));
  }
  const QueuePair& qp = pair.queue_pairs[index];

  const uint32_t id = Begin(workload, qp.nics.src, qp.nics.dst, size, priority);
  Open& message = *open_.Find(id);
  message.record.source_port = qp.source_port;
  message.record.qp = qp.requester;
  message.queue_pair = index;
  message.number = number;
  if (deliveries_) deliveries_->Await(workload, {id, src, dst, number});
  Nic& poster = *nics_[PosterOf(workload, qp.nics)];
  if (w.registers) poster.PostRegistration(qp.requester);
  poster.Post(qp.requester, id, size.v, w.verb);
  return id;
}

uint32_t Traffic::Begin(uint32_t workload, NodeId src, NodeId dst, Bytes size, uint8_t priority) {
  const Begun begun = begun_.Next();
  Open& open = open_.Add(begun.number);
  open = {{}, begun.place};
  MessageRecord& m = open.record;
  m.workload = workload;
  m.src = src;
  m.dst = dst;
  m.number = numbers_[workload][src]++;
  m.priority = priority;
  m.size = size;
  m.start = EventQueue::Get().now();
  ++unfinished_;
  if (on_begun_) on_begun_(begun.number, size);
  return begun.number;
}

void Traffic::CountDelivered(Bytes mtu) {
  mtu_ = mtu.v;
  hears_packets_ = true;
}

void Traffic::OnPacket(uint32_t message, bool last) {
  if (const Open* const open = open_.Find(message); open != nullptr) {
    delivered_bytes_[open->record.workload] += static_cast<uint64_t>(PayloadOf(open->record, mtu_, last));
    return;
  }
  ArrivedPackets& arriving = arriving_.try_emplace(message, ArrivedPackets{message, interval_}).first->second;
  arriving.last |= last;
  arriving.packets += !last;
}

void Traffic::EndInterval() {
  for (const auto& [message, arrived] : arriving_) log_->Add(arrived);
  arriving_.clear();
  ++interval_;
}

MessageApart& Traffic::Apart(uint32_t message) {
  constexpr size_t kMost = 1024;
  if (apart_.size() == kMost) GiveApart();
  return apart_.try_emplace(message, MessageApart{message}).first->second;
}

void Traffic::GiveApart() {
  for (const auto& [message, apart] : apart_) log_->Add(apart);
  apart_.clear();
}

void Traffic::GiveOpen() {
  open_.ForEach([this](uint32_t number, const Open& open) { log_->Add({number, open.place}, open.record); });
  GiveApart();
}

void Traffic::OnCompleted(uint32_t message, Time at) {
  Open open = *open_.Find(message);  // a copy: the generator may offer more
  open_.Remove(message);
  --unfinished_;
  MessageRecord& m = open.record;
  m.completed = at;
  const NodeId src = HostOf(m.workload, m.src), dst = HostOf(m.workload, m.dst);
  if (workloads_[m.workload].qp_per_message)
    pairs_[{m.workload, src, dst, m.priority}].free.push_back(open.queue_pair);
  log_->Add({message, open.place}, m);
  generators_[m.workload]->OnCompleted({message, src, dst, open.number});
  CheckDone();
}

void Traffic::OnExhausted() {
  --generating_;
  CheckDone();
}

void Traffic::PackCores(Packer& pack) {
  std::vector<CoreRecord> cores;
  AddCores(cores);
  pack(cores);
}

/// Each rank has an entry for each core. It knows the work of its own hosts.
void Traffic::JoinCores(const std::vector<Packet>& shares) {
  const Parts& parts = Parts::Get();
  AddCores(cores_);
  for (size_t r = 1; r < shares.size(); ++r) {
    std::vector<CoreRecord> cores;
    Unpacker{shares[r]}(cores);
    for (size_t c = 0; c < cores.size(); ++c) {
      if (parts.RankOf(parts.Of(hosts_.contexts[cores[c].host])) == static_cast<int>(r)) cores_[c] = cores[c];
    }
  }
}

void Traffic::CheckDone() {
  if (Done() && on_done_) on_done_();
}

void Traffic::OnQueuePairError(NodeId host, uint32_t qp, const std::string& why) {
  if (on_error_) on_error_(host, qp, why);
}

}  // namespace headroom
