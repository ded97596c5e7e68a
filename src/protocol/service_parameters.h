// A service as plain data: what is common to all types, and the facts about it that are needed before a run.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "net/topology/topology.h"
#include "sim/footprint.h"
#include "sim/own_values.h"

namespace headroom {

struct ServiceLoad;

/// Receives the queue pairs on which one host sends data to another: their number, in any order, and the UDP
/// source port of these data.
using UsePort = std::function<void(NodeId from, NodeId to, uint32_t number, uint16_t source_port)>;

/// The operations of a service's workloads, as far as they are known before a run.
struct ServiceDemand {
  Forecast count, open;
  Forecast changes;  ///< operations that change the value of a key
};

/// Keys of a service that have values, but no effect with its transport.
struct UnusedKeys {
  std::vector<std::string> keys;
  const char* transport = "";
};

/// The steps and messages of an operation that lead to its result: usual numbers, and the factor to the
/// largest.
struct OperationSteps {
  double steps = 3, messages = 2, worst = 10;
};

/// How a service's hosts may be divided.
enum class ServiceDivision : uint8_t {
  none,   ///< they are in one part of one process
  parts,  ///< they act on each other by frames alone, so parts of a process may run them
  ranks   ///< several processes may run them
};

/// Each type has its own parameters, which derive from ServiceParametersOf. A type without parameters of its
/// own, such as another program's, uses this class.
struct ServiceParameters {
  std::string name, type;
  std::vector<NodeId> servers, clients;  ///< a host may be in both
  uint8_t priority = 0;
  OwnValues own;  ///< values of another program's keys; a key reads its value (OwnKey)

  ServiceParameters() = default;
  ServiceParameters(const ServiceParameters&) = default;
  ServiceParameters& operator=(const ServiceParameters&) = default;
  virtual ~ServiceParameters() = default;
  bool operator==(const ServiceParameters&) const = default;
  virtual std::unique_ptr<ServiceParameters> Clone() const {
    return std::make_unique<ServiceParameters>(*this);
  }
  /// Whether both have the same class and values.
  virtual bool Equals(const ServiceParameters& o) const { return typeid(o) == typeid(*this) && o == *this; }

  /// All its hosts; some may be named twice.
  virtual std::vector<NodeId> Hosts() const {
    std::vector<NodeId> hosts = clients;
    hosts.insert(hosts.end(), servers.begin(), servers.end());
    return hosts;
  }
  /// The class of its TCP, if it uses TCP.
  virtual std::optional<uint8_t> TcpClass() const { return std::nullopt; }
  /// If its hosts use the cores that all such services share: the class of these cores' own queue pairs.
  virtual std::optional<uint8_t> CoreClass() const { return std::nullopt; }
  /// Whether its clients use queue pairs.
  virtual bool OnQueuePairs() const { return true; }
  /// Whether it has queue pairs of this class.
  virtual bool HasQueuePairs(uint8_t of) const { return OnQueuePairs() && priority == of; }
  /// Whether its queue pairs have acknowledgements.
  virtual bool Acknowledged() const { return false; }
  /// Whether it is an application with threads that copy and sleep.
  virtual bool IsApplication() const { return false; }
  virtual ServiceDivision Division() const { return ServiceDivision::none; }
  virtual UnusedKeys Unused() const { return {}; }
  /// Calls `use` for all queue pairs whose source ports are known before a run.
  virtual void ForEachPort(const Topology&, const UsePort& /*use*/) const {}
  /// The service's share of this process's memory; none if it is unknown.
  virtual std::optional<Forecast> Footprint(const Topology&, const ServiceLoad&, const ServiceDemand&) const {
    return std::nullopt;
  }
  virtual OperationSteps Steps() const { return {}; }
  /// What takes that memory: empty, or such as " (50 connections)".
  virtual std::string MemoryOf() const { return ""; }
  /// Advice to make that share smaller.
  virtual std::string LessMemory() const { return "give fewer hosts or connections, or smaller buffers"; }
};

/// Parameters of a type, for example struct BrpcParameters : ServiceParametersOf<BrpcParameters>. REQUIRES:
/// Self has an operator==.
template <class Self>
struct ServiceParametersOf : ServiceParameters {
  std::unique_ptr<ServiceParameters> Clone() const override {
    return std::make_unique<Self>(static_cast<const Self&>(*this));
  }
  bool Equals(const ServiceParameters& o) const override {
    const auto* same = dynamic_cast<const Self*>(&o);
    return same != nullptr && *same == static_cast<const Self&>(*this);
  }
  bool operator==(const ServiceParametersOf&) const = default;
};

/// The parameters of a service of any type, as a value.
class AnyService {
 public:
  AnyService() : held_(std::make_unique<ServiceParameters>()) {}
  template <std::derived_from<ServiceParameters> P>
  AnyService(const P& from) : held_(from.Clone()) {}  // NOLINT: as pointers convert
  AnyService(const AnyService& o) : held_(o->Clone()) {}
  AnyService& operator=(AnyService o) {
    held_ = std::move(o.held_);
    return *this;
  }
  ServiceParameters* operator->() { return held_.get(); }
  const ServiceParameters* operator->() const { return held_.get(); }
  ServiceParameters& operator*() { return *held_; }
  const ServiceParameters& operator*() const { return *held_; }

  /// The parameters, if they have this class; otherwise null.
  template <class P>
  const P* Find() const {
    return dynamic_cast<const P*>(held_.get());
  }
  /// REQUIRES: they have this class.
  template <class P>
  P& As() {
    return dynamic_cast<P&>(*held_);
  }
  template <class P>
  const P& As() const {
    return dynamic_cast<const P&>(*held_);
  }

  friend bool operator==(const AnyService& a, const AnyService& b) { return a->Equals(*b); }

 private:
  std::unique_ptr<ServiceParameters> held_;
};

}  // namespace headroom
