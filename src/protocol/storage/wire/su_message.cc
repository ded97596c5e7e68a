#include "protocol/storage/wire/su_message.h"

#include "protocol/crc32c.h"
#include "protocol/little_endian.h"

namespace headroom {

void SuMessage::WriteTo(uint8_t* to) const {
  uint8_t* const begin = to;
  to = PutNumber(to, static_cast<uint8_t>(type));
  to = PutNumber(to, static_cast<uint8_t>(has_crc));
  to = PutNumber(to, credits);
  to = PutNumber(to, length);
  to = PutNumber(to, position);
  to = PutNumber(to, address);
  to = PutNumber(to, key);
  to = PutNumber(to, crc);
  to = PutNumber(to, landings);
  to = PutNumber(to, uint16_t{0});
  to = PutNumber(to, received);
  to = PutNumber(to, tag);
  to = PutNumber(to, left);
  for (const uint64_t word : said) to = PutNumber(to, word);
  Seal({begin, kBytes});
}

SuMessage SuMessage::ReadFrom(const uint8_t* from) {
  SuMessage m;
  uint8_t type = 0, flags = 0;
  from = GetNumber(from, type);
  from = GetNumber(from, flags);
  m.type = static_cast<SuType>(type);
  m.has_crc = flags != 0;
  from = GetNumber(from, m.credits);
  from = GetNumber(from, m.length);
  from = GetNumber(from, m.position);
  from = GetNumber(from, m.address);
  from = GetNumber(from, m.key);
  from = GetNumber(from, m.crc);
  from = GetNumber(from, m.landings) + 2;
  from = GetNumber(from, m.received);
  from = GetNumber(from, m.tag);
  from = GetNumber(from, m.left);
  for (uint64_t& word : m.said) from = GetNumber(from, word);
  return m;
}

bool SuMessage::IsSound(const uint8_t* bytes) { return IsSealed({bytes, kBytes}); }

}  // namespace headroom
