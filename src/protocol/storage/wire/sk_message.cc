#include "protocol/storage/wire/sk_message.h"

#include "protocol/crc32c.h"
#include "protocol/little_endian.h"

namespace headroom {

void SkMessage::WriteTo(uint8_t* to) const {
  uint8_t* const begin = to;
  to = PutNumber(to, static_cast<uint8_t>(kind));
  to = PutNumber(to, static_cast<uint8_t>(status));
  to = PutNumber(to, credits);
  to = PutNumber(to, length);
  to = PutNumber(to, number);
  to = PutNumber(to, oldest);
  to = PutNumber(to, block);
  to = PutNumber(to, request);
  to = PutNumber(to, address);
  to = PutNumber(to, key);
  to = PutNumber(to, crc);
  PutNumber(to, uint32_t{has_crc});
  Seal({begin, kBytes});
}

SkMessage SkMessage::ReadFrom(const uint8_t* from) {
  SkMessage m;
  uint8_t kind = 0, status = 0;
  uint32_t flags = 0;
  from = GetNumber(from, kind);
  from = GetNumber(from, status);
  from = GetNumber(from, m.credits);
  from = GetNumber(from, m.length);
  from = GetNumber(from, m.number);
  from = GetNumber(from, m.oldest);
  from = GetNumber(from, m.block);
  from = GetNumber(from, m.request);
  from = GetNumber(from, m.address);
  from = GetNumber(from, m.key);
  from = GetNumber(from, m.crc);
  GetNumber(from, flags);
  m.kind = static_cast<SkKind>(kind);
  m.status = static_cast<SkStatus>(status);
  m.has_crc = flags != 0;
  return m;
}

bool SkMessage::IsSound(const uint8_t* bytes) { return IsSealed({bytes, kBytes}); }

}  // namespace headroom
