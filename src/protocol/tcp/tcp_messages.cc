#include "protocol/tcp/tcp_messages.h"

#include <ns3/packet.h>

#include <algorithm>

#include "protocol/crc32c.h"

namespace headroom {

namespace {

constexpr auto kPiece = static_cast<uint32_t>(TcpCosts::kAggregate);

}  // namespace

TcpMessages::TcpMessages(const ns3::Ptr<ns3::Socket>& socket, Process& process,
                         const TcpMessageParameters& parameters, TcpUser& user)
    : connection_(socket, *this), process_(process), parameters_(parameters), user_(user) {}

void TcpMessages::Close() {
  connection_.Close();
  out_.clear();
}

void TcpMessages::Break(bool lost) {
  if (!up()) return;
  Close();
  connection_.counters().losses += lost;
  user_.OnBroken(*this);
}

void TcpMessages::Send(const TcpMessage& message, std::vector<uint8_t> bytes, uint64_t since) {
  if (!up()) return;
  Outgoing& o = out_.emplace_back();
  o.header = message;
  o.header.crc = parameters_.crc && !bytes.empty() ? Crc32c(bytes) : 0;
  o.bytes = std::move(bytes);
  o.since = since;
  SendNext();
}

/// Makes the core work for the next piece, if there is room for it.
void TcpMessages::SendNext() {
  if (giving_ || !up() || out_.empty()) return;
  const Outgoing& o = out_.front();
  const uint32_t piece = std::min(kPiece, o.header.length - o.given);
  const uint32_t bytes = piece + (o.begun ? 0 : TcpMessage::kBytes);
  if (connection_.room() < bytes) return;  // OnRoom will follow
  giving_ = true;
  const Trail::CurrentStep step(
      process_.trail(), o.begun ? process_.step() : process_.StepSince(o.since, OperationPart::chunk));
  process_.Do(CoreWork::tcp, process_.costs().OfTcpSent(1, bytes, parameters_.crc ? piece : 0),
              [self = shared_from_this(), piece] { self->Give(piece); });
}

void TcpMessages::Give(uint32_t piece) {
  giving_ = false;
  if (!up()) return;
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
  if (!connection_.Give(data)) return Break(true);
  SendNext();
}

void TcpMessages::Read() {
  if (taking_ || !up() || connection_.unread() == 0) return;
  taking_ = true;
  const auto take = [self = shared_from_this()] { return self->Take(); };
  const auto deliver = [self = shared_from_this()] { self->Deliver(); };
  if (user_.TakesRequests()) return process_.DoNew(CoreWork::tcp, take, deliver);
  process_.Do(CoreWork::tcp, take, deliver);
}

/// The core reads up to 64 KiB. Returns the core's cost.
Time TcpMessages::Take() {
  if (!up()) return Time(0);
  const auto size = static_cast<uint32_t>(std::min<uint64_t>(kPiece, connection_.unread()));
  int64_t begun = 0, summed = 0;
  uint32_t at = 0;
  while (at < size && !corrupt_) {
    if (header_bytes_ < TcpMessage::kBytes) {
      const uint32_t n = std::min(TcpMessage::kBytes - header_bytes_, size - at);
      connection_.Take(n, header_.data() + header_bytes_);
      header_bytes_ += n;
      at += n;
      if (header_bytes_ < TcpMessage::kBytes) break;
      corrupt_ = !TcpMessage::IsSound(header_.data());
      coming_ = TcpMessage::ReadFrom(header_.data());
      ++begun;
    } else {
      const uint32_t n = std::min(coming_.length - data_, size - at);
      if (parameters_.content) bytes_.resize(data_ + n);
      connection_.Take(n, parameters_.content ? bytes_.data() + data_ : nullptr);
      // The number of pieces that begin within these bytes; the first piece began with the header.
      begun += (data_ + n - 1) / kPiece - (data_ == 0 ? 0 : (data_ - 1) / kPiece);
      summed += parameters_.crc ? n : 0;
      data_ += n;
      at += n;
    }
    if (corrupt_ || data_ < coming_.length) continue;
    corrupt_ = parameters_.crc && !bytes_.empty() && Crc32c(bytes_) != coming_.crc;
    if (!corrupt_)
      whole_.push_back({coming_, std::move(bytes_), connection_.ArrivalOf(connection_.taken()).at});
    bytes_ = {};
    header_bytes_ = data_ = 0;
  }
  connection_.Take(size - at, nullptr);  // behind corrupt data
  connection_.OpenWindow();
  return process_.costs().OfTcpReceived(begun, size, summed);
}

void TcpMessages::Deliver() {
  taking_ = false;
  if (!up()) return;
  const Time taken = process_.begun();
  std::vector<Incoming> whole;
  whole.swap(whole_);
  for (Incoming& m : whole) {
    if (!up()) return;
    const Trail::CurrentStep step(process_.trail(), process_.StepOf(m.header.cause, m.arrived));
    user_.OnMessage(*this, m.header, std::move(m.bytes), m.arrived, taken);
  }
  if (!up()) return;
  if (corrupt_) {
    ++connection_.counters().corrupt;
    return Break(true);
  }
  Read();
}

}  // namespace headroom
