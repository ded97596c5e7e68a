#include "protocol/tcp/tcp_message.h"

#include "protocol/crc32c.h"
#include "protocol/little_endian.h"

namespace headroom {

void TcpMessage::WriteTo(uint8_t* to) const {
  uint8_t* const begin = to;
  to = PutNumber(to, uint32_t{answer});
  to = PutNumber(to, length);
  to = PutNumber(to, number);
  for (const uint64_t word : said) to = PutNumber(to, word);
  to = PutNumber(to, cause);
  PutNumber(to, crc);
  Seal({begin, kBytes});
}

TcpMessage TcpMessage::ReadFrom(const uint8_t* from) {
  TcpMessage m;
  uint32_t answer = 0;
  from = GetNumber(from, answer);
  m.answer = answer != 0;
  from = GetNumber(from, m.length);
  from = GetNumber(from, m.number);
  for (uint64_t& word : m.said) from = GetNumber(from, word);
  from = GetNumber(from, m.cause);
  GetNumber(from, m.crc);
  return m;
}

bool TcpMessage::IsSound(const uint8_t* bytes) { return IsSealed({bytes, kBytes}); }

}  // namespace headroom
