// Remedies of findings are tried before they are printed: each is applied as `--set` would, and the scenario
// is checked again.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "sim/finding.h"

namespace headroom {

/// Leaves each finding its first remedy that removes it and adds no other finding, or none. A place of a
/// finding counts as a finding of its own; findings are the same if they differ only in numbers.
///
/// `findings_with`: the findings of the scenario with these settings; may throw if they are refused. At most
/// `trials` calls.
void KeepProven(Findings& findings, const std::function<Findings(const Remedy&)>& findings_with,
                size_t trials);

/// The number of trials for a scenario: fewer, or none, for large networks and long series. `nodes`: hosts
/// and switches; `points`: of `vary`.
size_t TrialsFor(size_t nodes, size_t points);

/// The settings as options of a command: "--set duration=2ms --set 'nics.*.transport.rto=1ms'".
std::string RemedyText(const Remedy& remedy);

}  // namespace headroom
