// The resources of a NIC in a resolved scenario: every cost, whatever set they are from.
#include <fmt/format.h>

#include "scenario/quantity.h"
#include "scenario/write.h"

namespace headroom {
namespace {

std::string ByKind(const std::array<uint32_t, kContextKinds>& values) {
  std::string text;
  for (int k = 0; k < kContextKinds; ++k)
    text += fmt::format("{}{}: {}", k > 0 ? ", " : "", ContextKindName(static_cast<ContextKind>(k)),
                        values[static_cast<size_t>(k)]);
  return "{" + text + "}";
}

std::string RxBufferText(const std::optional<RxBufferParameters>& b) {
  if (!b) return "none";
  return fmt::format("{{size: {}, xoff: {}, xon: {}}}", FormatSize(b->size), FormatSize(b->xoff),
                     FormatSize(b->xon));
}

}  // namespace

std::string WriteNicResources(const NicParameters& nic) {
  // The name alone stands for nothing else; keys of a mapping would be laid over those of entries before.
  if (nic.resources == ResourceParameters{} && !nic.rx_buffer) return "    resources: ideal\n";
  return "    resources:\n" + WriteResourceKeys(nic);
}

std::string WriteResourceKeys(const NicParameters& nic) {
  const ResourceParameters& r = nic.resources;
  const auto time = [](Time t) { return FormatTime(t); };
  std::string text =
      fmt::format("      set: {}\n      pio: {{line: {}}}\n      wqe: {{connected: {}, datagram: {}}}\n",
                  r.set, time(r.pio_line), FormatSize(r.wqe_connected), FormatSize(r.wqe_datagram));
  text += fmt::format("      tx: {{inline: {}, fetched: {}, read: {}, ack: {}, completion: {}}}\n",
                      time(r.tx_inline), time(r.tx_fetched), time(r.tx_read), time(r.tx_ack),
                      time(r.tx_completion));
  text += fmt::format("      rx: {{write: {}, recv: {}, read: {}, segment: {}}}\n", time(r.rx_write),
                      time(r.rx_recv), time(r.rx_read), time(r.read_segment));
  text += fmt::format("      engine: {{message: {}, line: {}, recv: {}}}\n", time(r.engine_message),
                      time(r.engine_line), time(r.engine_recv));
  text += fmt::format("      pcie: {{bandwidth: {}, latency: {}, write_header: {}, response_header: {}}}\n",
                      r.pcie.bandwidth.v > 0 ? FormatRate(r.pcie.bandwidth) : "none", time(r.pcie.latency),
                      FormatSize(r.pcie.write_header), FormatSize(r.pcie.response_header));
  text += fmt::format(
      "      context_cache:\n        entries: {}\n        miss: {}\n        weights: {}\n        overlap: "
      "{}\n",
      r.contexts.entries, time(r.contexts.miss), ByKind(r.contexts.weight), ByKind(r.contexts.overlap));
  return text + fmt::format("      rx_buffer: {}\n      tx_buffer: {}\n", RxBufferText(nic.rx_buffer),
                            FormatSize(r.tx_buffer));
}

}  // namespace headroom
