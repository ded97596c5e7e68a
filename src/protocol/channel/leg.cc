#include "protocol/channel/leg.h"

#include <ns3/tcp-cubic.h>
#include <ns3/tcp-dctcp.h>

#include <algorithm>

#include "protocol/channel/sk_channel.h"
#include "protocol/channel/su_channel.h"
#include "protocol/channel/tcp_channel.h"
#include "protocol/storage/wire/su_message.h"
#include "sim/parts.h"

namespace headroom {

namespace {

constexpr uint64_t kMessages = uint64_t{1} << 40, kOutgoing = uint64_t{2} << 40,
                   kIncoming = uint64_t{3} << 40;
constexpr uint32_t kSlab = 2 * 1024 * 1024;

/// A pool of up to `limit` bytes in total.
RegisteredPoolParameters PoolOf(uint32_t buffer, Bytes limit, bool content, uint32_t kept) {
  RegisteredPoolParameters p;
  p.buffer = buffer;
  p.slab = std::max(kSlab / buffer, 1u) * buffer;
  p.slabs = static_cast<uint32_t>(std::clamp<int64_t>(limit.v / p.slab, 1, UINT32_MAX));
  p.content = content;
  p.kept = kept;
  return p;
}

}  // namespace

class Leg::Listener final : public CmListener {
 public:
  Listener(Leg& leg, NodeId host) : leg_(leg), host_(host) {}
  CmParty* OnRequest(uint64_t session, NodeId from) override { return leg_.Accept(host_, session, from); }

 private:
  Leg& leg_;
  NodeId host_;
};

Leg::Leg(const Setup& setup, const std::vector<ServiceHost>& hosts, const Topology& topology)
    : setup_(setup), hosts_(hosts), topology_(topology) {}

Leg::~Leg() = default;

StorageChannel& Leg::Add(NodeId from, NodeId to, StorageServer& server) {
  const auto connections = [](const Leg& leg) {
    const bool tcp = leg.setup_.parameters.protocol == StorageProtocol::tcp;
    return static_cast<size_t>(tcp ? leg.setup_.parameters.connections : 1);
  };
  const size_t most = std::max(connections(*this), standby_ == nullptr ? 1 : connections(*standby_));
  return AddOn({host(from).NextCore(most), host(to).NextCore()}, from, to, server);
}

StorageChannel& Leg::AddOn(const ChannelCores& cores, NodeId from, NodeId to, StorageServer& server) {
  StorageServer& with_costs = WithCosts(host(to).process(cores.server), server);
  by_ends_[{from, to}] = channels_.size();
  from_.push_back(from);
  if (setup_.parameters.protocol == StorageProtocol::tcp) {
    AddTcp(cores, from, to, with_costs);
  } else {
    AddRdma(cores, from, to, with_costs);
  }
  if (standby_ == nullptr) return *channels_.back();
  StorageChannel& other = standby_->AddOn(cores, from, to, server);
  migrating_.push_back(std::make_unique<MigratingChannel>(*channels_.back(), other, trail_));
  failover_->Add(*migrating_.back(), from);
  return *migrating_.back();
}

StorageServer& Leg::WithCosts(Process& process, StorageServer& server) {
  if (process.costs().OfRequest() == Time(0)) return server;
  const bool begun = setup_.back || setup_.parameters.protocol == StorageProtocol::su_rdma;
  return *costs_.emplace_back(std::make_unique<RequestCosts>(server, process, begun));
}

void Leg::AddRdma(const ChannelCores& cores, NodeId from, NodeId to, StorageServer& server) {
  if (auto& listener = listeners_[to]; listener == nullptr) {
    listener = std::make_unique<Listener>(*this, to);
    host(to).cm().Listen(setup_.number, *listener);
  }
  host(from).cm().Know(to, host(to).cm().qp());
  host(to).cm().Know(from, host(from).cm().qp());
  if (setup_.parameters.protocol == StorageProtocol::sk_rdma) {
    channels_.push_back(std::make_unique<SkChannel>(*this, cores, host(from), host(to), server));
  } else {
    channels_.push_back(std::make_unique<SuChannel>(*this, cores, host(from), host(to), server));
  }
}

void Leg::AddTcp(const ChannelCores& cores, NodeId from, NodeId to, StorageServer& server) {
  if (auto& listener = tcp_listeners_[to]; listener == nullptr) {
    const TcpPath path = PathTo(host(from), host(to));
    listener = std::make_unique<TcpListener>(
        host(to).ip().Node(to), path.congestion, path.tos, path.peer.GetPort(),
        [this, to](ns3::Ptr<ns3::Socket> socket, const ns3::Address& address) {
          const auto caller = host(to).ip().HostOf(ns3::InetSocketAddress::ConvertFrom(address).GetIpv4());
          if (caller && Has(*caller, to))
            static_cast<TcpChannel&>(*channels_[by_ends_.at({*caller, to})]).Accept(socket);
        });
  }
  channels_.push_back(std::make_unique<TcpChannel>(*this, cores, host(from), host(to), server));
}

TcpPath Leg::PathTo(HostCores& from, HostCores& to) const {
  constexpr uint16_t kFirstPort = 10'000;
  const StorageLeg& leg = setup_.parameters;
  return {from.ip().Node(from.host()),
          {IpStack::AddressOf(to.host()), static_cast<uint16_t>(kFirstPort + setup_.number)},
          from.ip().Tos(leg.priority),
          leg.congestion == TcpParameters::Congestion::dctcp ? ns3::TcpDctcp::GetTypeId()
                                                             : ns3::TcpCubic::GetTypeId()};
}

std::set<NodeId> Leg::callers() const { return {from_.begin(), from_.end()}; }

void Leg::Open(std::function<void(NodeId from)> joined) {
  for (const NodeId from : from_) ++unjoined_[from];
  for (size_t i = 0; i < channels_.size(); ++i) {
    const Parts::Within part(hosts_[from_[i]].context);
    if (!part.here()) continue;
    At(i).Open([this, joined, from = from_[i]] {
      if (--unjoined_[from] == 0) joined(from);
    });
  }
}

CmParty* Leg::Accept(NodeId at, uint64_t session, NodeId from) {
  const auto channel = by_ends_.find({from, at});
  return channel == by_ends_.end()
             ? nullptr
             : static_cast<RdmaChannel&>(*channels_[channel->second]).Accept(session, from);
}

LegMemory& Leg::MemoryOf(HostCores& host, size_t core) {
  LegMemory& memory = memory_[{host.host(), core}];
  if (memory.incoming != nullptr) return memory;
  const StorageLeg& leg = setup_.parameters;
  const uint64_t of_leg = uint64_t{setup_.number} << 44 | uint64_t{core} << 52;
  const auto pool = [&](uint32_t buffer, uint64_t base, Bytes limit, uint32_t kept = 0) {
    return std::make_unique<RegisteredPool>(host.verbs(), PoolOf(buffer, limit, setup_.content, kept),
                                            base | of_leg);
  };
  if (leg.protocol == StorageProtocol::sk_rdma) {
    memory.incoming = pool(setup_.largest, kIncoming, leg.pool);
    return memory;
  }
  const auto small = static_cast<uint32_t>(SuMessage::kBytes + leg.small.v);
  const auto chunk = static_cast<uint32_t>(SuMessage::kBytes + leg.chunk.v);
  memory.messages = pool(small, kMessages, Bytes(INT64_MAX), SuMessage::kBytes);
  memory.outgoing = pool(chunk, kOutgoing, leg.pool);
  memory.incoming = pool(chunk, kIncoming, leg.pool);
  return memory;
}

void Leg::Count(StorageRecord& record) const {
  record.connections += channels_.size();
  for (size_t i = 0; i < channels_.size(); ++i) At(i).Count(record);
  CountMemory(record);
  if (standby_ != nullptr) standby_->CountMemory(record);
}

void Leg::CountMemory(StorageRecord& record) const {
  for (const auto& [place, memory] : memory_) {
    for (const RegisteredPool* pool : {memory.outgoing.get(), memory.incoming.get()}) {
      if (pool != nullptr) record.most_registered += Bytes(int64_t{pool->most_slabs()} * pool->slab_bytes());
    }
  }
}

void Leg::ForEachQueuePair(const StorageChannel::UseQueuePair& use) const {
  for (size_t i = 0; i < channels_.size(); ++i) At(i).ForEachQueuePair(use);
}

}  // namespace headroom
