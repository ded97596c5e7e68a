// The questions that a type of workload answers: who sends to whom, when and how much, and how the type acts
// in a run.
//
// Each type is a class derived from `Arrivals`, in a file of src/workload/types: its data, these answers, its
// keys, and the line that registers it (keys::RegisteredType). Other rooms know only this interface. Most
// questions have a default answer. docs/extending.md shows which questions a new type must answer.
//
// All questions may be asked once the type's keys have been read. Generators are made when a run begins.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "net/opcode.h"
#include "net/topology/topology.h"
#include "sim/footprint.h"
#include "sim/units.h"
#include "workload/nic_rule.h"
#include "workload/operation_kind.h"
#include "workload/service_load.h"

namespace headroom {

class Generator;
struct GeneratorGround;
struct IncastArrivals;
struct IoSpan;
class OperationGenerator;
struct OperationGround;
struct PoissonArrivals;
struct Scenario;
struct StreamArrivals;
struct WorkloadParameters;

/// The maximum distance of a sender's targets; each value includes the previous one.
enum class Scope { rack, cluster, datacenter, region };

/// Properties of the network that workloads need.
struct HostView {
  const Topology* topology = nullptr;
  std::vector<Rate> line_rates;    ///< indexed by host: the sum over its ports
  std::vector<uint8_t> ports;      ///< indexed by host: number of its ports; empty: each has one
  std::vector<uint32_t> contexts;  ///< ns-3 node ids, indexed by host; only in a run
  Time duration;                   ///< no arrival at or after this time
  Time warmup;                     ///< statistics exclude earlier times

  /// The line rate of a sender: of one NIC, or of all NICs of its host if the rule may use them all.
  Rate LineRate(NodeId sender, const NicRule& rule) const;
  /// Sets topology, line_rates and ports.
  void SetTopology(const Topology& of);
  /// The most that one queue pair may send. The ports of a host have the same rate.
  Rate PortRate(NodeId host) const {
    return ports.empty() ? line_rates[host] : line_rates[host] / int64_t{ports[host]};
  }
  Rate FastestPort() const;
};

/// A message that is known before the run.
struct ListedMessage {
  Time at;
  NodeId from = 0, to = 0;
  Bytes size;
  std::optional<uint8_t> priority;        ///< none: the workload's priority
  std::optional<uint16_t> source_port{};  ///< none: derived from names (workload/source_port.h)
  bool operator==(const ListedMessage&) const = default;
};

/// A message as if it were alone in the network.
struct LoneMessage {
  Bytes size;
  Time start;
  Rate rate;  ///< rate of the slower of its two lines
};

/// The messages that one host sends.
struct SentByHost {
  double messages = 0;
  double peers = 0;  ///< number of its targets, by traffic class
};

/// Data without ACKs that arrive at these hosts.
struct UnacknowledgedData {
  const char* what;
  std::vector<NodeId> at;
  uint8_t priority = 0;
  /// Senders whose congestion control does not learn of these data from any other frame.
  std::vector<NodeId> unheard_from{};
};

/// Queue pairs made by a program on verbs, as a part of a run's memory.
struct QueuePairMemory {
  std::string which;  ///< text such as ", one for each of …"
  const char* less;   ///< advice to make it smaller
  Forecast bytes;
};

/// The service that a workload uses.
struct AskedService {
  ServiceOperation::Of of = ServiceOperation::Of::disk;
  uint32_t service = 0;  ///< its number: index into the scenario's services
};

/// Connections of a client that open when the run begins.
struct OpeningConnections {
  int count = 0;
  Time least;  ///< a lower bound of the time that this takes
};

/// Receives the shares of a workload's messages, in any unit.
class ShareSink {
 public:
  virtual void Add(NodeId from, NodeId to, double amount) = 0;
  /// Messages of `senders`, each with its weight, to all hosts of `reach` except itself, with equal
  /// probability.
  virtual void AddUniform(const std::vector<std::pair<NodeId, double>>& senders,
                          const std::vector<NodeId>& reach) = 0;

 protected:
  ~ShareSink() = default;
};

/// Receives messages in the order in which queue pairs take them.
class FlowSink {
 public:
  /// `bytes`: 0 for messages without end. `source_port`: as in ListedMessage.
  virtual void Offer(NodeId from, NodeId to, uint8_t priority, double bytes,
                     std::optional<uint16_t> source_port = std::nullopt) = 0;
  /// Whether no more messages are needed: the rest may be left out.
  virtual bool Full() const = 0;

 protected:
  ~FlowSink() = default;
};

/// Receives the messages that operations consist of.
class TrafficSink {
 public:
  /// `to` requests a READ.
  void AddMessages(NodeId from, NodeId to, Operation verb, int64_t bytes, double times,
                   Transport transport = Transport::rc) {
    DoAddMessages(from, to, verb, bytes, times, transport);
  }
  /// Bytes that TCP carries, in one write.
  virtual void AddWrites(NodeId from, NodeId to, int64_t bytes, double times) = 0;

 protected:
  ~TrafficSink() = default;
  virtual void DoAddMessages(NodeId from, NodeId to, Operation verb, int64_t bytes, double times,
                             Transport transport) = 0;
};

/// Throws a ScenarioError if senders have no target.
class TargetCheck {
 public:
  /// Checks that paths lead from each of `from` to each of `to`.
  virtual void Paths(const std::vector<NodeId>& from, const std::vector<NodeId>& to) const = 0;
  /// Checks that each of `hosts` has at least `least` of `others`, except itself, within the scope; there is
  /// at least one such host. `what` ends the sentence: for example "to send to".
  virtual void Within(const std::vector<NodeId>& hosts, const std::vector<NodeId>& others, Scope scope,
                      int64_t least, const char* what) const = 0;

 protected:
  ~TargetCheck() = default;
};

/// Open operations of a client whose rate became a closed loop (Arrivals::CloseLoop).
inline constexpr int kDepthOfLoops = 32;

class Arrivals {
 public:
  virtual ~Arrivals() = default;
  virtual std::unique_ptr<Arrivals> Clone() const = 0;
  /// Which NICs of its hosts carry its messages.
  NicRule nic;
  /// Whether both have the same type and data.
  virtual bool Equals(const Arrivals& other) const = 0;
  /// The state before its keys are read: all hosts take part.
  virtual void StartWith(const std::vector<NodeId>& /*all hosts*/) {}

  // In a run, a type makes one of the two generators.

  /// Makes the generator of workload number `index`. Throws std::invalid_argument if the workload has no
  /// target. Null if it offers operations.
  virtual std::unique_ptr<Generator> MakeGenerator(const WorkloadParameters&, uint32_t index,
                                                   const GeneratorGround&) const;
  /// Makes the generator of operations. Null if it offers messages.
  virtual std::unique_ptr<OperationGenerator> MakeOperations(const WorkloadParameters&, uint32_t index,
                                                             const OperationGround&) const;
  /// Whether its generator is a program on verbs, which makes its own queue pairs and records its messages
  /// itself.
  virtual bool OnVerbs() const { return false; }
  /// Whether its generator, in an event of a host, acts on that host alone. In an event of no host it may act
  /// on any host (sim/parts.h). One that offers operations calls OnExhausted only in an event of no host.
  virtual bool ActsPartByPart(const WorkloadParameters&) const { return false; }

  // Times:

  /// The last known time of an offered message; none if it continues by itself.
  virtual std::optional<Time> LastArrival() const { return std::nullopt; }
  /// A time that must lie before the end of the arrivals.
  virtual Time NeededArrival() const { return {}; }
  /// The messages that may end last if each is alone in the network.
  virtual std::vector<LoneMessage> LastAlone(const HostView&) const { return {}; }

  // Hosts:

  virtual void CheckTargets(const TargetCheck&) const {}
  virtual std::vector<UnacknowledgedData> Unacknowledged(const WorkloadParameters&) const { return {}; }
  /// Each host's sent messages, if the whole workload has `messages`.
  virtual std::vector<SentByHost> ByHost(const Topology&, double messages) const;
  /// The expected shares of pairs of hosts. Random arrivals count as equally likely, listed ones exactly.
  virtual void AddShares(const WorkloadParameters&, const HostView&, ShareSink&) const = 0;
  /// The first messages of the workload. If a burst's senders or target are drawn, the first allowed ones
  /// represent them. Offers nothing if all of them are random.
  virtual void OfferFlows(const WorkloadParameters&, const HostView&, FlowSink&) const {}
  /// Whether all its traffic is from hosts to themselves.
  virtual bool StaysAtHome() const { return false; }
  /// Whether source ports were chosen for certain paths: then no switch may draw its hash.
  virtual bool ChoosesPaths() const { return false; }
  /// Whether some messages of the workload itself (not of its service) have this class.
  virtual bool SendsIn(uint8_t priority, const WorkloadParameters&) const;

  // Amounts:

  /// Number of messages, or operations, that it offers.
  virtual double Expected(const Scenario&) const = 0;
  /// Mean payload of a message; 0 if it has none.
  virtual double MeanBytes() const = 0;
  /// The mean of ceil(size / step), at least 1, over its messages.
  virtual double MeanPieces(double step) const;
  /// Messages offered per second while the workload lasts; none if unknown.
  virtual std::optional<double> PerSecond(const HostView&) const { return std::nullopt; }
  /// How often an average message's data travel from host to host.
  virtual double Legs(const Scenario&) const { return 1; }
  /// The amount that it offers, at most the capacity of lines and processors.
  virtual Forecast Count(const WorkloadParameters&, const Scenario&) const;
  /// Number of these that have begun and are not over; none if the network decides.
  virtual std::optional<Forecast> Open(const WorkloadParameters&, const Scenario&,
                                       const Forecast& /*count*/) const {
    return std::nullopt;
  }
  /// Number of operations that it keeps open at the same time, over all hosts, in a closed loop; none if it
  /// offers at a rate or at given times.
  virtual std::optional<double> Depth() const { return std::nullopt; }
  /// Makes it offer as much as can be served: a closed loop without a rate. Returns false, and changes
  /// nothing, if the type offers at a rate or at given times.
  virtual bool CloseLoop() { return false; }
  /// Time until an open loop has completed everything, as a multiple of the time in which it makes requests.
  /// It is more than 1 if the requests exceed the capacity of lines and cores.
  virtual double Stretch(const Scenario&, const Forecast& /*count*/) const { return 1; }
  /// The queue pairs of a program on verbs.
  virtual std::optional<QueuePairMemory> QueuePairs(const WorkloadParameters&,
                                                    const Forecast& /*count*/) const {
    return std::nullopt;
  }

  // Patterns: A type may answer with any of these that describe it, whatever its own data are; otherwise null
  // or none.

  /// Each sender has a load, with random targets.
  virtual const PoissonArrivals* AsLoad() const { return nullptr; }
  /// Bursts of many senders to one target.
  virtual const IncastArrivals* AsBursts() const { return nullptr; }
  /// A closed loop of messages.
  virtual const StreamArrivals* AsLoop() const { return nullptr; }
  /// All messages individually, sorted by time.
  virtual std::optional<std::vector<ListedMessage>> Listed(const WorkloadParameters&) const {
    return std::nullopt;
  }

  // For operations of a service:

  /// The service of the workload; none if it offers messages.
  virtual std::optional<AskedService> Asks() const { return std::nullopt; }
  /// The kinds of operations that it may offer.
  virtual std::vector<OperationKind> Kinds() const { return {}; }
  /// The span over which its operations per second are counted.
  virtual IoSpan Span(Time warmup, Time duration) const;
  /// Adds the wire traffic of an average operation, if its service has a type that registers itself.
  virtual void AddTraffic(const Scenario&, TrafficSink&) const {}
  /// Share of its operations that change the value of a key.
  virtual double ChangingShare() const { return 0; }
  /// Its part of its service's load. By default operations of the mean size, any number open at a time.
  virtual ServiceLoad Load() const;
  /// The connections that a client waits for before its first request; none if it does not wait.
  virtual std::optional<OpeningConnections> Opens(const Scenario&) const { return std::nullopt; }

 protected:
  Arrivals() = default;
  Arrivals(const Arrivals&) = default;
  Arrivals& operator=(const Arrivals&) = default;
};

/// The data of a type.
template <class A>
struct ArrivalsData {
  A a;
};

/// A type with its data, for example class PoissonType final : public ArrivalsOf<PoissonType,
/// PoissonArrivals>. REQUIRES: A has an operator==.
template <class Self, class A, class Base = Arrivals>
class ArrivalsOf : public Base, public ArrivalsData<A> {
 public:
  ArrivalsOf() = default;
  explicit ArrivalsOf(A data) : ArrivalsData<A>{std::move(data)} {}
  std::unique_ptr<Arrivals> Clone() const override {
    return std::make_unique<Self>(static_cast<const Self&>(*this));
  }
  bool Equals(const Arrivals& other) const override {
    const auto* same = dynamic_cast<const Self*>(&other);
    return same != nullptr && same->a == this->a;
  }
};

/// The arrivals of a workload, of any type, as a value.
class AnyArrivals {
 public:
  AnyArrivals() = default;
  template <std::derived_from<Arrivals> Type>
  AnyArrivals(std::unique_ptr<Type> from) : held_(std::move(from)) {}  // NOLINT: as pointers convert
  /// Made from the data of a built-in type, whose header declares ArrivalsFrom.
  template <class A>
  requires requires(A a) { ArrivalsFrom(std::move(a)); }
  AnyArrivals(A data) : held_(ArrivalsFrom(std::move(data))) {}  // NOLINT
  AnyArrivals(const AnyArrivals& o) : held_(o.held_ ? o.held_->Clone() : nullptr) {}
  AnyArrivals(AnyArrivals&&) = default;
  AnyArrivals& operator=(AnyArrivals o) {
    held_ = std::move(o.held_);
    return *this;
  }

  const Arrivals* operator->() const { return held_.get(); }
  Arrivals* operator->() { return held_.get(); }
  const Arrivals& operator*() const { return *held_; }
  explicit operator bool() const { return held_ != nullptr; }

  /// Its data, if they have this type; otherwise null.
  template <class A>
  const A* Find() const {
    const auto* data = dynamic_cast<const ArrivalsData<A>*>(held_.get());
    return data == nullptr ? nullptr : &data->a;
  }
  /// Its data, for the code that made it: the keys of its type. REQUIRES: they have this type.
  template <class A>
  A& As() {
    return dynamic_cast<ArrivalsData<A>&>(*held_).a;
  }
  template <class A>
  const A& As() const {
    return dynamic_cast<const ArrivalsData<A>&>(*held_).a;
  }

  friend bool operator==(const AnyArrivals& a, const AnyArrivals& b) {
    return a.held_ && b.held_ ? a.held_->nic == b.held_->nic && a.held_->Equals(*b.held_)
                              : a.held_ == b.held_;
  }

 private:
  std::unique_ptr<Arrivals> held_;
};

}  // namespace headroom
