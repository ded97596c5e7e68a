// A running service: it carries the operations of workloads. Each kind of service derives from this class and
// registers its type in its own file (ServiceType).
//
// A service lives through these phases:
//
//   made     before the run, when all hosts exist: it makes its programs and queue pairs
//   Start    once, at time zero, before any event
//   Submit   for each operation, after the service has called `attached` for the operation's client
//   Stop     once, when no workload will start further operations; operations may still be open
//   Record   after the run
//
// A run that ends at its deadline may never call Stop.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "net/topology/topology.h"
#include "nic/verbs/verbs.h"
#include "protocol/operations.h"
#include "protocol/service_parameters.h"
#include "protocol/service_record.h"
#include "workload/operation.h"
#include "workload/service_load.h"

namespace headroom {

class HostCores;
class IpStack;
struct HistoryJudgement;

/// A host from a service's view.
struct ServiceHost {
  Verbs* verbs = nullptr;
  uint32_t context = 0;        ///< the host's ns-3 node
  HostCores* cores = nullptr;  ///< shared by all services of the host; null if no service uses them
  IpStack* ip = nullptr;       ///< ns-3's TCP/IP, installed here; null if no application on it uses TCP
};

/// An event for an operator's time line.
struct ServiceEvent {
  Time at;
  const char* kind = "";  ///< as in events.csv
  NodeId host = 0;
  std::string detail;
};

/// Everything that a service uses. The referenced objects must outlive the service.
struct ServiceGround {
  const std::vector<ServiceHost>& hosts;  ///< indexed by NodeId
  const Topology& topology;
  Operations& operations;
  Time warmup;
  ServiceLoad load{};    ///< the load of workloads on disks, keys and connections; empty for other types
  bool divided = false;  ///< several ranks (sim/parts.h) run its hosts: each rank starts it for its own hosts
  bool histories = false;  ///< the service records its operations' effects, for Judge; data are then carried
  uint16_t number = 0;     ///< number of the service, among all in the scenario
  uint8_t tag = 0;         ///< tag of its queue pairs' frames
  std::function<void(const ServiceEvent&)> note = [](const ServiceEvent&) {};
};

class Service {
 public:
  using Attached = std::function<void(NodeId client)>;
  using UseQueuePair = std::function<void(NodeId host, uint32_t qp)>;

  virtual ~Service() = default;
  /// Connects the service. `attached` is called once for each client, when operations of that client may be
  /// submitted: within this call or later. A client that cannot be connected is never attached.
  virtual void Start(const Attached& attached) = 0;
  /// Takes an operation that has begun, and ends it with Operations::Complete, whether it succeeds or fails.
  /// REQUIRES: its client is attached.
  virtual void Submit(const OperationRequest& request) = 0;
  /// No more requests follow. Busy time of threads ends now, and background work ends with the last open
  /// operation.
  virtual void Stop() {}
  /// The service's results so far. Never null. May be called at any time; a first call counts as Stop if none
  /// came before.
  virtual std::shared_ptr<const ServiceRecord> Record() = 0;
  /// Calls `use` for each queue pair that the service has had: the host and the queue pair's number there.
  /// May be called at any time.
  virtual void ForEachQueuePair(const UseQueuePair& use) const = 0;

  // Functions of some services only:
  /// A host leaves or returns: each call with `away` needs a return of its own. Only for hosts that the
  /// scenario's check permits to leave (fault extent_node_down). Called during the run.
  virtual void SetAway(NodeId /*host*/, bool /*away*/) {}
  /// Judges the recorded history after the run. Returns false if there is no history; `all` is then
  /// unchanged.
  virtual bool Judge(HistoryJudgement& /*all*/) { return false; }
};

/// The services of a type, under the type's name in scenarios. A constant of this class at namespace scope
/// registers a type, also in another program:
///
///   const ServiceType kEcho{"echo", &MakeAs<EchoService, EchoParameters>};
class ServiceType {
 public:
  using Make = std::unique_ptr<Service> (*)(const ServiceParameters&, const ServiceGround&);
  /// Throws std::logic_error for a name that is in use. REQUIRES: before a run.
  ServiceType(const std::string& name, Make make);
};

/// Makes a service of its type. Throws std::out_of_range for a type that is not registered. REQUIRES:
/// `parameters` belong to the type's class.
std::unique_ptr<Service> MakeService(const ServiceParameters& parameters, const ServiceGround& ground);

/// For ServiceType.
template <class S, class Parameters>
std::unique_ptr<Service> MakeAs(const ServiceParameters& parameters, const ServiceGround& ground) {
  return std::make_unique<S>(static_cast<const Parameters&>(parameters), ground);
}

}  // namespace headroom
