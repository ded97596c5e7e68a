// A service at work: it carries the operations that workloads ask for. Each kind of service derives from this
// class and registers its type in its own file (ServiceType).
//
// A service lives through these phases:
//
//   made     before the run, when all hosts are there: it makes its programs and queue pairs
//   Start    once, at time zero, before any event
//   Submit   for each operation, after the service has called `attached` for the operation's client
//   Stop     once, when no workload will ask for more of its own accord; operations may still be open
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

/// A host as services meet it.
struct ServiceHost {
  Verbs* verbs = nullptr;
  uint32_t context = 0;        ///< its ns-3 node
  HostCores* cores = nullptr;  ///< shared by all services of the host; null: no storage service
  IpStack* ip = nullptr;       ///< ns-3's TCP/IP, installed here; null: no application with TCP is here
};

/// Something that an operator would want on a time line.
struct ServiceEvent {
  Time at;
  const char* kind = "";  ///< as in events.csv
  NodeId host = 0;
  std::string detail;
};

/// Everything that a service uses. What it refers to outlives the service.
struct ServiceGround {
  const std::vector<ServiceHost>& hosts;  ///< by NodeId
  const Topology& topology;
  Operations& operations;
  Time warmup;
  ServiceLoad load{};      ///< of workloads on disks, keys and connections; empty for other types
  bool histories = false;  ///< it keeps what its operations did, for Judge; data are carried then
  uint16_t number = 0;     ///< of the service, among all of the scenario
  uint8_t tag = 0;         ///< of its queue pairs' frames
  std::function<void(const ServiceEvent&)> note = [](const ServiceEvent&) {};
};

class Service {
 public:
  using Attached = std::function<void(NodeId client)>;
  using UseQueuePair = std::function<void(NodeId host, uint32_t qp)>;

  virtual ~Service() = default;
  /// Connects what is to be connected. `attached` hears of each client, once, when operations of that client
  /// may be submitted: within this call or later. A client that cannot be connected is never attached.
  virtual void Start(const Attached& attached) = 0;
  /// Takes over an operation that has begun, and ends it with Operations::Complete, whether it succeeds or
  /// fails. REQUIRES: its client is attached.
  virtual void Submit(const OperationRequest& request) = 0;
  /// No more requests follow. Busy time of threads ends now, and background work ends with the last open
  /// operation.
  virtual void Stop() {}
  /// What it did so far. Never null. At any time; a first call counts as Stop if none came before.
  virtual std::shared_ptr<const ServiceRecord> Record() = 0;
  /// `use` gets each queue pair that the service has had: the host and its number there. At any time.
  virtual void ForEachQueuePair(const UseQueuePair& use) const = 0;

  // What some services can.
  /// A host is away, or back: each `away` needs a return of its own. Only of hosts that the scenario's check
  /// allows to be away (fault extent_node_down). During the run.
  virtual void SetAway(NodeId /*host*/, bool /*away*/) {}
  /// Judges the recorded history after the run. False: there is no history, and `all` is unchanged.
  virtual bool Judge(HistoryJudgement& /*all*/) { return false; }
};

/// The services of a type, under the type's name in scenarios. A constant of this class at namespace scope
/// registers a type, in a program outside the tree too:
///
///   const ServiceType kEcho{"echo", &MakeAs<EchoService, EchoParameters>};
class ServiceType {
 public:
  using Make = std::unique_ptr<Service> (*)(const ServiceParameters&, const ServiceGround&);
  /// Throws std::logic_error for a name that is taken. REQUIRES: before a run.
  ServiceType(const std::string& name, Make make);
};

/// A service of this type. Throws std::out_of_range for a type that nobody has registered. REQUIRES:
/// `parameters` are of the type's class.
std::unique_ptr<Service> MakeService(const std::string& type, const ServiceParameters& parameters,
                                     const ServiceGround& ground);

/// For ServiceType.
template <class S, class Parameters>
std::unique_ptr<Service> MakeAs(const ServiceParameters& parameters, const ServiceGround& ground) {
  return std::make_unique<S>(static_cast<const Parameters&>(parameters), ground);
}

}  // namespace headroom
