#include "protocol/channel/sk_channel.h"

#include <algorithm>
#include <utility>

namespace headroom {

namespace {

OperationStatus StatusOf(SkStatus status) { return static_cast<OperationStatus>(status); }
SkStatus StatusOf(OperationStatus status) { return static_cast<SkStatus>(status); }

SkParameters ParametersOf(const Leg::Setup& setup) {
  SkParameters p;
  p.credits = static_cast<uint32_t>(setup.parameters.credits);
  p.crc = setup.parameters.crc;
  p.content = setup.content;
  p.priority = setup.parameters.priority;
  p.tag = setup.tag;
  p.reopen = setup.parameters.reopen;
  return p;
}

}  // namespace

SkChannel::SkChannel(Leg& leg, const ChannelCores& cores, HostCores& caller, HostCores& server,
                     StorageServer& executes)
    : leg_(leg),
      caller_(caller),
      host_(server),
      cores_(cores),
      executing_disk_(executes),
      entity_(EventQueue::Get().AddEntity(caller.context())) {
  Renew();
}

void SkChannel::Renew() {
  std::string name = leg_.NameOf(caller_.host(), host_.host());
  if (!ends_.empty()) name += '/' + std::to_string(ends_.size());
  ends_.emplace_back(*this, ParametersOf(leg_.setup()), name);
}

SkChannel::Ends::Ends(SkChannel& c, const SkParameters& p, const std::string& name)
    : client(c.caller_.process(c.cores_.caller), c.caller_.cm(), p, c.entity_, name),
      server(c.host_.process(c.cores_.server), c.host_.cm(),
             *c.leg_.MemoryOf(c.host_, c.cores_.server).incoming, p, c.executing_disk_, name + "/server") {}

void SkChannel::Open(std::function<void()> joined) {
  if (ends_.back().closed) Renew();
  ends_.back().client.SetOnAttached(std::move(joined));
  ends_.back().client.Open(host_.host(), leg_.setup().number);
}

CmParty* SkChannel::Accept(uint64_t session, NodeId from) {
  ends_.back().server.Accept(session, from);
  return &ends_.back().server;
}

void SkChannel::Call(StorageCall call, Done done) {
  SkIo io;
  io.kind = call.kind == OperationKind::read ? SkKind::read : SkKind::write;
  io.block = call.place.number();
  io.length = call.length;
  io.bytes = std::move(call.bytes);
  io.request = call.request.word();
  io.posted = std::move(call.posted);
  ends_.back().client.Submit(std::move(io), [done = std::move(done)](const SkEnd& end) {
    done({StatusOf(end.status), std::move(end.bytes), end.times, end.qp, end.retries});
  });
}

void SkChannel::ExecutingDisk::Execute(const SkMessage& request, uint8_t* data, Done done) {
  StorageCall call;
  call.kind = request.kind == SkKind::read ? OperationKind::read : OperationKind::write;
  call.place = StoragePlace::Of(request.block);
  call.length = request.length;
  call.request = RequestName::Of(request.request);
  if (data != nullptr && request.kind == SkKind::write) call.bytes.assign(data, data + request.length);
  server_.Execute(std::move(call),
                  [data, done = std::move(done)](OperationStatus status, const std::vector<uint8_t>& bytes) {
                    if (data != nullptr) std::ranges::copy(bytes, data);
                    done(StatusOf(status));
                  });
}

void SkChannel::Close() {
  if (std::exchange(ends_.back().closed, true)) return;
  ends_.back().client.End();
}

size_t SkChannel::open() const {
  size_t open = 0;
  for (const Ends& ends : ends_) open += ends.client.open();
  return open;
}

bool SkChannel::joined() const { return ends_.back().client.joined() && !ends_.back().closed; }

void SkChannel::ForEachQueuePair(const UseQueuePair& use) const {
  for (const Ends& ends : ends_) {
    for (const uint32_t qp : ends.client.qp_numbers()) use(caller_.host(), qp);
    for (const uint32_t qp : ends.server.qp_numbers()) use(host_.host(), qp);
  }
}

void SkChannel::Count(StorageRecord& c) const {
  for (const Ends& ends : ends_) {
    const SkClient::Counters& asked = ends.client.counters();
    const SkServer::Counters& done = ends.server.counters();
    c.losses += asked.losses + done.losses;
    c.corrupt += asked.corrupt + done.corrupt;
    c.starved += asked.starved;
    c.uses.push_back(ends.client.CreditUse());
    c.sends += asked.requests + done.answers;
    c.registrations += asked.requests;
    c.writes += done.writes;
    c.reads += done.reads;
  }
}

}  // namespace headroom
