// A scenario's parameters of a service of type tensorflow.
//
// Source of the numbers: tensorflow/networking, tensorflow_networking/verbs (2020): RDMA_QUEUE_DEPTH,
// RDMA_TIMEOUT, RDMA_RETRY_CNT. Software costs and `compute` are ours.
#pragma once

#include "protocol/application_costs.h"
#include "protocol/service_parameters.h"

namespace headroom {

enum class TensorTransport : uint8_t { rdma };

struct TensorflowParameters final : ServiceParametersOf<TensorflowParameters> {
  TensorTransport transport = TensorTransport::rdma;
  int queue_depth = 1024;  ///< work requests, and RECVs, of a queue pair
  int timeout = 14;        ///< of a queue pair: 4.096 us × 2^timeout
  int retries = 7;         ///< of a queue pair
  /// Tensors are in registered memory and are sent from there. Otherwise each tensor is serialized, into
  /// memory that is registered for it, at both ends.
  bool copyable = true;
  bool staged = false;  ///< tensors are copied to and from registered memory, as GPUs' without GPUDirect
  Time compute;         ///< a worker's time from its last tensor of a step until its gradients are ready
  ApplicationCosts costs;
  bool operator==(const TensorflowParameters&) const = default;

  /// Whether each end copies a tensor once, beside the clones of reshaped tensors.
  bool Copies() const { return staged || !copyable; }

  bool Acknowledged() const override { return true; }
  bool IsApplication() const override { return true; }
  void ForEachPort(const Topology& topology, const UsePort& use) const override;
  std::optional<Forecast> Footprint(const Topology& topology, const ServiceLoad& load,
                                    const ServiceDemand& demand) const override;
};

}  // namespace headroom
