#include "analysis/check_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/check_thresholds.h"
#include "analysis/group_fill.h"
#include "report/text_table.h"

namespace headroom {
namespace {

using Severity = Finding::Severity;

std::string Size(Bytes bytes) { return FormatBytes(static_cast<double>(bytes.v)); }

MemoryCheck SumUp(const SwitchClass& c) {
  const BufferParameters& buffer = c.parameters->buffer;
  MemoryCheck check{.at = c.name, .switches = c.switches, .memory = buffer.size};
  for (const BufferPool& pool : buffer.pools) {
    if (pool.type != BufferPool::Type::egress) {
      check.ingress_pools += pool.size;
      check.shared_headroom += pool.xoff;
    }
    if (pool.type != BufferPool::Type::ingress) check.egress_pools += pool.size;
  }
  for (const PortClass& port : c.ports) {
    for (const auto& group : port.groups) {
      if (!group) continue;
      check.reserved_ingress += group->size * port.ports;
      const BufferPool* pool = FindPool(buffer, group->pool);
      const bool shared = pool != nullptr && pool->xoff.v > 0;
      if (group->xoff && !shared && !buffer.rules.headroom_from_link)
        check.own_headroom += *group->xoff * port.ports;
    }
    for (const auto& queue : port.queues) {
      if (queue) check.reserved_egress += queue->size * port.ports;
    }
  }
  return check;
}

/// "20.0 MB of pools, 6.00 MB of shared headroom"
std::string SumText(const MemoryCheck& check) {
  std::string text = Size(check.ingress_pools) + " of ingress pools";
  if (check.shared_headroom.v > 0)
    text += fmt::format(" + {} of shared headroom", Size(check.shared_headroom));
  if (check.own_headroom.v > 0)
    text += fmt::format(" + {} of the groups' own headroom", Size(check.own_headroom));
  return text;
}

void JudgeSum(const MemoryCheck& check, Findings& findings) {
  const Bytes over = check.Ingress() - check.memory;
  if (over.v <= 0) return;
  findings.push_back(
      {Severity::error, check.at + ", memory",
       fmt::format(
           "{} = {} (of which {} are reserved) exceed the memory of {} by {}: when it is full, lossless "
           "frames are dropped although their headroom is not used up",
           SumText(check), Size(check.Ingress()), Size(check.reserved_ingress), Size(check.memory),
           Size(over)),
       fmt::format("ingress pools or headroom smaller by {} together", Size(over))});
}

/// A pool of which reserves leave nothing gives no object more than its reserve.
void JudgeReserves(const SwitchClass& c, Findings& findings) {
  for (const BufferPool& pool : c.parameters->buffer.pools) {
    for (const bool egress : {false, true}) {
      if (pool.type == (egress ? BufferPool::Type::ingress : BufferPool::Type::egress)) continue;
      const Bytes left = c.SharedBytes(pool, egress);
      if (left.v > 0 || left == pool.size) continue;
      findings.push_back({Severity::error, fmt::format("{}, {}", c.name, pool.name),
                          fmt::format("{} reserve {} of its {}: nothing is left to share, so {}",
                                      egress ? "queues" : "groups", Size(pool.size - left), Size(pool.size),
                                      egress ? "a queue drops what exceeds its reserve"
                                             : "a group is XOFF above its reserve"),
                          "smaller reserves (size), fewer classes, or a larger pool"});
    }
  }
}

/// PFC works on groups: one without headroom cannot pause in time.
bool JudgeGroups(const SwitchClass& c, const TrafficClass& traffic, Findings& findings) {
  for (const PortClass& port : c.ports) {
    const auto& group = port.groups[traffic.priority];
    if (group && group->xoff && group->xoff->v > 0) continue;
    const std::string has =
        !group ? "has no profile" : fmt::format("has profile {}, without headroom (xoff)", group->name);
    findings.push_back(
        {Severity::error, fmt::format("{} ← {}, {}", c.name, port.peer, LinkText(port.link)),
         fmt::format("PFC is on for priority {} (class {}), but its group {}: it is no lossless group",
                     traffic.priority, traffic.name, has),
         "a profile with xoff for this priority in BUFFER_PG, or the class lossy"});
    return false;
  }
  return true;
}

std::optional<EgressCheck> CheckEgress(const Fabric& fabric, const SwitchClass& c,
                                       const TrafficClass& traffic) {
  std::optional<EgressCheck> worst;
  for (const PortClass& port : c.ports) {
    const auto& queue = port.queues[traffic.priority];
    if (!queue || !(queue->dynamic_th || queue->static_th)) continue;
    const BufferPool* pool = FindPool(c.parameters->buffer, queue->pool);
    if (pool == nullptr) continue;
    const GroupFill fill = FillBesides(fabric, c, traffic, port);
    if (fill.groups == 0) continue;
    const Bytes limit =
        queue->size + Bytes(std::llround(DynamicThreshold(*queue, c.SharedBytes(*pool, true), 1)));
    if (worst && worst->limit - worst->Ingress() <= limit - fill.before_xoff - fill.headroom) continue;
    worst = {.at = c.name,
             .traffic_class = traffic.name,
             .groups = fill.groups,
             .before_xoff = fill.before_xoff,
             .headroom = fill.headroom,
             .limit = limit};
  }
  return worst;
}

void JudgeEgress(const EgressCheck& check, Findings& findings) {
  if (check.limit >= check.Ingress()) return;
  const std::string when =
      check.limit < check.before_xoff
          ? "the queue drops before they all pause"
          : fmt::format("the queue drops with {} of headroom used", Size(check.limit - check.before_xoff));
  findings.push_back(
      {Severity::error, fmt::format("{}, class {}, egress", check.at, check.traffic_class),
       fmt::format("{} groups that send to one queue hold {} when they are full and {} more in headroom, the "
                   "queue takes {}: {}, lossless frames among them",
                   check.groups, Size(check.before_xoff), Size(check.headroom), Size(check.limit), when),
       fmt::format("an egress limit (static_th) and pool of at least {} for lossless queues",
                   Size(check.Ingress()))});
}

}  // namespace

MemoryChecks CheckMemory(const Fabric& fabric, const std::vector<SwitchClass>& switches, Findings& findings) {
  MemoryChecks checks;
  for (const SwitchClass& c : switches) {
    checks.memory.push_back(SumUp(c));
    JudgeSum(checks.memory.back(), findings);
    JudgeReserves(c, findings);
    for (const TrafficClass& traffic : fabric.scenario().classes) {
      if (traffic.name.empty() || !traffic.lossless || !c.parameters->pfc.enabled) continue;
      if (!JudgeGroups(c, traffic, findings)) {
        checks.memory.back().lossless_groups = false;
        continue;
      }
      if (const auto egress = CheckEgress(fabric, c, traffic)) {
        JudgeEgress(*egress, findings);
        checks.egress.push_back(*egress);
      }
    }
  }
  return checks;
}

}  // namespace headroom
