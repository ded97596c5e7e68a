// Tables with perftest's columns.
#include <fmt/format.h>

#include "cli/perf/perf.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

const char* VerbWord(PerfVerb verb) {
  constexpr const char* kWords[] = {"RDMA WRITE", "RDMA READ", "SEND"};
  return kWords[static_cast<size_t>(verb)];
}

}  // namespace

std::string PerfHead(const PerfPlan& plan, bool gbits) {
  const PerfTest& test = plan.sizes.front();
  std::string text = fmt::format("{}: {} {} from {} to {}, {}, mtu {}, class {}", plan.test,
                                 VerbWord(test.verb), test.latency ? "latency" : "bandwidth", plan.from,
                                 plan.to, plan.connection, plan.scenario.mtu, plan.traffic_class);
  if (!test.latency) {
    text += fmt::format(", {} queue pair{}, tx depth {}", test.queue_pairs, test.queue_pairs == 1 ? "" : "s",
                        test.tx_depth);
    if (plan.sizes.size() == 1)
      text += fmt::format(", a completion for {}",
                          test.cq_mod == 1 ? "each" : fmt::format("every {}", test.cq_mod));
  }
  text += '\n';
  if (test.latency) {
    return text + fmt::format(" {:<9}{:<13}{:<14}{:<14}{:<17}{:<14}{:<16}{:<23}{}\n", "#bytes", "#iterations",
                              "t_min[usec]", "t_max[usec]", "t_typical[usec]", "t_avg[usec]", "t_stdev[usec]",
                              "99% percentile[usec]", "99.9% percentile[usec]");
  }
  const char* unit = gbits ? "Gb/sec" : "MiB/sec";
  return text + fmt::format(" {:<9}{:<15}{:<19}{:<22}{}\n", "#bytes", "#iterations",
                            fmt::format("BW peak[{}]", unit), fmt::format("BW average[{}]", unit),
                            "MsgRate[Mpps]");
}

std::string PerfRow(const PerfPlan& plan, const ordered_json& row, bool gbits) {
  const auto number = [&](const char* key) { return row.at(key).get<double>(); };
  const int64_t bytes = row.at("bytes"), iterations = row.at("iterations");
  if (plan.sizes.front().latency) {
    return fmt::format(" {:<9}{:<13}{:<14.3f}{:<14.3f}{:<17.3f}{:<14.3f}{:<16.3f}{:<23.3f}{:.3f}\n", bytes,
                       iterations, number("t_min_us"), number("t_max_us"), number("t_typical_us"),
                       number("t_avg_us"), number("t_stdev_us"), number("p99_us"), number("p999_us"));
  }
  const double unit = gbits ? 1 : 8.0 * (1 << 20) / 1e9;
  return fmt::format(" {:<9}{:<15}{:<19.2f}{:<22.2f}{:.6f}\n", bytes, iterations,
                     number("bw_peak_gbps") / unit, number("bw_average_gbps") / unit,
                     number("msg_rate_mpps"));
}

ordered_json PerfJson(const PerfPlan& plan, const std::vector<ordered_json>& rows) {
  const PerfTest& test = plan.sizes.front();
  ordered_json out = {{"test", plan.test},
                      {"scenario", plan.scenario.name},
                      {"from", plan.from},
                      {"to", plan.to},
                      {"connection", plan.connection},
                      {"priority", plan.traffic_class},
                      {"mtu_bytes", plan.scenario.mtu},
                      {"queue_pairs", test.queue_pairs}};
  if (!test.latency) out["tx_depth"] = test.tx_depth;
  out["results"] = rows;
  return out;
}

}  // namespace headroom
