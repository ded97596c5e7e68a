#include "protocol/redis/resp.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace headroom::resp {

namespace {

constexpr std::string_view kEnd = "\r\n", kGet = "*2\r\n$3\r\nGET\r\n", kSet = "*3\r\n$3\r\nSET\r\n",
                           kNil = "$-1\r\n", kOk = "+OK\r\n";
constexpr int64_t kLongest = int64_t{512} << 20;  ///< maximum length of a bulk string (proto-max-bulk-len)

void Append(std::string_view text, Bytes& to) { to.insert(to.end(), text.begin(), text.end()); }

std::array<char, 24> Header(int64_t length, size_t& size) {
  std::array<char, 24> text{'$'};
  char* end = std::to_chars(text.data() + 1, text.data() + text.size(), length).ptr;
  end = std::copy(kEnd.begin(), kEnd.end(), end);
  size = static_cast<size_t>(end - text.data());
  return text;
}

void AppendHeader(size_t length, Bytes& to) {
  size_t size = 0;
  const auto text = Header(static_cast<int64_t>(length), size);
  Append({text.data(), size}, to);
}

void AppendBulk(std::span<const uint8_t> bytes, Bytes& to) {
  AppendHeader(bytes.size(), to);
  to.insert(to.end(), bytes.begin(), bytes.end());
  Append(kEnd, to);
}

int64_t BulkBytes(int64_t length) {
  size_t size = 0;
  Header(length, size);
  return static_cast<int64_t>(size + kEnd.size()) + length;
}

/// Reads item by item from the front; after a failure its values are meaningless.
class Reader {
 public:
  explicit Reader(std::span<const uint8_t> bytes) : bytes_(bytes) {}
  size_t taken() const { return at_; }
  bool whole() const { return !short_ && !wrong_; }
  bool wrong() const { return wrong_; }

  /// Whether this text comes next; a prefix of it is not an error.
  bool Take(std::string_view text) {
    const auto rest = bytes_.subspan(at_);
    const size_t n = std::min(rest.size(), text.size());
    const bool same = std::equal(text.begin(), text.begin() + static_cast<ptrdiff_t>(n), rest.begin());
    if (!same) return false;
    if (n < text.size()) return short_ = true;
    at_ += n;
    return true;
  }
  void Expect(std::string_view text) {
    if (whole() && !Take(text)) wrong_ = true;
  }
  std::span<const uint8_t> Bulk() {
    Expect("$");
    const int64_t length = Number();
    Expect(kEnd);
    if (!whole()) return {};
    if (bytes_.size() - at_ < static_cast<size_t>(length)) {
      short_ = true;
      return {};
    }
    const auto bulk = bytes_.subspan(at_, static_cast<size_t>(length));
    at_ += bulk.size();
    Expect(kEnd);
    return bulk;
  }

 private:
  int64_t Number() {
    if (!whole()) return 0;
    int64_t n = 0;
    const auto* const from = reinterpret_cast<const char*>(bytes_.data());
    const auto [end, error] = std::from_chars(from + at_, from + bytes_.size(), n);
    if (at_ == bytes_.size() || (error == std::errc() && end == from + bytes_.size()))
      short_ = true;
    else if (error != std::errc() || n < 0 || n > kLongest)
      wrong_ = true;
    at_ = static_cast<size_t>(end - from);
    return n;
  }

  std::span<const uint8_t> bytes_;
  size_t at_ = 0;
  bool short_ = false, wrong_ = false;
};

template <class Item>
Parsed<Item> Result(const Reader& reader, const Item& item) {
  if (reader.wrong()) return {0, true, {}};
  if (!reader.whole()) return {};
  return {reader.taken(), false, item};
}

}  // namespace

void AppendGet(std::span<const uint8_t> key, Bytes& to) {
  Append(kGet, to);
  AppendBulk(key, to);
}

std::span<uint8_t> AppendSet(std::span<const uint8_t> key, size_t value, Bytes& to) {
  Append(kSet, to);
  AppendBulk(key, to);
  AppendHeader(value, to);
  const size_t at = to.size();
  to.resize(at + value);
  Append(kEnd, to);
  return {to.data() + at, value};
}

void AppendValue(std::span<const uint8_t> value, Bytes& to) { AppendBulk(value, to); }
void AppendNil(Bytes& to) { Append(kNil, to); }
void AppendOk(Bytes& to) { Append(kOk, to); }

Parsed<Command> ParseCommand(std::span<const uint8_t> bytes) {
  Reader reader(bytes);
  Command command;
  if (!reader.Take(kGet)) {
    command.sets = true;
    reader.Expect(kSet);
  }
  command.key = reader.Bulk();
  if (command.sets) command.value = reader.Bulk();
  return Result(reader, command);
}

Parsed<Reply> ParseReply(std::span<const uint8_t> bytes) {
  Reader reader(bytes);
  Reply reply;
  if (reader.Take(kNil)) return Result(reader, reply);
  reply.what = Reply::What::ok;
  if (reader.Take(kOk)) return Result(reader, reply);
  reply.what = Reply::What::value;
  reply.value = reader.Bulk();
  return Result(reader, reply);
}

int64_t GetBytes(int64_t key) { return static_cast<int64_t>(kGet.size()) + BulkBytes(key); }
int64_t SetBytes(int64_t key, int64_t value) {
  return static_cast<int64_t>(kSet.size()) + BulkBytes(key) + BulkBytes(value);
}
int64_t ValueBytes(int64_t value) { return BulkBytes(value); }

}  // namespace headroom::resp
