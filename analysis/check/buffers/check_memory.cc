#include "analysis/check/buffers/check_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/bounds/group_fill.h"
#include "analysis/bounds/pool_share.h"
#include "analysis/check/buffers/check_overrun.h"
#include "analysis/check/buffers/check_thresholds.h"
#include "report/text/text_table.h"
#include "switch/buffer/profiles.h"

namespace headroom {
namespace {

using Severity = Finding::Severity;

/// For a switch with unlinked ports in its configuration: includes their headroom, in all groups.
Bytes OwnHeadroomOfAllPorts(const BufferParameters& buffer) {
  Bytes sum;
  for (const ChipPort& port : buffer.chip_ports) {
    for (int group = 0; group < kPriorities; ++group) {
      const BufferProfile* profile = FindProfile(buffer, GroupProfileName(buffer, port.name, group, false));
      if (profile == nullptr || !profile->xoff) continue;
      const BufferPool* pool = FindPool(buffer, profile->pool);
      if (pool != nullptr && pool->xoff.v > 0) continue;
      sum += ProfileAtPort(buffer, *profile, port.speed, port.delay).xoff.value_or(Bytes());
    }
  }
  return sum;
}

Bytes OwnHeadroom(const SwitchClass& c) {
  const BufferParameters& buffer = c.parameters->buffer;
  if (buffer.rules.headroom_from_link || buffer.rules.xoff_in_profile_size) return Bytes();
  if (!buffer.chip_ports.empty()) return OwnHeadroomOfAllPorts(buffer);
  Bytes sum;
  for (const PortClass& port : c.ports) {
    for (const ClassAtPort& at : port.classes) {
      if (at.ingress && at.ingress->pool_headroom == 0) sum += Bytes(at.ingress->headroom) * port.ports;
    }
  }
  return sum;
}

MemoryCheck SumUp(const SwitchClass& c) {
  const BufferParameters& buffer = c.parameters->buffer;
  const BufferRules& rules = buffer.rules;
  MemoryCheck check{.at = c.name, .switches = c.switches, .memory = buffer.size};
  check.reserved_within = rules.reserved_off_ingress;
  for (const BufferPool& pool : buffer.pools) {
    if (pool.type != BufferPool::Type::egress) {
      check.ingress_pools += pool.size - (rules.xoff_in_pool_size ? pool.xoff : Bytes());
      check.shared_headroom += pool.xoff;
    }
    if (pool.type != BufferPool::Type::ingress) check.egress_pools += pool.size;
  }
  check.own_headroom = OwnHeadroom(c);
  if (c.buffer == nullptr) return check;
  for (const SharedBuffer::PoolReserve& pool : c.buffer->pool_reserves())
    (pool.egress ? check.reserved_egress : check.reserved_ingress) += Bytes(pool.reserved);
  return check;
}

/// "20.0 MB of pools, 6.00 MB of shared headroom"
std::string SumText(const MemoryCheck& check) {
  std::string text = FormatBytes(check.ingress_pools) + " of ingress pools";
  if (check.shared_headroom.v > 0)
    text += fmt::format(" + {} of shared headroom", FormatBytes(check.shared_headroom));
  if (check.own_headroom.v > 0)
    text += fmt::format(" + {} of the groups' own headroom", FormatBytes(check.own_headroom));
  if (!check.reserved_within && check.reserved_ingress.v > 0)
    text += fmt::format(" + {} reserved", FormatBytes(check.reserved_ingress));
  return text;
}

/// A smaller ingress pool, if there is only one.
std::vector<Remedy> SmallerPool(const BufferParameters& buffer, Bytes over) {
  const BufferPool* only = nullptr;
  for (const BufferPool& pool : buffer.pools) {
    if (pool.type == BufferPool::Type::egress) continue;
    if (only != nullptr) return {};
    only = &pool;
  }
  if (only == nullptr || only->size <= over) return {};
  return {
      {fmt::format("switches.*.buffer.tables.BUFFER_POOL.{}.size={}", only->name, (only->size - over).v)}};
}

void JudgeSum(const MemoryCheck& check, const BufferParameters& buffer, Findings& findings) {
  const Bytes over = check.Ingress() - check.memory;
  if (over.v <= 0) return;
  findings.push_back(
      {Severity::error, check.at + ", memory",
       fmt::format("{} = {}{} exceed the memory of {} by {}: when it is full, lossless frames are dropped "
                   "although their headroom is not used up",
                   SumText(check), FormatBytes(check.Ingress()),
                   check.reserved_within
                       ? fmt::format(" (of which {} are reserved)", FormatBytes(check.reserved_ingress))
                       : "",
                   FormatBytes(check.memory), FormatBytes(over)),
       SmallerPool(buffer, over)});
}

/// If reserves use up a pool, no object gets more than its reserve.
void JudgeReserves(const SwitchClass& c, Findings& findings) {
  if (c.buffer == nullptr) return;
  for (const SharedBuffer::PoolReserve& reserve : c.buffer->pool_reserves()) {
    const Bytes size = FindPool(c.parameters->buffer, reserve.pool)->size;
    if (reserve.shared > 0 || reserve.reserved == 0) continue;
    findings.push_back({Severity::error, fmt::format("{}, {}", c.name, reserve.pool),
                        fmt::format("{} reserve {} of the pool's {} and leave nothing to share, so {}",
                                    reserve.egress ? "queues" : "groups",
                                    FormatBytes(Bytes(reserve.reserved)), FormatBytes(size),
                                    reserve.egress ? "a queue drops all frames beyond its reserve"
                                                   : "a group goes XOFF above its reserve")});
  }
}

/// PFC works on groups: a group without headroom cannot pause in time.
bool JudgeGroups(const SwitchClass& c, const TrafficClass& traffic, Findings& findings) {
  for (const PortClass& port : c.ports) {
    const ClassAtPort& at = port.classes[traffic.priority];
    if (!at.pfc || at.Xoff().v > 0) continue;
    const std::string has = at.group_profile
                                ? fmt::format("profile {}, without headroom (xoff)", at.group_profile->name)
                                : "no profile";
    findings.push_back({Severity::error,
                        fmt::format("{} ← {}, {} (as {})", c.name, port.peer, LinkText(port.link), port.port),
                        fmt::format("PFC is on for class {}, but its group {} has {}: it is not a lossless "
                                    "group, and its frames are dropped",
                                    traffic.name, at.group, has),
                        {Remedy{fmt::format("priorities.{}.lossless=false", traffic.name)}}});
    return false;
  }
  return true;
}

/// The minimum number of groups, taken evenly from all kinds of ports, that hold more than the limit.
std::optional<uint32_t> FewestBeyond(Bytes limit, uint32_t groups, const auto& fill_of) {
  for (uint32_t k = 1; k <= groups; ++k) {
    if (fill_of(static_cast<double>(k) / groups).Total() > limit) return k;
  }
  return std::nullopt;
}

/// Bytes that large frames fill in any case.
Bytes AtOnce(const GroupFill& fill) { return fill.before_xoff + fill.for_sure; }

Bytes LimitOf(SharedBuffer::Allowance queue, Bytes others) {
  queue.shared -= others.v;
  queue.cap = std::max<int64_t>(0, queue.cap - others.v);
  return Bytes(queue.reserved + std::llround(ThresholdOf(queue, 1)));
}

/// Also none if a policy's limits are unknown.
std::optional<EgressCheck> CheckEgress(const Fabric& fabric, const SwitchClass& c,
                                       const TrafficClass& traffic) {
  std::optional<EgressCheck> worst;
  if (!LimitsAreKnown(c)) return worst;
  for (const PortClass& port : c.ports) {
    const std::vector<SharedBuffer::Allowance>& queue = port.classes[traffic.priority].egress;
    for (uint8_t slice = 0; slice < queue.size(); ++slice) {
      const auto fill_of = [&](double share) { return FillBesides(fabric, c, traffic, port, slice, share); };
      const GroupFill fill = fill_of(1);
      if (fill.groups == 0) continue;
      const Bytes limit = LimitOf(queue[slice], Bytes());
      const Bytes others = HeldByOthers(fabric, c, traffic, queue[slice], fill.Total());
      const Bytes left = LimitOf(queue[slice], others);
      const std::pair spare(left - fill.Total(), limit - fill.Total());
      if (worst && std::pair(worst->left - worst->Ingress(), worst->limit - worst->Ingress()) <= spare)
        continue;
      worst = {.at = c.name,
               .traffic_class = traffic.name,
               .groups = fill.groups,
               .before_xoff = fill.before_xoff,
               .headroom = fill.headroom,
               .limit = limit,
               .others = others,
               .left = left,
               .one_is_too_many = AtOnce(fill_of(1.0 / fill.groups)) > limit,
               .too_many = FewestBeyond(left, fill.groups, fill_of)};
    }
  }
  return worst;
}

/// The lossless group and queue of a class at one of the ports that have both.
const ClassAtPort* WithProfiles(const SwitchClass& c, const TrafficClass& traffic) {
  for (const PortClass& port : c.ports) {
    const ClassAtPort& at = port.classes[traffic.priority];
    if (at.group_profile && at.queue_profile) return &at;
  }
  return nullptr;
}

/// By the keys of the profiles. A queue with a limit in bytes gets as much as can arrive, in a pool that has
/// it. Groups with a limit in bytes get as much as fits, and dynamic groups a lower threshold.
std::vector<Remedy> HowToHold(const EgressCheck& check, const SwitchClass& c, const TrafficClass& traffic) {
  const ClassAtPort* at = WithProfiles(c, traffic);
  if (at == nullptr) return {};
  const BufferParameters& buffer = c.parameters->buffer;
  const BufferProfile &group = *at->group_profile, &queue = *at->queue_profile;
  const std::string tables = "switches.*.buffer.tables.";
  const auto of_profile = [&](const BufferProfile& profile, const char* key, int64_t value) {
    return fmt::format("{}BUFFER_PROFILE.{}.{}={}", tables, profile.name, key, value);
  };
  std::vector<Remedy> remedies;
  if (!queue.Dynamic()) {
    const int64_t limit = (check.Ingress() + check.others).v * buffer.slices;
    Remedy& larger = remedies.emplace_back(Remedy{of_profile(queue, "static_th", limit)});
    const BufferPool* pool = FindPool(buffer, queue.pool);
    if (pool != nullptr && pool->size.v < limit)
      larger.push_back(fmt::format("{}BUFFER_POOL.{}.size={}", tables, pool->name, limit));
  }
  if (group.dynamic_th && c.parameters->buffer.policy.type == BufferPolicyParameters::Type::dynamic) {
    for (const int lower : {1, 3})
      if (*group.dynamic_th - lower >= -8)
        remedies.push_back({of_profile(group, "dynamic_th", *group.dynamic_th - lower)});
  }
  const int64_t each = (check.left - check.headroom).v / check.groups - at->ingress->reserved;
  if (!group.Dynamic() && each > 0) remedies.push_back({of_profile(group, "static_th", each)});
  return remedies;
}

/// If one group exceeds the queue, frames are lost at every congestion. If several are needed, a workload
/// must congest as many.
void JudgeEgress(const EgressCheck& check, const std::string& overrun, std::vector<Remedy> remedies,
                 Findings& findings) {
  if (!check.too_many) return;
  const uint32_t k = *check.too_many;
  std::string what = fmt::format(
      "a queue holds at most {}{}, and {} before the groups that send to it pause or fill their "
      "headroom: {} such groups hold {} when they are full, and {} more in headroom",
      FormatBytes(check.left),
      check.left < check.limit
          ? fmt::format(" when other classes hold {} of its pool", FormatBytes(check.others))
          : "",
      k == 1 ? "a single group fills it" : fmt::format("{} of {} groups fill it", k, check.groups),
      check.groups, FormatBytes(check.before_xoff), FormatBytes(check.headroom));
  if (!overrun.empty()) what += ". " + overrun;
  findings.push_back({check.one_is_too_many || !overrun.empty() ? Severity::error : Severity::warning,
                      fmt::format("{}, class {}, egress", check.at, check.traffic_class), what,
                      std::move(remedies)});
}

}  // namespace

MemoryChecks CheckMemory(const Fabric& fabric, const std::vector<SwitchClass>& switches, Findings& findings) {
  MemoryChecks checks;
  for (const SwitchClass& c : switches) {
    checks.memory.push_back(SumUp(c));
    JudgeSum(checks.memory.back(), c.parameters->buffer, findings);
    JudgeReserves(c, findings);
    for (const TrafficClass& traffic : fabric.scenario().classes) {
      if (traffic.name.empty() || !traffic.lossless || !c.parameters->pfc.enabled) continue;
      if (!JudgeGroups(c, traffic, findings)) {
        checks.memory.back().lossless_groups = false;
        continue;
      }
      if (const auto egress = CheckEgress(fabric, c, traffic)) {
        const std::string overrun =
            egress->too_many ? OverrunText(fabric, c, DropReason::egress_limit, traffic.priority) : "";
        JudgeEgress(*egress, overrun, HowToHold(*egress, c, traffic), findings);
        checks.egress.push_back(*egress);
      }
    }
  }
  return checks;
}

}  // namespace headroom
