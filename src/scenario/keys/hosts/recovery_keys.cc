#include "scenario/keys/hosts/recovery_keys.h"

#include <fmt/format.h>

#include <array>

namespace headroom::keys {

namespace {

using Recovery = RecoveryParameters;
using Type = Recovery::Type;

const std::vector<std::pair<const char*, Type>>& Types() {
  static const std::vector<std::pair<const char*, Type>> types = {
      {"go_back_n", Type::go_back_n},
      {"selective_repeat", Type::selective_repeat},
      {"receiver_window", Type::receiver_window},
      {"sender_window", Type::sender_window},
      {"counter", Type::counter}};
  return types;
}

KeyOf<Recovery> TypeKey(Type type) {
  return {"type",
          &Recovery::type,
          OneOf<Type>({Types()[static_cast<size_t>(type)]}),
          "the scheme",
          {.required = true}};
}

/// For selective_repeat: a number of packets, or a time.
KindOf<Recovery> NackAfter() {
  const Shape packets = ShapeOfIntegers(1, 65535), times = Times(Nanoseconds(1), Seconds(1)).shape;
  return {{"a whole number or a time", fmt::format("{}; or {}", packets.bounds, times.bounds),
           fmt::format(R"({{"oneOf": [{}, {}]}})", packets.schema, times.schema)},
          [](const Node& node, Recovery& recovery, Reading&) {
            recovery.nack_after_time.reset();
            if (node.IsScalar() && node.text.find_first_not_of("0123456789") == std::string::npos) {
              recovery.nack_after = static_cast<int>(ParseInteger(node, 1, 65535));
            } else {
              recovery.nack_after_time = ParseTime(node, Nanoseconds(1), Seconds(1));
            }
          },
          [](const Recovery& recovery, const Writing&) {
            return recovery.nack_after_time ? FormatTime(*recovery.nack_after_time)
                                            : std::to_string(recovery.nack_after);
          }};
}

/// For counter: a number of contexts, or none.
KindOf<Recovery> ContextsOrNone() {
  const Shape contexts = ShapeOfIntegers(1, 4096);
  return {{"a whole number or none", fmt::format("none; or {}", contexts.bounds),
           fmt::format(R"({{"oneOf": [{{"const": "none"}}, {}]}})", contexts.schema)},
          [](const Node& node, Recovery& recovery, Reading&) {
            recovery.connects = !node.IsScalar() || node.text != "none";
            if (recovery.connects) recovery.contexts = static_cast<int>(ParseInteger(node, 1, 4096));
          },
          [](const Recovery& recovery, const Writing&) {
            return recovery.connects ? std::to_string(recovery.contexts) : std::string();
          }};
}

/// For counter: written only with contexts.
KindOf<Recovery> RetryDelay() {
  const KindOf<Time> times = Times(Nanoseconds(1), Seconds(1));
  return {times.shape,
          [times](const Node& node, Recovery& recovery, Reading& reading) {
            times.read(node, recovery.retry_delay, reading);
          },
          [times](const Recovery& recovery, const Writing& writing) {
            return recovery.connects ? times.write(recovery.retry_delay, writing) : std::string();
          }};
}

/// For sender_window: written only if cumulative.
KindOf<bool> Acks() {
  KindOf<bool> acks = OneOf<bool>({{"selective", false}, {"cumulative", true}});
  acks.write = [](bool cumulative, const Writing&) {
    return cumulative ? std::string("cumulative") : std::string();
  };
  return acks;
}

/// For sender_window: written only if messages set up a connection.
KindOf<bool> SetUp() {
  KindOf<bool> set_up = Flag();
  set_up.write = [](bool connects, const Writing&) { return connects ? std::string("true") : std::string(); };
  return set_up;
}

const KeysOf<Recovery>& SelectiveRepeatKeys() {
  static const KeysOf<Recovery> keys(
      {.name = "selective_repeat",
       .page = "models/loss-recovery.md",
       .type = "selective_repeat",
       .cost = Cost::setting},
      {TypeKey(Type::selective_repeat),
       {"nack_after",
        NackAfter(),
        "when a packet counts as lost: a number n, once the n-th packet after it has arrived; a time, so "
        "long after the sender learns of a later packet",
        {.standard = "1"}},
       {"rto_low", &Recovery::rto_low, Times(Microseconds(1), Seconds(100)),
        "retransmission timeout with few packets in flight"},
       {"rto_high", &Recovery::rto_high, Times(Microseconds(1), Seconds(100)),
        "retransmission timeout with more packets in flight"},
       {"low_packets", &Recovery::low_packets, Integers(0, 65535),
        "maximum number of packets in flight that counts as few"}},
      [](const Node& node, Recovery& recovery, Reading&) {
        if (recovery.rto_low <= recovery.rto_high) return;
        const Node* const at = node.Find("rto_low") != nullptr ? node.Find("rto_low") : node.Find("rto_high");
        throw ScenarioError(at->where,
                            fmt::format("rto_low {} is longer than rto_high {}", FormatTime(recovery.rto_low),
                                        FormatTime(recovery.rto_high)),
                            "rto_low must not be longer than rto_high");
      });
  return keys;
}

const KeysOf<Recovery>& ReceiverWindowKeys() {
  static const KeysOf<Recovery> keys(
      {.name = "receiver_window",
       .page = "models/loss-recovery.md",
       .type = "receiver_window",
       .cost = Cost::setting},
      {TypeKey(Type::receiver_window),
       {"packets", &Recovery::packets, Integers(1, 65536),
        "bits of a context's receive vector: number of packets that may arrive while the oldest packet "
        "is missing"},
       {"contexts", &Recovery::contexts, Integers(1, 4096),
        "maximum number of messages that arrive at a host at the same time, including READs that the "
        "host has posted"},
       {"timer", &Recovery::timer, Times(Microseconds(1), Seconds(100)),
        "time until a receiver asks again for its oldest missing packet, or a sender asks again for an "
        "answer"},
       {"retry_delay", &Recovery::retry_delay, Times(Nanoseconds(1), Seconds(1)),
        "time from the refusal of a context to the next request for one"},
       {"ahead", &Recovery::ahead, Integers(1, 1024),
        "maximum number of a queue pair's messages that have a context or wait for one"},
       {"message_id",
        &Recovery::message_id,
        Flag(),
        "the receiver rejects packets of earlier messages by their message number; false: they corrupt "
        "memory",
        {.cost = Cost::fixed}}});
  return keys;
}

const KeysOf<Recovery>& SenderWindowKeys() {
  static const KeysOf<Recovery> keys(
      {.name = "sender_window",
       .page = "models/loss-recovery.md",
       .type = "sender_window",
       .cost = Cost::setting},
      {TypeKey(Type::sender_window),
       {"packets", &Recovery::packets, Integers(1, 65536),
        "size of a host's buffer of unacknowledged packets for each peer, in packets"},
       {"timer", &Recovery::timer, Times(Microseconds(1), Seconds(100)),
        "time without progress until the host sends its whole buffer again"},
       {"acks",
        &Recovery::cumulative_acks,
        Acks(),
        "selective: an ACK also names a packet that arrived out of order, which leaves the buffer; "
        "cumulative: packets leave the buffer in order, so a timeout repeats all from the oldest on",
        {.standard = "selective"}},
       {"set_up",
        &Recovery::connects,
        SetUp(),
        "whether a message, except a READ, first requests its receiver and waits for the answer, up to 16 "
        "messages of a queue pair at once",
        {.standard = "false"}}});
  return keys;
}

const KeysOf<Recovery>& CounterKeys() {
  static const KeysOf<Recovery> keys(
      {.name = "counter", .page = "models/loss-recovery.md", .type = "counter", .cost = Cost::setting},
      {TypeKey(Type::counter),
       {"timer", &Recovery::timer, Times(Microseconds(1), Seconds(100)),
        "time from the last packet of a message until the whole message is sent again"},
       {"ahead", &Recovery::ahead, Integers(1, 1024),
        "maximum number of a queue pair's messages in flight, or that have a context or wait for one"},
       {"contexts",
        ContextsOrNone(),
        "maximum number of messages that arrive at a host at the same time, including READs that the host "
        "has posted: each first requests one of these contexts; none: messages need no context",
        {.standard = "none"}},
       {"retry_delay",
        RetryDelay(),
        "with contexts: time from the refusal of a context to the next request for one",
        {.standard = "10us"}}},
      [](const Node& node, Recovery& recovery, Reading&) {
        const Node* const delay = node.Find("retry_delay");
        if (recovery.connects || delay == nullptr) return;
        throw ScenarioError(delay->where, "retry_delay has no effect, because no message needs a context",
                            "give contexts, such as contexts: 64; or remove retry_delay");
      });
  return keys;
}

/// The keys of a type; null if it has none.
const KeysOf<Recovery>* KeysOfType(Type type) {
  switch (type) {
    case Type::go_back_n:
      return nullptr;
    case Type::selective_repeat:
      return &SelectiveRepeatKeys();
    case Type::receiver_window:
      return &ReceiverWindowKeys();
    case Type::sender_window:
      return &SenderWindowKeys();
    case Type::counter:
      return &CounterKeys();
  }
  return nullptr;
}

[[noreturn]] void Refuse(const Node& node, const char* key, const std::string& what, const std::string& fix) {
  const Node* const at = node.Find(key) != nullptr ? node.Find(key) : node.Find("recovery");
  throw ScenarioError((at != nullptr ? *at : node).where, what, fix);
}

}  // namespace

/// The default is not written.
KindOf<Recovery> Recoveries() {
  const KindOf<Type> types = OneOf<Type>(Types());
  Shape shape = types.shape;
  shape.kind = "choice or mapping";
  shape.bounds += ", or a mapping with its type";
  std::string schemas = shape.schema;
  for (const auto& [name, type] : Types()) {
    const KeysOf<Recovery>* const keys = KeysOfType(type);
    if (keys == nullptr) continue;
    const Shape inside = keys->shape();
    schemas += ", " + inside.schema;
    shape.inside.insert(shape.inside.end(), inside.inside.begin(), inside.inside.end());
  }
  shape.schema = fmt::format(R"({{"oneOf": [{}]}})", schemas);
  return {shape,
          [types](const Node& node, Recovery& recovery, Reading& reading) {
            recovery = {};
            if (node.IsScalar()) return types.read(node, recovery.type, reading);
            const Node* const type = node.Find("type");
            if (type == nullptr)
              throw ScenarioError(node.where, "missing key \"type\"", "allowed: " + types.shape.bounds);
            types.read(*type, recovery.type, reading);
            const KeysOf<Recovery>* const keys = KeysOfType(recovery.type);
            if (keys == nullptr)
              throw ScenarioError(
                  type->where, "go_back_n takes no keys in this mapping",
                  "write recovery: go_back_n; rto, retry and recovery_delay are keys of transport");
            keys->Read(node, &recovery, reading);
          },
          [](const Recovery& recovery, const Writing& writing) {
            const KeysOf<Recovery>* const keys = KeysOfType(recovery.type);
            return keys == nullptr ? std::string() : keys->Write(&recovery, writing);
          }};
}

void CheckRecovery(const Node& node, TransportParameters& transport, Reading&) {
  const Type type = transport.recovery.type;
  const std::string name = Types()[static_cast<size_t>(type)].first;
  if (type == Type::go_back_n) return;
  const bool window = transport.window.kind != SendWindow::Kind::none;
  if (type == Type::selective_repeat) {
    if (window) return;
    if (const Node* const given = node.Find("window"))
      throw ScenarioError(given->where,
                          "selective_repeat needs a window, because the receiver keeps a bit for each "
                          "packet of it",
                          "allowed: bdp, or a size such as 64KiB");
    transport.window.kind = SendWindow::Kind::bdp;
    return;
  }
  if (window)
    Refuse(node, "window", name + " has a window of its own, in packets",
           "allowed: none; give the window as packets under recovery");
  if (transport.ack_every != 1)
    Refuse(node, "ack_every", name + " sends no ACK for several packets", "allowed: 1");
}

}  // namespace headroom::keys
