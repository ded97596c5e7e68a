// The value in one run of a metric that an expectation names.
//
//   messages.burst.completion_us.p99     a number of summary.json, by its path
//   rates.HOST.QP.at(155us)              the rate in force at that time: rates.csv, bit/s
//   queues.NODE.PORT.QUEUE.max           from queues.csv, bytes; also mean (of the samples) and at(155us)
//   ports.NODE.PORT.PRIORITY.COLUMN      from ports.csv
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "scenario/experiment.h"

namespace headroom {

/// One run of an experiment, possibly one of several seeds: the varied keys' values, and the result.
struct RunOutcome {
  Point at;
  nlohmann::ordered_json summary;
  std::filesystem::path dir;  ///< the folder of its CSV files
};

struct MetricValue {
  std::optional<double> value;
  bool censored = false;  ///< the true value is at least this
  std::string problem;    ///< why there is no value
};

MetricValue ValueOf(const RunOutcome& run, const std::string& metric);

/// The unit that a metric's name implies ("us" of …_us, "bps" of rates); empty if none.
std::string UnitOf(const std::string& metric);

/// The quantity in another unit; none if the units measure different things or are unknown.
std::optional<double> Convert(double value, const std::string& from, const std::string& to);

}  // namespace headroom
