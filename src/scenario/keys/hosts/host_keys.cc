#include "scenario/keys/hosts/host_keys.h"

namespace headroom::keys {

namespace {

constexpr const char* kHostPage = "models/software-costs.md";
constexpr const char* kPortsPage = "models/hosts-with-two-ports.md";

KindOf<double> Cycles() { return Numbers(0, 1e9); }
KindOf<double> CyclesPerByte() { return Numbers(0, 1e6); }

const KeysOf<RdmaCosts>& RdmaCostKeys() {
  using Rdma = RdmaCosts;
  static const KeysOf<Rdma> keys({.name = "rdma_costs", .page = kHostPage, .cost = Cost::diagnosis},
                                 {{"cycles_per_message", &Rdma::cycles_per_message, Cycles(),
                                   "cycles per completion, and per turn that posts"},
                                  {"cycles_per_byte", &Rdma::cycles_per_byte, CyclesPerByte(),
                                   "cycles per byte of data, each time that the core copies or checksums "
                                   "it"}});
  return keys;
}

const KeysOf<TcpCosts>& TcpCostKeys() {
  using Tcp = TcpCosts;
  static const KeysOf<Tcp> keys(
      {.name = "tcp_costs", .page = kHostPage, .cost = Cost::diagnosis},
      {{"cycles_per_message", &Tcp::cycles_per_message, Cycles(),
        "cycles per 64 KiB of a message, or part of it, at each end"},
       {"cycles_per_byte_sent", &Tcp::cycles_per_byte_sent, CyclesPerByte(), "cycles per byte sent"},
       {"cycles_per_byte_received", &Tcp::cycles_per_byte_received, CyclesPerByte(),
        "cycles per byte received"},
       {"cycles_per_byte_crc", &Tcp::cycles_per_byte_crc, CyclesPerByte(),
        "cycles per byte of data, each time that the core checksums it"}});
  return keys;
}

const KeysOf<OperationCosts>& OperationCostKeys() {
  static const KeysOf<OperationCosts> keys(
      {.name = "operation_costs", .page = kHostPage, .cost = Cost::diagnosis},
      {{"cycles_per_request", &OperationCosts::cycles_per_request, Cycles(),
        "cycles per request that a host makes for its disk, or executes for another host"}});
  return keys;
}

/// Cycles of a core without a clock are an error, unless the clock is `none`.
KindOf<CoreCosts> ClockOrNone() {
  const KindOf<double> clock = OrWord("none", 0, Clocks());
  return {clock.shape,
          [clock](const Node& node, CoreCosts& costs, Reading& reading) {
            clock.read(node, costs.clock_hz, reading);
          },
          [clock](const CoreCosts& costs, const Writing& writing) {
            return costs == CoreCosts{} ? std::string() : clock.write(costs.clock_hz, writing);
          }};
}

/// How the two ports of a NIC share its traffic.
KindOf<HostParameters> PortModes() {
  return {ShapeOfChoice({"bond"}),
          [](const Node& node, HostParameters& host, Reading&) {
            ParseChoice(node, {"bond"}, {"merged", "separate"});
            if (!host.bond) host.bond.emplace();
          },
          [](const HostParameters& host, const Writing&) {
            return host.bond ? std::string("bond") : std::string();
          }};
}

KindOf<HostParameters> Detections() {
  const KindOf<Time> time = Times(Time(0), Seconds(100));
  return {time.shape,
          [time](const Node& node, HostParameters& host, Reading& reading) {
            if (!host.bond) host.bond.emplace();
            time.read(node, host.bond->detection, reading);
          },
          [time](const HostParameters& host, const Writing& writing) {
            return host.bond ? time.write(host.bond->detection, writing) : std::string();
          }};
}

}  // namespace

const KeysOf<HostParameters>& HostKeys() {
  using Host = HostParameters;
  static const KeysOf<Host> keys(
      {.name = "host", .page = kHostPage},
      {{"match", Described<Host>(Texts().shape), "shell patterns over names of hosts", {.required = true}},
       {"nics",
        &Host::nics,
        Maybe(KindOf<int>(Integers(1, 64))),
        "number of NICs of these hosts, in topologies of type star and custom",
        {.standard = "nics of the topology", .cost = Cost::hardware}},
       {"cores",
        &Host::cores,
        Integers(1, 1024),
        "number of cores reserved for services",
        {.tried = {"*2", "*4"}}},
       {"clock",
        &Host::costs,
        ClockOrNone(),
        "clock of the cores; without it software costs nothing",
        {.standard = "none", .tried = {"*2"}}},
       {"rdma", &Host::costs, &CoreCosts::rdma, Mapping(RdmaCostKeys()), "costs of RDMA for a core"},
       {"tcp", &Host::costs, &CoreCosts::tcp, Mapping(TcpCostKeys()), "costs of TCP for a core"},
       {"operation", &Host::costs, &CoreCosts::operation, Mapping(OperationCostKeys()),
        "costs of a request for a core, without the transport"},
       {"port_mode",
        PortModes(),
        "how two ports share the traffic of a host. bond: they share its address, and each queue pair is "
        "hashed to one of them",
        {.standard = "bond with two ports", .page = kPortsPage}},
       {"detection",
        Detections(),
        "how long the link of one of two ports is down, or up again, until queue pairs move",
        {.standard = "10ms with two ports", .page = kPortsPage}}},
      [](const Node& node, Host& host, Reading& reading) {
        if (host.costs.clock_hz > 0 || node.Find("clock")) return;
        const std::pair<const char*, bool> costs[] = {
            {"rdma", host.costs.rdma != RdmaCosts{}},
            {"tcp", host.costs.tcp != TcpCosts{}},
            {"operation", host.costs.operation != OperationCosts{}}};
        for (const auto& [name, any] : costs) {
          const Node* of = node.Find(name);
          if (of && any)
            reading.errors.Add(ScenarioError(of->where, "cycles of a core need its clock, which is missing",
                                             std::string("beside ") + name + ": clock: 2.5GHz"));
        }
      });
  return keys;
}

}  // namespace headroom::keys
