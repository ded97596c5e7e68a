// The `buffer:` key of a resolved scenario.
#include <fmt/format.h>

#include "scenario/sonic_fields.h"
#include "scenario/write.h"
#include "scenario/yaml/quantity.h"

namespace headroom {

namespace {

const char* TypeName(BufferPool::Type type) {
  switch (type) {
    case BufferPool::Type::ingress:
      return "ingress";
    case BufferPool::Type::egress:
      return "egress";
    case BufferPool::Type::both:
      break;
  }
  return "both";
}

std::string Profile(const BufferProfile& p) {
  std::string text = fmt::format("pool: {}, size: {}, xon: {}, xon_offset: {}", WriteTexts({p.pool}),
                                 p.size.v, p.xon.v, p.xon_offset.v);
  if (p.xoff) text += fmt::format(", xoff: {}", p.xoff->v);
  if (p.dynamic_th) text += fmt::format(", dynamic_th: {}", *p.dynamic_th);
  if (p.static_th) text += fmt::format(", static_th: {}", p.static_th->v);
  return '{' + text + '}';
}

std::string Assignments(const char* table, const std::vector<BufferAssignment>& assignments) {
  if (assignments.empty()) return fmt::format("        {}: {{}}\n", table);
  std::string text = fmt::format("        {}:\n", table);
  for (const BufferAssignment& a : assignments) {
    const std::string range = a.first_priority == a.last_priority
                                  ? std::to_string(a.first_priority)
                                  : fmt::format("{}-{}", a.first_priority, a.last_priority);
    text += fmt::format("          {}: {{profile: {}}}\n", WriteTexts({a.ports + "|" + range}),
                        WriteTexts({a.profile}));
  }
  return text;
}

std::string PortLists(const char* table, const std::vector<PortProfiles>& lists) {
  if (lists.empty()) return "";
  std::string text = fmt::format("        {}:\n", table);
  for (const PortProfiles& list : lists) {
    text += fmt::format("          {}: {{profile_list: [{}]}}\n", WriteTexts({list.ports}),
                        fmt::join(list.profiles, ", "));
  }
  return text;
}

}  // namespace

std::string WriteSonicSource(const SonicSource& source, ReferencedFiles& files) {
  std::string text = fmt::format("    buffer: {{sonic: {}", WriteTexts({files.Add(source.config)}));
  if (!source.lookup.empty()) text += fmt::format(", lookup: {}", WriteTexts({files.Add(source.lookup)}));
  if (!source.asic.empty()) text += fmt::format(", asic: {}", source.asic);
  if (source.ports != SonicPortNaming::automatic)
    text += source.ports == SonicPortNaming::name ? ", ports: name" : ", ports: order";
  if (!source.tables.empty()) text += ", tables: " + WriteSonicFields(source.tables);
  return text + "}\n";
}

std::string WriteBuffer(const BufferParameters& buffer) {
  if (!buffer.profile.empty()) {
    std::string keys = "profile: " + buffer.profile;
    if (buffer.profile == "hpcc") keys += ", size: " + FormatSize(buffer.size);
    if (buffer.slices != 1) keys += fmt::format(", slices: {}", buffer.slices);
    return fmt::format("    buffer: {{{}{}}}\n", keys, buffer.changes);
  }
  std::string text = fmt::format("    buffer:\n      size: {}\n", FormatSize(buffer.size));
  if (!buffer.asic.empty()) text += fmt::format("      asic: {}\n", buffer.asic);
  text += fmt::format("      cell: {}\n      slices: {}\n      tables:\n", FormatSize(buffer.cell),
                      buffer.slices);
  text += "        BUFFER_POOL:\n";
  for (const BufferPool& p : buffer.pools)
    text += fmt::format("          {}: {{type: {}, mode: {}, size: {}, xoff: {}}}\n", WriteTexts({p.name}),
                        TypeName(p.type), p.mode == BufferPool::Mode::dynamic ? "dynamic" : "static",
                        p.size.v, p.xoff.v);
  text += "        BUFFER_PROFILE:\n";
  for (const BufferProfile& p : buffer.profiles)
    text += fmt::format("          {}: {}\n", WriteTexts({p.name}), Profile(p));
  return text + Assignments("BUFFER_PG", buffer.groups) + Assignments("BUFFER_QUEUE", buffer.queues) +
         PortLists("BUFFER_PORT_INGRESS_PROFILE_LIST", buffer.port_ingress) +
         PortLists("BUFFER_PORT_EGRESS_PROFILE_LIST", buffer.port_egress);
}

}  // namespace headroom
