#include "protocol/tcp/tcp_connection.h"

#include <ns3/packet.h>
#include <ns3/simulator.h>
#include <ns3/tag.h>
#include <ns3/uinteger.h>

#include <algorithm>
#include <utility>

#include "protocol/core_costs.h"
#include "sim/event_queue.h"

namespace headroom {

namespace {

/// The step that caused bytes (protocol/trail.h), kept through segments of any size.
class CauseTag final : public ns3::Tag {
 public:
  explicit CauseTag(uint64_t cause = 0) : cause_(cause) {}
  static ns3::TypeId GetTypeId() {
    static const ns3::TypeId id =
        ns3::TypeId("headroom::CauseTag").SetParent<ns3::Tag>().AddConstructor<CauseTag>();
    return id;
  }
  ns3::TypeId GetInstanceTypeId() const override { return GetTypeId(); }
  uint32_t GetSerializedSize() const override { return sizeof(cause_); }
  void Serialize(ns3::TagBuffer buffer) const override { buffer.WriteU64(cause_); }
  void Deserialize(ns3::TagBuffer buffer) override { cause_ = buffer.ReadU64(); }
  void Print(std::ostream& out) const override { out << cause_; }
  uint64_t cause() const { return cause_; }

 private:
  uint64_t cause_;
};

/// A packet may come to a process that has no connection (net/frame_carrier.h).
NS_OBJECT_ENSURE_REGISTERED(CauseTag);

/// The cause of the packet's last bytes.
uint64_t CauseOf(const ns3::Packet& packet) {
  uint64_t cause = 0;
  uint32_t end = 0;
  for (auto at = packet.GetByteTagIterator(); at.HasNext();) {
    const ns3::ByteTagIterator::Item item = at.Next();
    if (item.GetTypeId() != CauseTag::GetTypeId() || item.GetEnd() < end) continue;
    CauseTag tag;
    item.GetTag(tag);
    cause = tag.cause();
    end = item.GetEnd();
  }
  return cause;
}

}  // namespace

TcpCounters& TcpCounters::operator+=(const TcpCounters& o) {
  connections += o.connections;
  losses += o.losses;
  corrupt += o.corrupt;
  bytes += o.bytes;
  segments += o.segments;
  retransmitted += o.retransmitted;
  return *this;
}

TcpConnection::TcpConnection(const ns3::Ptr<ns3::Socket>& socket, TcpConnectionUser& user)
    : socket_(ns3::DynamicCast<TcpSocket>(socket)), user_(user) {
  counters_.connections = 1;
  const auto get = [this](const char* name) {
    ns3::UintegerValue value;
    socket_->GetAttribute(name, value);
    return static_cast<int64_t>(value.Get());
  };
  send_buffer_ = get("SndBufSize");
  receive_buffer_ = get("RcvBufSize");
  segment_ = get("SegmentSize");
  socket_->SetRecvCallback(ns3::MakeCallback(&TcpConnection::OnReadable, this));
  socket_->SetSendCallback(ns3::MakeCallback(&TcpConnection::OnRoom, this));
  socket_->SetCloseCallbacks(ns3::MakeCallback(&TcpConnection::OnEnded, this),
                             ns3::MakeCallback(&TcpConnection::OnError, this));
  socket_->TraceConnectWithoutContext("Tx", ns3::MakeCallback(&TcpConnection::OnSegment, this));
}

void TcpConnection::Silence() {
  if (!std::exchange(up_, false)) return;
  room_.Cancel();
  socket_->SetRecvCallback(ns3::MakeNullCallback<void, ns3::Ptr<ns3::Socket>>());
  socket_->SetSendCallback(ns3::MakeNullCallback<void, ns3::Ptr<ns3::Socket>, uint32_t>());
  socket_->SetCloseCallbacks(ns3::MakeNullCallback<void, ns3::Ptr<ns3::Socket>>(),
                             ns3::MakeNullCallback<void, ns3::Ptr<ns3::Socket>>());
  socket_->TraceDisconnectWithoutContext("Tx", ns3::MakeCallback(&TcpConnection::OnSegment, this));
}

void TcpConnection::Close() {
  if (!up_) return;
  Silence();
  socket_->Close();
  unread_ = {};
}

int64_t TcpConnection::room() const {
  return std::max(socket_->GetTxAvailable(), 1u) - 1;  // the last byte belongs to a FIN
}

bool TcpConnection::Give(const ns3::Ptr<ns3::Packet>& data, uint64_t cause) {
  if (cause != 0) data->AddByteTag(CauseTag(cause));
  return socket_->Send(data, 0) >= 0;
}

/// ns-3 calls this in the middle of sending, when it cannot accept more bytes.
void TcpConnection::OnRoom(ns3::Ptr<ns3::Socket>, uint32_t) {
  if (!room_.IsRunning()) room_ = ns3::Simulator::ScheduleNow([this] { user_.OnRoom(); });
}

void TcpConnection::OnReadable(ns3::Ptr<ns3::Socket>) {
  const uint64_t before = unread_.size();
  uint64_t cause = 0;
  while (socket_->GetRxAvailable() > 0) {
    ns3::Ptr<ns3::Packet> packet = socket_->Recv(static_cast<uint32_t>(TcpCosts::kAggregate), 0);
    cause = CauseOf(*packet);
    unread_.Add(std::move(packet));
  }
  if (unread_.size() == before) return;
  socket_->SetUnread(unread_.size());
  arrivals_.push_back({taken_ + unread_.size(), EventQueue::Get().now(), cause});
  told_room_ = Room();
  user_.OnArrived();
}

void TcpConnection::Take(uint32_t length, uint8_t* to) {
  unread_.Take(length, to);
  taken_ += length;
}

/// Announces the window once the free room is at least twice what the peer knows. The room must also have
/// grown by at least two segments, or by half of the buffer if that is less (as Linux; RFC 1122, 4.2.3.3).
void TcpConnection::OpenWindow() {
  socket_->SetUnread(unread_.size());
  const int64_t room = Room();
  if (room < 2 * told_room_ || room - told_room_ < std::min(2 * segment_, receive_buffer_ / 2)) return;
  told_room_ = room;
  socket_->TellWindow();
}

const TcpConnection::Arrival& TcpConnection::ArrivalOf(uint64_t position) {
  while (arrivals_.size() > 1 && arrivals_.front().end < position) arrivals_.pop_front();
  return arrivals_.front();
}

void TcpConnection::OnSegment(ns3::Ptr<const ns3::Packet> packet, const ns3::TcpHeader& header,
                              ns3::Ptr<const ns3::TcpSocketBase>) {
  const uint32_t size = packet->GetSize();
  if (size == 0) return;
  ++counters_.segments;
  counters_.bytes += size;
  const ns3::SequenceNumber32 begin = header.GetSequenceNumber();
  if (any_segment_ && begin < next_sequence_) {
    ++counters_.retransmitted;
  } else {
    next_sequence_ = begin + static_cast<int32_t>(size);
    any_segment_ = true;
  }
}

}  // namespace headroom
