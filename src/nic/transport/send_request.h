// Entries of a send queue.
#pragma once

#include <cstdint>

#include "net/frame.h"
#include "net/identifiers.h"
#include "net/opcode.h"
#include "sim/units.h"

namespace headroom {

/// A message, or a step, which the NIC executes without packets.
struct SendRequest {
  uint64_t first_psn = 0;
  uint64_t packets = 0;
  uint32_t message = 0;  ///< not for bulk: its work request has an owner to notify
  Operation operation = Operation::write;
  bool fence = false;                              ///< waits for earlier READs
  bool begun = false, done = false;                ///< state of a step without packets
  bool registers = false;                          ///< a registration: a step that takes time
  bool inlined = false;                            ///< its payload came with the work request
  uint16_t first_extended = 0, last_extended = 0;  ///< bytes of extended headers on its first and last frame
  uint32_t middle_bytes = 0;                       ///< size of a frame between first and last
  int64_t bytes = 0;
  Time available{};  ///< time when the NIC has the work request

  bool IsStep() const { return packets == 0; }
  bool IsRead() const { return operation == Operation::read_request && packets > 0; }
};
/// The frame or step of a requester or responder at its turn.
struct NextFrame {
  Frame* frame = nullptr;  ///< null: nothing may go now
  bool repeats = false;    ///< its packet was sent before
  bool inlined = false;    ///< its payload came with the work request
};
/// The peer of a queue pair that is not connected or is for datagrams.
inline constexpr uint32_t kNoPeer = UINT32_MAX;

}  // namespace headroom
