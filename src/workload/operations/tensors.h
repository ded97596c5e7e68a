// Training steps on a service of type tensorflow: in each step every worker fetches every tensor from its
// parameter server, and each parameter server fetches the gradients of its tensors from the worker. All are
// requested when the step begins, as by executors of a graph.
//
// A worker's steps begin at intervals of `every`, but not before its previous step has ended. Random streams
// of the worker and workload decide whether a tensor is reshaped, so that another worker changes nothing.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "workload/arrivals.h"
#include "workload/operations/client_generator.h"

namespace headroom {

/// The workload as plain data.
struct TensorArrivals {
  struct Tensor {
    Bytes size;
    int count = 1;
    double reshaped = 0;  ///< share of its steps in which its shape differs from the previous step's
    bool operator==(const Tensor&) const = default;
  };
  uint32_t service = 0;                  ///< index into the scenario's own services
  std::vector<NodeId> workers, servers;  ///< hosts of the service
  std::vector<Tensor> tensors;
  Time every = Milliseconds(10);
  bool gradients = true;
  Time start;
  std::optional<Time> stop;
  bool operator==(const TensorArrivals&) const = default;

  uint32_t Count() const;
  /// The total bytes of all tensors.
  int64_t TotalBytes() const;
  uint32_t OperationsOfStep() const { return Count() * (gradients ? 2 : 1); }
};

class TensorGenerator final : public ClientGenerator {
 public:
  TensorGenerator(const TensorArrivals& arrivals, const WorkloadParameters& workload, uint32_t index,
                  const OperationGround& ground);
  void OnEnded(const OperationRecord& ended) override;

 private:
  struct Worker {
    RandomStream shapes;
    std::vector<uint32_t> shape;  ///< indexed by tensor
    uint32_t open = 0;            ///< open operations of its step
    bool failed = false;          ///< an operation of the step failed
    Time began;
  };
  void Begin(Client& client, uint32_t) override { BeginStep(client); }
  void Offer(Client& client, uint32_t) override { BeginStep(client); }
  void BeginStep(Client& client);
  void Reshape(Worker& worker);
  void Ask(const Client& client, uint32_t tensor, Bytes size, bool gradient);

  const TensorArrivals arrivals_;
  std::vector<Worker> workers_;  ///< indexed by the worker's number
};

}  // namespace headroom
