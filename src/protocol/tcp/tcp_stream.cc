#include "protocol/tcp/tcp_stream.h"

#include <ns3/packet.h>
#include <ns3/uinteger.h>

#include <algorithm>

#include "protocol/crc32c.h"

namespace headroom {

namespace {

constexpr auto kPiece = static_cast<uint32_t>(TcpCosts::kAggregate);

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

TcpStream::TcpStream(ns3::Ptr<ns3::Socket> socket, Process& process, const TcpStreamParameters& parameters,
                     TcpUser& user)
    : socket_(ns3::DynamicCast<TcpSocket>(socket)), process_(process), parameters_(parameters), user_(user) {
  counters_.connections = 1;
  const auto get = [this](const char* name) {
    ns3::UintegerValue value;
    socket_->GetAttribute(name, value);
    return static_cast<int64_t>(value.Get());
  };
  receive_buffer_ = get("RcvBufSize");
  segment_ = get("SegmentSize");
  socket_->SetRecvCallback(ns3::MakeCallback(&TcpStream::OnReadable, this));
  socket_->SetSendCallback(ns3::MakeCallback(&TcpStream::OnRoom, this));
  socket_->SetCloseCallbacks(ns3::MakeCallback(&TcpStream::OnEnded, this),
                             ns3::MakeCallback(&TcpStream::OnError, this));
  socket_->TraceConnectWithoutContext("Tx", ns3::MakeCallback(&TcpStream::OnSegment, this));
}

TcpStream::~TcpStream() {
  if (up_) Silence();
}

void TcpStream::Silence() {
  up_ = false;
  socket_->SetRecvCallback(ns3::MakeNullCallback<void, ns3::Ptr<ns3::Socket>>());
  socket_->SetSendCallback(ns3::MakeNullCallback<void, ns3::Ptr<ns3::Socket>, uint32_t>());
  socket_->SetCloseCallbacks(ns3::MakeNullCallback<void, ns3::Ptr<ns3::Socket>>(),
                             ns3::MakeNullCallback<void, ns3::Ptr<ns3::Socket>>());
  socket_->TraceDisconnectWithoutContext("Tx", ns3::MakeCallback(&TcpStream::OnSegment, this));
}

void TcpStream::Close() {
  if (!up_) return;
  Silence();
  socket_->Close();
  out_.clear();
  unread_ = {};
}

void TcpStream::Break(bool lost) {
  if (!up_) return;
  Close();
  counters_.losses += lost;
  user_.OnBroken(*this);
}

void TcpStream::Send(const TcpMessage& message, std::vector<uint8_t> bytes, uint64_t since) {
  if (!up_) return;
  Outgoing& o = out_.emplace_back();
  o.header = message;
  o.header.crc = parameters_.crc && !bytes.empty() ? Crc32c(bytes) : 0;
  o.bytes = std::move(bytes);
  o.since = since;
  SendNext();
}

/// Has the core work for the next piece, if there is room for it.
void TcpStream::SendNext() {
  if (giving_ || !up_ || out_.empty()) return;
  const Outgoing& o = out_.front();
  const uint32_t piece = std::min(kPiece, o.header.length - o.given);
  const uint32_t bytes = piece + (o.begun ? 0 : TcpMessage::kBytes);
  const uint32_t room = std::max(socket_->GetTxAvailable(), 1u) - 1;  // the last byte is a FIN's
  if (room < bytes) return;                                           // OnRoom comes
  giving_ = true;
  const Trail::Doing doing(process_.trail(),
                           o.begun ? process_.step() : process_.StepSince(o.since, OperationPart::chunk));
  process_.Do(CoreWork::tcp, process_.costs().OfTcpSent(1, bytes, parameters_.crc ? piece : 0),
              [self = shared_from_this(), piece] { self->Give(piece); });
}

void TcpStream::Give(uint32_t piece) {
  giving_ = false;
  if (!up_) return;
  Outgoing& o = out_.front();
  auto data = o.bytes.empty() ? ns3::Create<ns3::Packet>(piece)
                              : ns3::Create<ns3::Packet>(o.bytes.data() + o.given, piece);
  if (!o.begun) {
    o.begun = true;
    o.header.cause = process_.step();
    user_.OnBegun(o.header);
    std::array<uint8_t, TcpMessage::kBytes> header;
    o.header.WriteTo(header.data());
    const auto with_header = ns3::Create<ns3::Packet>(header.data(), header.size());
    with_header->AddAtEnd(data);
    data = with_header;
  }
  o.given += piece;
  if (o.given == o.header.length) out_.pop_front();
  if (socket_->Send(data, 0) < 0) return Break(true);
  SendNext();
}

void TcpStream::OnReadable(ns3::Ptr<ns3::Socket>) {
  const uint64_t before = unread_.size();
  while (socket_->GetRxAvailable() > 0) unread_.Add(socket_->Recv(kPiece, 0));
  if (unread_.size() == before) return;
  socket_->SetUnread(unread_.size());
  arrivals_.emplace_back(taken_ + unread_.size(), EventQueue::Get().now());
  told_room_ = Room();
  Read();
}

void TcpStream::Read() {
  if (taking_ || !up_ || unread_.size() == 0) return;
  taking_ = true;
  const auto take = [self = shared_from_this()] { return self->Take(); };
  const auto deliver = [self = shared_from_this()] { self->Deliver(); };
  if (user_.TakesRequests()) return process_.DoNew(CoreWork::tcp, take, deliver);
  process_.Do(CoreWork::tcp, take, deliver);
}

/// The core reads up to 64 KiB. Returns what that costs it.
Time TcpStream::Take() {
  if (!up_) return Time(0);
  const auto size = static_cast<uint32_t>(std::min<uint64_t>(kPiece, unread_.size()));
  int64_t begun = 0, summed = 0;
  uint32_t at = 0;
  while (at < size && !corrupt_) {
    if (header_bytes_ < TcpMessage::kBytes) {
      const uint32_t n = std::min(TcpMessage::kBytes - header_bytes_, size - at);
      unread_.Take(n, header_.data() + header_bytes_);
      header_bytes_ += n;
      at += n;
      if (header_bytes_ < TcpMessage::kBytes) break;
      corrupt_ = !TcpMessage::IsSound(header_.data());
      coming_ = TcpMessage::ReadFrom(header_.data());
      ++begun;
    } else {
      const uint32_t n = std::min(coming_.length - data_, size - at);
      if (parameters_.content) bytes_.resize(data_ + n);
      unread_.Take(n, parameters_.content ? bytes_.data() + data_ : nullptr);
      // Aggregates that begin with one of these bytes; the first began with the header.
      begun += (data_ + n - 1) / kPiece - (data_ == 0 ? 0 : (data_ - 1) / kPiece);
      summed += parameters_.crc ? n : 0;
      data_ += n;
      at += n;
    }
    if (corrupt_ || data_ < coming_.length) continue;
    corrupt_ = parameters_.crc && !bytes_.empty() && Crc32c(bytes_) != coming_.crc;
    if (!corrupt_) whole_.push_back({coming_, std::move(bytes_), ArrivalOf(taken_ + at)});
    bytes_ = {};
    header_bytes_ = data_ = 0;
  }
  unread_.Take(size - at, nullptr);  // behind what is corrupt
  taken_ += size;
  socket_->SetUnread(unread_.size());
  TellWindow();
  return process_.costs().OfTcpReceived(begun, size, summed);
}

/// As Linux does where reading has made much room: twice what the peer knows of.
void TcpStream::TellWindow() {
  const int64_t room = Room();
  if (room < 2 * told_room_ || room - told_room_ < 2 * segment_) return;
  told_room_ = room;
  socket_->TellWindow();
}

Time TcpStream::ArrivalOf(uint64_t position) {
  while (arrivals_.size() > 1 && arrivals_.front().first < position) arrivals_.pop_front();
  return arrivals_.front().second;
}

void TcpStream::Deliver() {
  taking_ = false;
  if (!up_) return;
  const Time taken = process_.begun();
  std::vector<Incoming> whole;
  whole.swap(whole_);
  for (Incoming& m : whole) {
    if (!up_) return;
    const Trail::Doing doing(process_.trail(), process_.StepOf(m.header.cause, m.arrived));
    user_.OnMessage(*this, m.header, std::move(m.bytes), m.arrived, taken);
  }
  if (!up_) return;
  if (corrupt_) {
    ++counters_.corrupt;
    return Break(true);
  }
  Read();
}

void TcpStream::OnSegment(ns3::Ptr<const ns3::Packet> packet, const ns3::TcpHeader& header,
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
