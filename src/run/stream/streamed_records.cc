#include "run/stream/streamed_records.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <type_traits>

namespace headroom {

namespace fs = std::filesystem;

namespace {

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

uint64_t TwoNumbers(uint32_t high, uint32_t low) { return uint64_t{high} << 32 | low; }
uint64_t AsUnsigned(Time time) { return static_cast<uint64_t>(time.v); }

/// The message's number in Traffic.
uint32_t NumberIn(const SortedRuns::Key& key) { return static_cast<uint32_t>(key[4]); }

/// A record is a head, then waits.
template <class Head>
void ToBytes(const Head& head, std::span<const WaitRecord> waits, std::vector<std::byte>& bytes) {
  static_assert(std::is_trivially_copyable_v<Head> && std::is_trivially_copyable_v<WaitRecord>);
  bytes.resize(sizeof head + waits.size_bytes());
  std::memcpy(bytes.data(), &head, sizeof head);
  if (!waits.empty()) std::memcpy(bytes.data() + sizeof head, waits.data(), waits.size_bytes());
}

template <class Head>
Head HeadOf(std::span<const std::byte> bytes) {
  Head head;
  std::memcpy(&head, bytes.data(), sizeof head);
  return head;
}

template <class Head>
Head Unpacked(std::span<const std::byte> bytes, std::vector<WaitRecord>& waits) {
  waits.resize((bytes.size() - sizeof(Head)) / sizeof(WaitRecord));
  if (!waits.empty())
    std::memcpy(waits.data(), bytes.data() + sizeof(Head), waits.size() * sizeof(WaitRecord));
  return HeadOf<Head>(bytes);
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

/// Finds what came apart from each message. Messages are asked for almost in the order of their numbers, so
/// few entries are in memory.
class ApartEntries {
 public:
  explicit ApartEntries(SortedRuns& log) : at_(log), more_(at_.Next()) {}
  void AddTo(uint32_t message, MessageRecord& record) {
    for (; more_; more_ = at_.Next()) {
      const auto apart = HeadOf<MessageApart>(at_.bytes());
      if (apart.message > message) break;
      apart.AddTo(waiting_[apart.message]);
    }
    const auto found = waiting_.find(message);
    if (found == waiting_.end()) return;
    found->second.AddTo(record);
    waiting_.erase(found);
  }

 private:
  SortedRuns::Cursor at_;
  bool more_;
  std::map<uint32_t, MessageApart> waiting_;
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
      apart_(folder, "apart", buffer),
      operations_(folder, "operations", buffer),
      pauses_(folder, "pauses", buffer) {}
StreamedRecords::~StreamedRecords() = default;

/// Among messages of one workload and source that begin at the same time, the order is that of their places.
/// It is also the order of their numbers (MessageRecord::number). But if READs are posted on several ranks,
/// these are known only when all messages are.
void StreamedRecords::Add(const MessageView& message, const Begun& begun) {
  StoredMessage stored{message.record, {}, message.parts != nullptr};
  if (message.parts != nullptr) stored.parts = *message.parts;
  if (const auto apart = waiting_.find(begun.number); apart != waiting_.end()) {
    apart->second.AddTo(stored.record);
    waiting_.erase(apart);
  }
  ToBytes(stored, message.waits, bytes_);
  const MessageRecord& m = message.record;
  const Parts::Place& at = begun.place;
  messages_.Add({AsUnsigned(m.start), TwoNumbers(m.workload, m.src), at.window, at.reached.order,
                 TwoNumbers(at.step, begun.number)},
                bytes_);
}

void StreamedRecords::Add(const OperationView& operation) {
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
  operations_.Add({AsUnsigned(o.start), TwoNumbers(o.workload, o.client), o.number, 0, 0}, bytes_);
}

/// The pauses of a port begin in the order of their numbers.
void StreamedRecords::Add(const PauseRecord& pause, const Begun& begun) {
  ToBytes(pause, {}, bytes_);
  const auto direction = static_cast<uint32_t>(pause.direction);
  const uint32_t place = uint32_t{pause.port} << 16 | uint32_t{pause.priority} << 8 | direction;
  pauses_.Add({AsUnsigned(pause.start), TwoNumbers(pause.node, place), begun.number, 0, 0}, bytes_);
}

void StreamedRecords::Add(const MessageApart& apart) {
  constexpr size_t kMostWaiting = size_t{1} << 14;
  if (waiting_.size() == kMostWaiting) PutWaiting();
  apart.AddTo(waiting_.try_emplace(apart.message, MessageApart{apart.message}).first->second);
}

void StreamedRecords::PutWaiting() {
  for (const auto& [message, apart] : waiting_)
    apart_.Add({0, 0, 0, 0, message}, std::as_bytes(std::span(&apart, 1)));
  waiting_.clear();
}

/// Gives READs the numbers that they would have in a run in one part: those of one source may be posted on
/// several ranks, or in several parts, which run one after another.
void StreamedRecords::ForEachMessage(const std::function<void(const MessageView&)>& use) {
  PutWaiting();
  ApartEntries apart(apart_);
  std::vector<WaitRecord> waits;
  std::unordered_map<uint64_t, uint32_t> numbers;  // next number, by workload and source
  messages_.ForEach([&](const SortedRuns::Key& key, std::span<const std::byte> bytes) {
    auto stored = Unpacked<StoredMessage>(bytes, waits);
    stored.record.number = numbers[key[1]]++;
    apart.AddTo(NumberIn(key), stored.record);
    if (ideal_) stored.record.ideal = ideal_(stored.record);
    use({stored.record, stored.split ? &stored.parts : nullptr, waits});
  });
}

void StreamedRecords::ForEachOperation(const std::function<void(const OperationView&)>& use) {
  std::vector<WaitRecord> waits;
  operations_.ForEach([&](const SortedRuns::Key& key, std::span<const std::byte> bytes) {
    const OperationRecord o = Restored(Unpacked<StoredOperation>(bytes, waits), key);
    use({o, waits});
  });
}

void StreamedRecords::ForEachPause(const std::function<void(const PauseRecord&)>& use) {
  pauses_.ForEach(
      [&](const SortedRuns::Key&, std::span<const std::byte> bytes) { use(HeadOf<PauseRecord>(bytes)); });
}

}  // namespace headroom
