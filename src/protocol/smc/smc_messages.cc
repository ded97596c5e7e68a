#include "protocol/smc/smc_messages.h"

#include <algorithm>

namespace headroom::smc {

namespace {

constexpr uint32_t kMagic = 0xE2D4C3D9;  // SMCR in EBCDIC
constexpr uint8_t kFirstContact = 0x08, kResponse = 0x80;

void Put(std::span<uint8_t> bytes, size_t at, size_t size, uint64_t value) {
  for (size_t i = 0; i < size; ++i) bytes[at + i] = static_cast<uint8_t>(value >> 8 * (size - 1 - i));
}

uint64_t Get(std::span<const uint8_t> bytes, size_t at, size_t size) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; ++i) value = value << 8 | bytes[at + i];
  return value;
}

// Positions of fields in Accept and Confirm.
constexpr size_t kQp = 38, kRkey = 41, kToken = 46, kPsn = 61;

void PutCursor(std::span<uint8_t> bytes, size_t at, uint64_t position, uint64_t size) {
  Put(bytes, at + 2, 2, position / size);
  Put(bytes, at + 4, 4, position % size);
}

/// The first position from `known` on that matches the cursor.
uint64_t PositionAt(std::span<const uint8_t> bytes, size_t at, uint64_t known, uint64_t size) {
  const uint64_t lap = size << 16;
  const uint64_t in_lap = Get(bytes, at + 2, 2) * size + Get(bytes, at + 4, 4);
  return known + (in_lap + lap - known % lap) % lap;
}

}  // namespace

size_t Clc::SizeOf(ClcType type) {
  switch (type) {
    case ClcType::proposal:
      return 52;
    case ClcType::accept:
    case ClcType::confirm:
      return 68;
    case ClcType::decline:
      return 28;
  }
  return 0;
}

std::vector<uint8_t> Clc::Bytes() const {
  std::vector<uint8_t> bytes(SizeOf(type));
  Put(bytes, 0, 4, kMagic);
  bytes[4] = static_cast<uint8_t>(type);
  Put(bytes, 5, 2, bytes.size());
  bytes[7] = first_contact ? kFirstContact : 0;
  Put(bytes, bytes.size() - 4, 4, kMagic);
  if (type != ClcType::accept && type != ClcType::confirm) return bytes;
  Put(bytes, kQp, 3, qp);
  Put(bytes, kRkey, 4, rkey);
  Put(bytes, kToken, 4, token);
  Put(bytes, kPsn, 3, psn);
  return bytes;
}

Clc Clc::From(std::span<const uint8_t> bytes) {
  Clc clc;
  clc.type = static_cast<ClcType>(bytes[4]);
  clc.first_contact = (bytes[7] & kFirstContact) != 0;
  if (clc.type != ClcType::accept && clc.type != ClcType::confirm) return clc;
  clc.qp = static_cast<uint32_t>(Get(bytes, kQp, 3));
  clc.rkey = static_cast<uint32_t>(Get(bytes, kRkey, 4));
  clc.token = static_cast<uint32_t>(Get(bytes, kToken, 4));
  clc.psn = static_cast<uint32_t>(Get(bytes, kPsn, 3));
  return clc;
}

bool Clc::MayBegin(std::span<const uint8_t> bytes) {
  std::array<uint8_t, 4> magic;
  Put(magic, 0, 4, kMagic);
  const size_t n = std::min(magic.size(), bytes.size());
  if (!std::equal(magic.begin(), magic.begin() + static_cast<ptrdiff_t>(n), bytes.begin())) return false;
  return bytes.size() < kHeader || LengthOf(bytes.first(kHeader)) > 0;
}

size_t Clc::LengthOf(std::span<const uint8_t> header) {
  if (header.size() < kHeader || Get(header, 0, 4) != kMagic) return 0;
  const size_t length = Get(header, 5, 2);
  return length == SizeOf(static_cast<ClcType>(header[4])) ? length : 0;
}

MessageBytes Llc::Bytes() const {
  MessageBytes bytes{};
  bytes[0] = static_cast<uint8_t>(type);
  bytes[1] = kMessageBytes;
  bytes[3] = response ? kResponse : 0;
  Put(bytes, 4, 4, rkey);
  return bytes;
}

Llc Llc::From(const MessageBytes& bytes) {
  return {static_cast<LlcType>(bytes[0]), (bytes[3] & kResponse) != 0,
          static_cast<uint32_t>(Get(bytes, 4, 4))};
}

MessageBytes Cdc::Bytes(uint64_t size) const {
  MessageBytes bytes{};
  bytes[0] = kType;
  bytes[1] = kMessageBytes;
  Put(bytes, 2, 2, sequence);
  Put(bytes, 4, 4, token);
  PutCursor(bytes, 8, producer, size);
  PutCursor(bytes, 16, consumer, size);
  bytes[24] = producer_flags;
  bytes[25] = state_flags;
  return bytes;
}

Cdc Cdc::From(const MessageBytes& bytes, uint64_t size, uint64_t producer, uint64_t consumer) {
  Cdc cdc;
  cdc.sequence = static_cast<uint16_t>(Get(bytes, 2, 2));
  cdc.token = static_cast<uint32_t>(Get(bytes, 4, 4));
  cdc.producer = PositionAt(bytes, 8, producer, size);
  cdc.consumer = PositionAt(bytes, 16, consumer, size);
  cdc.producer_flags = bytes[24];
  cdc.state_flags = bytes[25];
  return cdc;
}

}  // namespace headroom::smc
