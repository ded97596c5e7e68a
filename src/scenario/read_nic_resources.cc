#include "scenario/read_nic_resources.h"

#include <fmt/format.h>

#include "scenario/nearest.h"

namespace headroom {
namespace {

constexpr Time kLongestCost = Seconds(1);

bool IsNone(const Node& node) { return node.IsScalar() && node.text == "none"; }

void ReadSet(const Node& node, NicParameters& nic) {
  const std::string name = ParseText(node);
  const auto set = FindResourceSet(name);
  if (!set) {
    const std::vector<std::string> names = ResourceSetNames();
    throw ScenarioError(node.where, "there is no set of resources " + Quote(name), "allowed: " + Join(names),
                        Nearest(name, names));
  }
  nic.resources = set->resources;
  nic.rx_buffer = set->rx_buffer;
}

/// A mapping of costs.
void ReadCosts(MapReader& map, const char* key, std::initializer_list<std::pair<const char*, Time*>> costs) {
  map.Read(key, [&](const Node& node) {
    MapReader keys(node, map.errors());
    for (const auto& [name, cost] : costs) keys.Field(name, *cost, Time(0), kLongestCost);
    keys.Finish();
  });
}

void ReadPcie(const Node& node, PcieParameters& pcie, Errors& errors) {
  constexpr Bytes kLargestHeader{4096};
  MapReader map(node, errors);
  if (const Node* bandwidth = map.Find("bandwidth"); bandwidth && IsNone(*bandwidth)) {
    pcie.bandwidth = Rate(0);
  } else {
    map.Field("bandwidth", pcie.bandwidth);
  }
  map.Field("latency", pcie.latency, Time(0), Milliseconds(1));
  map.Field("write_header", pcie.write_header, Bytes(0), kLargestHeader);
  map.Field("response_header", pcie.response_header, Bytes(0), kLargestHeader);
  map.Finish();
}

void ReadByKind(MapReader& map, const char* key, std::array<uint32_t, kContextKinds>& values) {
  map.Read(key, [&](const Node& node) {
    MapReader kinds(node, map.errors());
    for (int k = 0; k < kContextKinds; ++k)
      kinds.Integer(ContextKindName(static_cast<ContextKind>(k)), values[static_cast<size_t>(k)], 1,
                    1'000'000);
    kinds.Finish();
  });
}

void ReadContextCache(const Node& node, ContextCacheParameters& cache, Errors& errors) {
  MapReader map(node, errors);
  map.Integer("entries", cache.entries, 0, 1'000'000'000);
  map.Field("miss", cache.miss, Time(0), kLongestCost);
  ReadByKind(map, "weights", cache.weight);
  ReadByKind(map, "overlap", cache.overlap);
  map.Finish();
  if (cache.entries > 0 && cache.miss.v == 0)
    throw ScenarioError(node.where, "a context cache whose misses cost nothing", "give it a miss: 300ns");
}

void ReadRxBuffer(const Node& node, std::optional<RxBufferParameters>& out, Errors& errors) {
  if (IsNone(node)) {
    out.reset();
    return;
  }
  RxBufferParameters buffer;
  MapReader map(node, errors);
  map.Need({"size", "xoff", "xon"});
  const bool size = map.Field("size", buffer.size, Bytes(1));
  const bool xoff = map.Field("xoff", buffer.xoff, Bytes(1));
  const bool xon = map.Field("xon", buffer.xon);
  map.Finish();
  if (size && xoff && buffer.xoff > buffer.size)
    throw ScenarioError(
        node.Find("xoff")->where,
        fmt::format("xoff {} is above size {}", FormatSize(buffer.xoff), FormatSize(buffer.size)));
  if (xoff && xon && buffer.xon >= buffer.xoff)
    throw ScenarioError(
        node.Find("xon")->where,
        fmt::format("xon {} is not below xoff {}", FormatSize(buffer.xon), FormatSize(buffer.xoff)));
  out = buffer;
}

}  // namespace

void ReadNicResources(const Node& node, NicParameters& nic, Errors& errors) {
  if (node.IsScalar()) return ReadSet(node, nic);
  ResourceParameters& r = nic.resources;
  MapReader map(node, errors);
  map.Read("set", [&](const Node& name) { ReadSet(name, nic); });
  ReadCosts(map, "pio", {{"line", &r.pio_line}});
  map.Read("wqe", [&](const Node& value) {
    constexpr Bytes kLargestHeader{4096};
    MapReader wqe(value, errors);
    wqe.Field("connected", r.wqe_connected, Bytes(0), kLargestHeader);
    wqe.Field("datagram", r.wqe_datagram, Bytes(0), kLargestHeader);
    wqe.Finish();
  });
  ReadCosts(map, "tx",
            {{"inline", &r.tx_inline},
             {"fetched", &r.tx_fetched},
             {"read", &r.tx_read},
             {"ack", &r.tx_ack},
             {"completion", &r.tx_completion}});
  ReadCosts(
      map, "rx",
      {{"write", &r.rx_write}, {"recv", &r.rx_recv}, {"read", &r.rx_read}, {"segment", &r.read_segment}});
  ReadCosts(map, "engine",
            {{"message", &r.engine_message}, {"line", &r.engine_line}, {"recv", &r.engine_recv}});
  map.Read("pcie", [&](const Node& value) { ReadPcie(value, r.pcie, errors); });
  map.Read("context_cache", [&](const Node& value) { ReadContextCache(value, r.contexts, errors); });
  map.Read("rx_buffer", [&](const Node& value) { ReadRxBuffer(value, nic.rx_buffer, errors); });
  map.Field("tx_buffer", r.tx_buffer, Bytes(1), Bytes(int64_t{1} << 30));
  map.Finish();
}

}  // namespace headroom
