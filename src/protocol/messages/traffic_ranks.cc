// Class Traffic at the end of a run in several ranks: the messages of all ranks as one list.
#include "protocol/messages/traffic.h"

#include "protocol/core_costs.h"

namespace headroom {

void Traffic::Pack(Packer& pack) {
  std::vector<CoreRecord> cores;
  AddCores(cores);
  pack(messages_, failures_, begun_, failed_, received_, arrived_, cores);
}

void Traffic::Join(std::vector<Packet>& shares,
                   const std::function<void(uint32_t, uint32_t, uint64_t)>& delivered) {
  std::vector<uint32_t> first(shares.size(), 0);  // indexed by rank: place of its first message
  std::vector<Received> received = std::move(received_);
  std::vector<Arrived> arrived = std::move(arrived_);
  AddCores(cores_);
  for (size_t r = 0; r < shares.size(); ++r) {
    if (r == rank_) continue;
    first[r] = static_cast<uint32_t>(messages_.size());
    std::vector<MessageRecord> messages;
    std::vector<MessageFailure> failures;
    LogOrder begun, failed;
    std::vector<Received> received_there;
    std::vector<Arrived> arrived_there;
    std::vector<CoreRecord> cores;
    Unpacker{shares[r]}(messages, failures, begun, failed, received_there, arrived_there, cores);
    messages_.insert(messages_.end(), messages.begin(), messages.end());
    failures_.insert(failures_.end(), failures.begin(), failures.end());
    received.insert(received.end(), received_there.begin(), received_there.end());
    arrived.insert(arrived.end(), arrived_there.begin(), arrived_there.end());
    begun_.Append(begun);
    failed_.Append(failed);
    // Each rank has an entry for each core. It knows the work of its own hosts.
    for (size_t c = 0; c < cores.size(); ++c) {
      const Parts& parts = Parts::Get();
      if (parts.RankOf(parts.Of(hosts_.contexts[cores[c].host])) == static_cast<int>(r)) cores_[c] = cores[c];
    }
  }
  const auto place = [&](uint32_t message) { return first[message % ranks_] + message / ranks_; };
  for (MessageFailure& f : failures_) f.message = place(f.message);
  for (const Received& there : received) {
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
