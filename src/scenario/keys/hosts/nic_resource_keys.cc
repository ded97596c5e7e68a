// The costs of packets in a NIC.
#include <fmt/format.h>

#include "scenario/keys/hosts/nic_keys.h"

namespace headroom::keys {

namespace {

using Resources = ResourceParameters;

constexpr const char* kPage = "models/nic-resources.md";
constexpr const char* kOfTheSet = "the set's";

KindOf<Time> Cost() { return Times(Time(0), Seconds(1)); }
KindOf<Bytes> HeaderSize() { return Sizes(Bytes(0), Bytes(4096)); }

/// A named set of costs, which includes its receive buffer.
KindOf<NicParameters> Set() {
  return {ShapeOfChoice(ResourceSetNames()),
          [](const Node& node, NicParameters& nic, Reading&) {
            const ResourceSet set =
                *FindResourceSet(ParseKnown(node, "set of resources", ResourceSetNames()));
            nic.resources = set.resources;
            nic.rx_buffer = set.rx_buffer;
          },
          [](const NicParameters& nic, const Writing&) { return nic.resources.set; }};
}

/// The costs of one station.
using CostTable = std::vector<std::tuple<const char*, Time Resources::*, const char*>>;
KeysOf<Resources> Costs(const char* name, const char* help, const CostTable& costs) {
  std::vector<KeyOf<Resources>> keys;
  for (const auto& [key, field, what] : costs)
    keys.emplace_back(key, field, Cost(), what, Traits{.standard = kOfTheSet});
  return {{.name = name, .page = kPage, .help = help}, keys};
}

using ByContext = std::array<uint32_t, kContextKinds>;
const KeysOf<ByContext>& ByContextKeys() {
  static const KeysOf<ByContext> keys({.name = "by_context", .page = kPage}, [] {
    std::vector<KeyOf<ByContext>> kinds;
    for (int k = 0; k < kContextKinds; ++k)
      kinds.emplace_back(
          ContextKindName(static_cast<ContextKind>(k)),
          [k](ByContext& values) -> uint32_t& { return values[static_cast<size_t>(k)]; },
          Integers(1, 1'000'000), "value for contexts of this kind", Traits{.standard = kOfTheSet});
    return kinds;
  }());
  return keys;
}

const KeysOf<PcieParameters>& PcieKeys() {
  using Pcie = PcieParameters;
  static const KeysOf<Pcie> keys({.name = "pcie", .page = kPage},
                                 {{"bandwidth",
                                   &Pcie::bandwidth,
                                   OrWord("none", Rate(0), Rates()),
                                   "bandwidth in each direction; none: no limit",
                                   {.standard = kOfTheSet}},
                                  {"latency",
                                   &Pcie::latency,
                                   Times(Time(0), Milliseconds(1)),
                                   "latency of PCIe, one way",
                                   {.standard = kOfTheSet}},
                                  {"write_header",
                                   &Pcie::write_header,
                                   HeaderSize(),
                                   "bytes added to each 256 B that the NIC writes",
                                   {.standard = kOfTheSet}},
                                  {"response_header",
                                   &Pcie::response_header,
                                   HeaderSize(),
                                   "bytes added to each 128 B that the NIC reads",
                                   {.standard = kOfTheSet}}});
  return keys;
}

const KeysOf<ContextCacheParameters>& ContextCacheKeys() {
  using Cache = ContextCacheParameters;
  static const KeysOf<Cache> keys(
      {.name = "context_cache", .page = kPage, .block = true},
      {{"entries",
        &Cache::entries,
        Integers(0, 1'000'000'000),
        "capacity of the cache in units; 0: unlimited",
        {.standard = kOfTheSet}},
       {"miss", &Cache::miss, Cost(), "time to fetch a context", {.standard = kOfTheSet}},
       {"weights", &Cache::weight, Mapping(ByContextKeys()), "units that a context occupies, by kind"},
       {"overlap", &Cache::overlap, Mapping(ByContextKeys()),
        "number of misses that overlap, by kind; a miss costs miss / overlap"}},
      [](const Node& node, Cache& cache, Reading&) {
        if (cache.entries > 0 && cache.miss.v == 0)
          throw ScenarioError(node.where, "a context cache with free misses has no effect",
                              "give a time such as miss: 300ns");
      });
  return keys;
}

void CheckRxBuffer(const Node& node, RxBufferParameters& b, Reading&) {
  if (b.size.v > 0 && b.xoff > b.size)
    throw ScenarioError(node.Find("xoff")->where,
                        fmt::format("xoff {} is above the size {}", FormatSize(b.xoff), FormatSize(b.size)));
  if (b.xoff.v > 0 && b.xon >= b.xoff)
    throw ScenarioError(node.Find("xon")->where,
                        fmt::format("xon {} is not below xoff {}", FormatSize(b.xon), FormatSize(b.xoff)));
}

const KeysOf<RxBufferParameters>& RxBufferKeys() {
  using Buffer = RxBufferParameters;
  static const KeysOf<Buffer> keys(
      {.name = "rx_buffer", .page = kPage},
      {{"size",
        &Buffer::size,
        Sizes(Bytes(1)),
        "capacity of the buffer for waiting frames",
        {.required = true}},
       {"xoff",
        &Buffer::xoff,
        Sizes(Bytes(1)),
        "fill at which the NIC pauses its switch",
        {.required = true}},
       {"xon", &Buffer::xon, Sizes(), "fill at which the NIC resumes its switch", {.required = true}}},
      CheckRxBuffer);
  return keys;
}

}  // namespace

const KeysOf<NicParameters>& NicResourceKeys() {
  using Nic = NicParameters;
  static const KeysOf<Resources> pio =
      Costs("pio", "programmed I/O",
            {{"line", &Resources::pio_line, "time to write 64 B of a work request to the NIC"}});
  static const KeysOf<Resources> wqe({.name = "wqe", .page = kPage},
                                     {{"connected",
                                       &Resources::wqe_connected,
                                       HeaderSize(),
                                       "size of a work request's header on RC and UC",
                                       {.standard = kOfTheSet}},
                                      {"datagram",
                                       &Resources::wqe_datagram,
                                       HeaderSize(),
                                       "size of a work request's header on UD",
                                       {.standard = kOfTheSet}}});
  static const KeysOf<Resources> tx =
      Costs("tx", "",
            {{"inline", &Resources::tx_inline, "time per packet with payload from the work request"},
             {"fetched", &Resources::tx_fetched, "time per packet with payload from memory"},
             {"read", &Resources::tx_read, "time for a READ request"},
             {"ack", &Resources::tx_ack, "time to process an ACK or NAK"},
             {"completion", &Resources::tx_completion, "time to complete a work request"}});
  static const KeysOf<Resources> rx = Costs(
      "rx", "",
      {{"write", &Resources::rx_write,
        "time for a packet of a WRITE or READ response, or a packet of a SEND except the last"},
       {"recv", &Resources::rx_recv, "time for a packet that consumes a RECV"},
       {"read", &Resources::rx_read, "time for a READ request"},
       {"segment", &Resources::read_segment, "time for each 128 B of a READ response beyond the first"}});
  static const KeysOf<Resources> engine =
      Costs("engine", "",
            {{"message", &Resources::engine_message, "time for each data packet"},
             {"line", &Resources::engine_line, "time for each line of a work request beyond the first"},
             {"recv", &Resources::engine_recv, "extra time for a packet that consumes a RECV"}});
  static const KeysOf<Nic> keys(
      {.name = "resources", .page = kPage, .block = true, .cost = Cost::fixed},
      {{"set", Set(), "named set of costs, which gives the defaults"},
       {"pio", &Nic::resources, Mapping(pio), "programmed I/O"},
       {"wqe", &Nic::resources, Mapping(wqe), "headers of work requests"},
       {"tx", &Nic::resources, Mapping(tx), "times of the transmit pipeline, per packet"},
       {"rx", &Nic::resources, Mapping(rx), "times of the receive pipeline, per packet"},
       {"engine", &Nic::resources, Mapping(engine), "times of the engine that both pipelines share"},
       {"pcie", &Nic::resources, &Resources::pcie, Mapping(PcieKeys()), "PCIe between NIC and memory"},
       {"context_cache", &Nic::resources, &Resources::contexts, Mapping(ContextCacheKeys()),
        "cache of connection state in the NIC, looked up for each packet"},
       {"rx_buffer", &Nic::rx_buffer, OrWord("none", std::nullopt, Maybe(Mapping(RxBufferKeys()))),
        "buffer for received frames that the NIC has not processed yet; none: unlimited, and the NIC "
        "never pauses its switch"},
       {"turn", &Nic::resources, &Resources::turn,
        OrWord("packet", Bytes(0), Sizes(Bytes(1), Bytes(int64_t{1} << 30))),
        "bytes of requests that a queue pair sends before the next one has its turn; packet: one packet. "
        "READ "
        "responses take turns by packet"},
       {"tx_buffer", &Nic::resources, &Resources::tx_buffer, Sizes(Bytes(1), Bytes(int64_t{1} << 30)),
        "capacity of the buffer between pipeline and port, per class"}});
  return keys;
}

KindOf<NicParameters> NicResources() {
  const KindOf<NicParameters> set = Set(), mapping = Mapping(NicResourceKeys());
  Shape shape = mapping.shape;
  shape.kind = "choice, mapping";
  shape.bounds = set.shape.bounds;
  shape.schema = fmt::format(R"({{"oneOf": [{}, {}]}})", set.shape.schema, mapping.shape.schema);
  return {shape,
          [=](const Node& node, NicParameters& nic, Reading& reading) {
            (node.IsScalar() ? set : mapping).read(node, nic, reading);
          },
          [=](const NicParameters& nic, const Writing& writing) {
            // A name alone replaces all costs; the keys of a mapping change the costs of earlier entries.
            const bool ideal = nic.resources == Resources{} && !nic.rx_buffer;
            return ideal ? "ideal" : mapping.write(nic, writing);
          }};
}

}  // namespace headroom::keys
