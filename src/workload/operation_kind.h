// Kinds of operations, as in files.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>

namespace headroom {

/// Of disks, of keys (`put` is YCSB's UPDATE, `get` its READ), and on connections, which read and write, too;
/// how a `transfer` goes is its service's to choose. Of applications: a remote procedure call, a fetched
/// tensor, a message that its receiver has requested.
enum class OperationKind : uint8_t {
  read,
  write,
  get,
  put,
  insert,
  read_modify_write,
  send,
  transfer,
  call,
  tensor,
  send_receive
};
inline constexpr size_t kOperationKinds = 11;
inline constexpr size_t kIoKinds = 2;  ///< the first ones: of disks
constexpr const char* OperationKindName(OperationKind kind) {
  constexpr const char* names[] = {"read", "write",    "get",  "put",    "insert",      "read_modify_write",
                                   "send", "transfer", "call", "tensor", "send_receive"};
  return names[static_cast<size_t>(kind)];
}
/// A kind, and its kind of service: connections read and write, as disks do.
struct ServiceOperation {
  enum class Of : uint8_t { disk, key, connection, own };  ///< own: of a type that registers itself
  Of of = Of::disk;
  OperationKind kind = OperationKind::read;
  auto operator<=>(const ServiceOperation&) const = default;
  /// As in Estats: io_read, kv_get, connection_send, service_call.
  std::string Name() const {
    constexpr const char* prefixes[] = {"io_", "kv_", "connection_", "service_"};
    return std::string(prefixes[static_cast<size_t>(of)]) + OperationKindName(kind);
  }
};
constexpr bool OfDisk(OperationKind kind) { return static_cast<size_t>(kind) < kIoKinds; }

}  // namespace headroom
