#include "scenario/read_buffer.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/yaml/nearest.h"
#include "switch/buffer/asic_families.h"
#include "switch/buffer/profiles.h"

namespace headroom {

namespace {

constexpr int kMostSlices = 64;

BufferParameters ReadNamed(MapReader& map) {
  BufferParameters buffer;
  const Node* own_size = map.Find("size");
  map.Read("profile", [&](const Node& node) {
    const std::string name = ParseText(node);
    if (name == "hpcc") {
      map.Need({"size"});
      Bytes size = Kibibytes(32 * 1024);
      map.Field("size", size, Kibibytes(1));
      buffer = HpccBuffer(size);
      return;
    }
    const auto found = FindBufferProfile(name);
    std::vector<std::string> names = BufferProfileNames();
    if (std::find(names.begin(), names.end(), "hpcc") == names.end()) names.push_back("hpcc");
    if (!found)
      throw ScenarioError(node.where, "there is no buffer profile " + Quote(name), "allowed: " + Join(names),
                          Nearest(name, names));
    if (own_size)
      throw ScenarioError(own_size->where, fmt::format("profile \"{}\" has its own size", name),
                          "only profile hpcc takes a size");
    buffer = *found;
  });
  map.Integer("slices", buffer.slices, 1, kMostSlices);
  map.NotYet({"policy"});
  ReadBufferChanges(map, buffer);
  return buffer;
}

/// Cells, slices and arithmetic of a family of ASICs.
void ReadAsic(const Node& node, BufferParameters& buffer) {
  const std::string name = ParseText(node);
  const AsicFamily* family = FindAsicFamily(name);
  if (!family)
    throw ScenarioError(node.where, "there is no ASIC family " + Quote(name),
                        "allowed: " + Join(AsicFamilyNames()), Nearest(name, AsicFamilyNames()));
  buffer.asic = name;
  buffer.cell = family->cell;
  buffer.slices = family->slices;
  buffer.rules = family->rules;
}

BufferParameters ReadInline(MapReader& map) {
  BufferParameters buffer;
  map.Need({"size", "tables"});
  const bool sized = map.Field("size", buffer.size, Kibibytes(1));
  map.Read("asic", [&](const Node& node) { ReadAsic(node, buffer); });
  map.Field("cell", buffer.cell, Bytes(1), Kibibytes(64));
  map.Integer("slices", buffer.slices, 1, kMostSlices);
  if (sized) map.Read("tables", [&](const Node& node) { ReadBufferTables(node, buffer, map.errors()); });
  return buffer;
}

}  // namespace

BufferParameters ReadBuffer(const Node& node, Errors& errors) {
  MapReader map(node, errors);
  BufferParameters buffer;
  if (map.Has("profile")) {
    buffer = ReadNamed(map);
  } else {
    map.Find("profile");  // likely fixes for a misspelt key
    map.Find("sonic");
    buffer = ReadInline(map);
  }
  map.Finish();
  return buffer;
}

}  // namespace headroom
