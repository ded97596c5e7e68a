// Tables of a switch's buffer for scenarios in the text of tests.
#pragma once

#include <fmt/format.h>

#include <string>

namespace headroom {

/// `switches:` for a scenario of the default classes: priority 3 is lossless, 6 is not. Text of the rows'
/// fields.
struct OwnTables {
  std::string size = "40MB";
  std::string in = "mode: dynamic, size: 10MB", out = "mode: static, size: 40MB";  ///< pools
  std::string pg = "size: 0, xoff: 20000, dynamic_th: 0", q = "static_th: 40000000";
  std::string groups = "\"*|3\": {profile: pg}, \"*|6\": {profile: in_lossy}";
  std::string more_pools{};  ///< ", NAME: {…}"
  std::string more{};        ///< of the switch, lines of four spaces
  std::string cell = "1B";

  std::string Text() const {
    return fmt::format(R"(
switches:
  - match: "*"
{}    buffer:
      size: {}
      cell: {}
      tables:
        BUFFER_POOL: {{in: {{type: ingress, {}}}, out: {{type: egress, {}}}{}}}
        BUFFER_PROFILE:
          pg: {{pool: in, {}}}
          q: {{pool: out, size: 0, {}}}
          in_lossy: {{pool: in, size: 0, static_th: 20000000}}
          out_lossy: {{pool: out, size: 0, static_th: 20000000}}
        BUFFER_PG: {{{}}}
        BUFFER_QUEUE: {{"*|3-4": {{profile: q}}, "*|1": {{profile: out_lossy}}, "*|6": {{profile: out_lossy}}}}
)",
                       more, size, cell, in, out, more_pools, pg, q, groups);
  }
};

}  // namespace headroom
