// Class Recorder where several ranks run the network: the record of all from the records of each.
#include <algorithm>
#include <tuple>

#include "run/recorder.h"

namespace headroom {

/// A rank's records of its nodes, without messages.
template <class P>
void Recorder::PackNodes(P& pack, RunRecord& r) {
  pack(r.events, r.packet_hops, r.data_packet_hops, r.data_packets_delivered, r.marked_packets, r.cnp_sent,
       r.cnp_handled, r.cnp_ignored, r.retransmitted_packets, r.naks, r.timeouts, r.contexts_used,
       r.contexts_refused, r.warmup, r.conservation);
  pack(r.events_log, r.ports, r.switches, r.watchdogs, r.queues, r.groups, r.rates, r.goodput, r.cnps,
       r.drops);
}

/// Rank 0 takes the records of the others; the others give them. Returns what they know of their pauses.
std::vector<Packet> Recorder::JoinRanks() {
  Parts& parts = Parts::Get();
  const auto ranks = static_cast<size_t>(parts.ranks());
  // Several rounds, because the packet of a round is one object's.
  const auto share = [&](const auto& pack) {
    std::vector<Packet> out(ranks);
    if (parts.rank() > 0) {
      Packer packer(out[0]);
      pack(packer);
    }
    return parts.Swap(std::move(out));
  };
  std::vector<Packet> nodes = share([this](Packer& pack) {
    PackNodes(pack, record_);
    pack(unordered_, noted_, cnps_, drops_);
  });
  const std::vector<Packet> cores = share([this](Packer& pack) { traffic_.PackCores(pack); });
  std::vector<Packet> causes = share([this](Packer& pack) {
    if (causes_) causes_->PackShare(pack);
  });
  std::vector<Packet> estats = share([this](Packer& pack) {
    if (estats_) PackEstats(pack);
  });
  const std::vector<Packet> ended = share([this](Packer& pack) { ended_->Pack(0, pack); });
  if (parts.rank() > 0) return {};
  for (size_t r = 1; estats_ && r < ranks; ++r) {
    Unpacker unpack(estats[r]);
    JoinEstats(unpack);
  }
  for (size_t r = 1; r < ranks; ++r) {
    Unpacker unpack(ended[r]);
    ended_->Unpack(static_cast<int>(r), unpack);
  }
  for (size_t r = 1; r < ranks; ++r) {
    RunRecord other;
    Unordered unordered;
    LogOrder noted, cnps, drops;
    Unpacker unpack(nodes[r]);
    PackNodes(unpack, other);
    unpack(unordered, noted, cnps, drops);
    nodes[r] = {};
    Join(other);
    for (auto member : {&Unordered::faults, &Unordered::firsts, &Unordered::watchdogs})
      std::ranges::move(unordered.*member, std::back_inserter(unordered_.*member));
    unordered_.faults_order.Append(unordered.faults_order);
    noted_.Append(noted);
    cnps_.Append(cnps);
    drops_.Append(drops);
  }
  OrderNodes();
  traffic_.JoinCores(cores);
  return causes;
}

/// Adds the record of another rank, behind this one.
void Recorder::Join(RunRecord& other) {
  RunRecord& r = record_;
  for (auto sum : {&RunRecord::events, &RunRecord::packet_hops, &RunRecord::data_packet_hops,
                   &RunRecord::data_packets_delivered, &RunRecord::marked_packets, &RunRecord::cnp_sent,
                   &RunRecord::cnp_handled, &RunRecord::cnp_ignored, &RunRecord::retransmitted_packets,
                   &RunRecord::naks, &RunRecord::timeouts, &RunRecord::contexts_refused})
    r.*sum += other.*sum;
  r.warmup.Join(other.warmup);
  if (other.contexts_used) r.contexts_used = std::max(r.contexts_used.value_or(0), *other.contexts_used);
  for (auto sum :
       {&Conservation::sent, &Conservation::delivered, &Conservation::dropped, &Conservation::in_flight})
    r.conservation.*sum += other.conservation.*sum;
  r.conservation.pools_ok &= other.conservation.pools_ok;
  for (size_t i = 0; i < r.goodput.size(); ++i) r.goodput[i].delivered += other.goodput[i].delivered;
  const auto append = [&](auto... logs) {
    (std::ranges::move(other.*logs, std::back_inserter(r.*logs)), ...);
  };
  append(&RunRecord::events_log, &RunRecord::ports, &RunRecord::switches, &RunRecord::watchdogs,
         &RunRecord::queues, &RunRecord::groups, &RunRecord::rates, &RunRecord::cnps, &RunRecord::drops);
}

/// Puts what nodes recorded in the order of the nodes. Each node's entries are in order.
void Recorder::OrderNodes() {
  RunRecord& r = record_;
  std::ranges::stable_sort(r.ports, {}, &PortRecord::node);
  std::ranges::stable_sort(r.switches, {}, &SwitchRecord::node);
  std::ranges::stable_sort(r.watchdogs, {}, &WatchdogRecord::node);
  const auto by_time = [](const auto& sample) { return std::tuple(sample.time, sample.node); };
  std::ranges::stable_sort(r.queues, {}, by_time);
  std::ranges::stable_sort(r.groups, {}, by_time);
  std::ranges::stable_sort(r.rates, {}, [](const RateSample& s) { return std::tuple(s.time, s.host); });
  std::ranges::stable_sort(unordered_.firsts, {}, &EventRecord::node);
  std::ranges::stable_sort(unordered_.watchdogs, {}, &EventRecord::node);
}

}  // namespace headroom
