// The keys of a NIC: its generation, its transport, its bugs.
#include "scenario/keys/hosts/nic_keys.h"

#include <fmt/format.h>

#include "dcqcn/generations.h"
#include "scenario/keys/hosts/control_keys.h"
#include "scenario/keys/hosts/recovery_keys.h"
#include "scenario/yaml/nearest.h"

namespace headroom::keys {

namespace {

/// A named set of parameters; later keys change some of them.
KindOf<NicParameters> Generation() {
  return {ShapeOfChoice(GenerationNames()),
          [](const Node& node, NicParameters& nic, Reading&) {
            const DcqcnGeneration found = *FindGeneration(ParseKnown(node, "generation", GenerationNames()));
            nic.generation = found.name;
            nic.dcqcn = found.dcqcn;
            nic.transport.recovery_delay = found.recovery_delay;
          },
          [](const NicParameters& nic, const Writing&) { return nic.generation; }};
}

/// Payload bytes, `bdp` or none; none is not written.
KindOf<SendWindow> Windows() {
  using Kind = SendWindow::Kind;
  return {ShapeOrWord("none", ShapeOrWord("bdp", Sizes(Bytes(1)).shape)),
          [](const Node& node, SendWindow& window, Reading& reading) {
            window = {};
            if (node.IsScalar() && node.text == "none") return;
            if (node.IsScalar() && node.text == "bdp") {
              window.kind = Kind::bdp;
              return;
            }
            if (node.IsScalar() && (node.text.empty() || node.text[0] < '0' || node.text[0] > '9'))
              throw ScenarioError(node.where, Quote(node.text) + " is not a window",
                                  "allowed: a size such as 64KiB, bdp or none");
            window.kind = Kind::bytes;
            Sizes().read(node, window.bytes, reading);
            if (window.bytes.v < reading.mtu)
              throw ScenarioError(
                  node.where,
                  fmt::format("a window of {} has no room for a packet", FormatSize(window.bytes)),
                  fmt::format("allowed: {} (mtu) and more, bdp or none", FormatSize(Bytes(reading.mtu))));
          },
          [](const SendWindow& window, const Writing&) {
            return window.kind == Kind::none  ? std::string()
                   : window.kind == Kind::bdp ? std::string("bdp")
                                              : FormatSize(window.bytes);
          }};
}

const KeysOf<TransportParameters>& TransportKeys() {
  using Transport = TransportParameters;
  using AckPriority = Transport::AckPriority;
  static const KeysOf<Transport> keys(
      {.name = "transport", .page = "models/nic-and-transport.md"},
      {{"ack_every", &Transport::ack_every, Integers(1, 65535),
        "the receiver sends an ACK for every n-th packet and for the last of a message"},
       {"ack_priority", &Transport::ack_priority,
        OneOf<AckPriority>({{"same", AckPriority::same}, {"cnp", AckPriority::cnp}}),
        "class of ACKs: that of their QP, or that of CNPs"},
       {"rto", &Transport::rto, Times(Microseconds(1), Seconds(100)),
        "time without progress until a queue pair sends again"},
       {"retry", &Transport::retry, Integers(0, 1'000'000), "consecutive timeouts before the QP fails"},
       {"recovery_delay",
        &Transport::recovery_delay,
        Times(Time(0), Seconds(100)),
        "from a NAK's effect to the first repeated packet",
        {.standard = "by generation: 200us for gen1, else 0ns"}},
       {"recovery",
        &Transport::recovery,
        Recoveries(),
        "how lost packets are sent again",
        {.standard = "go_back_n"}},
       {"window",
        &Transport::window,
        Windows(),
        "payload that a queue pair may have on its way; bdp: line rate times base RTT of its path",
        {.standard = "none; bdp with selective_repeat"}}},
      CheckRecovery);
  return keys;
}

KindOf<TransportParameters> Transports() {
  KindOf<TransportParameters> kind = Mapping(TransportKeys());
  kind.read = [read = kind.read](const Node& node, TransportParameters& transport, Reading& reading) {
    if (node.IsScalar() && node.text == "tcp") throw NotSupportedYet(node.where, "transport \"tcp\"");
    read(node, transport, reading);
  };
  return kind;
}

/// REQUIRES: the limiter is known.
const KeysOf<NicParameters>& BugKeys() {
  using Nic = NicParameters;
  static const KeysOf<Nic> keys(
      {.name = "bugs", .page = "models/nic-and-transport.md"},
      {{"congestion_leaking", &Nic::congestion_leaking, Flag(),
        "a queue pair that waits for the limiter, by bursts, blocks all behind it"},
       {"hidden_fence", &Nic::hidden_fence, Flag(),
        "a memory registration waits until all earlier work is complete"}},
      [](const Node& node, Nic& nic, Reading&) {
        if (nic.congestion_leaking && nic.dcqcn.limiter.granularity != LimiterParameters::Granularity::burst)
          throw ScenarioError(node.Find("congestion_leaking")->where,
                              "congestion leaks only in a limiter by bursts, but this one is by packets",
                              "dcqcn: {limiter: {granularity: burst}}, as generation gen2-interop has it");
      });
  return keys;
}

const KeysOf<NicParameters>& PfcOfNicKeys() {
  static const KeysOf<NicParameters> keys(
      {.name = "nic_pfc", .page = "models/pauses.md"},
      {{"watchdog", &NicParameters::watchdogs, Watchdogs(), "of the NIC's port", {.standard = "none"}}});
  return keys;
}

}  // namespace

KeysOf<NicParameters>& NicKeys() {
  using Nic = NicParameters;
  const Time longest = Seconds(1);
  static KeysOf<Nic> keys(
      {.name = "nic", .page = "models/nic-and-transport.md"},
      {{"match", Described<Nic>(Texts().shape), "shell patterns over names of hosts", {.required = true}},
       {"generation",
        Generation(),
        "named set of defaults for the keys of dcqcn",
        {.page = "models/dcqcn.md"}},
       {"tx_latency", &Nic::tx_latency, Times(Time(0), longest),
        "from the decision to send to the frame at the port"},
       {"rx_latency", &Nic::rx_latency, Times(Time(0), longest),
        "from the last bit of a frame to its effect"},
       {"registration_latency", &Nic::registration_latency, Times(Time(0), longest),
        "time of a memory registration in the send queue"},
       {"congestion_control",
        Controls(),
        "what sets the rates of queue pairs; none: they stay at line rate, no CNPs are sent",
        {.standard = "dcqcn", .page = "models/congestion-control.md"}},
       {"transport", &Nic::transport, Transports(), "ACKs and recovery from loss"},
       {"dcqcn", Mapping(DcqcnKeys()), "defaults come from the generation", {.page = "models/dcqcn.md"}},
       {"resources",
        NicResources(),
        "costs of packets in the NIC: a named set, or a set with changes",
        {.standard = "ideal", .page = "models/nic-resources.md"}},
       {"clock",
        &Nic::clock,
        Mapping(ClockKeys()),
        "the NIC's clock relative to its host's; RDMA Estats reads T5 on it",
        {.page = "models/estats.md"}},
       {"bugs", Mapping(BugKeys()), "known bugs of real NICs"},
       {"pfc", Mapping(PfcOfNicKeys()), "the NIC's handling of pauses", {.page = "models/pauses.md"}}});
  return keys;
}

}  // namespace headroom::keys
