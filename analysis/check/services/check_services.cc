#include "analysis/check/services/check_services.h"

#include <algorithm>
#include <cmath>

#include "analysis/check/services/check_brpc.h"
#include "analysis/check/services/check_connections.h"
#include "analysis/check/services/check_ios.h"
#include "analysis/check/services/check_placement.h"
#include "analysis/check/services/check_tensors.h"
#include "analysis/check/services/check_timeouts.h"
#include "protocol/storage/storage_parameters.h"

namespace headroom {
namespace {

ServiceCheck ServiceOf(const StorageParameters& p, const Scenario& s) {
  const StorageLeg& leg = p.front;
  ServiceCheck check{.name = p.name,
                     .protocol = leg.Name(),
                     .traffic_class = s.classes[leg.priority].name,
                     .compute = p.compute.size(),
                     .extent_nodes = p.extent_nodes.size()};
  if (leg.OnTcp()) return check;
  const auto connections =
      static_cast<double>(check.compute) / (p.back ? static_cast<double>(p.front_ends.size()) : 1);
  check.receives = connections * leg.Receives();
  check.receive_bytes = Bytes(leg.ReceiveBytes() * std::llround(check.receives));
  return check;
}

}  // namespace

ServicesChecks CheckServices(const Fabric& fabric, Findings& findings) {
  const Scenario& s = fabric.scenario();
  ServicesChecks checks;
  for (uint32_t i = 0; i < s.services.size(); ++i) {
    const auto* const storage = s.services[i].Find<StorageParameters>();
    if (storage == nullptr) continue;
    const StorageParameters& p = *storage;
    const bool used = std::ranges::any_of(s.workloads, [i](const WorkloadParameters& w) {
      const auto* const io = w.arrivals.Find<IoArrivals>();
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
    if (w.arrivals.Find<IoArrivals>() != nullptr) JudgeIo(w, findings);
  checks.keys = CheckKeys(s, findings);
  CheckConnections(s, findings);
  CheckBrpc(s, findings);
  CheckTensors(fabric, findings);
  CheckTimeouts(s, findings);
  return checks;
}

}  // namespace headroom
