// Kinds of operations, as in files.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headroom {

/// Of disks, of keys (`put` is YCSB's UPDATE, `get` its READ), and on connections, which read and write, too;
/// how a `transfer` goes is its service's to choose.
enum class OperationKind : uint8_t { read, write, get, put, insert, read_modify_write, send, transfer };
inline constexpr size_t kOperationKinds = 8;
inline constexpr size_t kIoKinds = 2;  ///< the first ones: of disks
constexpr const char* OperationKindName(OperationKind kind) {
  constexpr const char* names[] = {"read", "write",   "get", "put", "insert", "read_modify_write",
                                   "send", "transfer"};
  return names[static_cast<size_t>(kind)];
}
constexpr bool OfDisk(OperationKind kind) { return static_cast<size_t>(kind) < kIoKinds; }

}  // namespace headroom
