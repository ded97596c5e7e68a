// The text of `headroom fluid`: at most 100 columns wide.
#include "analysis/check/check_fluid_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/fluid/fluid.h"
#include "cli/labelled_line.h"
#include "cli/quantity_text.h"
#include "scenario/packet_headers.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

/// Maximum number of bottlenecks in the table, and of bottlenecks with details; the JSON has all.
constexpr size_t kMostRows = 20, kMostDetails = 6;

std::string Below(const std::string& text) {
  return std::string(kLabelWidth, ' ') + Wrapped(text, kTextWidth - kLabelWidth, kLabelWidth + 2) + '\n';
}
std::string ShortPercent(double share) {
  return 100 * share >= 10 ? fmt::format("{:.0f} %", 100 * share) : fmt::format("{:.2g} %", 100 * share);
}

std::string NameOf(const FluidCheck& check) {
  return Shorten(check.at, 15) + (check.ports > 1 ? fmt::format(" ×{}", check.ports) : "");
}

std::string Bottlenecks(const std::vector<FluidCheck>& checks) {
  TextTable table("lrrrrrrrl",
                  {"queue", "flows", "of Gb/s", "loop, µs", "marked", "length", "wave, ms", "margin", ""});
  for (size_t i = 0; i < std::min(checks.size(), kMostRows); ++i) {
    const FluidCheck& c = checks[i];
    const double each = c.share_bps / static_cast<double>(c.flows) / 1e9;
    std::vector<std::string> row = {NameOf(c), std::to_string(c.flows), FormatReadable(each),
                                    DelaysText(c.model.delays)};
    if (!c.Applies()) {
      row.insert(row.end(), {"-", "-", "-", "-", "refused"});
    } else {
      const auto margin = c.stability.Margin();
      row.insert(row.end(), {ShortPercent(c.stability.at.p), FormatBytes(c.QueueBytes()),
                             margin ? FormatReadable(c.Period() * 1e3) : "-",
                             margin ? DegreesText(*margin) : "-", VerdictText(c)});
    }
    table.AddRow(std::move(row));
  }
  std::string out = table.ToString();
  if (checks.size() > kMostRows)
    out += fmt::format("  and {} more; --json prints all\n", checks.size() - kMostRows);
  return out;
}

std::string Setup(const FluidCheck& c) {
  const FluidSettings& s = c.model.settings;
  const EcnCurve& ecn = *c.model.ecn;
  return fmt::format("class {} of {}; {} at {}; kmin {}, kmax {}, pmax {}; a cut each {} at most, rate_ai {}",
                     c.traffic_class, fmt::join(c.workloads, ", "),
                     c.share_bps / static_cast<double>(c.port_rate.v) > 0.999
                         ? "the whole port"
                         : FormatReadable(c.share_bps / 1e9) + " Gb/s of the port",
                     FormatRate(c.port_rate), FormatSize(ecn.kmin), FormatSize(ecn.kmax),
                     ShortPercent(ecn.pmax), FormatTime(s.cut_interval), FormatRate(s.rate_ai));
}

/// Remarks beside the numbers.
std::string Remarks(const FluidCheck& c) {
  std::string out;
  const FluidFixedPoint& at = c.stability.at;
  if (at.pinned) {
    out += Below(fmt::format(
        "the flows need a marking probability of {}, {}: the queue stays near kmax, where RED steps to 1.{}",
        ShortPercent(at.p), at.p > c.model.ecn->pmax ? "above pmax" : "which no queue below kmax reaches",
        c.stability.crossover ? " The margin is computed with RED's line extended beyond kmax." : ""));
  }
  if (c.Period() > 0 && !c.Lasting()) {
    out +=
        Below(fmt::format("the flows last {} ms, less than four oscillations: they end before the "
                          "queue settles",
                          FormatReadable(c.lasts * 1e3)));
  }
  if (at.hyper > 0.1) {
    out += Below(fmt::format("hyper increase would be {:.0f} % of the increases, but the model leaves it out",
                             100 * at.hyper));
  }
  if (const std::string verdict = VerdictText(c); verdict == "oscillates" || verdict == "low margin")
    out += Below("→ " + RemediesText(c));
  return out;
}

std::string Details(const std::vector<FluidCheck>& checks) {
  std::string out;
  for (size_t i = 0; i < std::min(checks.size(), kMostDetails); ++i) {
    const FluidCheck& c = checks[i];
    out +=
        '\n' + LabelledLine("queue", fmt::format("{}: {}", c.at, c.Applies() ? Setup(c) : c.model.refusal));
    if (c.Applies()) out += Remarks(c);
  }
  return out;
}

std::string Shares(const FluidAnswer& answer) {
  const Scenario& s = answer.file.scenario;
  TextTable table("lrrrrr", {"max-min fair", "flows", "Gb/s least", "median", "most",
                             "limited by the senders' own links"});
  for (size_t w = 0; w < s.workloads.size(); ++w) {
    std::vector<double> rates;
    size_t free = 0;
    for (const SharedFlow& f : answer.checks.shared.flows) {
      if (f.workload != w) continue;
      rates.push_back(f.rate_bps * PayloadShareOf(s, f.flow.from) / 1e9);
      free += f.bottleneck ? 0 : 1;
    }
    if (rates.empty()) continue;
    std::ranges::sort(rates);
    table.AddRow({Shorten(s.workloads[w].name, 30), std::to_string(rates.size()),
                  FormatReadable(rates.front()), FormatReadable(rates[(rates.size() - 1) / 2]),
                  FormatReadable(rates.back()), std::to_string(free)});
  }
  return table.ToString() +
         "  max-min fair goodput with all these flows at once, over the paths of the routes\n";
}

}  // namespace

std::string VerdictText(const FluidCheck& check) {
  const auto margin = check.stability.Margin();
  if (!margin) return "at Kmax";
  if (!check.Lasting()) return "over sooner";
  if (!check.stability.stable) return "oscillates";
  return *margin < kLowMargin ? "low margin" : "stable";
}

std::string FluidAnswerAsText(const FluidAnswer& answer) {
  const Scenario& s = answer.file.scenario;
  const FluidChecks& checks = answer.checks;
  std::string out = LabelledLine("scenario", fmt::format("{} ({})", s.name, s.file));
  out += LabelledLine("model",
                      "model: equal flows that do not end, averaged over packets (Zhu et al., "
                      "CoNEXT 2016); no PFC");
  if (!answer.file.experiment.vary.empty())
    out += LabelledLine("series",
                        "the results apply to the values in the file itself; set varied keys to others "
                        "by --set KEY=VALUE");
  if (!checks.shared.at_a_rate.empty())
    out += LabelledLine("left out", fmt::format("{}: left out, because it sends at a given rate",
                                                fmt::join(checks.shared.at_a_rate, ", ")));
  if (checks.bottlenecks.empty()) {
    out += '\n' + LabelledLine("queues", "none: only their senders' own links limit the flows");
  } else {
    out += '\n' + Bottlenecks(checks.bottlenecks) + Details(checks.bottlenecks);
  }
  return out + '\n' + Shares(answer);
}

}  // namespace headroom
