// The keys of a workload of type transfers: payloads on a service's connections.
#include <fmt/format.h>

#include <algorithm>

#include "protocol/connections/transfers.h"
#include "scenario/keys/services/connection_keys.h"
#include "scenario/keys/workloads/service_of.h"

namespace headroom::keys {

namespace {

KindOf<Workload> ServiceOfConnections() {
  return ServiceKind<TransferArrivals>(
      &Reading::connections, &Writing::connections, " of connections", "rdmavisor",
      +[](const ConnectionEntry& entry, TransferArrivals& a, Workload& w) {
        a.from = entry.parameters.clients;
        a.to = entry.parameters.servers;
        a.connections = entry.parameters.connections;
        a.threads = entry.parameters.threads_in_all();
        w.source.from = entry.source.clients;
        w.source.to = entry.source.servers;
        w.parameters.priority = entry.parameters.priority;
      });
}

void CheckTransfers(const Node& node, Workload& w, Reading& reading) {
  const TransferArrivals& a = ArrivalsOf<TransferArrivals>(w);
  CheckStop(node, a.start, a.stop, reading);
  if (a.service >= reading.connections->size() || a.to.empty()) return;
  const ConnectionParameters& p = (*reading.connections)[a.service].parameters;
  const auto at = [&](const char* key) { return node.Find(key) ? node.Find(key)->where : node.where; };
  if (a.kind == OperationKind::transfer && p.system != ConnectionSystem::rdmavisor)
    reading.errors.Add(ScenarioError(at("verb"),
                                     fmt::format("service {} does not choose verbs", Quote(p.name)),
                                     "verb: read, write or send"));
  const bool sends =
      a.kind == OperationKind::send || (a.kind == OperationKind::transfer && a.size <= p.small);
  if (sends && a.size > p.receive_buffer)
    reading.errors.Add(
        ScenarioError(at("size"),
                      fmt::format("by SEND {} do not fit into the receive_buffer of service {}, {}",
                                  FormatSize(a.size), Quote(p.name), FormatSize(p.receive_buffer)),
                      "a larger receive_buffer"));
  for (const NodeId host : a.from) {
    if (std::ranges::find(p.clients, host) != p.clients.end()) continue;
    reading.errors.Add(ScenarioError(at("from"),
                                     fmt::format("{} is no client of service {}",
                                                 Quote(reading.topology->nodes[host].name), Quote(p.name)),
                                     "a host of its clients"));
    break;
  }
}

}  // namespace

const KeysOf<Workload>& TransferKeys() {
  static const KeysOf<Workload> keys(
      {.name = "workload_transfers",
       .page = kConnectionPage,
       .help = "payloads on the connections of a service, from its clients",
       .type = "transfers"},
      [&] {
        std::vector<KeyOf<Workload>> all = CommonKeys("transfers");
        all.insert(
            all.end(),
            {{"service", ServiceOfConnections(), "service that provides the connections", {.required = true}},
             Of("size", &TransferArrivals::size, Sizes(Bytes(PayloadMark::kBytes), Bytes(int64_t{1} << 30)),
                "of a payload", {.required = true}),
             Of("verb", &TransferArrivals::kind,
                OneOf<OperationKind>({{"auto", OperationKind::transfer},
                                      {"read", OperationKind::read},
                                      {"write", OperationKind::write},
                                      {"send", OperationKind::send}}),
                "verb; a READ brings the payload from the server, others take it there; auto: the daemon "
                "chooses"),
             Of("next", &TransferArrivals::random, OneOf<bool>({{"own", false}, {"random", true}}),
                "closed loop: the next payload uses the connection of the one that ended, or one that its "
                "thread draws"),
             Of("window", &TransferArrivals::window, Integers(1, 1 << 16),
                "closed loop: open payloads of a connection or, with drawn connections, of a thread"),
             Of("rate", &TransferArrivals::rate, OrWord("closed", 0.0, Numbers(1e-3, 1e9)),
                "open loop: payloads per second of a client, each on a random connection"),
             Of("start", &TransferArrivals::start, Times(),
                "start of the first payload, after all connections of its client are open"),
             Of("stop", &TransferArrivals::stop, Maybe(Times(Time(1))), "no payload starts at or after this",
                {.standard = "the duration"}),
             {"from",
              HostsKind(
                  [](Workload& of) -> std::vector<NodeId>& { return ArrivalsOf<TransferArrivals>(of).from; },
                  &WorkloadSource::from),
              "a host, a shell pattern over hosts, or a list of them",
              {.standard = "the clients of the service"}}});
        return all;
      }(),
      CheckTransfers, StartingWith<TransferArrivals>);
  return keys;
}

}  // namespace headroom::keys
