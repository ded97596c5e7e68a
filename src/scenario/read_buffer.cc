#include "scenario/read_buffer.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/nearest.h"
#include "switch/profiles.h"

namespace headroom {

namespace {

void ReadSlices(MapReader& map) {
  map.Read("slices", [&](const Node& node) {
    const int64_t slices = ParseInteger(node, 1, 64);
    if (slices != 1)
      throw NotSupportedYet(node.where, fmt::format("a buffer of {} slices", slices), "allowed: 1");
  });
}

BufferParameters ReadNamed(MapReader& map) {
  BufferParameters buffer;
  const Node* own_size = map.Find("size");
  ReadSlices(map);
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
  return buffer;
}

BufferParameters ReadInline(MapReader& map) {
  BufferParameters buffer;
  map.Need({"size", "tables"});
  const bool sized = map.Field("size", buffer.size, Kibibytes(1));
  map.Field("cell", buffer.cell, Bytes(1), Kibibytes(64));
  ReadSlices(map);
  if (sized) map.Read("tables", [&](const Node& node) { ReadBufferTables(node, buffer, map.errors()); });
  return buffer;
}

}  // namespace

BufferParameters ReadBuffer(const Node& node, Errors& errors) {
  MapReader map(node, errors);
  map.NotYet({"sonic"});
  BufferParameters buffer;
  if (map.Has("profile")) {
    buffer = ReadNamed(map);
  } else if (!map.Has("sonic")) {
    map.Find("profile");  // a likely fix for a misspelt key
    buffer = ReadInline(map);
  }
  map.Finish();
  return buffer;
}

}  // namespace headroom
