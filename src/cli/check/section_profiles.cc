// The contents of a scenario's named buffer profiles, in the text of a check.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "cli/check/sections.h"
#include "cli/labelled_line.h"
#include "cli/quantity_text.h"
#include "scenario/yaml/quantity.h"
#include "switch/buffer/profiles.h"

namespace headroom {
namespace {

std::string CableText(int64_t metres) {
  return metres < 1000 ? fmt::format("{} m", metres)
                       : fmt::format("{:g} km", static_cast<double>(metres) / 1000);
}

std::string DynamicText(const BufferProfile& p) {
  if (p.alpha) return fmt::format("{:g} × free", *p.alpha);
  const int th = *p.dynamic_th;
  return th < 0 ? fmt::format("1/{} of free", 1 << -th) : fmt::format("{} × free", 1 << th);
}

std::string LimitText(const BufferProfile& p, const BufferPolicyParameters& policy) {
  using Type = BufferPolicyParameters::Type;
  if (p.static_th) return SizeText(*p.static_th);
  if (!p.Dynamic()) return "-";
  if (policy.type == Type::fixed) return SizeText(policy.limit);
  if (policy.type == Type::complete_sharing) return "the pool's free bytes";
  return policy.type == Type::dynamic ? DynamicText(p)
                                      : fmt::format("{} {:g}", NameOf(policy.type), *p.Alpha());
}

std::string PoolsText(const BufferParameters& buffer) {
  constexpr const char* kTypes[] = {"ingress", "egress", "both"};
  TextTable pools("llrr", {"pool", "type", "size", "headroom"});
  for (const BufferPool& p : buffer.pools)
    pools.AddRow(
        {Shorten(p.name, 24), kTypes[static_cast<size_t>(p.type)], SizeText(p.size), SizeText(p.xoff)});
  TextTable profiles("llrrrr", {"profile", "of pool", "reserved", "limit", "xon", "below limit"});
  for (const BufferProfile& p : buffer.profiles) {
    const bool lossless = p.xoff.has_value(), by_speed = lossless && !buffer.by_speed.empty();
    profiles.AddRow({Shorten(p.name, 24), Shorten(p.pool, 24), SizeText(p.size),
                     by_speed && !p.own.threshold ? "by speed" : LimitText(p, buffer.policy),
                     lossless ? SizeText(p.xon) : "-",
                     !lossless                       ? "-"
                     : by_speed && !p.own.xon_offset ? "by speed"
                                                     : SizeText(p.xon_offset)});
  }
  return pools.ToString() + '\n' + profiles.ToString() +
         "  limit: bytes that a group or queue may hold beyond its reserve, often relative to the "
         "pool's\n  free bytes. A pause ends at the larger of two values: xon, and the limit minus "
         "xon_offset\n" +
         (buffer.policy.HasMemory()
              ? fmt::format("  the number after {} is alpha; docs/models/buffer-policies.md explains the "
                            "policy\n",
                            NameOf(buffer.policy.type))
              : "");
}

/// Prints xoff of the lossless groups by speed and cable length, and the other values that depend on speed.
std::string RowsText(const BufferParameters& buffer, const BufferProfile& lossless) {
  if (buffer.rules.headroom_from_link && !lossless.own.xoff)
    return "xoff: 3 times the bytes that the cable holds in one direction, taken from the pool\n";
  if (buffer.headroom.empty() || lossless.own.xoff)
    return fmt::format("xoff: {} at every speed and length\n", SizeText(lossless.xoff.value_or(Bytes())));
  std::set<Rate> speeds;
  std::set<int64_t> lengths;
  for (const HeadroomRow& row : buffer.headroom) {
    speeds.insert(row.speed);
    lengths.insert(row.cable_m);
  }
  std::vector<std::string> head = {"xoff", "limit", "below limit"};
  for (const int64_t length : lengths) head.push_back("to " + CableText(length));
  TextTable table("lrr" + std::string(lengths.size(), 'r'), head);
  for (const Rate speed : speeds) {
    const BufferProfile at = ProfileAtPort(buffer, lossless, speed, Time());
    std::vector<std::string> cells = {FormatRate(speed), LimitText(at, buffer.policy),
                                      SizeText(at.xon_offset)};
    for (const int64_t length : lengths) {
      const auto row = std::ranges::find_if(
          buffer.headroom, [&](const HeadroomRow& r) { return r.speed == speed && r.cable_m == length; });
      cells.push_back(row == buffer.headroom.end() ? "-" : SizeText(row->xoff));
    }
    table.AddRow(std::move(cells));
  }
  return table.ToString() + fmt::format("  for another speed or a longer cable, xoff is {}\n",
                                        SizeText(lossless.xoff.value_or(Bytes())));
}

std::string BufferText(const BufferParameters& buffer, const std::vector<std::string>& at) {
  std::string text =
      LabelledLine("buffer", fmt::format("{}{} of {}: {} in cells of {}; {}", buffer.profile, buffer.changes,
                                         fmt::join(at, ", "), SizeText(buffer.size), SizeText(buffer.cell),
                                         buffer.source));
  text += PoolsText(buffer);
  for (const BufferProfile& p : buffer.profiles)
    if (p.name == buffer.lossless_group) text += '\n' + RowsText(buffer, p);
  return text;
}

}  // namespace

std::string DescribeProfiles(const std::vector<SwitchClass>& switches) {
  std::vector<std::pair<const BufferParameters*, std::vector<std::string>>> buffers;
  for (const SwitchClass& c : switches) {
    const BufferParameters& buffer = c.parameters->buffer;
    if (buffer.profile.empty()) continue;
    const auto known = std::ranges::find_if(buffers, [&](const auto& b) { return *b.first == buffer; });
    if (known == buffers.end()) {
      buffers.push_back({&buffer, {c.name}});
    } else {
      known->second.push_back(c.name);
    }
  }
  std::string out;
  for (const auto& [buffer, at] : buffers) out += (out.empty() ? "" : "\n") + BufferText(*buffer, at);
  return out;
}

}  // namespace headroom
