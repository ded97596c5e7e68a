// The forms of `buffer:`.
#include "scenario/keys/switches/buffer_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/keys/switches/policy_keys.h"
#include "scenario/referenced_files.h"
#include "scenario/sonic/sonic_fields.h"
#include "sonic/chip/sonic_switch_parts.h"
#include "switch/buffer/asic_families.h"
#include "switch/buffer/profiles.h"

namespace headroom::keys {

namespace {

using Parameters = BufferParameters;

constexpr const char* kBufferPage = "models/shared-buffer.md";
constexpr const char* kHpcc = "hpcc";

std::vector<std::string> ProfileNames() {
  std::vector<std::string> names = BufferProfileNames();
  std::erase(names, kHpcc);
  return names;
}

KindOf<Parameters> NamedProfile() {
  return {ShapeOfChoice(ProfileNames()),
          [](const Node& node, Parameters& buffer, Reading&) {
            std::vector<std::string> names = BufferProfileNames();
            if (std::ranges::find(names, kHpcc) == names.end()) names.emplace_back(kHpcc);
            buffer = *FindBufferProfile(ParseKnown(node, "buffer profile", names));
          },
          {}};
}

KindOf<Parameters> HpccProfile() {
  return {{"choice", kHpcc, R"({"const": "hpcc"})"},
          [](const Node&, Parameters& buffer, Reading&) { buffer = HpccBuffer(Kibibytes(32 * 1024)); },
          {}};
}

KindOf<Parameters> SizeOfHpcc() {
  const KindOf<Bytes> size = Sizes(Kibibytes(1));
  return {size.shape,
          [size](const Node& node, Parameters& buffer, Reading& reading) {
            Bytes bytes;
            size.read(node, bytes, reading);
            buffer = HpccBuffer(bytes);
          },
          {}};
}

/// Cells, slices and arithmetic of a family of ASICs.
KindOf<Parameters> Asic() {
  return {ShapeOfChoice(AsicFamilyNames()),
          [](const Node& node, Parameters& buffer, Reading&) {
            buffer.asic = ParseKnown(node, "ASIC family", AsicFamilyNames());
            const AsicFamily* family = FindAsicFamily(buffer.asic);
            buffer.cell = family->cell;
            buffer.slices = family->slices;
            buffer.rules = family->rules;
          },
          [](const Parameters& buffer, const Writing&) { return buffer.asic; }};
}

/// REQUIRES: the size is known, unless it was wrong.
KindOf<Parameters> Tables() {
  KindOf<Parameters> tables = Mapping(BufferTableKeys());
  tables.read = [read = tables.read](const Node& node, Parameters& buffer, Reading& reading) {
    if (buffer.size.v == 0) return;
    read(node, buffer, reading);
    AddUnnamedProfiles(buffer);
  };
  return tables;
}

KeyOf<Parameters> Slices(const char* standard) {
  return {"slices",
          &Parameters::slices,
          Integers(1, 64),
          "number of slices: equal parts of memory and pools, each for a block of ports",
          {.standard = standard, .cost = Cost::fixed}};
}

std::vector<KeyOf<Parameters>> Changes() {
  return {
      Slices("1"),
      PolicyKey(),
      {"alpha",
       Alpha(),
       "limit of the profile's lossless groups, at all speeds",
       {.standard = "the profile's", .tried = {"1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4"}}},
      {"tables",
       ChangedTables(),
       "changed fields and new rows of the profile's tables, such as {BUFFER_PROFILE: "
       "{ingress_lossless: {xoff: 120000}}}",
       {.standard = "the profile's"}}};
}

template <class... K>
std::vector<KeyOf<Parameters>> WithChanges(K... keys) {
  std::vector<KeyOf<Parameters>> all{keys...};
  for (KeyOf<Parameters>& key : Changes()) all.push_back(std::move(key));
  return all;
}

void CheckChanges(const Node& node, Parameters& buffer, Reading&) {
  CheckPolicy(node, buffer);
  const Node* tables = node.Find("tables");
  const Node* rows = tables ? tables->Find("BUFFER_PROFILE") : nullptr;
  const Node* lossless = rows ? rows->Find(buffer.lossless_group) : nullptr;
  for (const char* field : {"dynamic_th", "static_th", "alpha"}) {
    if (const Node* second = node.Find("alpha") && lossless ? lossless->Find(field) : nullptr)
      throw ScenarioError(second->where,
                          fmt::format("{} of {} is given beside alpha", field, buffer.lossless_group),
                          "give one of the two: alpha is 2 to the power of dynamic_th");
  }
}

const KeysOf<Parameters>& NamedBufferKeys() {
  using BufferKey = KeyOf<Parameters>;
  static const KeysOf<Parameters> keys(
      {.name = "buffer_profile", .page = kBufferPage, .help = "a named profile"},
      WithChanges(
          BufferKey("profile", NamedProfile(), "a named buffer", {.required = true, .cost = Cost::fixed}),
          BufferKey("size", ChangedSize(), "size of the memory; pools and static limits are scaled with it",
                    {.standard = "the profile's", .cost = Cost::fixed})),
      CheckChanges);
  return keys;
}

const KeysOf<Parameters>& HpccBufferKeys() {
  using BufferKey = KeyOf<Parameters>;
  static const KeysOf<Parameters> keys(
      {.name = "buffer_hpcc", .page = kBufferPage, .help = "profile hpcc"},
      WithChanges(
          BufferKey("profile", HpccProfile(), "the buffer rules of the HPCC simulator", {.required = true}),
          BufferKey("size", SizeOfHpcc(), "the memory", {.required = true, .cost = Cost::fixed})),
      CheckChanges);
  return keys;
}

const KeysOf<Parameters>& InlineBufferKeys() {
  static const KeysOf<Parameters> keys(
      {.name = "buffer_inline", .page = kBufferPage, .help = "own tables", .block = true},
      {{"size",
        &Parameters::size,
        Sizes(Kibibytes(1)),
        "the memory",
        {.required = true, .cost = Cost::fixed}},
       {"asic",
        Asic(),
        "ASIC family, which determines cells, slices and the arithmetic of pools",
        {.standard = "none", .cost = Cost::fixed}},
       {"cell",
        &Parameters::cell,
        Sizes(Bytes(1), Kibibytes(64)),
        "cell size; frames are rounded up to cells",
        {.standard = "the cell of the family; without asic 1B", .cost = Cost::fixed}},
       Slices("the slices of the family; without asic 1"),
       PolicyKey(),
       {"tables",
        Tables(),
        "pools, profiles, and the profiles of groups and queues, as in config_db.json",
        {.required = true}}},
      [](const Node& node, Parameters& buffer, Reading&) { CheckPolicy(node, buffer); });
  return keys;
}

KindOf<std::filesystem::path> File() {
  return {{"file", "a path, relative to the file", R"({"type": "string"})"},
          [](const Node& node, std::filesystem::path& path, Reading&) { path = ParsePath(node); },
          [](const std::filesystem::path& path, const Writing& writing) {
            return path.empty() ? "" : WriteTexts({writing.files ? writing.files->Add(path) : path.string()});
          }};
}

KindOf<std::string> SonicAsic() {
  return {ShapeOfChoice(SonicAsicNames()),
          [](const Node& node, std::string& asic, Reading&) {
            asic = ParseKnown(node, "ASIC", SonicAsicNames());
          },
          [](const std::string& asic, const Writing&) { return asic; }};
}

KindOf<std::vector<SonicField>> SonicFields() {
  return {
      {"tables", "",
       R"({"type": "object", "additionalProperties": {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": {"type": ["string", "number"]}}}})"},
      [](const Node& node, std::vector<SonicField>& fields, Reading&) { fields = ReadSonicFields(node); },
      [](const std::vector<SonicField>& fields, const Writing&) {
        return fields.empty() ? "" : WriteSonicFields(fields);
      }};
}

/// {profile: azure-24mb, slices: 2, alpha: …, tables: …}
std::string WriteNamed(const Parameters& buffer) {
  std::string keys = "profile: " + buffer.profile;
  if (buffer.profile == kHpcc) keys += ", size: " + FormatSize(buffer.size);
  if (buffer.slices != 1) keys += fmt::format(", slices: {}", buffer.slices);
  if (const std::string policy = PolicyKey().write(&buffer, {}); !policy.empty())
    keys += ", policy: " + policy;
  return fmt::format("{{{}{}}}", keys, buffer.changes);
}

/// Every lossless class needs a profile for its priority groups.
void CheckLosslessGroups(const Position& where, const Parameters& buffer, const TrafficClasses& classes) {
  if (!buffer.lossless_group.empty()) return;
  for (const TrafficClass& c : classes) {
    if (c.name.empty() || !c.lossless) continue;
    const bool covered = std::ranges::any_of(buffer.groups, [&](const BufferAssignment& a) {
      return a.first_priority <= c.priority && c.priority <= a.last_priority;
    });
    if (!covered)
      throw ScenarioError(where,
                          fmt::format("no row of BUFFER_PG covers priority {} of the lossless class \"{}\"",
                                      c.priority, c.name));
  }
}

void ReadOwn(const Node& node, Parameters& buffer, Reading& reading) {
  MapReader map(node, reading.errors);
  const Node* profile = map.Find("profile");
  if (!profile) map.Find("sonic");  // likely fixes for a misspelt key
  const bool hpcc = profile && profile->IsScalar() && profile->text == kHpcc;
  (!profile ? InlineBufferKeys()
   : hpcc   ? HpccBufferKeys()
            : NamedBufferKeys())
      .ReadAll(map, &buffer, reading);
}

}  // namespace

const KeysOf<SonicSource>& SonicSourceKeys() {
  using Source = SonicSource;
  using Naming = SonicPortNaming;
  static const KeysOf<Source> keys(
      {.name = "buffer_sonic",
       .page = "models/sonic.md",
       .help = "a switch's configuration",
       .cost = Cost::fixed},
      {{"sonic",
        &Source::config,
        File(),
        "a SONiC switch's config_db.json, for all matching switches",
        {.required = true}},
       {"lookup",
        &Source::lookup,
        File(),
        "the switch's pg_profile_lookup.ini, from which SONiC's buffer manager creates the lossless groups",
        {.standard = "none"}},
       {"asic",
        &Source::asic,
        SonicAsic(),
        "ASIC family, which determines cells, slices and the arithmetic of pools",
        {.standard = "depends on hwsku and platform in the file"}},
       {"ports",
        &Source::ports,
        OneOf<Naming>({{"name", Naming::name}, {"order", Naming::order}}),
        "how ports of the topology map to ports in the file",
        {.standard = "by name if the file has all names of the topology's ports, in order if it has none"}},
       {"tables",
        &Source::tables,
        SonicFields(),
        "fields that replace or extend fields of the file: {TABLE: {key: {field: value}}}",
        {.standard = "none"}}});
  return keys;
}

KindOf<SwitchParameters> Buffer() {
  Shape shape = NamedBufferKeys().shape();
  shape.bounds = "a profile, tables, or a SONiC configuration";
  shape.inside = {&NamedBufferKeys(), &HpccBufferKeys(), &InlineBufferKeys(), &SonicSourceKeys()};
  shape.schema = R"({"$ref": "#/definitions/buffer"})";
  const auto read = [](const Node& node, SwitchParameters& s, Reading& reading) {
    const Node* policy = node.Find("sonic") ? node.Find("policy") : nullptr;
    if (policy)
      throw ScenarioError(
          policy->where, "policy is given beside a SONiC configuration",
          "the configuration already has SONiC's limits; for another policy, give the buffer as a "
          "profile or as tables");
    if (node.Find("sonic")) return SonicSourceKeys().Read(node, &s.sonic.emplace(), reading);
    s.buffer = {};
    ReadOwn(node, s.buffer, reading);
    if (!reading.errors.Any()) CheckLosslessGroups(node.where, s.buffer, *reading.classes);
  };
  const auto write = [](const SwitchParameters& s, const Writing& writing) {
    if (s.sonic) return SonicSourceKeys().Write(&*s.sonic, writing);
    return s.buffer.profile.empty() ? InlineBufferKeys().Write(&s.buffer, writing) : WriteNamed(s.buffer);
  };
  return {shape, read, write};
}

}  // namespace headroom::keys
