#include "net/routing/flowlets.h"

#include <algorithm>

#include "sim/event_queue.h"

namespace headroom {

uint16_t Flowlets::Choose(const Frame& frame, std::span<const uint16_t> ports) {
  if (ports.size() == 1) return ports[0];
  const Time now = EventQueue::Get().now();
  if (used_ * 2 >= table_.size()) MakeRoom(now);
  const uint64_t flow = uint64_t{frame.dst} << 32 | frame.flow_hash;
  Flowlet& f = PlaceOf(flow);
  const bool fresh = f.flow == kNobody;
  // Routes may have changed since the last packet.
  if (fresh || now - f.last > timeout_ || std::ranges::find(ports, f.port) == ports.end())
    f.port = ports[random_.Below(ports.size())];
  if (fresh) {
    f.flow = flow;
    ++used_;
  }
  f.last = now;
  return f.port;
}

Flowlets::Flowlet& Flowlets::PlaceOf(uint64_t flow) {
  const size_t mask = table_.size() - 1;
  size_t at = (flow * 0x9e3779b97f4a7c15u) >> 32 & mask;
  while (table_[at].flow != flow && table_[at].flow != kNobody) at = (at + 1) & mask;
  return table_[at];
}

void Flowlets::MakeRoom(Time now) {
  std::vector<Flowlet> before = std::move(table_);
  std::erase_if(before, [&](const Flowlet& f) { return f.flow == kNobody || now - f.last > timeout_; });
  size_t size = 64;
  while (size < before.size() * 4) size *= 2;
  table_.assign(size, {});
  used_ = before.size();
  for (const Flowlet& f : before) PlaceOf(f.flow) = f;
}

}  // namespace headroom
