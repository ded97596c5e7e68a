// The common parts of workloads of operations with independent clients, which run from `start` to `stop`, in
// a closed loop or at a rate.
//
// A client has its own random streams, named after it and the workload, so that another client changes
// nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/random.h"
#include "workload/operation_generator.h"

namespace headroom {

class ClientGenerator : public OperationGenerator {
 public:
  struct Parameters {
    std::vector<NodeId> clients;
    Time start;
    std::optional<Time> stop;
    double rate = 0;     ///< operations per second of a loop; 0: closed loop
    bool even = false;   ///< with a rate: gaps are equal, otherwise exponential
    uint32_t loops = 1;  ///< per client
  };
  void Start() final;
  void OnAttached(NodeId host) final;
  void OnEvent(uint64_t arg) final;

 protected:
  struct Client {
    NodeId id = 0;
    uint32_t place = 0;  ///< index among the workload's clients
    EntityId entity = 0;
    RandomStream gaps;
    uint64_t events = 0;
  };
  ClientGenerator(const Parameters& parameters, const WorkloadParameters& workload, uint32_t index,
                  const HostView& hosts, OperationOffers& offers);

  /// A closed loop of a client begins.
  virtual void Begin(Client& client, uint32_t loop) = 0;
  /// An operation of a loop is due.
  virtual void Offer(Client& client, uint32_t loop) = 0;

  bool IsOpen() const { return p_.rate > 0; }
  Time stop() const { return stop_; }
  bool IsOver() const { return EventQueue::Get().now() >= stop_; }
  std::vector<Client>& clients() { return clients_; }
  /// Null if the workload has no client there.
  Client* Find(NodeId host) { return client_of_[host] == 0 ? nullptr : &clients_[client_of_[host] - 1]; }
  /// Makes an operation due at `at`, unless the workload is over.
  void OfferAt(Client& client, Time at, uint32_t loop = 0) { Schedule(client, at, kOffer, loop); }
  void Put(const OperationRequest& request, bool ramp) { offers_.Offer(index_, request, ramp); }
  /// No further operation starts by itself; only the first call counts.
  void Exhaust();

  /// Name of a client's random streams.
  static std::string StreamsOf(NodeId client, const WorkloadParameters& workload, const HostView& hosts) {
    return hosts.topology->nodes[client].name + "/" + workload.name;
  }

 private:
  enum What : uint64_t { kEnd, kBegin, kOffer };
  void Schedule(Client& client, Time at, What what, uint32_t loop);
  void ScheduleArrival(Client& client, uint32_t loop);

  const Parameters p_;
  const uint32_t index_;
  const Time stop_;
  OperationOffers& offers_;
  EntityId entity_;
  std::vector<Client> clients_;
  std::vector<uint32_t> client_of_;  ///< indexed by node: index in clients_, plus one
  bool exhausted_ = false;
};

}  // namespace headroom
