// A message of bRPC's protocol baidu_std: a request or an answer on a stream.
//
//   "PRPC", body size 4, meta size 4, big-endian; then the body: the meta and the payload
//
// Source of the header: apache/brpc docs/en/baidu_std.md. The meta is a protobuf there. Its size depends on
// the names of service and method. A request with names of 25 bytes in total, a timeout and an id has about
// 40 bytes. An answer with an id and no error has about 12. The layout here is ours: id 8, answer size 4,
// padding.
//
// All bytes of a payload equal the low byte of the id, so the reader can check them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "protocol/stream/stream.h"

namespace headroom {

struct RpcMessage {
  static constexpr uint32_t kHeaderBytes = 12, kRequestMeta = 40, kAnswerMeta = 12;

  bool answer = false;
  uint64_t id = 0;           ///< id of the call
  uint32_t payload = 0;      ///< bytes
  uint32_t answer_size = 0;  ///< answer size that a request asks for

  uint32_t MetaBytes() const { return answer ? kAnswerMeta : kRequestMeta; }
  uint64_t Bytes() const { return uint64_t{kHeaderBytes} + MetaBytes() + payload; }
  std::vector<uint8_t> Text() const;
};

/// Reads complete messages from a stream, however their bytes arrive.
class RpcReader {
 public:
  /// `sound`: the payload is as it was sent.
  using OnMessage = std::function<void(const RpcMessage& message, bool sound)>;
  /// Reads everything that the stream has. Returns false if it is not this protocol: then no more can be
  /// read.
  bool Read(Stream& stream, const OnMessage& on_message);

 private:
  bool ReadHead(Stream& stream);
  bool ReadMeta(Stream& stream);
  void ReadPayload(Stream& stream);

  enum class Next : uint8_t { header, meta, payload };
  Next next_ = Next::header;
  std::array<uint8_t, RpcMessage::kRequestMeta> head_{};
  size_t head_bytes_ = 0;
  size_t meta_bytes_ = 0;
  uint32_t left_ = 0;  ///< remaining bytes of the payload
  RpcMessage message_;
  bool sound_ = true, alien_ = false;
};

}  // namespace headroom
