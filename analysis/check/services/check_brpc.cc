#include "analysis/check/services/check_brpc.h"

#include <fmt/format.h>

#include <algorithm>

#include "protocol/brpc/brpc_parameters.h"

namespace headroom {

namespace {

constexpr int64_t kPathMtu = 1024;  // fixed in bRPC's code

bool IsCalled(const Scenario& s, uint32_t service) {
  return std::ranges::any_of(s.workloads, [&](const WorkloadParameters& w) {
    const auto asks = w.arrivals->Asks();
    return asks && asks->of == ServiceOperation::Of::own && asks->service == service;
  });
}

}  // namespace

void CheckBrpc(const Scenario& s, Findings& findings) {
  for (uint32_t i = 0; i < s.own_services.size(); ++i) {
    const OwnServiceParameters& service = s.own_services[i];
    if (service.type != "brpc") continue;
    if (!IsCalled(s, i))
      findings.push_back({Finding::Severity::warning, "service " + service.name,
                          "no workload of type rpc uses it, so it stays idle"});
    if (service.settings.As<BrpcParameters>().transport != BrpcTransport::tcp && s.mtu != kPathMtu)
      findings.push_back({Finding::Severity::warning,
                          "service " + service.name,
                          fmt::format("its packets carry up to {} B, but bRPC sets a path MTU of {} B "
                                      "for its queue pairs",
                                      s.mtu, kPathMtu),
                          {Remedy{fmt::format("mtu={}B", kPathMtu)}}});
  }
}

}  // namespace headroom
