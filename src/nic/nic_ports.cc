// Part of Nic: two ports. A queue pair uses one of them until its link, or the routes, change.
#include <algorithm>
#include <utility>

#include "nic/nic.h"
#include "nic/transport/message_times.h"

namespace headroom {

/// The round of the requester's turns, from its priority, its peer and its port.
uint8_t Nic::RoundOf(const Requester& r) const {
  const bool datagrams = r.transport == Transport::ud;
  if (stages_ != nullptr && !datagrams && r.peer == host_) return static_cast<uint8_t>(kLoopback);
  if (bond_ == nullptr) return r.priority;
  const uint32_t port =
      datagrams ? bond_->PortFor(FlowHash(host_, host_, r.number())) : bond_->PortTo(r.peer, r.flow_hash);
  return static_cast<uint8_t>(RoundAt(port, r.priority));
}

void Nic::NoteLink(uint32_t port) {
  if (bond_ == nullptr) return;
  bond_->changed[port] = now();
  Arm(NicTimer::link, port, now() + bond_->detection);
}

/// The link was in one state for the time of detection, unless it has changed since.
void Nic::OnLinkKept(uint32_t port) {
  if (bond_->changed[port] + bond_->detection != now()) return;
  const bool up = ports_[port]->link_up();
  const auto bit = static_cast<uint8_t>(1u << port);
  if (up == ((bond_->working & bit) != 0)) return;
  bond_->working ^= bit;
  if (!up) {
    // What waits for the port would leave late, by a path that may be slower than the other port's.
    for (int p = 0; p < kPriorities; ++p) {
      ports_[port]->Flush(p, DropReason::link_loss);
      if (stages_ != nullptr) LoseLaunched(RoundAt(port, p));
    }
  }
  ChoosePorts();
}

void Nic::SetRoutes(const RouteTable& routes, uint8_t left_out) {
  bond_->routes = routes;
  bond_->left_out = left_out;
  ChoosePorts();
}

/// Every queue pair takes the port that its hash gives now. Those that may send keep their order.
void Nic::ChoosePorts() {
  const std::array<Round, kRounds> before = std::exchange(rounds_, {});
  waiting_rounds_ = 0;
  for (Requester& r : requesters_) r.round = RoundOf(r);
  for (const Round& round : before) {
    for (uint32_t i = round.head; i != kNone;) {
      Requester& r = requesters_[i];
      i = r.next_ready;
      JoinRound(r);
    }
  }
  for (uint32_t port = 0; stages_ == nullptr && port < Bond::kPorts; ++port) {
    for (int p = 0; p < kPriorities; ++p) {
      if (rounds_[static_cast<size_t>(RoundAt(port, p))].head == kNone) ports_[port]->ClearPullable(p);
    }
  }
  Announce(waiting_rounds_);
}

/// The frames that have passed the transmit pipeline for this round are lost as if the link had lost them.
void Nic::LoseLaunched(int round) {
  NicStages::Outbound& out = stages_->outbound[static_cast<size_t>(round)];
  for (; !out.frames.Empty(); out.frames.PopFront()) {
    const NicStages::Launched& next = out.frames.Front();
    if (next.frame->kind == FrameKind::data) {
      NoteSent(next.qp, *next.frame);
      if (times_ != nullptr && next.frame->message != kNoMessage)
        times_->OnSent(host_, next.qp, *next.frame, PortOf(round), now(), now());
    }
    PortOf(round).CountDrop({DropReason::link_loss}, *next.frame);
    pool_->Give(next.frame);
  }
  out.bytes = 0;
  out.responses = 0;
}

}  // namespace headroom
