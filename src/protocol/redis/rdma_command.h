// Commands of Valkey over RDMA: 32 bytes, big-endian, sent with SEND.
//
//   GetServerFeature 0, SetClientFeature 1   opcode 2, select 2, reserved 20, features 8
//   Keepalive 2                              opcode 2, reserved 30
//   RegisterXferMemory 3                     opcode 2, reserved 14, addr 8, length 4, key 4
//
// Source: valkey-doc topics/RDMA.md at fe8f96a2; valkey rdma.c at 55bbbe09. Features are left out: libvalkey
// does not request them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace headroom {

/// A receive buffer that the peer may write.
struct TransferMemory {
  uint64_t addr = 0;
  uint32_t length = 0;
  uint32_t key = 0;
};

struct RdmaCommand {
  static constexpr uint32_t kBytes = 32;
  enum class Opcode : uint16_t { keepalive = 2, register_memory = 3 };
  using Encoded = std::array<uint8_t, kBytes>;

  Opcode opcode = Opcode::keepalive;
  TransferMemory buffer{};  ///< only for register_memory

  Encoded Encode() const {
    Encoded bytes{};
    Put<uint16_t>(bytes, 0, static_cast<uint16_t>(opcode));
    if (opcode != Opcode::register_memory) return bytes;
    Put<uint64_t>(bytes, 16, buffer.addr);
    Put<uint32_t>(bytes, 24, buffer.length);
    Put<uint32_t>(bytes, 28, buffer.key);
    return bytes;
  }
  /// Returns none for another length or an opcode that ends the connection.
  static std::optional<RdmaCommand> Decode(std::span<const uint8_t> bytes) {
    if (bytes.size() != kBytes) return std::nullopt;
    RdmaCommand command;
    command.opcode = static_cast<Opcode>(Get<uint16_t>(bytes, 0));
    switch (command.opcode) {
      case Opcode::keepalive:
        return command;
      case Opcode::register_memory:
        command.buffer = {Get<uint64_t>(bytes, 16), Get<uint32_t>(bytes, 24), Get<uint32_t>(bytes, 28)};
        return command;
    }
    return std::nullopt;
  }

 private:
  template <class N>
  static void Put(Encoded& bytes, size_t at, N n) {
    for (size_t i = 0; i < sizeof n; ++i) bytes[at + i] = static_cast<uint8_t>(n >> (8 * (sizeof n - 1 - i)));
  }
  template <class N>
  static N Get(std::span<const uint8_t> bytes, size_t at) {
    N n = 0;
    for (size_t i = 0; i < sizeof n; ++i) n = static_cast<N>(n << 8 | bytes[at + i]);
    return n;
  }
};

}  // namespace headroom
