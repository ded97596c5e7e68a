// `observe:`, records in addition to the summary.
#include <fmt/format.h>

#include "scenario/keys/sections/scenario_keys.h"
#include "scenario/names.h"

namespace headroom::keys {

namespace {

enum class Over { hosts, ports };

/// A pattern or a list of patterns; each must match something.
KindOf<std::vector<std::string>> PatternsOver(Over over) {
  KindOf<std::vector<std::string>> kind = Texts();
  kind.shape.bounds = over == Over::hosts ? "patterns over hosts" : "patterns over nodes, or over node:port";
  kind.read = [hosts = over == Over::hosts](const Node& node, std::vector<std::string>& out,
                                            Reading& reading) {
    const std::vector<std::string> patterns = ParseTexts(node);
    for (size_t i = 0; i < patterns.size(); ++i) {
      if (!reading.names->MatchesAny(patterns[i], hosts))
        throw ScenarioError(node.IsList() ? node.items[i].where : node.where,
                            Quote(patterns[i]) + " matches no " + (hosts ? "host" : "node or port"), {},
                            reading.names->NearestNode(patterns[i], true, !hosts));
    }
    out = patterns;
  };
  return kind;
}

using Series = KeysOf<Observation>;
using Recording = KeysOf<std::vector<std::string>>;

constexpr const char* kObservePage = "models/event-queue.md";

KeyOf<Observation> Match(Over over) {
  return {"match", &Observation::match, PatternsOver(over), "places to record", {.standard = "\"*\""}};
}

std::vector<KeyOf<Observation>> Every(const char* help) {
  return {{"every", &Observation::every, Times(Nanoseconds(1)), help, {.required = true}}};
}

Series SeriesKeys(const char* name, Over over) {
  std::vector<KeyOf<Observation>> keys = Every("time between samples");
  keys.push_back(Match(over));
  return {{.name = name, .page = kObservePage}, keys};
}

/// Records of events.
Recording RecordingKeys(const char* name, Over over) {
  const auto whole = [](std::vector<std::string>& match) -> std::vector<std::string>& { return match; };
  return {{.name = name, .page = kObservePage},
          {{"match", whole, PatternsOver(over), "places to record", {.standard = "\"*\""}}}};
}

/// A mapping that starts from the values of `start`.
template <class S>
KindOf<std::optional<S>> StartingAs(S start, const KeysOf<S>& keys) {
  KindOf<std::optional<S>> kind = Maybe(Mapping(keys));
  kind.read = [start, &keys](const Node& node, std::optional<S>& out, Reading& reading) {
    keys.Read(node, &out.emplace(start), reading);
  };
  return kind;
}

/// all, none, or 1/N. The key for operations is not written if there is neither a service nor a value.
KindOf<Sampling> Lines(std::string of) {
  constexpr int64_t kMost = 1'000'000'000;
  const std::string allowed = "all, none, or 1/N for one in N";
  return {{"choice", allowed, R"({"type": "string", "pattern": "^(all|none|1/[0-9]+)$"})"},
          [=](const Node& node, Sampling& sampling, Reading&) {
            const std::string text = ParseText(node);
            if (text == "all" || text == "none") {
              sampling.one_in = text == "all" ? 1 : 0;
              return;
            }
            Node number = node;
            number.text = text.starts_with("1/") ? text.substr(2) : "";
            try {
              sampling.one_in = static_cast<uint32_t>(ParseInteger(number, 1, kMost));
            } catch (const ScenarioError&) {
              throw ScenarioError(node.where, Quote(text) + " is not a share of the " + of,
                                  fmt::format("allowed: all, none, or 1/N with N up to {}", kMost));
            }
          },
          [=](const Sampling& sampling, const Writing& writing) -> std::string {
            if (of == "operations" && !writing.services && sampling == Sampling{}) return "";
            return sampling.one_in == 0   ? "none"
                   : sampling.one_in == 1 ? "all"
                                          : fmt::format("1/{}", sampling.one_in);
          }};
}

}  // namespace

const KeysOf<Observations>& ObservationKeys() {
  using Observe = Observations;
  static const Series ports = SeriesKeys("observation", Over::ports);
  static const Series hosts = SeriesKeys("observation_of_hosts", Over::hosts);
  static const Series goodput({.name = "observation_of_goodput", .page = kObservePage},
                              Every("interval of counting"));
  static const Series estats({.name = "observation_of_estats", .page = "models/estats.md"},
                             {{"every",
                               &Observation::every,
                               Times(Nanoseconds(1)),
                               "length of an interval between records",
                               {.standard = "60s"}},
                              Match(Over::hosts)});
  static const Recording of_hosts = RecordingKeys("recording_of_hosts", Over::hosts);
  static const Recording of_ports = RecordingKeys("recording", Over::ports);
  const Observation each{};
  const Observation minutes{.every = Seconds(60)};
  const std::vector<std::string> everywhere{"*"};
  static const KeysOf<Observe> keys(
      {.name = "observe", .page = kObservePage, .block = true},
      {{"queues", &Observe::queues, StartingAs(each, ports),
        "records the bytes of egress queues in queues.csv"},
       {"groups", &Observe::groups, StartingAs(each, ports),
        "records the shared bytes and headroom of priority groups in groups.csv"},
       {"rates", &Observe::rates, StartingAs(each, hosts), "records the rates of queue pairs in rates.csv"},
       {"goodput", &Observe::goodput, StartingAs(each, goodput),
        "records the delivered bytes of each workload in goodput.csv"},
       {"estats", &Observe::estats, StartingAs(minutes, estats),
        "records RDMA Estats, the times of operations by connection, in estats.csv"},
       {"cnps", &Observe::cnps, StartingAs(everywhere, of_hosts),
        "records every congestion notification that reaches these hosts in cnps.csv"},
       {"drops", &Observe::drops, StartingAs(everywhere, of_ports),
        "records every dropped frame in drops.csv: its message, the reason, and what was full"},
       {"causes",
        &Observe::causes,
        Flag(),
        "records the causes of pauses in pfc_causes.csv",
        {.standard = "true", .page = "models/pauses.md"}},
       {"messages",
        &Observe::messages,
        Lines("messages"),
        "which messages get a line in messages.csv; percentiles cover all messages",
        {.standard = "all"}},
       {"parts",
        &Observe::parts,
        Flag(),
        "splits each message's time along its critical path",
        {.page = "times.md"}},
       {"operations",
        &Observe::operations,
        Lines("operations"),
        "which operations get a line in operations.csv; percentiles cover all operations",
        {.standard = "all", .page = "models/storage-protocols.md"}}});
  return keys;
}

}  // namespace headroom::keys
