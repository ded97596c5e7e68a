// Class Traffic at the end of a run in several ranks: the messages of all ranks as one list.
#include "protocol/messages/traffic.h"

#include "protocol/core_costs.h"

namespace headroom {

void Traffic::Pack(Packer& pack) {
  std::vector<CoreRecord> cores;
  AddCores(cores);
  pack(cores);
  if (!on_ended_) pack(messages_, failures_, begun_, failed_, apart_, arrived_);
}

/// Each rank has an entry for each core. It knows the work of its own hosts.
void Traffic::JoinCores(Unpacker& share, int rank) {
  std::vector<CoreRecord> cores;
  share(cores);
  const Parts& parts = Parts::Get();
  for (size_t c = 0; c < cores.size(); ++c) {
    if (parts.RankOf(parts.Of(hosts_.contexts[cores[c].host])) == rank) cores_[c] = cores[c];
  }
}

void Traffic::Join(std::vector<Packet>& shares,
                   const std::function<void(uint32_t, uint32_t, uint64_t)>& delivered) {
  std::vector<uint32_t> first(shares.size(), 0);  // indexed by rank: place of its first message
  std::vector<Apart> apart = std::move(apart_);
  std::vector<Arrived> arrived = std::move(arrived_);
  AddCores(cores_);
  for (size_t r = 0; r < shares.size(); ++r) {
    if (r == rank_) continue;
    Unpacker unpack(shares[r]);
    JoinCores(unpack, static_cast<int>(r));
    if (on_ended_) continue;
    first[r] = static_cast<uint32_t>(messages_.size());
    std::vector<MessageRecord> messages;
    std::vector<MessageFailure> failures;
    LogOrder begun, failed;
    std::vector<Apart> apart_there;
    std::vector<Arrived> arrived_there;
    unpack(messages, failures, begun, failed, apart_there, arrived_there);
    messages_.insert(messages_.end(), messages.begin(), messages.end());
    failures_.insert(failures_.end(), failures.begin(), failures.end());
    apart.insert(apart.end(), apart_there.begin(), apart_there.end());
    arrived.insert(arrived.end(), arrived_there.begin(), arrived_there.end());
    begun_.Append(begun);
    failed_.Append(failed);
  }
  if (on_ended_) return;
  const auto place = [&](uint32_t message) { return first[message % ranks_] + message / ranks_; };
  for (MessageFailure& f : failures_) f.message = place(f.message);
  for (const Apart& there : apart) {
    MessageRecord& m = messages_[place(there.message)];
    m.marked_packets += there.marked_packets;
    m.retransmitted_packets += there.retransmitted_packets;
    if (there.delivered != kNever) m.delivered = there.delivered;
  }
  for (const Arrived& there : arrived) {
    const MessageRecord& m = messages_[place(there.message)];
    const int64_t bytes = there.packets * PayloadOf(m, false) + (there.last ? PayloadOf(m, true) : 0);
    delivered(there.interval, m.workload, static_cast<uint64_t>(bytes));
  }
}

}  // namespace headroom
