// The requests between hosts of a storage service, their answers, and the answering end.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "protocol/channel/channel.h"
#include "protocol/storage_record.h"
#include "workload/operation.h"

namespace headroom {

/// A place of bytes in a disk or an extent. On the wire it is a number: object * 2^40 + offset.
struct StoragePlace {
  static constexpr int kOffsetBits = 40, kObjectBits = 24;
  uint32_t object = 0;  ///< a disk, or an extent; below 2^24
  uint64_t offset = 0;  ///< below 2^40

  uint64_t number() const { return uint64_t{object} << kOffsetBits | offset; }
  static StoragePlace Of(uint64_t number) {
    return {static_cast<uint32_t>(number >> kOffsetBits), number & ((uint64_t{1} << kOffsetBits) - 1)};
  }
  bool operator==(const StoragePlace&) const = default;
};

/// A disk's name for its request, the same in every try: the request's number, and how many earlier requests
/// the disk may still repeat. Older requests never arrive again.
struct RequestName {
  uint32_t number = 0, open_before = 0;

  uint64_t word() const { return uint64_t{open_before} << 32 | number; }
  static RequestName Of(uint64_t word) {
    return {static_cast<uint32_t>(word), static_cast<uint32_t>(word >> 32)};
  }
  uint32_t oldest() const { return number - open_before; }
};

struct StorageAnswer {
  OperationStatus status = OperationStatus::ok;
  std::vector<uint8_t> bytes;  ///< for a read; empty if data are only counted
  /// Times of the request's messages, and of the completion that brought the answer.
  OperationTimes times{};
  uint32_t qp = 0;       ///< queue pair of the request; 0: none
  uint32_t retries = 0;  ///< times that the channel sent it again
};

struct StorageCall {
  using Answer = StorageAnswer;
  using Record = StorageRecord;

  OperationKind kind = OperationKind::read;
  StoragePlace place;
  uint32_t length = 0;
  RequestName request;
  std::vector<uint8_t> bytes;      ///< for a write; empty if data are only counted
  std::function<void()> posted{};  ///< called when its first frame leaves, and again at each repetition
};

/// The words of a call besides its data, as sU-RDMA and TCP carry them: kind and length, place, request.
using CallWords = std::array<uint64_t, 3>;
inline CallWords WordsOf(const StorageCall& call) {
  const bool writes = call.kind == OperationKind::write;
  return {uint64_t{writes} << 32 | call.length, call.place.number(), call.request.word()};
}
/// The call without data.
inline StorageCall CallOf(const CallWords& said) {
  StorageCall call;
  call.kind = said[0] >> 32 != 0 ? OperationKind::write : OperationKind::read;
  call.place = StoragePlace::Of(said[1]);
  call.length = static_cast<uint32_t>(said[0]);
  call.request = RequestName::Of(said[2]);
  return call;
}

using StorageChannel = Channel<StorageCall>;

/// The answering end.
class StorageServer {
 public:
  /// Must be called once, now or later, with the answer; for a read with its bytes, if data are carried.
  using Reply = std::function<void(OperationStatus, std::vector<uint8_t>)>;
  virtual ~StorageServer() = default;
  virtual void Execute(StorageCall call, Reply reply) = 0;
};

}  // namespace headroom
