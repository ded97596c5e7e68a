#include "run/stream/packed_records.h"

#include <cstring>
#include <type_traits>

namespace headroom {

namespace {

uint64_t TwoNumbers(uint32_t high, uint32_t low) { return uint64_t{high} << 32 | low; }
uint64_t AsUnsigned(Time time) { return static_cast<uint64_t>(time.v); }

template <class Head>
void ToBytes(const Head& head, std::span<const WaitRecord> waits, std::vector<std::byte>& bytes) {
  static_assert(std::is_trivially_copyable_v<Head> && std::is_trivially_copyable_v<WaitRecord>);
  bytes.resize(sizeof head + waits.size_bytes());
  std::memcpy(bytes.data(), &head, sizeof head);
  if (!waits.empty()) std::memcpy(bytes.data() + sizeof head, waits.data(), waits.size_bytes());
}

}  // namespace

/// Among messages of one workload and source that begin at the same time, the order is that of their places.
/// It is also the order of their numbers (MessageRecord::number). But if READs are posted on several ranks,
/// these are known only when all messages are.
void PackedRecords::Add(const MessageView& message, const Traffic::Begun& begun) {
  const MessageRecord& m = message.record;
  ToBytes(
      StoredMessage{m, message.parts == nullptr ? MessageParts{} : *message.parts, message.parts != nullptr},
      message.waits, bytes_);
  const Parts::Place& at = begun.place;
  Put(Log::messages,
      {AsUnsigned(m.start), TwoNumbers(m.workload, m.src), at.window, at.reached.order,
       TwoNumbers(at.step, begun.message)},
      bytes_);
}

void PackedRecords::Add(const OperationView& operation) {
  const OperationRecord& o = operation.record;
  StoredOperation s;
  s.kind = o.kind;
  s.status = o.status;
  s.ramp = o.ramp;
  s.asked = o.participants.size() > 0;
  s.server = o.participants.Last(0);
  s.retries = o.retries;
  s.qp = o.qp;
  s.bytes = o.bytes.v;
  s.completed = o.completed;
  s.times = o.times;
  s.parts = o.parts;
  ToBytes(s, operation.waits, bytes_);
  Put(Log::operations, {AsUnsigned(o.start), TwoNumbers(o.workload, o.client), o.number, 0, 0}, bytes_);
}

OperationRecord PackedRecords::Restored(const StoredOperation& s, const SortedRuns::Key& key) {
  OperationRecord o;
  o.start = Time(static_cast<int64_t>(key[0]));
  o.workload = static_cast<uint32_t>(key[1] >> 32);
  o.client = static_cast<NodeId>(key[1]);
  o.number = static_cast<uint32_t>(key[2]);
  o.kind = s.kind;
  o.status = s.status;
  o.ramp = s.ramp;
  if (s.asked) o.participants.Add(s.server);
  o.retries = s.retries;
  o.qp = s.qp;
  o.bytes = Bytes(s.bytes);
  o.completed = s.completed;
  o.times = s.times;
  o.parts = s.parts;
  return o;
}

void PackedRecords::Add(const PauseRecord& pause, uint64_t order) {
  ToBytes(pause, {}, bytes_);
  const auto direction = static_cast<uint32_t>(pause.direction);
  const uint32_t place = uint32_t{pause.port} << 16 | uint32_t{pause.priority} << 8 | direction;
  Put(Log::pauses, {AsUnsigned(pause.start), TwoNumbers(pause.node, place), order, 0, 0}, bytes_);
}

void PackedRecords::Add(const Traffic::Apart& apart) {
  Put(Log::apart, {0, 0, 0, 0, apart.message}, std::as_bytes(std::span(&apart, 1)));
}

}  // namespace headroom
