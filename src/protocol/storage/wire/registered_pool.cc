#include "protocol/storage/wire/registered_pool.h"

#include <algorithm>

namespace headroom {

bool RegisteredPool::Grow() {
  if (registered_ == parameters_.slabs) return false;
  auto at = std::find_if(slabs_.begin(), slabs_.end(), [](const Slab& s) { return s.region == nullptr; });
  if (at == slabs_.end()) at = slabs_.insert(slabs_.end(), Slab());
  const uint32_t n = PerSlab();
  const uint64_t length = uint64_t{n} * parameters_.buffer;
  at->address = next_address_;
  next_address_ += length;
  constexpr unsigned kAccess = kLocalWrite | kRemoteWrite | kRemoteRead;
  if (parameters_.content) {
    at->bytes = std::make_unique<uint8_t[]>(length);
    at->region = verbs_.RegMr(at->address, length, kAccess, {at->bytes.get(), length});
  } else if (parameters_.kept > 0) {
    at->contents = std::make_unique<BufferContents>(n, parameters_.kept, n);
    at->region = verbs_.RegMr(at->address, parameters_.buffer, kAccess, *at->contents);
  } else {
    at->region = verbs_.RegMr(at->address, length, kAccess);
  }
  for (uint32_t i = n; i-- > 0;) at->free.push_back(i);
  free_ += n;
  most_ = std::max(most_, ++registered_);
  return true;
}

void RegisteredPool::Wait(Process& process, Endpoint& waits) {
  if (!Exhausted()) return process.Ask(waits);
  scarce_ = true;
  if (std::none_of(waiters_.begin(), waiters_.end(), [&](const Waiter& w) { return w.endpoint == &waits; }))
    waiters_.push_back({&process, &waits});
}

RegisteredBuffer RegisteredPool::Take(Process& process, Endpoint& waits) {
  if (free_ == 0 && !Grow()) {
    Wait(process, waits);
    return {};
  }
  // The first slab with a free buffer, so that the last ones become entirely free.
  const auto at = std::find_if(slabs_.begin(), slabs_.end(), [](const Slab& s) { return !s.free.empty(); });
  const uint32_t i = at->free.back();
  at->free.pop_back();
  --free_;
  ++taken_;
  const uint64_t address = at->address + uint64_t{i} * parameters_.buffer;
  verbs_.Overwrite(at->region->rkey, address, parameters_.buffer);  // the taker overwrites it
  return {address, at->region->rkey, static_cast<uint32_t>(at - slabs_.begin()),
          at->bytes ? at->bytes.get() + uint64_t{i} * parameters_.buffer : nullptr};
}

void RegisteredPool::Give(const RegisteredBuffer& buffer) {
  Slab& slab = slabs_[buffer.slab];
  ReleaseContent(buffer);
  slab.free.push_back(PlaceIn(slab, buffer));
  ++free_;
  --taken_;
  if (!waiters_.empty()) {  // wakes all: the first may no longer need a buffer
    std::vector<Waiter> waiters;
    waiters.swap(waiters_);  // they may wait again immediately
    for (const Waiter& w : waiters) w.process->Ask(*w.endpoint);
    return;
  }
  scarce_ = false;
  if (slab.free.size() == PerSlab() && free_ > PerSlab()) {
    Shrink(buffer.slab);
  }
}

void RegisteredPool::Shrink(uint32_t number) {
  Slab& slab = slabs_[number];
  verbs_.DeregMr(slab.region);
  free_ -= static_cast<uint32_t>(slab.free.size());
  slab = {};
  --registered_;
}

}  // namespace headroom
