// Part of summary_sections.h: RDMA Estats.
#include "report/summary/summary_sections.h"

namespace headroom {

using nlohmann::ordered_json;

static ordered_json InUs(const EstatsRecord::Spans& s) {
  return {{"p50", InMicroseconds(s.p50)},
          {"p99", InMicroseconds(s.p99)},
          {"p999", InMicroseconds(s.p999)},
          {"max", InMicroseconds(s.max)}};
}

ordered_json SummariseEstats(const Scenario&, const RunRecord& record) {
  ordered_json out;
  out["clock_error_bound_us"] = InMicroseconds(record.clock_error_bound);
  for (const EstatsRecord& r : record.estats_totals) {
    out[r.OperationName()][r.StatusName()] = {
        {"count", r.count}, {"t5_t1_us", InUs(r.t5_t1)}, {"t6_t1_us", InUs(r.t6_t1)}};
  }
  return out;
}

}  // namespace headroom
