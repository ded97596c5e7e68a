#include "analysis/check/services/check_timeouts.h"

#include <fmt/format.h>

#include <algorithm>

#include "protocol/nccl/nccl_parameters.h"
#include "protocol/tensorflow/tensorflow_parameters.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

/// When the first frame may be lost by a fault; kNever: no fault loses frames.
Time FirstLoss(const Scenario& s) {
  Time first = kNever;
  for (const Fault& fault : s.faults) {
    if (const auto* const down = std::get_if<LinkDownFault>(&fault))
      first = std::min(first, down->times.start);
    if (const auto* const loss = std::get_if<LossFault>(&fault)) first = std::min(first, loss->times.start);
  }
  return first;
}

/// InfiniBand Architecture Specification 9.7.6.1.3; 0: no timeout.
Time TimeoutOf(int code) { return code == 0 ? kNever : Nanoseconds(4096) * (int64_t{1} << code); }

std::optional<int> CodeOf(const AnyService& service) {
  if (const auto* const nccl = service.Find<NcclParameters>()) return nccl->timeout;
  if (const auto* const tensors = service.Find<TensorflowParameters>()) return tensors->timeout;
  return std::nullopt;
}

}  // namespace

void CheckTimeouts(const Scenario& s, Findings& findings) {
  const Time lost = FirstLoss(s);
  if (lost >= s.deadline) return;
  const Time left = s.deadline - lost;
  for (const AnyService& service : s.services) {
    const std::optional<int> code = CodeOf(service);
    if (!code || TimeoutOf(*code) < left) continue;
    int fits = 0;  // a quarter of the time that is left
    while (TimeoutOf(fits + 1) <= left / int64_t{4}) ++fits;
    const std::string sends_again =
        *code == 0 ? "its queue pairs have no timeout"
                   : fmt::format("its queue pairs send a lost packet again after {:.3g} s (timeout {})",
                                 InSeconds(TimeoutOf(*code)), *code);
    findings.push_back(
        {Finding::Severity::warning, "service " + service->name,
         fmt::format("frames may be lost from {} on, and {}, but the run ends at {}", FormatTime(lost),
                     sends_again, FormatTime(s.deadline)),
         fits > 0 ? std::vector<Remedy>{Remedy{fmt::format("services.{}.timeout={}", service->name, fits)}}
                  : std::vector<Remedy>{}});
  }
}

}  // namespace headroom
