#include "protocol/brpc/rpc_message.h"

#include <algorithm>
#include <cstring>

#include "protocol/little_endian.h"

namespace headroom {

namespace {

constexpr size_t kNumberBytes = 4, kIdBytes = 8;

void PutLength(uint8_t* to, uint32_t value) {
  for (size_t i = 0; i < kNumberBytes; ++i) to[i] = static_cast<uint8_t>(value >> (24 - 8 * i));
}
uint32_t GetLength(const uint8_t* from) {
  uint32_t value = 0;
  for (size_t i = 0; i < kNumberBytes; ++i) value = value << 8 | from[i];
  return value;
}

}  // namespace

std::vector<uint8_t> RpcMessage::Text() const {
  std::vector<uint8_t> text(Bytes(), static_cast<uint8_t>(id));
  std::memcpy(text.data(), "PRPC", kNumberBytes);
  PutLength(text.data() + kNumberBytes, MetaBytes() + payload);
  PutLength(text.data() + 2 * kNumberBytes, MetaBytes());
  uint8_t* const meta = text.data() + kHeaderBytes;
  std::fill_n(meta, MetaBytes(), uint8_t{0});
  PutNumber(PutNumber(meta, id), answer_size);
  return text;
}

/// Returns true once all bytes of a header or meta have arrived.
static bool Gather(Stream& stream, std::span<uint8_t> to, size_t& have) {
  have += stream.Read(to.subspan(have));
  return have == to.size();
}

bool RpcReader::ReadHead(Stream& stream) {
  if (!Gather(stream, std::span(head_).first(RpcMessage::kHeaderBytes), head_bytes_)) return false;
  head_bytes_ = 0;
  const uint32_t body = GetLength(head_.data() + kNumberBytes);
  meta_bytes_ = GetLength(head_.data() + 2 * kNumberBytes);
  message_ = {};
  message_.answer = meta_bytes_ == RpcMessage::kAnswerMeta;
  alien_ = std::memcmp(head_.data(), "PRPC", kNumberBytes) != 0 || meta_bytes_ != message_.MetaBytes() ||
           body < meta_bytes_;
  left_ = message_.payload = alien_ ? 0 : body - static_cast<uint32_t>(meta_bytes_);
  next_ = Next::meta;
  return !alien_;
}

bool RpcReader::ReadMeta(Stream& stream) {
  if (!Gather(stream, std::span(head_).first(meta_bytes_), head_bytes_)) return false;
  head_bytes_ = 0;
  GetNumber(GetNumber(head_.data(), message_.id), message_.answer_size);
  sound_ = true;
  next_ = Next::payload;
  return true;
}

void RpcReader::ReadPayload(Stream& stream) {
  std::array<uint8_t, 4096> piece;
  while (left_ > 0) {
    const size_t n = stream.Read(std::span(piece).first(std::min<size_t>(piece.size(), left_)));
    if (n == 0) return;
    left_ -= static_cast<uint32_t>(n);
    sound_ = sound_ && piece[0] == static_cast<uint8_t>(message_.id) &&
             std::memcmp(piece.data(), piece.data() + 1, n - 1) == 0;
  }
  next_ = Next::header;
}

bool RpcReader::Read(Stream& stream, const OnMessage& on_message) {
  while (!alien_) {
    if (next_ == Next::header && !ReadHead(stream)) break;
    if (next_ == Next::meta && !ReadMeta(stream)) break;
    ReadPayload(stream);
    if (next_ != Next::header) break;
    on_message(message_, sound_);
  }
  return !alien_;
}

}  // namespace headroom
