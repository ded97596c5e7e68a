// The handshake of a bRPC connection, on its TCP connection: the opener's hello, the accepter's hello, and
// the opener's ACK.
//
//   hello  magic 4 ("RDMA"), length 2, hello version 2, implementation version 2, block size 4, sq 2, rq 2,
//          lid 2, gid 16, qpn 4
//   ACK    flags 4: bit 0, RDMA is used
//
// All big-endian. Both versions 0: this side has no RDMA. Here the gid holds the host's number.
//
// Source: apache/brpc src/brpc/rdma/rdma_handshake.cpp at 71871ee9, version 2.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include "net/identifiers.h"
#include "protocol/brpc/brpc_flow.h"

namespace headroom {

struct BrpcHello {
  static constexpr size_t kBytes = 40, kAckBytes = 4, kMagicBytes = 4;
  static constexpr uint16_t kVersion = 2, kImplementation = 1;

  uint16_t version = kVersion, implementation = kImplementation;
  uint32_t block = 0;  ///< bytes of data that fit in a RECV
  BrpcQueues queues;
  NodeId host = 0;
  uint32_t qp = 0;

  bool HasRdma() const { return version == kVersion && implementation == kImplementation; }
  std::array<uint8_t, kBytes> Bytes() const;
  static BrpcHello From(std::span<const uint8_t, kBytes> bytes);
  /// Whether the bytes begin like a hello.
  static bool Begins(std::span<const uint8_t> bytes) { return std::memcmp(bytes.data(), "RDMA", 4) == 0; }

  static std::array<uint8_t, kAckBytes> Ack(bool rdma) { return {0, 0, 0, static_cast<uint8_t>(rdma)}; }
  static bool Acknowledges(std::span<const uint8_t> bytes) { return (bytes[3] & 1) != 0; }
};

}  // namespace headroom
