// Part of SmcStream: how a connection begins, over TCP.
//
//   client                    server
//   SYN, option       ->  <-  SYN-ACK, option
//   Proposal          ->
//                             first contact: makes the link later contacts: CONFIRM RKEY on the link, in both
//                             directions
//                         <-  Accept
//   the same at its end
//   Confirm           ->
//                         <-  first contact: CONFIRM LINK, in both directions, then ADD LINK, in both
//                         directions
//
// Either end sends Decline instead if it cannot continue, or has waited too long. Then both continue as TCP.
#include <array>
#include <utility>

#include "protocol/smc/smc_stream.h"

namespace headroom {

/// The next message must arrive within this time.
void SmcStream::Expect(Time longest) { After(longest, kTimeout, ++expects_); }

/// TCP is connected. The option of SYN and SYN-ACK shows each end whether the other has SMC-R.
void SmcStream::OnOpen() {
  if (parameters_.fallback == SmcParameters::Fallback::no_option) return OpenAs(State::plain);
  Expect(smc::kClcTimeout);
  if (opener_) SendClc({smc::ClcType::proposal});
}

void SmcStream::SendClc(const smc::Clc& clc) {
  ++counters_.clcs;
  tcp_->Write(clc.Bytes());
}

void SmcStream::OnReadable() {
  if (state_ == State::plain) {
    SkipClc();
    if (unread() > 0) user().OnReadable();
    return;
  }
  if (state_ == State::open) return End(true);  // the peer has declined in the meantime
  while (state_ == State::begins && !opening_) {
    if (clc_.empty()) {
      if (tcp_->unread() < smc::Clc::kHeader) return;
      clc_.resize(smc::Clc::kHeader);
      tcp_->Read(clc_);
    }
    const size_t left = smc::Clc::LengthOf(clc_) - smc::Clc::kHeader;
    if (tcp_->unread() < left) return;
    clc_.resize(smc::Clc::kHeader + left);
    tcp_->Read(std::span(clc_).subspan(smc::Clc::kHeader));
    OnClc(smc::Clc::From(std::exchange(clc_, {})));
  }
}

void SmcStream::OnClc(const smc::Clc& clc) {
  switch (clc.type) {
    case smc::ClcType::proposal:
      return OnProposal();
    case smc::ClcType::accept:
      return OnAccept(clc);
    case smc::ClcType::confirm:
      return OnConfirm(clc);
    case smc::ClcType::decline:
      return OpenAs(State::plain);
  }
}

/// The kernel needs time for memory and, at a first contact, for a queue pair.
void SmcStream::SetUp(std::function<void()> then) {
  const Access rights[] = {kLocalWrite, kRemoteWrite};
  Verbs& verbs = host_.kernel().verbs();
  send_buffer_.resize(size_);
  rmb_.resize(size_);
  send_region_ = verbs.RegMr(0, size_, rights[0], send_buffer_);
  rmb_region_ = verbs.RegMr(0, size_, rights[0] | rights[1], rmb_);
  then_ = std::move(then);
  After(costs_.registration * 2 + (first_contact_ ? costs_.queue_pair : Time(0)), kSetUp);
}

void SmcStream::Assign(SmcGroup& group) {
  group_ = &group;
  ++group.connections;
  token_ = group.link->Join(*this);
}

/// Accept and Confirm have the same fields about their senders.
smc::Clc SmcStream::Offer(smc::ClcType type) const {
  return {type, first_contact_, group_->link->qp(), group_->link->first_psn(), rmb_region_->rkey, token_};
}

void SmcStream::Know(const smc::Clc& clc) {
  peer_token_ = clc.token;
  peer_rkey_ = clc.rkey;
}

void SmcStream::ConfirmRkey(std::function<void()> then) {
  Expect(smc::kLlcTimeout);
  group_->link->Ask({smc::LlcType::confirm_rkey, false, rmb_region_->rkey}, [this, then = std::move(then)] {
    if (state_ == State::begins && !opening_) then();
  });
}

void SmcStream::OnProposal() {
  if (parameters_.fallback == SmcParameters::Fallback::declined) return Decline();
  SmcGroup* const group = host_.FindForServer(peer_);
  if (group != nullptr && !group->up) {  // another connection's first contact precedes
    group->waiting.push_back([this] {
      if (state_ == State::begins && !opening_) OnProposal();
    });
    return;
  }
  first_contact_ = group == nullptr;
  Assign(first_contact_ ? host_.Add(peer_, SmcHost::Role::server) : *group);
  SetUp([this] {
    const auto accept = [this] {
      Expect(smc::kClcTimeout);
      SendClc(Offer(smc::ClcType::accept));
    };
    first_contact_ ? accept() : ConfirmRkey(accept);
  });
}

void SmcStream::OnAccept(const smc::Clc& clc) {
  Know(clc);
  first_contact_ = clc.first_contact;
  SmcGroup* const group =
      first_contact_ ? &host_.Add(peer_, SmcHost::Role::client) : host_.FindForClient(peer_, clc.qp);
  if (group == nullptr) return Decline();
  group->peer_qp = clc.qp;
  Assign(*group);
  SetUp([this, clc] {
    if (!first_contact_)
      return ConfirmRkey([this] {
        SendClc(Offer(smc::ClcType::confirm));
        OpenAs(State::open);
      });
    group_->link->ReadyToReceive(peer_, clc.qp, clc.psn);
    group_->link->SetHeard([this](const smc::Llc& request) { OnLlc(request); });
    Expect(smc::kLlcTimeout);
    SendClc(Offer(smc::ClcType::confirm));
  });
}

/// The client's side of a first contact.
void SmcStream::OnLlc(const smc::Llc& request) {
  if (state_ != State::begins || opening_) return;
  if (request.type == smc::LlcType::confirm_link) group_->link->ReadyToSend();
  if (request.type != smc::LlcType::add_link) return;
  // Refused: there is only one link.
  group_->ContactOver(true);
  OpenAs(State::open);
}

void SmcStream::OnConfirm(const smc::Clc& clc) {
  Know(clc);
  if (!first_contact_) return OpenAs(State::open);
  SmcLink& link = *group_->link;
  link.ReadyToReceive(peer_, clc.qp, clc.psn);
  link.ReadyToSend();
  Expect(smc::kLlcTimeout);
  link.Ask({smc::LlcType::confirm_link}, [this] {
    if (state_ != State::begins || opening_) return;
    group_->link->Ask({smc::LlcType::add_link}, [this] {
      if (state_ != State::begins || opening_) return;
      group_->ContactOver(true);
      OpenAs(State::open);
    });
  });
}

/// The stream continues as TCP, and informs the peer.
void SmcStream::Decline() {
  if (opening_ || state_ != State::begins) return;
  declined_ = true;
  SendClc({smc::ClcType::decline});
  OpenAs(State::plain);
}

void SmcStream::LeaveGroup() {
  if (group_ == nullptr) return;
  group_->link->Leave(token_);
  --group_->connections;
  if (first_contact_ && !group_->up) group_->ContactOver(false);
  group_ = nullptr;
}

void SmcStream::OpenAs(State state) {
  if (std::exchange(opening_, true)) return;
  if (state == State::plain) LeaveGroup();
  site_.process->Do(CoreWork::rdma, CostOf(0), [this, state] {
    if (state_ != State::begins) return;
    state_ = state;
    user().OnOpen();
    if (state_ == State::open) {
      if (tcp_->unread() > 0) return End(true);  // the peer has declined in the meantime
      SendNext();
      return ReceiveNext();
    }
    if (state_ != State::plain) return;
    if (waiting_.size() > 0) tcp_->Write(waiting_.Front(waiting_.size()));
    waiting_.Clear();
    OnReadable();
  });
}

/// Messages of the peer from before it knew of this end's Decline precede its data.
void SmcStream::SkipClc() {
  const auto read_up_to = [this](size_t size) {
    const size_t before = clc_.size();
    clc_.resize(size);
    clc_.resize(before + tcp_->Read(std::span(clc_).subspan(before)));
    return clc_.size() == size;
  };
  while (declined_) {
    const bool whole = clc_.size() >= smc::Clc::kHeader || read_up_to(smc::Clc::kHeader);
    if (!smc::Clc::MayBegin(clc_)) {
      declined_ = false;  // the following bytes are data
    } else if (!whole || !read_up_to(smc::Clc::LengthOf(clc_))) {
      return;
    } else {
      clc_.clear();
    }
  }
}

void SmcStream::OnEnded(bool failed) {
  if (state_ == State::plain) {
    state_ = State::ended;
    return user().OnEnded(failed);
  }
  tcp_ended_ = true;
  if (state_ == State::closing || state_ == State::ended || state_flags_ != 0) return;
  if (state_ == State::open || opener_) return End(true);
  state_ = State::ended;  // its user has not been notified yet
  LeaveGroup();
}

}  // namespace headroom
