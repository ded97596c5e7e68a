// The keys of a NIC: its generation, its transport, its bugs.
#include "scenario/keys/hosts/nic_keys.h"

#include <fmt/format.h>

#include <bit>

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

/// A window: payload bytes, `bdp` or none. The value none is not written.
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
              throw ScenarioError(node.where, Quote(node.text) + " is not a size of a window",
                                  "allowed: a size such as 64KiB, bdp or none");
            window.kind = Kind::bytes;
            Sizes().read(node, window.bytes, reading);
            if (window.bytes.v < reading.mtu)
              throw ScenarioError(
                  node.where,
                  fmt::format("a window of {} is smaller than a packet", FormatSize(window.bytes)),
                  fmt::format("allowed: {} (mtu) and more, bdp or none", FormatSize(Bytes(reading.mtu))));
          },
          [](const SendWindow& window, const Writing&) {
            return window.kind == Kind::none  ? std::string()
                   : window.kind == Kind::bdp ? std::string("bdp")
                                              : FormatSize(window.bytes);
          }};
}

/// The value none is not written.
KindOf<BalancingParameters> Balancings() {
  using Type = BalancingParameters::Type;
  const KindOf<Type> types = OneOf<Type>({{"none", Type::none},
                                          {"oblivious", Type::oblivious},
                                          {"bitmap", Type::bitmap},
                                          {"reps", Type::reps},
                                          {"mixed", Type::mixed}});
  return {types.shape,
          [types](const Node& node, BalancingParameters& balancing, Reading& reading) {
            types.read(node, balancing.type, reading);
          },
          [types](const BalancingParameters& balancing, const Writing& writing) {
            return balancing.Chooses() ? types.write(balancing.type, writing) : std::string();
          }};
}

/// Written only with balancing.
KindOf<BalancingParameters> Entropies() {
  constexpr int kMost = 16384;
  return {ShapeOfIntegers(1, kMost),
          [](const Node& node, BalancingParameters& balancing, Reading&) {
            const auto entropies = static_cast<uint32_t>(ParseInteger(node, 1, kMost));
            if (!std::has_single_bit(entropies))
              throw ScenarioError(node.where, fmt::format("{} is not a power of two", entropies),
                                  fmt::format("nearest: {}", std::bit_floor(entropies)));
            balancing.entropies = static_cast<int>(entropies);
          },
          [](const BalancingParameters& balancing, const Writing&) {
            return balancing.Chooses() ? std::to_string(balancing.entropies) : std::string();
          }};
}

void CheckTransport(const Node& node, TransportParameters& transport, Reading& reading) {
  CheckRecovery(node, transport, reading);
  const Node* const entropies = node.Find("entropies");
  if (entropies == nullptr || transport.balancing.Chooses()) return;
  throw ScenarioError(entropies->where, "entropies has no effect, because balancing is none",
                      "give balancing: reps, for example, or omit entropies");
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
        "class of ACKs: the class of their QP, or the class of CNPs"},
       {"rto", &Transport::rto, Times(Microseconds(1), Seconds(100)),
        "time without progress until a queue pair sends again"},
       {"retry",
        &Transport::retry,
        Integers(0, 1'000'000),
        "number of consecutive timeouts before the QP fails",
        {.tried = {"*4"}}},
       {"recovery_delay",
        &Transport::recovery_delay,
        Times(Time(0), Seconds(100)),
        "delay from the processing of a NAK to the first repeated packet",
        {.standard = "depends on generation: 200us for gen1, else 0ns",
         .tried = {"0ns"},
         .cost = Cost::diagnosis}},
       {"recovery",
        &Transport::recovery,
        Recoveries(),
        "scheme for sending lost packets again",
        {.standard = "go_back_n", .cost = Cost::reconfiguration}},
       {"window",
        &Transport::window,
        Windows(),
        "maximum payload of a queue pair in flight; bdp: line rate times base RTT of its path",
        {.standard = "none; bdp with selective_repeat", .cost = Cost::reconfiguration}},
       {"balancing",
        &Transport::balancing,
        Balancings(),
        "how a sender chooses the entropy of each packet, which changes its UDP source port, so that ECMP "
        "spreads the packets of a queue pair",
        {.standard = "none", .cost = Cost::reconfiguration}},
       {"entropies",
        &Transport::balancing,
        Entropies(),
        "with balancing: number of entropies of a queue pair, a power of two",
        {.standard = "64", .cost = Cost::reconfiguration}}},
      CheckTransport);
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
      {.name = "bugs", .page = "models/nic-and-transport.md", .cost = Cost::repair},
      {{"congestion_leaking", &Nic::congestion_leaking, Flag(),
        "with a limiter by bursts, a queue pair that waits for the limiter blocks all queue pairs behind it"},
       {"hidden_fence", &Nic::hidden_fence, Flag(),
        "a memory registration waits until all earlier work requests are complete"}},
      [](const Node& node, Nic& nic, Reading&) {
        if (nic.congestion_leaking && nic.dcqcn.limiter.granularity != LimiterParameters::Granularity::burst)
          throw ScenarioError(node.Find("congestion_leaking")->where,
                              "the bug congestion_leaks needs a limiter by bursts, but this limiter is "
                              "by packets",
                              "dcqcn: {limiter: {granularity: burst}}, the value of generation gen2-interop");
      });
  return keys;
}

const KeysOf<NicParameters>& PfcOfNicKeys() {
  static const KeysOf<NicParameters> keys({.name = "nic_pfc", .page = "models/pauses.md"},
                                          {{"watchdog",
                                            &NicParameters::watchdogs,
                                            Watchdogs(),
                                            "rate of the NIC's port",
                                            {.standard = "none", .tried = {"none"}}}});
  return keys;
}

/// Those that can be bought.
std::vector<std::string> NamesOfRealSets() {
  std::vector<std::string> names = ResourceSetNames();
  std::erase(names, "ideal");
  return names;
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
        "generation of the NIC, which gives the defaults for the keys of dcqcn",
        {.page = "models/dcqcn.md", .cost = Cost::fixed}},
       {"tx_latency",
        &Nic::tx_latency,
        Times(Time(0), longest),
        "delay from the decision to send to the frame at the port",
        {.tried = {"0ns"}, .cost = Cost::diagnosis}},
       {"rx_latency",
        &Nic::rx_latency,
        Times(Time(0), longest),
        "delay from the last bit of a received frame to its processing",
        {.tried = {"0ns"}, .cost = Cost::diagnosis}},
       {"registration_latency",
        &Nic::registration_latency,
        Times(Time(0), longest),
        "time that a memory registration takes in the send queue",
        {.tried = {"0ns"}, .cost = Cost::diagnosis}},
       {"congestion_control",
        Controls(),
        "congestion control that sets the rates of queue pairs; none: they stay at line rate, and the "
        "NIC sends no CNPs",
        {.standard = "dcqcn", .page = "models/congestion-control.md", .cost = Cost::reconfiguration}},
       {"transport", &Nic::transport, Transports(), "ACKs and recovery from loss"},
       {"dcqcn",
        Mapping(DcqcnKeys()),
        "parameters of DCQCN; the generation gives the defaults",
        {.page = "models/dcqcn.md"}},
       {"resources",
        NicResources(),
        "costs of packets in the NIC: the name of a set, or a mapping that changes a set",
        {.standard = "ideal",
         .page = "models/nic-resources.md",
         .tried = NamesOfRealSets(),
         .cost = Cost::hardware}},
       {"clock",
        &Nic::clock,
        Mapping(ClockKeys()),
        "the NIC's clock, relative to its host's clock; RDMA Estats reads T5 on it",
        {.page = "models/estats.md"}},
       {"oscillator",
        &Nic::oscillator,
        Oscillators(),
        "the clock of the NIC's port and of its rate limiters; exact: nominal times",
        {.standard = "{ppm: 30, jitter: frame}", .page = "models/links-and-ports.md", .cost = Cost::fixed}},
       {"bugs", Mapping(BugKeys()), "known bugs of real NICs"},
       {"pfc", Mapping(PfcOfNicKeys()), "how the NIC handles pauses", {.page = "models/pauses.md"}}});
  return keys;
}

}  // namespace headroom::keys
