// Stores in trouble, a different one for each seed: scenarios for tests that judge a store's answers.
#pragma once

#include <fmt/format.h>

#include <array>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace headroom {

/// A store has three small disks, whose blocks are written again and again, and nine servers in four racks.
/// Loss, damage, pause storms, failed links, and NICs and switches that restart, recur until `until_us`.
/// Then, without faults, each disk is read completely twice more, 64 KiB at a time. If a store's clients give
/// up early, a read may fail while TCP still recovers a loss.
///
/// Legs use each protocol in turn, and most connections move to another one and return, mainly from RDMA to
/// TCP, by a schedule and because they are broken. Packets are large, for more operations at the same cost.
inline std::string TroubledStore(uint32_t seed, int64_t until_us) {
  std::mt19937 random(seed);
  const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  const auto one_of = [&](const std::vector<std::string>& of) {
    return of[static_cast<size_t>(below(static_cast<int64_t>(of.size())))];
  };
  const auto host = [&] { return fmt::format("h{}", below(12)); };
  const auto server = [&] { return one_of({"h1", "h2", "h4", "h5", "h7", "h8", "h9", "h10", "h11"}); };
  const auto link = [&] {
    const int64_t h = below(12);
    if (below(3) == 0) return fmt::format("[leaf{}, spine{}]", h / 3, h % 2);
    return fmt::format("[h{}, leaf{}]", h, h / 3);
  };
  std::string faults;
  // Each fault lasts up to 400 us of every 2 to 4 ms.
  const auto fault = [&](int64_t most, const std::function<std::string()>& text) {
    for (int64_t i = below(most + 1); i > 0; --i) {
      const int64_t every = 2000 + below(2000), start = 100 + below(every), stop = start + 100 + below(300);
      faults += fmt::format("  - {{{}, start: {}us, stop: {}us, repeat: {{every: {}us, count: {}}}}}\n",
                            text(), start, stop, every, 1 + (until_us - stop) / every);
    }
  };
  fault(3, [&] { return fmt::format("type: loss, probability: {}%, link: {}", 1 + below(3), link()); });
  fault(2, [&] { return fmt::format("type: corrupt, probability: {}%, node: {}", 1 + below(3), host()); });
  fault(1, [&] { return "type: pause_storm, priority: storage, node: " + host(); });
  fault(1, [&] { return "type: link_down, convergence: 50us, link: " + link(); });
  fault(2, [&] { return "type: nic_restart, node: " + host(); });
  fault(1, [&] { return fmt::format("type: extent_node_down, service: store, node: {}", server()); });
  fault(1, [&] { return fmt::format("type: warm_restart, node: leaf{}", below(4)); });

  const std::string timeout = one_of({"1ms, retries: 1000", "300us, retries: 1000", "400us, retries: 1"});
  const std::string hedge = one_of({"never", "never", "30us", "100us"});
  const std::string seal = one_of({"{}", "{after: 150us, takes: 100us}", "{after: 500us, takes: 300us}"});
  struct Legs {
    const char *front, *back, *standby;
  };
  constexpr std::array<Legs, 10> kLegs{{{"sk_rdma", "su_rdma", "tcp"},
                                        {"tcp", "tcp", ""},
                                        {"su_rdma", "su_rdma", "tcp"},
                                        {"sk_rdma", "sk_rdma", "su_rdma"},
                                        {"sk_rdma", "sk_rdma", "tcp"},
                                        {"sk_rdma", "su_rdma", ""},
                                        {"su_rdma", "sk_rdma", "tcp"},
                                        {"tcp", "tcp", "sk_rdma"},
                                        {"sk_rdma", "su_rdma", "tcp"},
                                        {"su_rdma", "tcp", "sk_rdma"}}};
  const Legs& legs = kLegs[seed % kLegs.size()];
  const int64_t rto_us = 100 + below(300), read_us = 20 + below(60), write_us = 10 + below(40),
                extent_mib = 2 + below(7);
  const int64_t reads = 30 + below(50), depth = 6 + below(15);
  std::string more;
  if (*legs.standby != '\0') {
    more += fmt::format(
        ",\n     failover: {{to: {{protocol: {}, reopen: 20us}}, fraction: {}%, every: {}us, detect: {}us, "
        "back: {}us",
        legs.standby, 10 + below(50), 50 + below(100), 200 + below(1000), 100 + below(1000));
    std::string steps;
    for (int64_t at = 1 + below(1000); at < until_us; at += 300 + below(2000))
      steps += fmt::format("{}{{at: {}us, share: {}%}}", steps.empty() ? "" : ", ", at, 25 * below(5));
    more += (steps.empty() ? "" : ", schedule: [" + steps + "]") + "}";
  }
  const int64_t background = below(3);
  if (background == 1) more += ",\n     background: {gc: 5Gbps, piece: 64KiB}";
  if (background == 2)
    more +=
        ",\n     erasure: {data: 4, local: 2, global: 1, coded: 50%}, background: {gc: 5Gbps, reencode: "
        "5Gbps, piece: 64KiB}";
  return fmt::format(
      R"(name: troubled-{}
seed: {}
duration: {}us
deadline: {}us
mtu: 4096
ip_mtu: 9000
topology: {{type: leaf_spine, leaves: 4, spines: 2, hosts_per_leaf: 3, host_link: {{rate: 100Gbps, length: 3m}},
  fabric_link: {{rate: 100Gbps, length: 20m}}}}
nics: [{{match: "*", transport: {{rto: {}us}}}}]
services:
  - {{name: store, type: storage, compute: [h0, h3, h6], extent_nodes: [h1, h2, h4, h5, h7, h8, h9, h10, h11],
     front: {{protocol: {}, reopen: 20us}}, back: {{protocol: {}, reopen: 20us}}, disk: {{read: {}us, write: {}us}},
     disk_size: 1MiB, extent: {}MiB, timeout: {}, hedge: {}, seal: {}{}}}
workloads:
  - {{name: disks, type: io, service: store, reads: {}%, depth: {}, stop: {}us,
     blocks: [{{size: 4KiB, share: 60%}}, {{size: 8KiB, share: 30%}}, {{size: 32KiB, share: 10%}}]}}
  - {{name: last, type: io, service: store, start: {}us, rate: 5000, arrival: even, addresses: sequential,
     blocks: [{{size: 64KiB}}]}}
faults:{}
)",
      seed, seed, until_us + 20'100 + 32 * 200, until_us + 1'000'000, rto_us, legs.front, legs.back, read_us,
      write_us, extent_mib, timeout, hedge, seal, more, reads, depth, until_us, until_us + 20'000,
      faults.empty() ? " []" : "\n" + faults);
}

}  // namespace headroom
