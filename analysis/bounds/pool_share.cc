#include "analysis/bounds/pool_share.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "analysis/bounds/headroom.h"
#include "scenario/senders.h"

namespace headroom {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

bool AnyoneSends(const Scenario& s, const TrafficClass& c) {
  return !c.name.empty() && (HasQueuePairs(s, c.priority) || HasTcp(s, c.priority));
}

/// Queues' bytes of the pool: dynamic queues hold most when they fill one after another.
class Queues {
 public:
  void Add(const SharedBuffer::Allowance& queue, uint32_t ports) {
    if (queue.alpha) {
      left_ *= std::pow(1 + *queue.alpha, -static_cast<double>(ports));
    } else {
      fixed_ += static_cast<double>(std::min({queue.fixed, queue.of_port, queue.cap})) * ports;
    }
    any_ = queue;
  }
  double Most() const {
    const double dynamic = static_cast<double>(std::max<int64_t>(0, any_.shared)) * (1 - left_);
    return std::min(dynamic + fixed_, static_cast<double>(any_.cap));
  }

 private:
  double left_ = 1, fixed_ = 0;
  SharedBuffer::Allowance any_;
};

/// The bytes that groups admit: their pools, with headroom and reserves.
class Groups {
 public:
  void Add(const ClassAtPort& at, uint32_t ports) {
    if (!at.ingress) {
      own_ = kNoLimit;
      return;
    }
    const SharedBuffer::Allowance& group = *at.ingress;
    pools_[group.pool] = static_cast<double>(group.cap + group.pool_headroom);
    own_ += static_cast<double>(group.reserved + (group.pool_headroom > 0 ? 0 : group.headroom)) * ports;
  }
  double Most() const {
    double most = own_;
    for (const auto& [pool, bytes] : pools_) most += bytes;
    return most;
  }

 private:
  std::map<uint16_t, double> pools_;
  double own_ = 0;
};

}  // namespace

Bytes HeldByOthers(const Fabric& fabric, const SwitchClass& c, const TrafficClass& traffic,
                   const SharedBuffer::Allowance& queue, Bytes own) {
  Queues queues;
  Groups groups;
  for (const TrafficClass& other : fabric.scenario().classes) {
    if (!AnyoneSends(fabric.scenario(), other)) continue;
    for (const PortClass& port : c.ports) {
      const ClassAtPort& at = port.classes[other.priority];
      if (!at.ingress || at.ingress->slice == queue.slice) groups.Add(at, port.ports);
      if (other.priority == traffic.priority) continue;
      for (const SharedBuffer::Allowance& of : at.egress)
        if (of.pool == queue.pool) queues.Add(of, port.ports);
    }
  }
  return Bytes(
      std::llround(std::max(0.0, std::min(queues.Most(), groups.Most() - static_cast<double>(own.v)))));
}

}  // namespace headroom
