#include "scenario/keys/sections/host_keys.h"

namespace headroom::keys {

namespace {

constexpr const char* kHostPage = "models/storage-protocols.md";

const KeysOf<CoreCosts>& CoreCostKeys() {
  static const KeysOf<CoreCosts> keys(
      {.name = "core_costs", .page = kHostPage},
      {{"cycles_per_message", &CoreCosts::cycles_per_message, Numbers(0, 1e9),
        "for each completion, and each turn in which something is posted"},
       {"cycles_per_byte", &CoreCosts::cycles_per_byte, Numbers(0, 1e6),
        "for each byte of data, each time that the core copies it or sums it up"}});
  return keys;
}

}  // namespace

const KeysOf<HostParameters>& HostKeys() {
  using Host = HostParameters;
  static const KeysOf<Host> keys(
      {.name = "host", .page = kHostPage, .not_yet = {"tcp"}},
      {{"match", Described<Host>(Texts().shape), "shell patterns over names of hosts", {.required = true}},
       {"cores", &Host::cores, Integers(1, 1024), "that services have for themselves"},
       {"clock",
        &Host::rdma,
        &CoreCosts::clock_hz,
        Clocks(),
        "of the cores; without it software costs nothing",
        {.standard = "none"}},
       {"rdma", &Host::rdma, Mapping(CoreCostKeys()), "what RDMA costs a core"}},
      [](const Node& node, Host& host, Reading& reading) {
        const Node* rdma = node.Find("rdma");
        if (rdma && host.rdma.clock_hz == 0 && !node.Find("clock") &&
            (host.rdma.cycles_per_message > 0 || host.rdma.cycles_per_byte > 0))
          reading.errors.Add(
              ScenarioError(rdma->where, "cycles of a core without a clock", "beside rdma: clock: 2.5GHz"));
      });
  return keys;
}

}  // namespace headroom::keys
