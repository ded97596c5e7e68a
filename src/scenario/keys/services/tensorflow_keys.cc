// Keys of services of type tensorflow.
#include <fmt/format.h>

#include <algorithm>

#include "protocol/tensorflow/tensorflow_parameters.h"
#include "scenario/keys/services/service_types.h"
#include "scenario/yaml/error.h"

namespace headroom::keys {

namespace {

constexpr const char* kTensorflowPage = "models/tensorflow.md";

/// Each process of either side has a queue pair to each process of the other.
void CheckTensorflowHosts(const Node& node, ServiceEntry& entry, Reading& reading) {
  for (const NodeId worker : entry.parameters->clients) {
    if (std::ranges::find(entry.parameters->servers, worker) == entry.parameters->servers.end()) continue;
    reading.errors.Add(ScenarioError(
        node.Find("parameter_servers")->where,
        fmt::format("{} is both worker and parameter server", Quote(reading.topology->nodes[worker].name)),
        "take the host out of one of the two lists"));
    return;
  }
}

const KeysOf<ServiceEntry>& TensorflowKeys() {
  using P = TensorflowParameters;
  static const KeysOf<ApplicationCosts> costs = ApplicationCostKeysOf(
      "tensorflow_costs", {"post", "completion", "copy", "registration", "wake", "turn"});
  static const KeysOf<ServiceEntry> keys(
      {.name = "service_tensorflow",
       .page = kTensorflowPage,
       .help = "TensorFlow on verbs: workers and parameter servers that fetch tensors from each other",
       .type = "tensorflow"},
      Chain(ServiceKeysOf("tensorflow",
                          {.clients = "workers",
                           .clients_help = "hosts that fetch parameters and compute gradients",
                           .servers = "parameter_servers",
                           .servers_help = "hosts that keep parameters; tensors are assigned to them in "
                                           "round-robin order"}),
            {OfService("transport", &P::transport, OneOf<TensorTransport>({{"rdma", TensorTransport::rdma}}),
                       "what carries tensors"),
             OfService("queue_depth", &P::queue_depth, Integers(8, 1 << 15),
                       "maximum work requests, and RECVs, of a queue pair (RDMA_QUEUE_DEPTH)"),
             OfService("timeout", &P::timeout, Integers(0, 31),
                       "timeout of a queue pair: 4.096 us times 2 to this power; 0: none (RDMA_TIMEOUT)",
                       {.tried = {"10", "12", "14", "16", "18", "20"}}),
             OfService("retries", &P::retries, Integers(0, 7),
                       "number of retries of a queue pair (RDMA_RETRY_CNT)", {.tried = {"7"}}),
             OfService("copyable", &P::copyable, Flag(),
                       "false: tensors are serialized into memory that is registered for each tensor"),
             OfService("staged", &P::staged, Flag(),
                       "true: tensors are copied to and from registered memory at both ends, as GPUs' "
                       "tensors without GPUDirect"),
             OfService("compute", &P::compute, Times(),
                       "time from a step's last tensor at a worker until the worker's gradients are ready",
                       {.cost = Cost::diagnosis}),
             CostsOfService(&P::costs, costs)}),
      CheckTensorflowHosts, StartingWithParameters<TensorflowParameters>);
  return keys;
}

const RegisteredService kTensorflow({.place = 11, .keys = TensorflowKeys});

}  // namespace

}  // namespace headroom::keys
