#include "nic/resources/nic_resources.h"

#include "net/frame.h"

namespace headroom {
namespace {

constexpr int64_t kLine = 64, kCompletionEntry = 64;
constexpr int64_t kPointer = 16;  ///< size of the pointer that replaces the payload in a work request:
                                  ///< address, key, length

int64_t Lines(int64_t bytes) { return (bytes + kLine - 1) / kLine; }
Transport TransportOf(uint8_t opcode) { return static_cast<Transport>(opcode & 0xE0); }

ContextKind RequesterKind(Transport transport) {
  return transport == Transport::rc   ? ContextKind::rc_requester
         : transport == Transport::uc ? ContextKind::uc_requester
                                      : ContextKind::ud;
}
ContextKind ResponderKind(Transport transport) {
  return transport == Transport::rc   ? ContextKind::rc_responder
         : transport == Transport::uc ? ContextKind::uc_responder
                                      : ContextKind::ud;
}

/// Whether the packet uses up a RECV.
bool UsesRecv(const Frame& frame) {
  return frame.data.last && (!IsWrite(frame.opcode) || HasImmediate(frame.opcode)) &&
         !IsReadResponse(frame.opcode);
}

}  // namespace

/// The stall of a packet that needs this context.
Time NicResources::Miss(ContextKind kind, uint32_t qp) {
  const ContextCacheParameters& c = p_.contexts;
  if (c.entries == 0) return {};
  const bool responder = kind == ContextKind::rc_responder || kind == ContextKind::uc_responder;
  const uint32_t weight = c.weight[static_cast<size_t>(kind)];
  return contexts_.Touch(2 * qp + responder, weight) ? Time{} : c.Stall(kind);
}

Time NicResources::Post(Time now, Transport transport, bool inlined, int64_t payload) {
  const Bytes header = transport == Transport::ud ? p_.wqe_datagram : p_.wqe_connected;
  const int64_t lines = Lines(header.v + (inlined ? payload : kPointer));
  return pio_.Serve(now, p_.pio_line * lines) + pcie_.latency();
}

Time NicResources::TransmitEntry() const {
  return std::max(tx_.free, std::max(engine_.free, pcie_.read_free()) - kSlack);
}

Time NicResources::Transmit(Time now, const Frame& frame, uint32_t qp, int64_t payload, bool inlined) {
  const Transport transport = TransportOf(frame.opcode);
  if (IsReadResponse(frame.opcode)) {
    // The request has paid for the first packet.
    const Time cost = frame.data.first ? Time{} : p_.read_segment * ReadSegments(payload);
    const Time done = tx_.Serve(now, cost + Miss(ContextKind::rc_responder, qp));
    return pcie_.Read(engine_.Serve(done, p_.engine_message), payload);
  }
  const Time miss = Miss(RequesterKind(transport), qp);
  if (IsReadRequest(frame.opcode)) {
    return engine_.Serve(tx_.Serve(now, p_.tx_read + miss), p_.engine_message);
  }
  if (!inlined) {
    const Time done = tx_.Serve(now, p_.tx_fetched + miss);
    return pcie_.Read(engine_.Serve(done, p_.engine_message), payload);
  }
  const Bytes header = transport == Transport::ud ? p_.wqe_datagram : p_.wqe_connected;
  const Time lines = p_.engine_line * (Lines(header.v + payload) - 1);
  return engine_.Serve(tx_.Serve(now, p_.tx_inline + miss), p_.engine_message + lines);
}

Time NicResources::ReceiveEntry(Time now) const {
  return std::max(now, std::max(engine_.free, pcie_.write_free()) - kSlack);
}

Time NicResources::Receive(const Frame& frame, int64_t read) {
  if (frame.kind == FrameKind::cnp || frame.kind == FrameKind::foreign) return {};
  if (frame.kind == FrameKind::ask) return Miss(ContextKind::rc_responder, frame.qp);
  if (frame.kind != FrameKind::data) return Miss(ContextKind::rc_requester, frame.qp);
  if (IsReadResponse(frame.opcode)) return p_.rx_write + Miss(ContextKind::rc_requester, frame.qp);
  const Time miss = Miss(ResponderKind(TransportOf(frame.opcode)), frame.qp);
  if (IsReadRequest(frame.opcode)) return p_.rx_read + p_.read_segment * (ReadSegments(read) - 1) + miss;
  return (UsesRecv(frame) ? p_.rx_recv : p_.rx_write) + miss;
}

Time NicResources::Land(Time now, const Frame& frame, int64_t payload) {
  if (frame.kind != FrameKind::data) return now;
  const bool recv = !IsReadRequest(frame.opcode) && UsesRecv(frame);
  const Time done = engine_.Serve(now, p_.engine_message + (recv ? p_.engine_recv : Time{}));
  return payload == 0 ? done + pcie_.latency() : pcie_.Write(done, payload);
}

Time NicResources::Complete(Time now, bool sent) {
  if (sent && p_.tx_completion.v > 0) tx_.Serve(now, p_.tx_completion);
  return pcie_.Write(now, kCompletionEntry);
}

}  // namespace headroom
