// Keys of services of type nccl.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "protocol/nccl/clear_to_send.h"
#include "protocol/nccl/nccl_parameters.h"
#include "scenario/keys/services/service_types.h"
#include "scenario/yaml/error.h"

namespace headroom::keys {

namespace {

constexpr const char* kNcclPage = "models/nccl.md";

void CheckRanks(const Node& node, ServiceEntry& entry, Reading& reading) {
  const auto at = [&](const char* key) { return node.Find(key) ? node.Find(key)->where : node.where; };
  const NcclParameters& p = entry.parameters.As<NcclParameters>();
  const auto ranks = static_cast<int>(p.clients.size());
  if (ranks == 1)
    reading.errors.Add(ScenarioError(at("ranks"), "the service has a single rank, which has no target",
                                     "name at least two hosts"));
  if (p.group > p.channels)
    reading.errors.Add(ScenarioError(
        at("group"),
        fmt::format("a group of {} channels exceeds the number of channels, {}", p.group, p.channels),
        "allowed: up to `channels`"));
  for (const int distance : p.distances) {
    if (ranks < 2 || distance % ranks != 0) continue;
    reading.errors.Add(ScenarioError(
        at("distances"),
        fmt::format("at distance {}, each of the {} ranks would send to itself", distance, ranks),
        "give a distance that is not a multiple of the number of ranks"));
    return;
  }
}

const KeysOf<ServiceEntry>& NcclKeys() {
  using P = NcclParameters;
  static const KeysOf<ApplicationCosts> costs = ApplicationCostKeysOf("nccl_costs", {"post", "completion"});
  static const KeysOf<ServiceEntry> keys(
      {.name = "service_nccl",
       .page = kNcclPage,
       .help = "NCCL's net_ib: ranks that send messages to each other after the receiver's clear-to-send",
       .type = "nccl"},
      Chain(ServiceKeysOf("nccl", {.clients = "ranks",
                                   .clients_help = "hosts that send to each other, in the order of the ring",
                                   .servers = nullptr}),
            {OfService("channels", &P::channels, Integers(1, 64), "number of channels of each pair of ranks"),
             OfService("chunk", &P::chunk, Sizes(Bytes(1), Bytes(int64_t{1} << 30)),
                       "maximum bytes of a message in one step of a channel"),
             OfService("steps", &P::steps, Integers(1, ClearToSend::kMostSteps),
                       "maximum number of a channel's steps in flight"),
             OfService("group", &P::group, Integers(1, ClearToSend::kMostInGroup),
                       "number of channels that share a connection and receive together"),
             OfService("queue_pairs", &P::queue_pairs, Integers(1, 128),
                       "queue pairs of a connection (NCCL_IB_QPS_PER_CONNECTION)"),
             OfService("split", &P::split, Flag(),
                       "true: all queue pairs of a connection carry parts of each request "
                       "(NCCL_IB_SPLIT_DATA_ON_QPS); false: each carries whole requests in round-robin "
                       "order"),
             OfService("adaptive_routing", &P::adaptive_routing, Flag(),
                       "true: more than 8192 B of data are sent by a WRITE, followed by an empty "
                       "WRITE_WITH_IMM"),
             OfService("distances", &P::distances, ListOf<int>(Integers(1, 1 << 20)),
                       "distances around the ring of ranks at which ranks are connected",
                       {.cost = Cost::fixed}),
             OfService("timeout", &P::timeout, Integers(0, 31),
                       "timeout of a queue pair: 4.096 us times 2 to this power; 0: none (NCCL_IB_TIMEOUT)",
                       {.tried = {"10", "12", "14", "16", "18", "20"}}),
             OfService("retries", &P::retries, Integers(0, 7),
                       "number of retries of a queue pair (NCCL_IB_RETRY_CNT)", {.tried = {"7"}}),
             CostsOfService(&P::costs, costs)}),
      CheckRanks, StartingWithParameters<NcclParameters>);
  return keys;
}

const RegisteredService kNccl({.place = 12, .keys = NcclKeys});

}  // namespace

}  // namespace headroom::keys
