#include "protocol/brpc/brpc_hello.h"

namespace headroom {

namespace {

constexpr size_t kGidBytes = 16;

template <class T>
uint8_t* PutBig(uint8_t* to, T value) {
  for (size_t i = sizeof value; i-- > 0;) *to++ = static_cast<uint8_t>(value >> (8 * i));
  return to;
}
template <class T>
const uint8_t* GetBig(const uint8_t* from, T& value) {
  value = 0;
  for (size_t i = 0; i < sizeof value; ++i) value = static_cast<T>(value << 8 | *from++);
  return from;
}

}  // namespace

std::array<uint8_t, BrpcHello::kBytes> BrpcHello::Bytes() const {
  std::array<uint8_t, kBytes> bytes{'R', 'D', 'M', 'A'};
  uint8_t* at = PutBig(bytes.data() + kMagicBytes, static_cast<uint16_t>(kBytes));
  at = PutBig(PutBig(at, version), implementation);
  at = PutBig(at, block);
  at = PutBig(at, static_cast<uint16_t>(queues.sq));
  at = PutBig(at, static_cast<uint16_t>(queues.rq));
  at = PutBig(at, uint16_t{0});  // RoCE has no lid
  PutBig(at + kGidBytes - sizeof host, host);
  PutBig(at + kGidBytes, qp);
  return bytes;
}

BrpcHello BrpcHello::From(std::span<const uint8_t, kBytes> bytes) {
  BrpcHello hello;
  uint16_t length = 0, sq = 0, rq = 0, lid = 0;
  const uint8_t* at = GetBig(bytes.data() + kMagicBytes, length);
  at = GetBig(GetBig(at, hello.version), hello.implementation);
  at = GetBig(at, hello.block);
  at = GetBig(GetBig(GetBig(at, sq), rq), lid);
  hello.queues = {sq, rq};
  GetBig(at + kGidBytes - sizeof hello.host, hello.host);
  GetBig(at + kGidBytes, hello.qp);
  return hello;
}

}  // namespace headroom
