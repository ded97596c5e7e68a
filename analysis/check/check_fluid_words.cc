#include "analysis/check/check_fluid_words.h"

#include <fmt/format.h>

#include <cmath>

#include "report/text/text_table.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

std::string RemedyText(const FluidCheck& check, const FluidRemedy& remedy) {
  if (remedy.of == FluidRemedy::Of::rate_ai)
    return fmt::format("rate_ai of {}", FormatRate(check.model.settings.rate_ai / remedy.factor));
  const EcnCurve& ecn = *check.model.ecn;
  return fmt::format("kmax of {} with the same pmax",
                     FormatSize(ecn.kmin + (ecn.kmax - ecn.kmin) * remedy.factor));
}

}  // namespace

std::vector<Remedy> ChangesOf(const FluidCheck& check) {
  std::vector<Remedy> remedies;
  const EcnCurve& ecn = *check.model.ecn;
  for (const FluidRemedy& remedy : check.remedies) {
    if (remedy.of == FluidRemedy::Of::rate_ai) {
      const Rate rate = check.model.settings.rate_ai / remedy.factor;
      remedies.push_back({"nics.*.dcqcn.rp.rate_ai=" + FormatRate(rate)});
    } else {
      remedies.push_back({fmt::format("switches.*.ecn.{}.kmax={}", check.traffic_class,
                                      FormatSize(ecn.kmin + (ecn.kmax - ecn.kmin) * remedy.factor))});
    }
  }
  return remedies;
}

std::string DegreesText(double degrees) {
  if (degrees < -180) return "<−180°";
  return fmt::format("{}{:.1f}°", degrees < -0.05 ? "−" : "", std::abs(degrees));
}

std::string DelaysText(const std::map<Time, size_t>& delays) {
  const auto text = [](Time delay) { return FormatReadable(InMicroseconds(delay)); };
  const std::string least = text(delays.begin()->first), most = text(delays.rbegin()->first);
  return least == most ? least : least + "–" + most;
}

std::string RemediesText(const FluidCheck& check) {
  std::string text;
  for (const FluidRemedy& remedy : check.remedies) {
    text += fmt::format("{}{} (margin {})", text.empty() ? "" : ", or ", RemedyText(check, remedy),
                        DegreesText(remedy.margin));
  }
  if (!text.empty()) return text;
  return "a smaller rate_ai and a larger kmax together, or a shorter loop; either change alone is not "
         "enough, up to a factor of 64";
}

}  // namespace headroom
