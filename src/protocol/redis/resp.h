// The Redis serialization protocol (RESP2), as far as GET and SET need it.
//
//   GET      *2 CRLF $3 CRLF GET CRLF $16 CRLF key CRLF                        36 B with a key of 16 B
//   SET      *3 CRLF $3 CRLF SET CRLF $16 CRLF key CRLF $3 CRLF value CRLF
//   value    $3 CRLF abc CRLF                                                  9 B
//   nil      $-1 CRLF                                                          5 B
//   done     +OK CRLF                                                          5 B
//
// Source: Redis serialization protocol specification (redis.io/docs/reference/protocol-spec).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace headroom::resp {

using Bytes = std::vector<uint8_t>;

struct Command {
  bool sets = false;
  std::span<const uint8_t> key, value;  ///< in the bytes that were parsed
};
struct Reply {
  enum class What : uint8_t { value, nil, ok } what = What::nil;
  std::span<const uint8_t> value;
};
/// The item at the front of some bytes.
template <class Item>
struct Parsed {
  size_t taken = 0;    ///< bytes of the item; 0: the item is not complete yet
  bool wrong = false;  ///< the bytes are none of these items, whatever follows
  Item item{};
};

void AppendGet(std::span<const uint8_t> key, Bytes& to);
/// Appends a SET with a value of `value` bytes; returns the place of the value, to be filled.
std::span<uint8_t> AppendSet(std::span<const uint8_t> key, size_t value, Bytes& to);
void AppendValue(std::span<const uint8_t> value, Bytes& to);
void AppendNil(Bytes& to);
void AppendOk(Bytes& to);

Parsed<Command> ParseCommand(std::span<const uint8_t> bytes);
Parsed<Reply> ParseReply(std::span<const uint8_t> bytes);

/// Bytes of a GET, of a SET and of a value on the wire.
int64_t GetBytes(int64_t key);
int64_t SetBytes(int64_t key, int64_t value);
int64_t ValueBytes(int64_t value);
inline constexpr int64_t kShortReply = 5;  ///< length of nil and OK

}  // namespace headroom::resp
