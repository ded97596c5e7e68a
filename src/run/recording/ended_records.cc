#include "run/recording/ended_records.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

namespace headroom {

namespace {

enum class Kind : uint8_t { message, operation, pause, apart, arrived };

/// The waits of one record go behind those of others. Sets their range.
void Append(std::span<const WaitRecord> waits, std::vector<WaitRecord>& all, uint32_t& first,
            uint32_t& count) {
  first = static_cast<uint32_t>(all.size());
  count = static_cast<uint32_t>(waits.size());
  all.insert(all.end(), waits.begin(), waits.end());
}

template <class... T>
void Put(Packet& to, Kind kind, T... values) {
  Packer pack(to);
  pack(kind, values...);
}

template <class T>
T Next(Unpacker& from) {
  T value{};
  from(value);
  return value;
}

std::vector<WaitRecord> AsList(std::span<const WaitRecord> waits) { return {waits.begin(), waits.end()}; }

}  // namespace

void EndedRecords::Pack(int, Packer& to) {
  Packet nothing;
  to(nothing);
}

void EndedRecords::Unpack(int, Unpacker& from) {
  const auto sent = Next<Packet>(from);
  for (Unpacker each(sent); !each.AtEnd();) {
    switch (Next<Kind>(each)) {
      case Kind::message: {
        const auto record = Next<MessageRecord>(each);
        const auto begun = Next<Begun>(each);
        const auto parts = Next<std::optional<MessageParts>>(each);
        const auto waits = Next<std::vector<WaitRecord>>(each);
        Add(MessageView{record, parts ? &*parts : nullptr, waits}, begun);
        break;
      }
      case Kind::operation: {
        const auto record = Next<OperationRecord>(each);
        Add(OperationView{record, Next<std::vector<WaitRecord>>(each)});
        break;
      }
      case Kind::pause: {
        const auto record = Next<PauseRecord>(each);
        Add(record, Next<Begun>(each));
        break;
      }
      case Kind::apart:
        Add(Next<MessageApart>(each));
        break;
      case Kind::arrived:
        Add(Next<ArrivedPackets>(each));
        break;
    }
  }
}

void SentRecords::Add(const MessageView& message, const Begun& begun) {
  const auto parts = message.parts == nullptr ? std::nullopt : std::optional(*message.parts);
  Put(unsent_, Kind::message, message.record, begun, parts, AsList(message.waits));
}
void SentRecords::Add(const OperationView& operation) {
  Put(unsent_, Kind::operation, operation.record, AsList(operation.waits));
}
void SentRecords::Add(const PauseRecord& pause, const Begun& begun) {
  Put(unsent_, Kind::pause, pause, begun);
}
void SentRecords::Add(const MessageApart& apart) { Put(unsent_, Kind::apart, apart); }
void SentRecords::Add(const ArrivedPackets& arrived) { Put(unsent_, Kind::arrived, arrived); }

void SentRecords::Pack(int to_rank, Packer& to) {
  Packet nothing;
  to(to_rank == 0 ? unsent_ : nothing);
}

void KeptRecords::Beginnings::Add(const Begun& begun) {
  numbers.push_back(begun.number);
  if (Parts::Get().Several()) places.push_back(begun.place);
}

std::vector<uint32_t> KeptRecords::Beginnings::ByNumber() const {
  std::vector<uint32_t> order(numbers.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [this](uint32_t a, uint32_t b) { return numbers[a] < numbers[b]; });
  return order;
}

std::vector<uint32_t> KeptRecords::Beginnings::Order() const {
  std::vector<uint32_t> order = ByNumber();
  if (places.empty()) return order;
  std::stable_sort(order.begin(), order.end(),
                   [this](uint32_t a, uint32_t b) { return places[a] < places[b]; });
  return order;
}

void KeptRecords::Add(const MessageView& message, const Begun& begun) {
  messages_.push_back(message.record);
  begun_messages_.Add(begun);
  if (message.parts == nullptr) return;
  MessageParts& parts = parts_.emplace_back(*message.parts);
  Append(message.waits, message_waits_, parts.first_wait, parts.waits);
}

void KeptRecords::Add(const OperationView& operation) {
  OperationRecord& o = operations_.emplace_back(operation.record);
  Append(operation.waits, operation_waits_, o.first_wait, o.waits);
}

void KeptRecords::Add(const PauseRecord& pause, const Begun& begun) {
  pauses_.push_back(pause);
  begun_pauses_.Add(begun);
}

void KeptRecords::JoinApart(const OnArrived& arrived) {
  if (apart_.empty() && arrived_.empty()) return;
  std::ranges::sort(apart_, {}, &MessageApart::message);
  std::ranges::sort(arrived_, {}, &ArrivedPackets::message);
  auto apart = apart_.begin();
  auto packets = arrived_.begin();
  for (const uint32_t i : begun_messages_.ByNumber()) {
    const uint32_t number = begun_messages_.numbers[i];
    for (; apart != apart_.end() && apart->message == number; ++apart) apart->AddTo(messages_[i]);
    for (; packets != arrived_.end() && packets->message == number; ++packets)
      arrived(*packets, messages_[i]);
  }
}

void KeptRecords::FindMessages(std::vector<DropRecord>& drops, const std::vector<uint32_t>& order) const {
  if (drops.empty()) return;
  std::unordered_map<uint32_t, uint32_t> indices;  // by number
  for (const DropRecord& drop : drops) indices.emplace(drop.message, kNoMessage);
  for (uint32_t i = 0; i < order.size(); ++i)
    if (const auto at = indices.find(begun_messages_.numbers[order[i]]); at != indices.end()) at->second = i;
  for (DropRecord& drop : drops) drop.message = indices.at(drop.message);
}

/// READs of one source may be posted in several parts, which count them separately: they get the numbers of a
/// run in one part.
std::vector<uint32_t> KeptRecords::MoveTo(RunRecord& record, const OnArrived& arrived) {
  JoinApart(arrived);
  const std::vector<uint32_t> order = begun_messages_.Order();
  FindMessages(record.drops, order);
  PutInOrder(messages_, order);
  if (!parts_.empty()) PutInOrder(parts_, order);
  if (!begun_messages_.places.empty()) {
    std::unordered_map<uint64_t, uint32_t> next;  // by workload and source
    for (MessageRecord& m : messages_) m.number = next[uint64_t{m.workload} << 32 | m.src]++;
  }
  std::ranges::sort(operations_, {}, [](const OperationRecord& o) { return RowKeyOf(o); });
  const std::vector<uint32_t> order_of_pauses = begun_pauses_.Order();
  PutInOrder(pauses_, order_of_pauses);
  PutInOrder(begun_pauses_.numbers, order_of_pauses);
  record.messages = std::move(messages_);
  record.message_parts = std::move(parts_);
  record.message_waits = std::move(message_waits_);
  record.operations = std::move(operations_);
  record.operation_waits = std::move(operation_waits_);
  record.pauses = std::move(pauses_);
  return std::move(begun_pauses_.numbers);
}

}  // namespace headroom
