#include "run/wire_image.h"

#include <algorithm>
#include <array>
#include <boost/crc.hpp>

#include "ip/addresses.h"
#include "nic/transport/send_request.h"
#include "nic/transport/syndrome.h"

namespace headroom {
namespace {

constexpr size_t kEthernet = 14, kIpv4 = 20, kUdp = 8, kBth = 12, kIcrc = 4, kFcs = 4, kShortest = 60;
constexpr size_t kTos = 1, kTtl = 8, kIpChecksum = 10, kUdpChecksum = kIpv4 + 6,
                 kBthReserved = kIpv4 + kUdp + 4;

uint16_t Checksum(const uint8_t* header, size_t size) {
  uint32_t sum = 0;
  for (size_t i = 0; i < size; i += 2) sum += static_cast<uint32_t>(header[i] << 8 | header[i + 1]);
  while (sum >> 16 != 0) sum = (sum & 0xFFFF) + (sum >> 16);
  return static_cast<uint16_t>(~sum);
}

bool IsDatagram(const Frame& frame) { return frame.kind == FrameKind::data && (frame.opcode & 0xE0) == 0x60; }

bool IsOfCredits(const Frame& frame) {
  return (frame.kind == FrameKind::ask || frame.kind == FrameKind::grant) && frame.about.credits;
}

}  // namespace

uint32_t Icrc(const uint8_t* ip, size_t size) {
  // Fields that change along the path count as ones, and so does the local header, which RoCEv2 lacks.
  std::array<uint8_t, kIpv4 + kUdp + kBth> headers;
  std::copy_n(ip, headers.size(), headers.begin());
  for (const size_t at :
       {kTos, kTtl, kIpChecksum, kIpChecksum + 1, kUdpChecksum, kUdpChecksum + 1, kBthReserved})
    headers[at] = 0xFF;
  boost::crc_32_type crc;
  constexpr std::array<uint8_t, 8> kLocalHeader = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
  crc.process_bytes(kLocalHeader.data(), kLocalHeader.size());
  crc.process_bytes(headers.data(), headers.size());
  crc.process_bytes(ip + headers.size(), size - headers.size());
  return crc.checksum();
}

const std::vector<uint8_t>& WireImage::Of(const Frame& frame, const FrameExtension* extension, NodeId node,
                                          uint16_t port) {
  bytes_.clear();
  if (frame.kind == FrameKind::pfc) {
    Pfc(frame, node, port);
  } else if (frame.kind == FrameKind::foreign) {
    Foreign(frame, *extension);
  } else {
    RoceV2(frame, extension);
  }
  bytes_.resize(std::max(bytes_.size(), kShortest));
  return bytes_;
}

/// Appends the low bytes of a value, the highest first.
void WireImage::Put(uint64_t value, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) bytes_.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

void WireImage::EthernetHeader(uint64_t to, uint64_t from, uint16_t type) {
  Put(to, 6);
  Put(from, 6);
  Put(type, 2);
}

void WireImage::Pfc(const Frame& frame, NodeId node, uint16_t port) {
  constexpr uint64_t kMacControl = 0x0180C2000001u;
  EthernetHeader(kMacControl, 0x020100000000u | (uint64_t{node} & 0xFFFF) << 16 | port, 0x8808);
  Put(0x0101, 2);
  Put(static_cast<uint64_t>(frame.pfc.xoff | frame.pfc.xon), 2);
  for (int p = 0; p < kPriorities; ++p) Put(((frame.pfc.xoff >> p) & 1) != 0 ? frame.pfc.quanta : 0, 2);
}

/// The packet's own bytes, with the changes that switches made to its IP header.
void WireImage::Foreign(const Frame& frame, const FrameExtension& extension) {
  EthernetHeader(MacAddressOf(frame.dst), MacAddressOf(frame.src), 0x0800);
  bytes_.resize(kEthernet + extension.packet->GetSize());
  uint8_t* const ip = bytes_.data() + kEthernet;
  extension.packet->CopyData(ip, extension.packet->GetSize());
  constexpr uint8_t kCe = 3;
  if (frame.ce) ip[kTos] |= kCe;
  ip[kTtl] = static_cast<uint8_t>(ip[kTtl] - frame.hops);
  SetIpChecksum(size_t{ip[0] & 15u} * 4);
}

void WireImage::SetIpChecksum(size_t header) {
  uint8_t* const ip = bytes_.data() + kEthernet;
  ip[kIpChecksum] = ip[kIpChecksum + 1] = 0;
  const uint16_t checksum = Checksum(ip, header);
  ip[kIpChecksum] = static_cast<uint8_t>(checksum >> 8);
  ip[kIpChecksum + 1] = static_cast<uint8_t>(checksum);
}

void WireImage::RoceV2(const Frame& frame, const FrameExtension* extension) {
  EthernetHeader(MacAddressOf(frame.dst), MacAddressOf(frame.src), 0x0800);
  size_t ip_size = frame.bytes - kEthernet - kFcs;
  // A frame of minimum length may have been padded; then its message determines the payload.
  if (frame.bytes == kShortest + kFcs && frame.kind == FrameKind::data) {
    const int64_t message = MessageBytes(frame, extension);
    const int64_t payload = message == 0 ? 0 : message - (message - 1) / mtu_ * mtu_;
    ip_size = kIpv4 + kUdp + kBth + kIcrc + static_cast<size_t>(payload);
  }
  constexpr unsigned kEct = 2, kCe = 3;
  const Feedback* const feedback =
      extension != nullptr && extension->has_feedback ? &extension->feedback : nullptr;
  const size_t gathered = feedback != nullptr ? feedback->bytes : 0;
  const unsigned ecn = frame.ce ? kCe : frame.kind == FrameKind::data ? kEct : 0;
  constexpr int kTtlAtStart = 64;
  Put(0x45, 1);
  Put(static_cast<uint64_t>(classes_[frame.priority].dscp << 2) | ecn, 1);
  Put(ip_size, 2);
  Put(0x00004000, 4);  // no identification, do not fragment
  Put(static_cast<uint64_t>(kTtlAtStart - frame.hops), 1);
  Put(17, 1);
  Put(0, 2);
  Put(IpAddressOf(frame.src), 4);
  Put(IpAddressOf(frame.dst), 4);
  SetIpChecksum(kIpv4);
  Put(frame.source_port, 2);
  Put(4791, 2);
  Put(ip_size - kIpv4, 2);
  Put(0, 2);
  BaseHeader(frame);
  ExtendedHeaders(frame, extension);
  if (extension != nullptr) bytes_.insert(bytes_.end(), extension->payload.begin(), extension->payload.end());
  bytes_.resize(kEthernet + ip_size - gathered - kIcrc);
  const uint32_t icrc = Icrc(bytes_.data() + kEthernet, bytes_.size() - kEthernet);
  for (int i = 0; i < 4; ++i) bytes_.push_back(static_cast<uint8_t>(icrc >> (8 * i)));
  if (gathered > 0)
    InsertFeedback(*feedback, telemetry_of_(frame.kind == FrameKind::data ? frame.src : frame.dst));
}

void WireImage::InsertFeedback(const Feedback& feedback, const Telemetry* telemetry) {
  std::vector<uint8_t> packet;
  packet.swap(bytes_);
  if (feedback.room > 0) {
    telemetry->Write(feedback, bytes_);
  } else {
    Put(static_cast<uint64_t>(feedback.sent.v / 1000), 8);
  }
  bytes_.resize(feedback.bytes);
  const std::vector<uint8_t> header = bytes_;
  bytes_ = std::move(packet);
  bytes_.insert(bytes_.begin() + kEthernet + kIpv4 + kUdp, header.begin(), header.end());
}

void WireImage::BaseHeader(const Frame& frame) {
  const bool data = frame.kind == FrameKind::data, cnp = frame.kind == FrameKind::cnp;
  const bool asks = data && frame.data.last && !IsReadResponse(frame.opcode) && (frame.opcode & 0xE0) == 0;
  const bool ask = frame.kind == FrameKind::ask, grant = frame.kind == FrameKind::grant;
  const bool of_responses = frame.kind == FrameKind::ack && frame.opcode == kResponseAckOpcode;
  const bool credits = IsOfCredits(frame);
  Put(data || of_responses ? frame.opcode
      : cnp                ? kCnpOpcode
      : ask                ? (credits ? kCreditAskOpcode : kAskOpcode)
      : grant              ? (credits ? kCreditOpcode : kGrantOpcode)
                           : kAckOpcode,
      1);
  Put(0x40 | (data && frame.data.solicited ? 0x80 : 0),
      1);  // migrated, as between ports without a second path
  Put(0xFFFF, 2);
  Put(cnp ? 0x40 : 0, 1);  // BECN
  Put(frame.qp + kFirstQp, 3);
  Put(asks ? 0x80 : 0, 1);
  Put(cnp ? 0 : frame.psn, 3);
}

void WireImage::Aeth(uint8_t syndrome, uint32_t sequence) {
  Put(syndrome, 1);
  Put(sequence, 3);
}

/// 12 bits for the context, 20 for a message's number or for the number of a try, which has 32 if there are
/// no contexts; then the fields of the message.
void WireImage::Transfer(const FrameExtension& e, uint64_t index) {
  const bool alone = counts_ && e.context == FrameExtension::kNoContext;
  Put(alone ? e.transfer : (uint64_t{e.context} & 0xFFF) << 20 | (e.transfer & 0xFFFFF), 4);
  Put(index, 4);
}

void WireImage::ExtendedHeaders(const Frame& frame, const FrameExtension* extension) {
  constexpr uint8_t kAckWithoutCredits = 0x1F;
  if (frame.kind == FrameKind::cnp) return Put(0, 8), Put(0, 8);
  const FrameExtension none;
  const FrameExtension& e = extension != nullptr ? *extension : none;
  if (IsOfCredits(frame)) {  // 16 bytes, as in a CNP: credits requested and received, or credits given
    Put(frame.psn, 8);
    return Put(e.address, 8);
  }
  if (frame.kind == FrameKind::ack) {
    Aeth(kAckWithoutCredits, frame.executed);
    if (frame.bytes > FrameFormat().ack + (e.has_feedback ? e.feedback.bytes : 0))
      Put(e.arrived & 0xFFFFFF, 4);
    return;
  }
  if (frame.kind == FrameKind::grant) {
    Aeth(frame.syndrome, frame.executed);
    return numbers_ ? Transfer(e, 0) : void();
  }
  if (frame.kind == FrameKind::ask) {
    if (numbers_) Transfer(e, 0);
    Put(e.address, 8);
    Put(e.key, 4);
    Put(static_cast<uint64_t>(std::min<int64_t>(static_cast<int64_t>(e.length), UINT32_MAX)), 4);
    return;
  }
  if (frame.kind == FrameKind::nak) {
    Aeth(frame.syndrome, frame.executed);
    if (numbers_ && frame.syndrome == kSequenceError)
      return Transfer(e, uint64_t{e.all} << 31 | ((e.length - 1) & 0x7F) << 24 | (e.arrived & 0xFFFFFF));
    if (places_ && frame.syndrome == kSequenceError) Put(e.arrived & 0xFFFFFF, 4);
    return;
  }
  if (IsDatagram(frame)) {
    Put(e.queue_key, 4);
    Put(e.source_qp + kFirstQp, 4);
  }
  const bool reliable = IsReliable(frame.opcode);
  if (numbers_ && reliable) Transfer(e, uint64_t{e.all} << 31 | e.index);
  if (HasReth(frame.opcode) || (places_ && reliable && IsWrite(frame.opcode))) {
    Put(e.address + e.offset, 8);
    Put(e.key, 4);
    Put(static_cast<uint64_t>(std::min<int64_t>(MessageBytes(frame, extension), UINT32_MAX)), 4);
  }
  if (places_ && reliable && TakesReceive(frame.opcode)) Put(e.receive, 4);
  if (HasAeth(frame.opcode)) Aeth(kAckWithoutCredits, e.sequence);
  if (HasImmediate(frame.opcode)) Put(e.immediate, 4);
  if (HasInvalidate(frame.opcode)) Put(e.key, 4);
}

/// Bytes of the WRITE, SEND or READ to which the frame belongs.
int64_t WireImage::MessageBytes(const Frame& frame, const FrameExtension* extension) const {
  // A READ may request only the rest of its message; other bulk frames with an extension do not contain the
  // message's length.
  if (IsBulk(frame.message) && !IsReadRequest(frame.opcode)) return bytes_of_(frame.message);
  return extension == nullptr ? 0 : static_cast<int64_t>(extension->length);
}

}  // namespace headroom
