// The keys of services of type brpc.
#include <fmt/format.h>

#include "protocol/brpc/brpc_parameters.h"
#include "scenario/keys/services/service_types.h"
#include "scenario/names.h"

namespace headroom::keys {

namespace {

constexpr const char* kBrpcPage = "models/brpc.md";
constexpr int64_t kLeastQueue = 16, kMostQueue = 4096;  // bRPC: MIN_QP_SIZE, MAX_QP_SIZE

BrpcParameters& SettingsIn(ServiceEntry& entry) { return entry.parameters.As<BrpcParameters>(); }

template <class F>
KeyOf<ServiceEntry> OfQueues(const char* name, F BrpcQueues::*field, const char* help) {
  return {name, [field](ServiceEntry& e) -> F& { return SettingsIn(e).queues.*field; },
          Integers(kLeastQueue, kMostQueue), help};
}

/// Hosts, and their written form.
KindOf<ServiceEntry> HostsWithoutRdma() {
  return {{"hosts", "names and patterns", R"({"$ref": "#/definitions/hosts"})"},
          [](const Node& node, ServiceEntry& entry, Reading& reading) {
            SettingsIn(entry).without_source = ParseTexts(node);
            SettingsIn(entry).without_rdma = reading.names->Hosts(node);
          },
          [](const ServiceEntry& entry, const Writing&) {
            const auto& written = entry.parameters.As<BrpcParameters>().without_source;
            return written.empty() ? std::string() : WriteTexts(written);
          }};
}

void CheckBrpc(const Node& node, ServiceEntry& entry, Reading& reading) {
  const ServiceParameters& p = *entry.parameters;
  if (p.servers.empty()) return;
  for (const NodeId client : p.clients) {
    if (p.servers != std::vector<NodeId>{client}) continue;
    reading.errors.Add(ScenarioError(node.where,
                                     fmt::format("client {} of service {} has no server except itself",
                                                 Quote(reading.topology->nodes[client].name), Quote(p.name)),
                                     "give another server, or take this host out of clients"));
    break;
  }
}

const KeysOf<ServiceEntry>& BrpcKeys() {
  using P = BrpcParameters;
  static const KeysOf<ApplicationCosts> costs =
      ApplicationCostKeysOf("brpc_costs", {"post", "completion", "copy", "wake", "turn", "kernel"});
  static const KeysOf<ServiceEntry> keys(
      {.name = "service_brpc",
       .page = kBrpcPage,
       .help = "remote procedure calls of bRPC, over RDMA or TCP",
       .type = "brpc",
       .block = true},
      Chain(ServiceKeysOf("brpc"),
            {OfService("transport", &P::transport,
                       OneOf<BrpcTransport>({{"rdma", BrpcTransport::rdma}, {"tcp", BrpcTransport::tcp}}),
                       "transport of calls; rdma connections begin on TCP", {.cost = Cost::reconfiguration}),
             OfService("block", &P::block, Sizes(Bytes(1024), Kibibytes(2048)),
                       "size of a RECV's block; 32 B of it hold no data; bRPC has blocks of 8KiB, 64KiB "
                       "and 2MiB"),
             OfQueues("sq", &BrpcQueues::sq, "maximum work requests in a send queue"),
             OfQueues("rq", &BrpcQueues::rq, "maximum RECVs in a receive queue"),
             {"without_rdma",
              HostsWithoutRdma(),
              "hosts without an RDMA device, whose connections stay on TCP",
              {.standard = "none"}},
             OfService("event_per_message", &P::event_per_message, Flag(),
                       "true: each work request raises an event at both ends; false: bRPC's aggregation of "
                       "events"),
             OfService("workers", &P::workers, Integers(1, 1024),
                       "number of threads of a host; its connections use them in round-robin order"),
             OfService("message", &P::message, Times(Time(0), Seconds(1)),
                       "time of a worker for a request or answer, without its transport",
                       {.cost = Cost::diagnosis}),
             OfService("handler", &P::handler, Times(Time(0), Seconds(1)),
                       "time of the server's worker for a call", {.cost = Cost::diagnosis}),
             CostsOfService(&P::costs, costs)}),
      CheckBrpc, StartingWithParameters<BrpcParameters>);
  return keys;
}

const RegisteredService kBrpcType({.place = 10, .keys = BrpcKeys});

}  // namespace

}  // namespace headroom::keys
