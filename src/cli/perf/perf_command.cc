// headroom perf: bandwidth and latency between two hosts, as perftest measures them.
#include <fmt/format.h>

#include "cli/become_python.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/perf/perf.h"
#include "cli/report_errors.h"
#include "cli/run_request.h"

namespace headroom {

namespace po = boost::program_options;

namespace {

constexpr const char* kPerfUsage =
    R"(perf FILE --from HOST --to HOST [options]
       headroom perf [FILE --from HOST --to HOST | --rate RATE] --fit FILE... [--base SET] [--hold-back BYTES] [--json]

Measures bandwidth or latency between two hosts of a scenario, in the tables of perftest. The
scenario's workloads do not run. With --fit, fits the NIC's resources to such tables (docs/measured.md).

examples:
  headroom perf scenarios/quickstart.yaml --from h0 --to h16 --report_gbits
  headroom perf scenarios/quickstart.yaml --from h0 --to h16 --test ib_read_lat --all)";

void AddPerfOptions(po::options_description& named) {
  // clang-format off
  named.add_options()
      ("from", po::value<std::string>()->value_name("HOST"), "host that starts the test")
      ("to", po::value<std::string>()->value_name("HOST"), "its peer")
      ("test", po::value<std::string>()->default_value("ib_write_bw")->value_name("NAME"),
       "ib_write_bw, ib_read_bw, ib_send_bw, ib_write_lat, ib_read_lat or ib_send_lat")
      ("size,s", po::value<int64_t>()->value_name("BYTES"), "bytes of a message; default 65536, in tests of latency 2")
      ("all,a", "run once for each size 2, 4, … 2^23 bytes; on UD up to the mtu")
      ("iters,n", po::value<int>()->value_name("N"), "messages of each queue pair, of at most 1 GiB "
                                                     "together; default 5000 for ib_write_bw, else 1000")
      ("tx-depth,t", po::value<int>()->default_value(128)->value_name("N"), "work requests that are posted together")
      ("cq-mod,Q", po::value<int>()->value_name("N"), "signal every N-th work request; default 100, for "
                                                      "messages above 8192 bytes 1")
      ("qp,q", po::value<int>()->default_value(1)->value_name("N"), "number of queue pairs; each has its own path")
      ("connection,c", po::value<std::string>()->default_value("RC")->value_name("TYPE"), "RC, UC or UD")
      ("inline_size,I", po::value<int>()->value_name("BYTES"), "messages up to this size are inline; default 0; in tests of latency "
                                                               "220 for WRITE, 236 for SEND, 188 on UD")
      ("priority", po::value<std::string>()->value_name("CLASS"), "traffic class of the messages; default: the first lossless class")
      ("set", po::value<std::vector<std::string>>()->composing()->value_name("KEY=VALUE"), "change the scenario")
      ("jobs", po::value<int>()->default_value(DefaultJobs(), "cores")->value_name("N"), "sizes at once")
      ("report_gbits", "print bandwidth in Gb/sec instead of MiB/sec")
      ("json", "for programs");
  // clang-format on
}

void AddFitOptions(po::options_description& named) {
  // clang-format off
  named.add_options()
      ("fit", po::value<std::vector<std::string>>()->multitoken()->value_name("FILE..."), "tables of perftest, to which the NIC's resources are fitted")
      ("rate", po::value<std::string>()->value_name("RATE"), "of a fit without a scenario: rate of the cable between two hosts")
      ("base", po::value<std::string>()->value_name("SET"), "of a fit: set of resources for keys that are not fitted; default gen2")
      ("hold-back", po::value<std::string>()->value_name("BYTES"), "of a fit: size that the fit does not see; default: the middle one");
  // clang-format on
}

/// Hands over to Python if the request is a fit. Throws po::error for options that need one.
void FitInPython(const Arguments& arguments, const po::variables_map& values) {
  if (values.count("fit")) BecomePython("headroom.measured.fit", arguments);
  for (const char* name : {"rate", "base", "hold-back"})
    if (values.count(name)) throw po::error(fmt::format("--{} needs --fit FILE...", name));
}

PerfOptions PerfOptionsFrom(const po::variables_map& values) {
  PerfOptions options;
  const auto number = [&](const char* name) {
    return values.count(name) ? std::optional(values[name].as<int>()) : std::nullopt;
  };
  options.test = values["test"].as<std::string>();
  options.from = values["from"].as<std::string>();
  options.to = values["to"].as<std::string>();
  options.connection = values["connection"].as<std::string>();
  if (values.count("priority")) options.traffic_class = values["priority"].as<std::string>();
  if (values.count("size")) options.size = values["size"].as<int64_t>();
  options.all = values.count("all") > 0;
  options.iterations = number("iters");
  options.cq_mod = number("cq-mod");
  options.inline_size = number("inline_size");
  options.tx_depth = values["tx-depth"].as<int>();
  options.queue_pairs = values["qp"].as<int>();
  return options;
}

}  // namespace

int PerfCommand(const Arguments& arguments) {
  po::options_description named("options");
  AddPerfOptions(named);
  AddFitOptions(named);
  po::variables_map values;
  if (!ReadOptions(arguments, named, kPerfUsage, values)) return kDone;
  FitInPython(arguments, values);
  RequireInputs(values, 1, 1, "the scenario file");
  for (const char* host : {"from", "to"}) {
    if (values.count(host) == 0) throw po::error(fmt::format("--{} is missing", host));
  }
  const PerfOptions options = PerfOptionsFrom(values);
  const int jobs = values["jobs"].as<int>();
  if (jobs < 1) throw po::error("--jobs must be at least 1");
  std::vector<std::string> sets;
  if (values.count("set")) sets = values["set"].as<std::vector<std::string>>();

  const PerfPlan plan = PlanPerf(Inputs(values).front(), sets, options);
  const bool json = values.count("json") > 0, gbits = values.count("report_gbits") > 0;
  if (!json) fmt::print("{}", PerfHead(plan, gbits));
  std::vector<nlohmann::ordered_json> rows;
  const int code = MeasurePerf(plan, jobs, [&](const nlohmann::ordered_json& row) {
    if (!json) fmt::print("{}", PerfRow(plan, row, gbits));
    FlushOutput();
    rows.push_back(row);
  });
  if (json && code == kDone) fmt::print("{}\n", PerfJson(plan, rows).dump(2));
  return code;
}

}  // namespace headroom
