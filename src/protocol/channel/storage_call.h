// What a host of a storage service asks of another, what it is answered, and the end that answers.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "protocol/channel/channel.h"
#include "protocol/storage_record.h"
#include "workload/operation.h"

namespace headroom {

/// Where bytes lie: in a disk or an extent. On the wire a number: object * 2^40 + offset.
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

/// What a disk calls a request of its own, the same in every try: a number that counts its requests, and how
/// many of those before may still be asked for. What lies before them never comes again.
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
  std::vector<uint8_t> bytes;  ///< of a read; empty where data are counted
  /// Of the request's messages, and of the completion that brought the answer.
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
  std::vector<uint8_t> bytes;      ///< of a write; empty where data are counted
  std::function<void()> posted{};  ///< called when its first frame leaves, again at each repetition
};

/// A call's words beside its data, as sU-RDMA and TCP carry them: kind and length, place, request.
using CallWords = std::array<uint64_t, 3>;
inline CallWords WordsOf(const StorageCall& call) {
  const bool writes = call.kind == OperationKind::write;
  return {uint64_t{writes} << 32 | call.length, call.place.number(), call.request.word()};
}
/// Without data.
inline StorageCall CallOf(const CallWords& said) {
  StorageCall call;
  call.kind = said[0] >> 32 != 0 ? OperationKind::write : OperationKind::read;
  call.place = StoragePlace::Of(said[1]);
  call.length = static_cast<uint32_t>(said[0]);
  call.request = RequestName::Of(said[2]);
  return call;
}

using StorageChannel = Channel<StorageCall>;

/// The end that is asked.
class StorageServer {
 public:
  /// To be called once, now or later, with the answer; for a read with its bytes, if data are
  /// carried.
  using Reply = std::function<void(OperationStatus, std::vector<uint8_t>)>;
  virtual ~StorageServer() = default;
  virtual void Execute(StorageCall call, Reply reply) = 0;
};

}  // namespace headroom
