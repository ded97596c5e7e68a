#include "protocol/channel/tcp_channel.h"

#include <algorithm>
#include <utility>

namespace headroom {

namespace {

TcpMessageParameters MessagesOf(const Leg::Setup& setup) {
  return {setup.parameters.crc, setup.content, !setup.back};
}

}  // namespace

TcpChannel::TcpChannel(Leg& leg, const ChannelCores& cores, HostCores& caller, HostCores& server,
                       StorageServer& executes)
    : executes_(executes),
      server_(server.process(cores.server), MessagesOf(leg.setup()),
              [this](const TcpMessage& asked, std::vector<uint8_t> bytes, const TcpServer::Respond& respond) {
                Execute(asked, std::move(bytes), respond);
              }) {
  const StorageLeg& parameters = leg.setup().parameters;
  for (size_t i = 0; i < static_cast<size_t>(parameters.connections); ++i)
    callers_.emplace_back(caller.process((cores.caller + i) % caller.cores()), leg.PathTo(caller, server),
                          MessagesOf(leg.setup()), parameters.reopen, caller.context());
}

void TcpChannel::Open(std::function<void()> joined) {
  unjoined_ = callers_.size();
  for (TcpCaller& caller : callers_)
    caller.Open([this, joined] {
      if (--unjoined_ == 0 && joined) joined();
    });
}

void TcpChannel::Call(StorageCall call, Done done) {
  const TcpSaid said = WordsOf(call);
  const uint32_t data = call.kind == OperationKind::write ? call.length : 0;
  callers_[turn_++ % callers_.size()].Call(
      said, data, std::move(call.bytes),
      [done = std::move(done)](TcpAnswer answer) {
        const auto status = static_cast<OperationStatus>(answer.said[0]);
        done({answer.failed ? OperationStatus::failed : status, std::move(answer.bytes), answer.times, 0,
              answer.retries});
      },
      std::move(call.posted));
}

void TcpChannel::Execute(const TcpMessage& asked, std::vector<uint8_t> bytes,
                         const TcpServer::Respond& respond) {
  StorageCall call = CallOf(asked.said);
  call.bytes = std::move(bytes);
  const uint32_t data = call.kind == OperationKind::write ? 0 : call.length;
  executes_.Execute(std::move(call), [respond, data](OperationStatus status, std::vector<uint8_t> read) {
    respond({static_cast<uint64_t>(status)}, status == OperationStatus::ok ? data : 0, std::move(read));
  });
}

void TcpChannel::Close() {
  for (TcpCaller& caller : callers_) caller.Close();
}

size_t TcpChannel::open() const {
  size_t open = 0;
  for (const TcpCaller& caller : callers_) open += caller.open();
  return open;
}

bool TcpChannel::joined() const {
  return std::ranges::all_of(callers_, [](const TcpCaller& caller) { return caller.joined(); });
}

void TcpChannel::Count(StorageRecord& record) const {
  if (!record.tcp) record.tcp.emplace();
  TcpRecord& tcp = *record.tcp;
  TcpCounters sent = server_.counters();
  for (const TcpCaller& caller : callers_) {
    const TcpCounters one = caller.counters();
    tcp.connections += one.connections;
    tcp.losses += one.losses;
    sent += one;
  }
  record.corrupt += sent.corrupt;
  tcp.bytes += sent.bytes;
  tcp.segments += sent.segments;
  tcp.retransmitted += sent.retransmitted;
}

}  // namespace headroom
