#include "protocol/tensorflow/tensor_channel.h"

#include <algorithm>
#include <utility>

namespace headroom {

uint64_t TensorHost::Allocate(uint64_t bytes) {
  if (next + bytes > kPool) next = 0;
  return std::exchange(next, next + bytes);
}

TensorChannel::TensorChannel(TensorHost& host, const TensorflowParameters& parameters, uint8_t priority,
                             uint8_t tag, TensorSource& source, std::function<void()> on_failure)
    : host_(host),
      process_(host.process),
      p_(parameters),
      source_(source),
      on_failure_(std::move(on_failure)),
      base_(process_.Add(*this)) {
  QpInitAttr attr;
  attr.send_cq = attr.recv_cq = process_.cq();
  attr.priority = priority;
  attr.tag = tag;
  attr.cap.max_send_wr = attr.cap.max_recv_wr = static_cast<uint32_t>(p_.queue_depth);
  qp_ = process_.verbs().CreateQp(attr);
  out_region_ = process_.verbs().RegMr(0, out_.size(), kLocalWrite, out_);
  in_region_ = process_.verbs().RegMr(0, in_.size(), kLocalWrite | kRemoteWrite, in_);
}

void TensorChannel::Join(TensorChannel& a, TensorChannel& b, uint16_t source_port) {
  QpAttr attr;
  attr.timeout = static_cast<uint8_t>(a.p_.timeout);
  attr.retry_cnt = static_cast<uint8_t>(a.p_.retries);
  ConnectQps(a.process_.verbs(), a.qp_, b.process_.verbs(), b.qp_, source_port, attr);
  for (const auto& [at, peer] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    at->peer_address_ = peer->in_region_->addr;
    at->peer_key_ = peer->in_region_->rkey;
    for (int i = 0; i < at->p_.queue_depth; ++i) at->PostReceive();
  }
}

// Functions of the receiver.

void TensorChannel::Call(TensorCall call, Done done) {
  if (closed_) return done({});
  const uint32_t index = next_index_;
  next_index_ = (next_index_ + 1) % ControlMessage::kIndices;
  const auto cached = cache_.find(call.name);
  requests_[index] = {call, std::move(done)};
  const CoreCost cost = cached == cache_.end() ? CoreCost(Time(0)) : CostOfOwnMemory();
  After(cost, [this, index] { Ask(index, ControlMessage::Type::tensor_request); });
}

void TensorChannel::Ask(uint32_t index, ControlMessage::Type type) {
  const auto at = requests_.find(index);
  if (at == requests_.end()) return;  // it was closed in the meantime
  Request& request = at->second;
  ControlMessage message;
  message.type = type;
  message.name = request.call.name;
  message.tensor = request.call.tensor;
  message.request = index;
  if (const auto cached = cache_.find(message.name); cached != cache_.end()) {
    message.metadata = cached->second;
    request.bytes = message.metadata.bytes;
    message.address = host_.Allocate(message.metadata.bytes);
    message.rkey = host_.pool->rkey;
    counts_.registrations += !p_.copyable;
  }
  Enqueue(message);
}

void TensorChannel::OnUpdate(const ControlMessage& message) {
  const auto index = static_cast<uint32_t>(message.request);
  const auto at = requests_.find(index);
  if (at == requests_.end()) {
    ++counts_.unexpected;
    return;
  }
  cache_[message.name] = message.metadata;
  // Memory for the tensor's previous shape is returned.
  const int64_t registrations = at->second.bytes > 0 ? 2 : 1;
  After(CostOfOwnMemory().all * registrations,
        [this, index] { Ask(index, ControlMessage::Type::tensor_re_request); });
}

void TensorChannel::OnTensor(const Wc& wc) {
  const auto at = requests_.find(wc.imm_data);
  if (at == requests_.end() || wc.byte_len != at->second.bytes) {
    ++counts_.unexpected;
    return;
  }
  ++counts_.arrived;
  Done done = std::move(at->second.done);
  const uint64_t copied = p_.Copies() ? at->second.bytes : 0;
  requests_.erase(at);
  const CoreCost parse = CostOfCopies(copied);
  After({parse.all + CostOfOwnMemory().all, parse.copied}, [done = std::move(done)] { done({true}); });
}

// Functions of the sender.

void TensorChannel::OnRequest(const ControlMessage& message) {
  const auto index = static_cast<uint32_t>(message.request);
  responses_[index] = {message.tensor, message.metadata, message.address, message.rkey};
  source_.WhenReady(message.name, [this, index, name = message.name] {
    if (closed_) return;
    const Response& response = responses_.at(index);
    const uint64_t bytes = response.tensor.bytes;
    const bool changed = response.tensor != response.known;
    // The tensor is serialized or staged. If the receiver must first learn new metadata, the tensor is cloned
    // until then.
    const uint64_t copied = (p_.Copies() ? bytes : 0) + (changed ? bytes : 0);
    After(CostOfCopies(copied), [this, index, name, changed] {
      if (!changed) return SendTensor(index);
      ControlMessage update;
      update.type = ControlMessage::Type::meta_data_update;
      update.name = name;
      update.request = index;
      update.tensor = update.metadata = responses_.at(index).tensor;
      Enqueue(update);
    });
  });
}

void TensorChannel::OnReRequest(const ControlMessage& message) {
  const auto index = static_cast<uint32_t>(message.request);
  const auto at = responses_.find(index);
  if (at == responses_.end()) {
    ++counts_.unexpected;
    return;
  }
  at->second.address = message.address;
  at->second.rkey = message.rkey;
  SendTensor(index);
}

void TensorChannel::SendTensor(uint32_t index) {
  counts_.registrations += !p_.copyable;
  After(p_.costs.post + CostOfOwnMemory().all, [this, index] {
    if (closed_) return;
    const Response& response = responses_.at(index);
    ++counts_.tensors;
    counts_.tensor_bytes += response.tensor.bytes;
    Post(index, static_cast<uint32_t>(response.tensor.bytes), index, 0, host_.pool->lkey, response.address,
         response.rkey);
  });
}

void TensorChannel::OnTensorSent(uint32_t index) {
  responses_.erase(index);
  After(CostOfOwnMemory(), [] {});
}

// Functions for messages.

void TensorChannel::OnCompletion(const Wc& wc) {
  if (closed_) return;
  if (wc.status != WcStatus::success) return on_failure_();
  if (wc.IsReceive()) {
    PostReceive();
    if (wc.imm_data == ControlMessage::kMessage) return OnMessage();
    if (wc.imm_data != ControlMessage::kAck) return OnTensor(wc);
    unacknowledged_ = false;
    return SendNext();
  }
  const uint32_t number = Process::NumberIn(wc.wr_id);
  if (number == ControlMessage::kAck) return;
  if (number != ControlMessage::kMessage) return OnTensorSent(number);
  unsent_ = false;
  SendNext();
}

void TensorChannel::OnMessage() {
  const ControlMessage message = ControlMessage::At(in_);
  Acknowledge();
  switch (message.type) {
    case ControlMessage::Type::tensor_request:
      return OnRequest(message);
    case ControlMessage::Type::meta_data_update:
      return OnUpdate(message);
    case ControlMessage::Type::tensor_re_request:
      return OnReRequest(message);
  }
}

void TensorChannel::Enqueue(const ControlMessage& message) {
  queue_.push_back({message, process_.step()});
  SendNext();
  counts_.most_queued = std::max<uint64_t>(counts_.most_queued, queue_.size());
}

void TensorChannel::SendNext() {
  if (closed_ || unsent_ || unacknowledged_ || queue_.empty()) return;
  unsent_ = unacknowledged_ = true;
  const Queued next = queue_.front();
  queue_.pop_front();
  const Trail::CurrentStep step(process_.trail(), process_.StepSince(next.step, OperationPart::peer));
  After(p_.costs.post, [this, message = next.message] {
    if (closed_) return;
    using Type = ControlMessage::Type;
    ++(message.type == Type::tensor_request     ? counts_.requests
       : message.type == Type::meta_data_update ? counts_.updates
                                                : counts_.re_requests);
    message.Put(out_);
    Post(ControlMessage::kMessage, ControlMessage::kBytes, ControlMessage::kMessage, out_region_->addr,
         out_region_->lkey, peer_address_, peer_key_);
  });
}

void TensorChannel::Acknowledge() {
  After(p_.costs.post, [this] {
    if (closed_) return;
    ++counts_.acks;
    Post(ControlMessage::kAck, 0, ControlMessage::kAck, 0, 0, peer_address_, peer_key_);
  });
}

void TensorChannel::Post(uint32_t number, uint32_t bytes, uint32_t imm, uint64_t local, uint32_t lkey,
                         uint64_t remote, uint32_t rkey) {
  SendWr wr;
  wr.wr_id = base_ | number;
  wr.opcode = WrOpcode::rdma_write_with_imm;
  wr.signaled = true;
  wr.sge = {local, bytes, lkey};
  wr.remote_addr = remote;
  wr.rkey = rkey;
  wr.imm_data = imm;
  wr.cause = process_.step();
  if (process_.verbs().PostSend(qp_, wr) != 0) on_failure_();
}

void TensorChannel::PostReceive() { process_.verbs().PostRecv(qp_, {base_, {}}); }

void TensorChannel::After(CoreCost cost, std::function<void()> then) {
  if (cost.all == Time(0)) return then();
  process_.Do(CoreWork::rdma, cost, std::move(then));
}

CoreCost TensorChannel::CostOfCopies(uint64_t bytes) const {
  const Time copies = p_.costs.OfCopy(static_cast<int64_t>(bytes));
  return {copies, copies};
}

void TensorChannel::Close() {
  closed_ = true;
  queue_.clear();
  for (auto& [index, request] : std::exchange(requests_, {})) request.done({});
}

void TensorChannel::Count(TensorCounts& counts) const {
  counts.requests += counts_.requests;
  counts.updates += counts_.updates;
  counts.re_requests += counts_.re_requests;
  counts.acks += counts_.acks;
  counts.tensors += counts_.tensors;
  counts.tensor_bytes += counts_.tensor_bytes;
  counts.arrived += counts_.arrived;
  counts.unexpected += counts_.unexpected;
  counts.registrations += counts_.registrations;
  counts.most_queued = std::max(counts.most_queued, counts_.most_queued);
}

void TensorChannel::ForEachQueuePair(const UseQueuePair& use) const { use(process_.verbs().host(), qp()); }

}  // namespace headroom
