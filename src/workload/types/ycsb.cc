// Type ycsb: a workload file of YCSB.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "protocol/keyvalue/key_value_parameters.h"
#include "scenario/keys/workloads/service_of.h"
#include "scenario/ycsb/core_workload.h"
#include "workload/types/io_types.h"
#include "workload/types/key_types.h"

namespace headroom {

namespace {

class YcsbType final : public KeyType<YcsbType> {};

}  // namespace

}  // namespace headroom

namespace headroom::keys {

namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

KindOf<Settings> SettingsKind() {
  return {{"mapping", "properties of YCSB, each with its value",
           R"({"type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]}})"},
          [](const Node& node, Settings& settings, Reading&) {
            if (!node.IsMap())
              throw ScenarioError(node.where, Describe(node) + " is not a mapping", "{KEY: VALUE, …}");
            for (const Entry& entry : node.entries) settings.emplace_back(entry.key, ParseText(entry.value));
          },
          [](const Settings& settings, const Writing&) {
            std::string text;
            for (const auto& [key, value] : settings)
              text +=
                  fmt::format("{}{}: {}", text.empty() ? "" : ", ", WriteTexts({key}), WriteTexts({value}));
            return text.empty() ? text : '{' + text + '}';
          }};
}

ycsb::CoreWorkload ReadFile(const Node& node, const Workload& w) {
  const Node& file = *node.Find("file");
  std::vector<ycsb::Property> properties = ycsb::ReadProperties(w.source.file, file.where);
  if (const Node* const set = node.Find("set")) {
    for (const Entry& entry : set->entries) ycsb::Set(properties, {entry.key, entry.value.text, entry.where});
  }
  return ycsb::ReadCoreWorkload(properties, file.where);
}

/// The time after which no operation starts.
std::optional<Time> StopOf(const RecordedSource& source, const ycsb::CoreWorkload& read) {
  if (read.seconds == 0) return source.stop;
  if (source.time_scale == 0)
    throw ScenarioError(
        read.seconds_where,
        fmt::format("maxexecutiontime={} is given, but not the simulated time for it", read.seconds),
        "give the workload time_scale: 1/1000, or set: {maxexecutiontime: 0}");
  const double ps = read.seconds * 1e12 * source.time_scale;
  if (ps > static_cast<double>(kLongestTime.v))
    throw ScenarioError(read.seconds_where,
                        fmt::format("the workload would take {:.0f} s of simulated time", ps / 1e12),
                        "allowed: up to a day");
  const Time end = source.start + Time(std::max<int64_t>(std::llround(ps), 1));
  return std::min(end, source.stop.value_or(end));
}

void ReadInto(const Node& node, Workload& w, Reading& reading) {
  const ycsb::CoreWorkload read = ReadFile(node, w);
  auto& kv = DataOf<KeyValueArrivals>(w);
  const KeyValueArrivals entry = std::exchange(kv, read.arrivals);
  kv.service = entry.service;
  kv.from = entry.from;
  kv.to = entry.to;
  kv.processes = entry.processes;
  kv.window = entry.window;
  kv.start = w.source.recorded.start;
  kv.stop = StopOf(w.source.recorded, read);
  CheckThreads(kv, read.threads_where, reading);
  if (!kv.to.empty() && !(*reading.services)[kv.service].parameters.As<KeyValueParameters>().HasKeys())
    throw ScenarioError(node.Find("service")->where, "an ECHO keeps no keys",
                        "give a service of type herd, pilaf or farm");
  CheckKeysOfService(node, w, reading, &read.value_where);
}

void CheckYcsb(const Node& node, Workload& w, Reading& reading) {
  CheckStop(node, w.source.recorded.start, w.source.recorded.stop, reading);
  if (!reading.errors.Any()) reading.errors.Guard([&] { ReadInto(node, w, reading); });
}

const KeysOf<Workload>& YcsbKeys() {
  static const KeysOf<Workload> keys(
      {.name = "workload_ycsb",
       .page = kKeyWorkloadPage,
       .help = "a workload file of YCSB; its threads become windows of a service's clients",
       .type = "ycsb"},
      [&] {
        std::vector<KeyOf<Workload>> all = KeyTypeKeys("ycsb");
        all.insert(all.end(),
                   {{"service", ServiceOfKeys(), "service that holds the keys", {.required = true}},
                    {"file",
                     OtherFile(),
                     "path of the properties file, relative to the scenario",
                     {.required = true}},
                    {"set",
                     OfRecorded(&RecordedSource::set),
                     SettingsKind(),
                     "properties that override the file's, like YCSB's -p",
                     {.standard = "nothing"}},
                    {"time_scale",
                     OfRecorded(&RecordedSource::time_scale),
                     Unless0(Fractions()),
                     "simulated seconds per second of maxexecutiontime; target is unchanged",
                     {.standard = "none"}},
                    {"start", OfRecorded(&RecordedSource::start), Times(), "time of the first operation"},
                    {"stop",
                     OfRecorded(&RecordedSource::stop),
                     Maybe(Times(Time(1))),
                     "time at which operations stop starting",
                     {.standard = "the duration"}},
                    FromClients<KeyValueArrivals>()});
        return all;
      }(),
      CheckYcsb, StartingWith<YcsbType>);
  return keys;
}

const RegisteredType kYcsb({.place = 12, .keys = YcsbKeys});

}  // namespace

}  // namespace headroom::keys
