// Part of RandomScenarioText: faults.
#include <algorithm>

#include "support/random_parts.h"

namespace headroom {

namespace {

/// When a fault begins and ends, and perhaps repeats.
std::string Times(RandomDraft& r) {
  Dice& d = r.d;
  const int64_t start = d.Between(0, r.duration_us), length = d.Between(5, 60);
  std::string text = fmt::format(", start: {}us, stop: {}us", start, start + length);
  if (d.OneIn(3))
    text += fmt::format(", repeat: {{every: {}us, count: {}}}", length + d.Between(10, 50), d.Between(2, 3));
  return text;
}

std::string FaultyLink(Dice& d, const std::vector<std::pair<std::string, std::string>>& links) {
  auto [a, b] = d.OneOf(links);
  if (d.OneIn(2)) std::swap(a, b);
  return fmt::format("link: [\"{}\", \"{}\"]", a, b);
}

}  // namespace

std::string DrawFaults(RandomDraft& r) {
  Dice& d = r.d;
  const RandomNetwork& n = r.network;
  const std::string host = d.OneOf(n.host_links).first;
  const auto links = std::ranges::count(n.host_links, host, &std::pair<std::string, std::string>::first);
  const std::string port = links > 1 ? fmt::format("port: \"{}:p1\"", host) : "node: " + host;
  const std::string extent_node = r.extent_node + (n.nics > 1 ? "/n0" : "");
  std::string text;
  const auto add = [&](const std::string& keys) { text += "  - {type: " + keys + "}\n"; };
  for (int64_t count = d.Between(1, 2); count > 0; --count) {
    const std::string link =
        FaultyLink(d, n.fabric_links.empty() || d.OneIn(2) ? n.host_links : n.fabric_links);
    const std::string direction = FaultyLink(d, n.host_links);
    if (Dice own = d; own.OneIn(4))  // the rest is drawn as without it
      add("link_speed, " + link + ", rate: " + own.Text({"1Gbps", "10Gbps"}) + ", start: 5us, stop: 60us");
    switch (d.Between(0, 10)) {
      case 0:
        add("mark, " + direction + (d.OneIn(2) ? ", every: 5" : ", packets: [0, 3, 9]"));
        break;
      case 1:
        add("loss, " + direction + ", probability: " + d.Text({"1/1000", "1%"}) + Times(r));
        break;
      case 2:
        add("pause_storm, " + port + ", priority: 3" + Times(r) + d.Text({"", ", end: expire"}));
        break;
      case 3:
        add("port_blocked, " + port + d.Text({"", ", priority: 3"}) + Times(r));
        break;
      case 4:
        r.slow_receiver = host;
        add("slow_receiver, node: " + host + ", rate: " + d.Text({"1Gbps", "8Gbps"}) + Times(r));
        break;
      case 5:
        add("link_down, " + link + Times(r) + d.Text({"", ", convergence: never", ", convergence: 20us"}));
        break;
      case 6: {
        const auto& [a, b] = d.OneOf(n.host_links);
        add(fmt::format("macsec, link: [{}, {}], encrypts: [{}], expects: [{}]", b, a, b,
                        d.OneIn(2) ? a : b) +
            Times(r));
        break;
      }
      case 7:
        add("nic_restart, node: " + host + Times(r));
        break;
      case 8:
        add("warm_restart, node: " + d.OneOf(n.switches) + Times(r));
        break;
      case 9:
        if (!r.storage.empty()) add("corrupt, node: " + extent_node + ", probability: 1/500" + Times(r));
        break;
      default:
        if (r.back_leg) add("extent_node_down, service: store, node: " + extent_node + Times(r));
    }
  }
  return text;
}

}  // namespace headroom
