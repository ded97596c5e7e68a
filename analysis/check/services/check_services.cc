#include "analysis/check/services/check_services.h"

#include <algorithm>
#include <cmath>

#include "analysis/check/services/check_brpc.h"
#include "analysis/check/services/check_connections.h"
#include "analysis/check/services/check_ios.h"
#include "analysis/check/services/check_placement.h"
#include "analysis/check/services/check_tensors.h"
#include "protocol/storage/wire/sk_message.h"
#include "protocol/storage/wire/su_message.h"

namespace headroom {
namespace {

ServiceCheck ServiceOf(const StorageParameters& p, const Scenario& s) {
  const StorageLeg& leg = p.front;
  ServiceCheck check{.name = p.name,
                     .protocol = ProtocolName(leg.protocol),
                     .traffic_class = s.classes[leg.priority].name,
                     .compute = p.compute.size(),
                     .extent_nodes = p.extent_nodes.size()};
  if (leg.protocol == StorageProtocol::tcp) return check;
  const bool sk = leg.protocol == StorageProtocol::sk_rdma;
  const auto connections =
      static_cast<double>(check.compute) / (p.back ? static_cast<double>(p.front_ends.size()) : 1);
  const int64_t message = sk ? SkMessage::kBytes : SuMessage::kBytes + leg.small.v;
  check.receives = connections * (sk ? leg.credits : 2 * leg.credits + 2);
  check.receive_bytes = Bytes(message * std::llround(check.receives));
  return check;
}

}  // namespace

const char* ProtocolName(StorageProtocol protocol) {
  constexpr const char* kNames[] = {"sk_rdma", "su_rdma", "tcp"};
  return kNames[static_cast<size_t>(protocol)];
}

ServicesChecks CheckServices(const Fabric& fabric, Findings& findings) {
  const Scenario& s = fabric.scenario();
  ServicesChecks checks;
  for (uint32_t i = 0; i < s.services.size(); ++i) {
    const StorageParameters& p = s.services[i];
    const bool used = std::ranges::any_of(s.workloads, [i](const WorkloadParameters& w) {
      const IoArrivals* const io = w.arrivals->AsIos();
      return io != nullptr && io->service == i;
    });
    if (!used)
      findings.push_back({Finding::Severity::warning, "service " + p.name,
                          "no workload of type io, fio or trace uses it, so it stays idle"});
    CheckPlacement(p, s.topology, findings);
    if (p.failover) checks.failovers.push_back(CheckFailover(s, p, findings));
    checks.services.push_back(ServiceOf(p, s));
  }
  for (const WorkloadParameters& w : s.workloads)
    if (w.arrivals->AsIos() != nullptr) JudgeIo(w, findings);
  checks.keys = CheckKeys(s, findings);
  CheckConnections(s, findings);
  CheckBrpc(s, findings);
  CheckTensors(fabric, findings);
  return checks;
}

}  // namespace headroom
