#include "protocol/channel/su_channel.h"

#include <utility>

namespace headroom {

namespace {

SuParameters StreamOf(const Leg::Setup& setup) {
  const StorageLeg& leg = setup.parameters;
  SuParameters p;
  p.small = static_cast<uint32_t>(leg.small.v);
  p.large = static_cast<uint32_t>(leg.large.v);
  p.chunk = static_cast<uint32_t>(leg.chunk.v);
  p.landings = static_cast<uint32_t>(leg.landings);
  p.credits = static_cast<uint32_t>(leg.credits);
  p.crc = leg.crc;
  p.content = setup.content;
  p.begins = !setup.back;
  p.priority = leg.priority;
  p.tag = setup.tag;
  p.reopen = leg.reopen;
  return p;
}

SuPools PoolsOf(const LegMemory& m) { return {m.messages.get(), m.outgoing.get(), m.incoming.get()}; }

}  // namespace

SuChannel::End::End(Leg& leg, HostCores& host, size_t core, EntityId entity, const std::string& name)
    : socket(host.process(core), host.cm(), PoolsOf(leg.MemoryOf(host, core)), StreamOf(leg.setup()), rpc,
             entity, name) {
  rpc.SetSocket(socket);
}

SuChannel::SuChannel(Leg& leg, const ChannelCores& cores, HostCores& caller, HostCores& server,
                     StorageServer& executes)
    : leg_(leg),
      caller_(caller),
      host_(server),
      executes_(executes),
      cores_(cores),
      caller_entity_(EventQueue::Get().AddEntity(caller.context())),
      server_entity_(EventQueue::Get().AddEntity(server.context())) {
  Renew();
}

void SuChannel::Renew() {
  std::string name = leg_.NameOf(caller_.host(), host_.host());
  if (!ends_.empty()) name += '/' + std::to_string(ends_.size());
  Ends& ends = ends_.emplace_back(*this, name);
  ends.server.rpc.SetServer([this, &ends](const SuCall& call) { Execute(ends, call); });
}

SuChannel::Ends::Ends(SuChannel& c, const std::string& name)
    : caller(c.leg_, c.caller_, c.cores_.caller, c.caller_entity_, name),
      server(c.leg_, c.host_, c.cores_.server, c.server_entity_, name + "/server") {}

void SuChannel::Open(std::function<void()> joined) {
  if (ends_.back().closed) Renew();
  ends_.back().caller.rpc.SetOnAttached(std::move(joined));
  ends_.back().caller.socket.Open(host_.host(), leg_.setup().number);
}

CmParty* SuChannel::Accept(uint64_t session, NodeId from) {
  ends_.back().server.socket.Accept(session, from);
  return &ends_.back().server.socket;
}

void SuChannel::Call(StorageCall call, Done done) {
  const bool writes = call.kind == OperationKind::write;
  const SuSaid said = WordsOf(call);
  End& end = ends_.back().caller;
  end.rpc.Call(
      writes ? call.length : kCallBytes,
      [&end, done = std::move(done)](const SuCall& answer) {
        const auto status = static_cast<OperationStatus>(answer.said[0]);
        done({answer.failed ? OperationStatus::failed : status, answer.bytes, answer.times,
              Verbs::NumberOf(end.socket.qp()), 0});
      },
      std::move(call.bytes), said, std::move(call.posted));
}

void SuChannel::Execute(Ends& ends, const SuCall& asked) {
  StorageCall call = CallOf(asked.said);
  const bool writes = call.kind == OperationKind::write;
  if (writes) call.bytes = asked.bytes;
  const uint32_t data = writes ? 0 : call.length;
  executes_.Execute(std::move(call),
                    [&ends, number = asked.number, data](OperationStatus status, std::vector<uint8_t> bytes) {
                      const bool carries = data > 0 && status == OperationStatus::ok;
                      ends.server.rpc.Respond(number, carries ? data : kCallBytes, std::move(bytes),
                                              {static_cast<uint64_t>(status)});
                    });
}

void SuChannel::Close() {
  if (std::exchange(ends_.back().closed, true)) return;
  ends_.back().caller.socket.End();
}

size_t SuChannel::open() const {
  size_t open = 0;
  for (const Ends& ends : ends_) open += ends.caller.rpc.open();
  return open;
}

bool SuChannel::joined() const { return ends_.back().caller.socket.joined() && !ends_.back().closed; }

void SuChannel::ForEachQueuePair(const UseQueuePair& use) const {
  for (const Ends& ends : ends_) {
    for (const uint32_t qp : ends.caller.socket.qp_numbers()) use(caller_.host(), qp);
    for (const uint32_t qp : ends.server.socket.qp_numbers()) use(host_.host(), qp);
  }
}

void SuChannel::Count(StorageRecord& c) const {
  for (const Ends& ends : ends_) {
    for (const SuSocket* socket : {&ends.caller.socket, &ends.server.socket}) {
      const SuSocket::Counters& counted = socket->counters();
      c.losses += counted.losses;
      c.corrupt += counted.corrupt;
      c.starved += counted.starved;
      c.uses.push_back(socket->CreditUse());
      c.credit_messages += counted.credit_messages;
      c.sends += counted.sends;
      c.writes += counted.writes;
      c.reads += counted.reads;
      for (size_t i = 0; i < 3; ++i) c.chunks[i] += counted.chunks[i];
    }
  }
}

}  // namespace headroom
