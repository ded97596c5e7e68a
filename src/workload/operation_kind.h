// Kinds of operations, with their names in files.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>

namespace headroom {

/// Kinds for disks, for keys (`put` is YCSB's UPDATE, `get` its READ), and for connections, which also read
/// and write. The service chooses the verb of a `transfer`. For applications: a remote procedure call, a
/// fetched tensor, a message requested by its receiver.
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
inline constexpr size_t kIoKinds = 2;  ///< the first kinds are those of disks
constexpr const char* OperationKindName(OperationKind kind) {
  constexpr const char* names[] = {"read", "write",    "get",  "put",    "insert",      "read_modify_write",
                                   "send", "transfer", "call", "tensor", "send_receive"};
  return names[static_cast<size_t>(kind)];
}
/// A kind with its kind of service, because both connections and disks read and write.
struct ServiceOperation {
  enum class Of : uint8_t { disk, key, connection, own };  ///< own: a type that registers itself
  Of of = Of::disk;
  OperationKind kind = OperationKind::read;
  auto operator<=>(const ServiceOperation&) const = default;
  /// The name as in Estats: io_read, kv_get, connection_send, service_call.
  std::string Name() const {
    constexpr const char* prefixes[] = {"io_", "kv_", "connection_", "service_"};
    return std::string(prefixes[static_cast<size_t>(of)]) + OperationKindName(kind);
  }
};
constexpr bool OfDisk(OperationKind kind) { return static_cast<size_t>(kind) < kIoKinds; }

}  // namespace headroom
