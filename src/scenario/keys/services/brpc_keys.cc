// The keys of services of type brpc.
#include <fmt/format.h>

#include "protocol/brpc/brpc_parameters.h"
#include "scenario/keys/services/own_services.h"
#include "scenario/names.h"

namespace headroom::keys {

namespace {

constexpr const char* kBrpcPage = "models/brpc.md";
constexpr int64_t kLeastQueue = 16, kMostQueue = 4096;  // bRPC: MIN_QP_SIZE, MAX_QP_SIZE

BrpcParameters& SettingsIn(OwnServiceEntry& entry) { return entry.parameters.settings.As<BrpcParameters>(); }

template <class F>
KeyOf<OwnServiceEntry> OfQueues(const char* name, F BrpcQueues::*field, const char* help) {
  return {name, [field](OwnServiceEntry& e) -> F& { return SettingsIn(e).queues.*field; },
          Integers(kLeastQueue, kMostQueue), help};
}

/// Hosts, and their written form.
KindOf<OwnServiceEntry> HostsWithoutRdma() {
  return {{"hosts", "names and patterns", R"({"$ref": "#/definitions/hosts"})"},
          [](const Node& node, OwnServiceEntry& entry, Reading& reading) {
            SettingsIn(entry).without_source = ParseTexts(node);
            SettingsIn(entry).without_rdma = reading.names->Hosts(node);
          },
          [](const OwnServiceEntry& entry, const Writing&) {
            const auto& written = entry.parameters.settings.As<BrpcParameters>().without_source;
            return written.empty() ? std::string() : WriteTexts(written);
          }};
}

void CheckBrpc(const Node& node, OwnServiceEntry& entry, Reading& reading) {
  const OwnServiceParameters& p = entry.parameters;
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

const KeysOf<OwnServiceEntry>& BrpcKeys() {
  using P = BrpcParameters;
  static const KeysOf<ApplicationCosts> costs =
      ApplicationCostKeysOf("brpc_costs", {"post", "completion", "copy", "wake", "turn", "kernel"});
  static const KeysOf<OwnServiceEntry> keys(
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
             OfService("workers", &P::workers, Integers(1, 1024),
                       "number of threads of a host; its connections use them in round-robin order"),
             OfService("message", &P::message, Times(Time(0), Seconds(1)),
                       "time of a worker for a request or answer, without its transport",
                       {.cost = Cost::diagnosis}),
             OfService("handler", &P::handler, Times(Time(0), Seconds(1)),
                       "time of the server's worker for a call", {.cost = Cost::diagnosis}),
             CostsOfService(&P::costs, costs)}),
      CheckBrpc, StartingWithSettings<BrpcSettings>);
  return keys;
}

const RegisteredService kBrpcType({.place = 2, .keys = BrpcKeys});

}  // namespace

}  // namespace headroom::keys
