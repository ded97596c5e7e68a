// The fluid model's answers in words that findings and tables share.
#pragma once

#include <string>

#include "analysis/check/check_fluid.h"

namespace headroom {

/// For example "−6.4°"; "<−180°" if the phase has turned more than once.
std::string DegreesText(double degrees);

/// Delays in microseconds, without the unit: "6.76", "1.59–1,775".
std::string DelaysText(const std::map<Time, size_t>& delays);

/// The remedies as settings.
std::vector<Remedy> ChangesOf(const FluidCheck& check);

/// The remedies, each with the resulting margin.
std::string RemediesText(const FluidCheck& check);

}  // namespace headroom
