// Columns of the parts of a time.
#pragma once

#include "report/csv/result_file.h"
#include "report/csv/written_parts.h"
#include "run/recording/ended_records.h"

namespace headroom {

inline bool TimesAreSplit(const ResultRun& run) { return HasParts(run.record, run.scenario); }
template <auto part>
bool IsWritten(const ResultRun& run) {
  return WrittenParts(run.scenario).Has(part);
}
template <auto part>
bool IsSplitAndWritten(const ResultRun& run) {
  return TimesAreSplit(run) && IsWritten<part>(run);
}
inline constexpr const char *kWithWindows = "queue pairs have windows or wait for credits",
                            *kWithContexts = "messages need contexts";

inline Condition ConditionOf(MessagePart part) {
  if (part == MessagePart::window) return {kWithWindows, IsSplitAndWritten<MessagePart::window>};
  if (part == MessagePart::context) return {kWithContexts, IsSplitAndWritten<MessagePart::context>};
  return {"times are split (observe.parts)", TimesAreSplit};
}

inline Condition ConditionOf(OperationPart part) {
  constexpr OperationPart kWindow = OperationPartOf(MessagePart::window);
  constexpr OperationPart kContext = OperationPartOf(MessagePart::context);
  if (part == kWindow) return {kWithWindows, IsWritten<kWindow>};
  if (part == kContext) return {kWithContexts, IsWritten<kContext>};
  if (OfApplications(part)) return {"applications run", IsWritten<OperationPart::copy>};
  return {};
}

inline std::string HelpOfPart(std::string_view name) {
  return fmt::format("part `{}` of its time (docs/times.md)", name);
}

}  // namespace headroom
