// Hosts that share nothing do not affect each other: of several pairs of hosts on one switch one stops, and
// the results of the others do not change. The order in which nodes are built changes nothing either.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "run/record_text.h"
#include "run/run.h"
#include "scenario/read/load.h"
#include "support/in_child.h"
#include "support/shared_data.h"

namespace headroom::neighbours_test {
namespace {

/// The traffic of two hosts, `a` and `b`: a service or none, and a workload that continues or stops early.
struct Activity {
  std::string service, workload;
};

class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}
  size_t Below(size_t n) { return random_() % n; }
  template <class... T>
  std::string OneOf(T... values) {
    const std::string all[] = {values...};
    return all[Below(sizeof...(values))];
  }

 private:
  std::mt19937_64 random_;
};

Activity Messages(Dice& d) {
  const std::string more =
      d.OneOf("", ", qp: per_message", ", qp: {{per_pair: 2}}") + d.OneOf("", ", verb: read");
  return {"", d.OneOf("type: stream, from: {0}, to: {1}, message: 20KB, in_flight: 3",
                      "type: stream, from: [{0}, {1}], to: [{0}, {1}], message: 3KB, in_flight: 2") +
                  more};
}

Activity Verbs(Dice& d) {
  return {"",
          "type: verbs, " +
              d.OneOf("verb: send, transport: ud, next: random, reply: {{verb: send}}",
                      "verb: send, next: random, reply: {{verb: send}}", "verb: write", "verb: read") +
              ", from: {0}, to: {1}, message: 256B, window: 3, processes: {{from: 3, to: 2}}, cpu: 300ns"};
}

Activity Storage(Dice& d) {
  const std::string protocol = d.OneOf("sk_rdma", "su_rdma", "tcp");
  return {"type: storage, compute: {0}, extent_nodes: {1}, front: {{protocol: " + protocol +
              "}}, disk: {{read: 20us, write: 20us, iops: 500000}}",
          "type: io, reads: 70%, blocks: [{{size: 8KiB}}], " + d.OneOf("rate: 60000", "depth: 4")};
}

Activity Keys(Dice& d) {
  return {
      "type: " + d.OneOf("herd", "pilaf", "farm") + ", servers: {1}, clients: {0}, processes: 3, window: 2",
      "type: kv, keys: 1000, value: 32B, puts: 30%"};
}

Activity Connections(Dice& d) {
  return {"type: " + d.OneOf("queue_pairs", "rdmavisor") +
              ", servers: {1}, clients: {0}, connections: 6, applications: 2",
          "type: transfers, size: 2KiB"};
}

constexpr int kPairs = 4;

/// There are four pairs. With `stops`, the last of them stops early.
std::string Pairs(uint64_t seed, bool stops) {
  Dice d(seed);
  std::string services, workloads;
  for (int i = 0; i < kPairs; ++i) {
    Activity (*const all[])(Dice&) = {Messages, Verbs, Storage, Keys, Connections};
    const Activity activity = all[d.Below(std::size(all))](d);
    const std::string a = fmt::format("h{}", 2 * i), b = fmt::format("h{}", 2 * i + 1);
    std::string service;
    if (!activity.service.empty()) {
      services +=
          fmt::format("  - {{name: s{}, {}}}\n", i, fmt::format(fmt::runtime(activity.service), a, b));
      service = fmt::format(", service: s{}", i);
    }
    workloads +=
        fmt::format("  - {{name: w{}, {}{}{}}}\n", i, fmt::format(fmt::runtime(activity.workload), a, b),
                    service, i == kPairs - 1 && stops ? ", stop: 20us" : "");
  }
  return fmt::format(
      "duration: 150us\ndeadline: 50ms\nseed: {}\nmtu: 1024\n"
      "topology: {{type: star, hosts: 8, link: {{rate: 100Gbps, length: 3m}}}}\n"
      "priorities:\n  storage: {{priority: 3, dscp: 3, lossless: true}}\n"
      "  cnp: {{priority: 6, dscp: 48, strict: true}}\n"
      "switches: [{{match: \"*\", ecn: {{storage: {{kmin: 5KB, kmax: 20KB, pmax: 50%}}}}}}]\n"
      "nics: [{{match: \"*\", generation: gen2{}}}]\n"
      "hosts: [{{match: \"*\", cores: 2, clock: 2.5GHz, rdma: {{cycles_per_message: 1500}}, operation: "
      "{{cycles_per_request: 2000}}}}]\n{}{}workloads:\n{}",
      seed, d.OneOf("", ", resources: connectx3-pcie3-x8"), services.empty() ? "" : "services:\n", services,
      workloads);
}

/// Each line of the record that belongs to another pair than the last, or an empty text if a pause or a drop
/// was in a pool that all pairs share.
std::string OfTheOthers(const Scenario& s, const RunOptions& options) {
  return TextFromChild([&] {
    const RunRecord r = headroom::Run(s, options);
    if (!r.pauses.empty()) return std::string();
    for (const PortRecord& p : r.ports) {
      for (const PortPriorityCounters& c : p.priority) {
        if (std::accumulate(c.drops.begin(), c.drops.end(), uint64_t{0}) > 0) return std::string();
      }
    }
    const std::string last = std::to_string(s.workloads.size() - 1);
    std::string text;
    for (size_t i = 0; i < r.messages.size(); ++i) {
      const MessageRecord& m = r.messages[i];
      if (m.workload + 1 == s.workloads.size()) continue;
      text += fmt::format(
          "message {}/{}/{} qp {} port {} start {} delivered {} completed {} marked {}:", m.workload, m.src,
          m.number, m.qp, m.source_port, m.start.v, m.delivered.v, m.completed.v, m.marked_packets);
      for (const Time part : r.message_parts[i].of) text += fmt::format(" {}", part.v);
      text += '\n';
    }
    std::string operations = OperationsText(r);
    for (size_t at = 0; at < operations.size();) {
      const size_t end = operations.find('\n', at) + 1;
      if (!operations.substr(at).starts_with("operation " + last + "/"))
        text += operations.substr(at, end - at);
      at = end;
    }
    for (const PortRecord& p : r.ports) {
      const NodeId host = p.node < s.topology.hosts ? p.node : p.port;
      if (host / 2 == kPairs - 1) continue;
      for (int q = 0; q < kPriorities; ++q) {
        const PortPriorityCounters& c = p.priority[static_cast<size_t>(q)];
        text += fmt::format("port {}:{}/{} {} {} {} {} {}\n", p.node, p.port, q, c.tx_bytes, c.tx_packets,
                            c.rx_bytes, c.marked_packets, c.peak_queue.v);
      }
    }
    return text;
  });
}

TEST(Neighbours, ThatShareNothingDoNotAffectEachOther) {
  int compared = 0;
  for (uint64_t seed = 1; seed <= 24 && !HasFailure(); ++seed) {
    SCOPED_TRACE(Pairs(seed, true));
    const std::string busy = OfTheOthers(LoadScenarioText(Pairs(seed, false), "pairs.yaml", "."), {});
    const std::string stopped = OfTheOthers(LoadScenarioText(Pairs(seed, true), "pairs.yaml", "."), {});
    if (busy.empty() || stopped.empty()) continue;
    ExpectSameText(stopped, busy);
    ++compared;
  }
  EXPECT_GE(compared, 16);
}

TEST(Neighbours, TheOrderInWhichNodesAreBuiltChangesNothing) {
  std::mt19937 random(5);
  for (uint64_t seed = 1; seed <= 8 && !HasFailure(); ++seed) {
    const Scenario s = LoadScenarioText(Pairs(seed, false), "pairs.yaml", ".");
    SCOPED_TRACE(Pairs(seed, false));
    const auto run = [&](const std::vector<NodeId>& order) {
      return TextFromChild([&] {
        RunOptions options;
        options.build_order = order;
        return RecordText(headroom::Run(s, options));
      });
    };
    std::vector<NodeId> order(s.topology.nodes.size());
    std::iota(order.begin(), order.end(), NodeId{0});
    std::shuffle(order.begin(), order.end(), random);
    ExpectSameText(run(order), run({}));
  }
}

}  // namespace
}  // namespace headroom::neighbours_test
