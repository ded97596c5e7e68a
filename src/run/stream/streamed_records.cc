#include "run/stream/streamed_records.h"

#include <fmt/format.h>

#include <cstring>
#include <map>

namespace headroom {

namespace fs = std::filesystem;

namespace {

void Join(const Traffic::Apart& more, Traffic::Apart& sum) {
  sum.marked_packets += more.marked_packets;
  sum.retransmitted_packets += more.retransmitted_packets;
  if (more.delivered != kNever) sum.delivered = more.delivered;
}
void Join(const Traffic::Apart& more, MessageRecord& record) {
  record.marked_packets += more.marked_packets;
  record.retransmitted_packets += more.retransmitted_packets;
  if (more.delivered != kNever) record.delivered = more.delivered;
}

Traffic::Apart ApartOf(std::span<const std::byte> bytes) {
  Traffic::Apart apart;
  std::memcpy(&apart, bytes.data(), sizeof apart);
  return apart;
}

/// Finds what came apart from each message. Messages are asked for almost in the order of their numbers, so
/// few entries are in memory.
class ApartEntries {
 public:
  explicit ApartEntries(SortedRuns& log) : at_(log), more_(at_.Next()) {}
  void AddTo(uint32_t message, MessageRecord& record) {
    for (; more_; more_ = at_.Next()) {
      const Traffic::Apart apart = ApartOf(at_.bytes());
      if (apart.message > message) break;
      Join(apart, waiting_[apart.message]);
    }
    const auto found = waiting_.find(message);
    if (found == waiting_.end()) return;
    Join(found->second, record);
    waiting_.erase(found);
  }

 private:
  SortedRuns::Cursor at_;
  bool more_;
  std::map<uint32_t, Traffic::Apart> waiting_;
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

void StreamedRecords::Put(Log log, const SortedRuns::Key& key, std::span<const std::byte> bytes) {
  switch (log) {
    case Log::messages:
      return PutMessage(key, bytes);
    case Log::apart:
      return PutApart(ApartOf(bytes));
    case Log::operations:
      return operations_.Add(key, bytes);
    case Log::pauses:
      return pauses_.Add(key, bytes);
  }
}

void StreamedRecords::PutMessage(const SortedRuns::Key& key, std::span<const std::byte> bytes) {
  const auto apart = waiting_.find(NumberIn(key));
  if (apart == waiting_.end()) return messages_.Add(key, bytes);
  std::vector<std::byte> joined(bytes.begin(), bytes.end());
  StoredMessage message;
  std::memcpy(&message, joined.data(), sizeof message);
  Join(apart->second, message.record);
  std::memcpy(joined.data(), &message, sizeof message);
  messages_.Add(key, joined);
  waiting_.erase(apart);
}

void StreamedRecords::PutApart(const Traffic::Apart& apart) {
  constexpr size_t kMostWaiting = size_t{1} << 14;
  if (waiting_.size() == kMostWaiting) PutWaiting();
  const auto [at, fresh] = waiting_.try_emplace(apart.message, apart);
  if (!fresh) Join(apart, at->second);
}

void StreamedRecords::PutWaiting() {
  for (const auto& [message, apart] : waiting_)
    apart_.Add({0, 0, 0, 0, message}, std::as_bytes(std::span(&apart, 1)));
  waiting_.clear();
}

void StreamedRecords::Pack(int, Packer& to) {
  Packet nothing;
  to(nothing);
}

void StreamedRecords::Unpack(int, Unpacker& from) {
  Packet sent;
  from(sent);
  for (Unpacker each(sent); !each.AtEnd();) {
    Sending sending;
    each(sending);
    Put(sending.log, sending.key, sending.bytes);
  }
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
  std::vector<WaitRecord> none;
  pauses_.ForEach([&](const SortedRuns::Key&, std::span<const std::byte> bytes) {
    use(Unpacked<PauseRecord>(bytes, none));
  });
}

}  // namespace headroom
