#include "run/stream/streamed_records.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <type_traits>

namespace headroom {

namespace fs = std::filesystem;

namespace {

uint64_t TwoNumbers(uint32_t high, uint32_t low) { return uint64_t{high} << 32 | low; }
uint64_t AsUnsigned(Time time) { return static_cast<uint64_t>(time.v); }

/// A record on disk: a head, then the waits.
template <class Head>
void Pack(const Head& head, std::span<const WaitRecord> waits, std::vector<std::byte>& bytes) {
  static_assert(std::is_trivially_copyable_v<Head> && std::is_trivially_copyable_v<WaitRecord>);
  bytes.resize(sizeof head + waits.size_bytes());
  std::memcpy(bytes.data(), &head, sizeof head);
  if (!waits.empty()) std::memcpy(bytes.data() + sizeof head, waits.data(), waits.size_bytes());
}
template <class Head>
Head Unpack(std::span<const std::byte> bytes, std::vector<WaitRecord>& waits) {
  Head head;
  std::memcpy(&head, bytes.data(), sizeof head);
  waits.resize((bytes.size() - sizeof head) / sizeof(WaitRecord));
  if (!waits.empty())
    std::memcpy(waits.data(), bytes.data() + sizeof head, waits.size() * sizeof(WaitRecord));
  return head;
}

struct StoredMessage {
  MessageRecord record;
  MessageParts parts;
  bool split = false;
};

/// An operation without its list of participants: of these, files have the last.
struct StoredOperation {
  OperationKind kind{};
  OperationStatus status{};
  bool ramp = false, asked = false;  ///< asked: it has a participant
  NodeId server = 0;
  uint32_t retries = 0, qp = 0;
  int64_t bytes = 0;
  Time completed;
  OperationTimes times;
  std::array<Time, kOperationParts> parts{};
};

StoredOperation Stored(const OperationRecord& o) {
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
  return s;
}

OperationRecord Restored(const StoredOperation& s, const SortedRuns::Key& key) {
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

/// Finds what came late for each message. Messages are asked for almost in the order of their numbers, so
/// few entries are in memory.
class LateEntries {
 public:
  explicit LateEntries(SortedRuns& log) : at_(log), more_(at_.Next()) {}
  void AddTo(uint32_t message, MessageRecord& record) {
    for (; more_ && at_.key()[0] <= message; more_ = at_.Next()) {
      Traffic::Late late;
      std::memcpy(&late, at_.bytes().data(), sizeof late);
      Traffic::Late& sum = waiting_[late.message];
      sum.marked_packets += late.marked_packets;
      sum.retransmitted_packets += late.retransmitted_packets;
      if (late.delivered != kNever) sum.delivered = late.delivered;
    }
    const auto found = waiting_.find(message);
    if (found == waiting_.end()) return;
    record.marked_packets += found->second.marked_packets;
    record.retransmitted_packets += found->second.retransmitted_packets;
    if (found->second.delivered != kNever) record.delivered = found->second.delivered;
    waiting_.erase(found);
  }

 private:
  SortedRuns::Cursor at_;
  bool more_;
  std::map<uint32_t, Traffic::Late> waiting_;
};

}  // namespace

StreamedRecords::Folder::Folder(const fs::path& at) : path(at) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw ResultError(fmt::format("{}: cannot be written: {}", path.string(), error.message()));
}
StreamedRecords::Folder::~Folder() {
  std::error_code ignored;
  fs::remove(path, ignored);
}

StreamedRecords::StreamedRecords(const fs::path& folder, size_t buffer)
    : folder_(folder),
      messages_(folder, "messages", buffer),
      late_(folder, "late", buffer),
      operations_(folder, "operations", buffer),
      pauses_(folder, "pauses", buffer) {}
StreamedRecords::~StreamedRecords() = default;

void StreamedRecords::Add(const MessageView& message) {
  const MessageRecord& m = message.record;
  Pack(StoredMessage{m, message.parts == nullptr ? MessageParts{} : *message.parts, message.parts != nullptr},
       message.waits, bytes_);
  messages_.Add({AsUnsigned(m.start), TwoNumbers(m.workload, m.src), m.number, message.order}, bytes_);
}

void StreamedRecords::Add(const OperationView& operation) {
  const OperationRecord& o = operation.record;
  Pack(Stored(o), operation.waits, bytes_);
  operations_.Add({AsUnsigned(o.start), TwoNumbers(o.workload, o.client), o.number, operation.order}, bytes_);
}

void StreamedRecords::Add(const PauseRecord& pause, uint64_t order) {
  Pack(pause, {}, bytes_);
  const auto direction = static_cast<uint32_t>(pause.direction);
  const uint32_t place = uint32_t{pause.port} << 16 | uint32_t{pause.priority} << 8 | direction;
  pauses_.Add({AsUnsigned(pause.start), TwoNumbers(pause.node, place), order, 0}, bytes_);
}

void StreamedRecords::Add(const Traffic::Late& late) {
  late_.Add({late.message, 0, 0, 0}, std::as_bytes(std::span(&late, 1)));
}

void StreamedRecords::ForEachMessage(const std::function<void(const MessageView&)>& use) {
  LateEntries late(late_);
  std::vector<WaitRecord> waits;
  messages_.ForEach([&](const SortedRuns::Key& key, std::span<const std::byte> bytes) {
    auto stored = Unpack<StoredMessage>(bytes, waits);
    late.AddTo(static_cast<uint32_t>(key[3]), stored.record);
    if (ideal_) stored.record.ideal = ideal_(stored.record);
    use({stored.record, stored.split ? &stored.parts : nullptr, waits, key[3]});
  });
}

void StreamedRecords::ForEachOperation(const std::function<void(const OperationView&)>& use) {
  std::vector<WaitRecord> waits;
  operations_.ForEach([&](const SortedRuns::Key& key, std::span<const std::byte> bytes) {
    const OperationRecord o = Restored(Unpack<StoredOperation>(bytes, waits), key);
    use({o, waits, key[3]});
  });
}

void StreamedRecords::ForEachPause(const std::function<void(const PauseRecord&)>& use) {
  std::vector<WaitRecord> none;
  pauses_.ForEach([&](const SortedRuns::Key&, std::span<const std::byte> bytes) {
    use(Unpack<PauseRecord>(bytes, none));
  });
}

}  // namespace headroom
