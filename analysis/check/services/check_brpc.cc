#include "analysis/check/services/check_brpc.h"

#include <fmt/format.h>

#include <algorithm>

#include "protocol/brpc/brpc_parameters.h"

namespace headroom {

namespace {

constexpr int64_t kPathMtu = 1024;  // fixed in bRPC's code

bool IsCalled(const Scenario& s, const std::string& service) {
  return std::ranges::any_of(s.workloads, [&](const WorkloadParameters& w) {
    return OffersOperations(w) && s.services[ServiceOf(w)]->name == service;
  });
}

}  // namespace

void CheckBrpc(const Scenario& s, Findings& findings) {
  for (const AnyService& any : s.services) {
    const auto* const found = any.Find<BrpcParameters>();
    if (found == nullptr) continue;
    const BrpcParameters& service = *found;
    if (!IsCalled(s, service.name))
      findings.push_back({Finding::Severity::warning, "service " + service.name,
                          "no workload of type rpc uses it, so it stays idle"});
    if (service.transport != BrpcTransport::tcp && s.mtu != kPathMtu)
      findings.push_back({Finding::Severity::warning,
                          "service " + service.name,
                          fmt::format("its packets carry up to {} B, but bRPC sets a path MTU of {} B "
                                      "for its queue pairs",
                                      s.mtu, kPathMtu),
                          {Remedy{fmt::format("mtu={}B", kPathMtu)}}});
  }
}

}  // namespace headroom
