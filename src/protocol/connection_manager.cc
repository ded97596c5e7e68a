#include "protocol/connection_manager.h"

#include <cstring>
#include <utility>

#include "protocol/crc32c.h"

namespace headroom {
namespace {

constexpr uint32_t kSlots = 256, kQkey = 0x80010000;  // the key of InfiniBand's general services
constexpr uint32_t kSlotBytes = 256 + Verbs::kGrhBytes;
constexpr uint64_t kMemory = uint64_t{0xC} << 40;

}  // namespace

ConnectionManager::ConnectionManager(Process& process, uint32_t context, const CmParameters& parameters)
    : process_(process),
      parameters_(parameters),
      base_(process.Add(*this)),
      entity_(EventQueue::Get().AddEntity(context)),
      contents_(kSlots, kSlotBytes, 0) {
  Verbs& verbs = process.verbs();
  region_ = verbs.RegMr(kMemory, kSlotBytes, kLocalWrite, contents_);
  QpInitAttr attr;
  attr.type = QpType::ud;
  attr.send_cq = attr.recv_cq = process.cq();
  attr.priority = parameters.priority;
  attr.cap.max_send_wr = 1u << 16;
  attr.cap.max_recv_wr = kSlots;
  qp_ = verbs.CreateQp(attr);
  BringUp();
  verbs.ListenForRestart([this] { OnRestarted(); });
}

void ConnectionManager::BringUp() {
  for (const QpState state : {QpState::reset, QpState::init, QpState::rtr, QpState::rts}) {
    QpAttr step;
    step.state = state;
    step.qkey = kQkey;
    process_.verbs().ModifyQp(qp_, step);
  }
  for (uint32_t slot = 0; slot < kSlots; ++slot) PostReceive(slot);
}

void ConnectionManager::OnRestarted() {
  BringUp();
  for (auto& [number, s] : sessions_) {
    if (s.state == State::joined || s.state == State::ended) continue;
    s.tries = 0;
    ++s.timer;
    OnEvent(number << 16 | (s.timer & 0xffff));
  }
}

void ConnectionManager::PostReceive(uint32_t slot) {
  process_.verbs().PostRecv(
      qp_, {base_ | slot, {kMemory + uint64_t{slot} * kSlotBytes, kSlotBytes, region_->lkey}});
}

void ConnectionManager::Send(NodeId to, const Message& message) {
  static_assert(sizeof(Message) + sizeof(uint32_t) <= kBytes);
  std::array<uint8_t, kBytes> bytes{};
  std::memcpy(bytes.data(), &message, sizeof message);
  Seal(bytes);
  SendWr wr;
  wr.wr_id = base_ | kSlots;
  wr.opcode = WrOpcode::send;
  wr.signaled = true;
  wr.inline_data = true;
  wr.sge.length = kBytes;
  wr.content = bytes.data();
  wr.ah.host = to;
  wr.remote_qpn = peers_.at(to);
  wr.remote_qkey = kQkey;
  process_.verbs().PostSend(qp_, wr);
}

void ConnectionManager::SendUntilAnswered(uint64_t number, Type type, const CmOffer& offer) {
  Session& s = sessions_.at(number);
  s.last = {type, s.service, s.incarnation, number, offer};
  s.tries = 0;
  ++s.timer;
  OnEvent(number << 16 | (s.timer & 0xffff));
}

/// Sends the message that waits for an answer, for the first time or again.
void ConnectionManager::OnEvent(uint64_t arg) {
  const auto at = sessions_.find(arg >> 16);
  if (at == sessions_.end() || (at->second.timer & 0xffff) != (arg & 0xffff)) return;
  Session& s = at->second;
  if (s.tries == parameters_.tries) {
    s.state = State::ended;
    s.party->OnEnded(false);
    return;
  }
  ++s.tries;
  Send(s.peer, s.last);
  EventQueue& events = EventQueue::Get();
  events.PushTarget(events.now() + parameters_.timeout, TimedEvent::Order(EventClass::workload, entity_, 0),
                    this, arg);
}

uint64_t ConnectionManager::Open(CmParty& party, NodeId host, uint16_t service) {
  const uint64_t number = uint64_t{process_.verbs().host()} << 20 | opened_++;
  Session& s = sessions_[number];
  s.party = &party;
  s.peer = host;
  s.opener = true;
  s.service = service;
  Reopen(number);
  return number;
}

void ConnectionManager::Reopen(uint64_t number) {
  Session& s = sessions_.at(number);
  if (s.state == State::ending || s.state == State::ended) return;
  ++s.incarnation;
  s.state = State::requested;
  PrepareOffer(number,
               [this, number] { SendUntilAnswered(number, Type::req, sessions_.at(number).party->Offer()); });
}

void ConnectionManager::PrepareOffer(uint64_t number, std::function<void()> then) {
  const Time cost = sessions_.at(number).party->CostOfOffer();
  cost == Time(0) ? then() : process_.GoOn(CoreWork::operation, cost, std::move(then));
}

void ConnectionManager::TellLost(uint64_t number) {
  Session& s = sessions_.at(number);
  if (s.state == State::ending || s.state == State::ended) return;
  s.state = State::lost;
  SendUntilAnswered(number, Type::lost);
}

void ConnectionManager::End(uint64_t number) {
  sessions_.at(number).state = State::ending;
  SendUntilAnswered(number, Type::dreq);
}

void ConnectionManager::OnCompletion(const Wc& wc) {
  if (!wc.IsReceive() || wc.status != WcStatus::success) return;
  const uint32_t slot = Process::NumberIn(wc.wr_id);
  const uint8_t* const bytes = contents_.At(slot) + Verbs::kGrhBytes;
  Message message;
  std::memcpy(&message, bytes, sizeof message);
  const bool sound = IsSealed({bytes, kBytes});
  contents_.Release(slot);
  PostReceive(slot);
  if (sound) OnMessage(wc.src, message);
}

void ConnectionManager::OnMessage(NodeId from, const Message& m) {
  if (m.type == Type::req) return OnRequest(from, m);
  const auto at = sessions_.find(m.session);
  if (at == sessions_.end()) {
    if (m.type == Type::dreq) Send(from, {Type::drep, m.service, m.incarnation, m.session, {}});
    return;
  }
  Session& s = at->second;
  switch (m.type) {
    case Type::req:
      break;
    case Type::rep:
      if (m.incarnation != s.incarnation) break;
      if (s.state == State::requested) {
        Answered(s);
        s.state = State::joined;
        s.party->OnOffer(m.offer);
        Send(from, {Type::rtu, m.service, m.incarnation, m.session, {}});
        s.party->OnJoined();
      } else if (s.state == State::joined) {  // the RTU was lost
        Send(from, {Type::rtu, m.service, m.incarnation, m.session, {}});
      }
      break;
    case Type::rtu:
      if (m.incarnation != s.incarnation || s.state != State::replied) break;
      Answered(s);
      s.state = State::joined;
      s.party->OnJoined();
      break;
    case Type::lost:
      if (m.incarnation != s.incarnation) break;
      if (s.state == State::joined) s.party->OnLost();
      if (s.state == State::requested) Reopen(m.session);  // its REP was lost before
      break;
    case Type::dreq:
      Answered(s);
      Send(from, {Type::drep, m.service, m.incarnation, m.session, {}});
      if (s.state != State::ended) {
        s.state = State::ended;
        s.party->OnEnded(true);
      }
      break;
    case Type::drep:
      if (s.state != State::ending) break;
      Answered(s);
      s.state = State::ended;
      s.party->OnEnded(true);
      break;
  }
}

void ConnectionManager::OnRequest(NodeId from, const Message& m) {
  const auto [at, added] = sessions_.try_emplace(m.session);
  Session& s = at->second;
  if (added) {
    const auto listener = listeners_.find(m.service);
    s.party = listener == listeners_.end() ? nullptr : listener->second->OnRequest(m.session, from);
    if (s.party == nullptr) {
      sessions_.erase(at);
      return;  // there is no listener: the other end finally gives up
    }
    s.peer = from;
    s.service = m.service;
  }
  if (s.opener || m.incarnation <= s.incarnation || s.state == State::ended)
    return;  // late, or REP is about to leave
  s.incarnation = m.incarnation;
  s.state = State::replied;
  PrepareOffer(m.session, [this, m] {
    CmParty& party = *sessions_.at(m.session).party;
    const CmOffer offer = party.Offer();
    party.OnOffer(m.offer);
    SendUntilAnswered(m.session, Type::rep, offer);
  });
}

}  // namespace headroom
