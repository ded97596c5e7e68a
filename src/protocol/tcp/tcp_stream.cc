#include "protocol/tcp/tcp_stream.h"

#include <ns3/packet.h>

#include <algorithm>

#include "ip/ip_stack.h"

namespace headroom {

TcpStream::TcpStream(const StreamSite& site, const Costs& costs)
    : site_(site), costs_(costs), entity_(EventQueue::Get().AddEntity(site.ip->Node(site.host)->GetId())) {}

CoreCost TcpStream::CostOf(size_t bytes) const {
  const Time copy = SerializationTime(Bytes(static_cast<int64_t>(bytes)), costs_.copy);
  return {costs_.stack.call + copy, copy};
}

/// Schedules an event after the stack's delay.
void TcpStream::After(Event event) {
  if (costs_.stack.delay == Time(0)) return OnEvent(event);
  EventQueue& events = EventQueue::Get();
  events.PushTarget(events.now() + costs_.stack.delay,
                    TimedEvent::Order(EventClass::workload, entity_, ++events_), this, event);
}

void TcpStream::OnEvent(uint64_t arg) {
  switch (static_cast<Event>(arg)) {
    case kConnect:
      if (state_ != State::connecting) return;
      return dial_.Connect(
          *path_, [this](const auto& socket) { socket == nullptr ? End(true) : Established(socket); });
    case kEstablished:
      return site_.process->Do(CoreWork::tcp, CostOf(0), [this] { Opened(); });
    case kGive:
      return Give();
    case kArrive:
      if (arriving_.empty()) return;  // the stream was closed
      arrived_ = arriving_.front();
      arriving_.pop_front();
      return ReceiveNext();
    case kEnd:
      end_came_ = true;
      return ReceiveNext();
  }
}

void TcpStream::Open(const TcpPath& path) {
  path_ = path;
  state_ = State::connecting;
  site_.process->Do(CoreWork::tcp, CostOf(0), [this] { After(kConnect); });
}

void TcpStream::Accept(const ns3::Ptr<ns3::Socket>& socket) {
  if (state_ == State::ended) socket->Close();  // its user has closed it before
  if (state_ != State::none) return;
  state_ = State::connecting;
  Established(socket);
}

void TcpStream::Established(const ns3::Ptr<ns3::Socket>& socket) {
  connection_.emplace(socket, *this);
  After(kEstablished);
}

void TcpStream::Opened() {
  if (state_ != State::connecting) return;
  state_ = State::open;
  user().OnOpen();
  SendNext();
  ReceiveNext();
}

void TcpStream::Write(std::span<const uint8_t> bytes) {
  if (state_ >= State::closing || bytes.empty()) return;
  if (waiting_.size() == 0 || (sending_ && waiting_.size() == piece_)) since_ = site_.process->step();
  waiting_.Append(bytes);
  SendNext();
}

/// Makes the core call send, if there is room for the waiting bytes.
void TcpStream::SendNext() {
  if (sending_ || waiting_.size() == 0 || (state_ != State::open && state_ != State::closing)) return;
  const int64_t wanted =
      std::min({static_cast<int64_t>(waiting_.size()), TcpCosts::kAggregate, connection_->send_buffer() / 3});
  if (connection_->room() - delayed_bytes_ < wanted) return;  // OnRoom will follow
  sending_ = true;
  piece_ = 0;
  const Trail::CurrentStep step(site_.process->trail(),
                                site_.process->StepSince(since_, OperationPart::buffer));
  site_.process->GoOn(
      CoreWork::tcp, [this] { return BeginSend(); }, [this] { Sent(); });
}

CoreCost TcpStream::BeginSend() {
  if (state_ != State::open && state_ != State::closing) return Time(0);
  const int64_t most = std::min(TcpCosts::kAggregate, connection_->room() - delayed_bytes_);
  piece_ = std::min(waiting_.size(), static_cast<size_t>(most));
  return CostOf(piece_);
}

void TcpStream::Sent() {
  sending_ = false;
  if (state_ != State::open && state_ != State::closing) return;
  const std::span<const uint8_t> bytes = waiting_.Front(piece_);
  delayed_.push_back(
      {ns3::Create<ns3::Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())), site_.process->step()});
  delayed_bytes_ += static_cast<int64_t>(piece_);
  waiting_.Pop(piece_);
  piece_ = 0;
  After(kGive);
  SendNext();
}

void TcpStream::Give() {
  if (delayed_.empty()) return;  // the stream has ended
  const Outgoing out = std::move(delayed_.front());
  delayed_.pop_front();
  delayed_bytes_ -= out.data->GetSize();
  if (!connection_->Give(out.data, out.cause)) return End(true);
  if (state_ == State::closing && delayed_.empty() && waiting_.size() == 0) Shut();
}

void TcpStream::OnArrived() {
  if (state_ >= State::closing) return;
  arriving_.push_back(connection_->taken() + connection_->unread());
  After(kArrive);
}

void TcpStream::OnConnectionEnded(TcpEnd end) {
  if (state_ == State::ended) return;
  if (state_ == State::closing) return Shut();  // the peer accepts no more
  end == TcpEnd::closed ? After(kEnd) : End(true);
}

/// Makes the core call recv, if data wait.
void TcpStream::ReceiveNext() {
  if (receiving_ || state_ != State::open) return;
  if (arrived_ == received_) {
    if (end_came_ && arriving_.empty()) End(false);
    return;
  }
  receiving_ = true;
  site_.process->Do(
      CoreWork::tcp, [this] { return BeginReceive(); }, [this] { Received(); });
}

CoreCost TcpStream::BeginReceive() {
  if (state_ != State::open) return Time(0);
  const uint64_t bytes = std::min<uint64_t>(TcpCosts::kAggregate, arrived_ - received_);
  received_ += bytes;
  return CostOf(bytes);
}

void TcpStream::Received() {
  receiving_ = false;
  if (state_ != State::open) return;
  readable_ = received_ - connection_->taken();
  const TcpConnection::Arrival& arrival = connection_->ArrivalOf(received_);
  const Trail::CurrentStep step(site_.process->trail(),
                                site_.process->StepOf(arrival.cause, arrival.at + costs_.stack.delay));
  user().OnReadable();
  ReceiveNext();
}

size_t TcpStream::Read(std::span<uint8_t> bytes) {
  const auto size = static_cast<uint32_t>(std::min<uint64_t>(bytes.size(), readable_));
  if (size == 0) return 0;
  connection_->Take(size, bytes.data());
  connection_->OpenWindow();
  readable_ -= size;
  return size;
}

void TcpStream::End(bool failed) {
  if (std::exchange(ending_, true) || state_ >= State::closing) return;
  if (failed) arriving_.clear();
  site_.process->Do(CoreWork::tcp, CostOf(0), [this, failed] {
    if (state_ >= State::closing) return;
    Shut();
    user().OnEnded(failed);
  });
}

void TcpStream::Close() {
  if (state_ >= State::closing) return;
  const bool unsent = waiting_.size() > 0 || !delayed_.empty();
  state_ = State::closing;
  readable_ = 0;
  if (!unsent || !connection_ || connection_->unread() > 0) Shut();
}

/// From now on nothing is sent or received.
void TcpStream::Shut() {
  state_ = State::ended;
  dial_.Close();
  if (connection_) connection_->Close();
  waiting_.Clear();
  delayed_.clear();
  arriving_.clear();
  delayed_bytes_ = 0;
  readable_ = 0;
}

}  // namespace headroom
