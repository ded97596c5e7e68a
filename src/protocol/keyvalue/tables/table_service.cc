#include "protocol/keyvalue/tables/table_service.h"

#include "protocol/keyvalue/item.h"
#include "protocol/keyvalue/tables/emulated_tables.h"
#include "protocol/keyvalue/tables/real_tables.h"

namespace headroom {

SlotExchangeParameters TableService::ParametersOf(const KeyValueParameters& p, const ServiceLoad&) {
  constexpr int kSignal = 64;
  const Operation verb = p.system == KeyValueSystem::pilaf ? Operation::send : Operation::write;
  SlotExchangeParameters e;
  e.request.method = e.reply.method = {verb, Transport::uc, true, kSignal};
  e.longest_answer = 1;
  return e;
}

Reads::Parameters TableService::ReadsOf(const KeyValueParameters& p, const ServiceLoad& load, bool content) {
  Reads::Parameters r;
  r.client_processes = static_cast<uint32_t>(p.client_processes);
  r.window = static_cast<uint32_t>(p.window);
  r.content = content;
  const auto item = static_cast<uint32_t>((load.key + load.largest).v);
  r.longest = std::max({HopscotchLayout::kNeighbourhood * item, CuckooEntry::kBytes,
                        HopscotchLayout::kNeighbourhood * static_cast<uint32_t>((load.key + p.pointer).v)});
  return r;
}

std::unique_ptr<ReadTables> MakeReadTables(const KeyValueParameters& p, const ServiceGround& ground) {
  if (!p.tables) return std::make_unique<EmulatedTables>(p, ground);
  if (p.system == KeyValueSystem::pilaf) return std::make_unique<CuckooTables>(p, ground);
  return std::make_unique<HopscotchTables>(p, ground);
}

TableService::TableService(const KeyValueParameters& parameters, const ServiceGround& ground)
    : CalledService(parameters, ground, ParametersOf(parameters, ground.load)),
      tables_(MakeReadTables(p_, ground_)),
      reads_(ReadsOf(p_, ground_.load, tables_->real()), p_, ground_, *this, exchange_) {}

void TableService::ForEachQueuePair(const UseQueuePair& use) const {
  exchange_.ForEachQueuePair(use);
  reads_.ForEachQueuePair(use);
}

void TableService::Begin(uint32_t token) {
  const Asked& a = asked(token);
  if (a.puts) return exchange_.Ask(a.client, ProcessFor(a), token);
  if (token >= gets_.size()) gets_.resize(token + 1);
  gets_[token] = tables_->Get(a.client, a.server, a.key);
  ReadNext(token);
}

/// Any process of its server may write a key, so each client uses its own.
uint32_t TableService::ProcessFor(const Asked& a) const {
  const auto each = static_cast<uint32_t>(p_.processes);
  return a.server / each * each + a.client % each;
}

void TableService::ReadNext(uint32_t token) {
  const Asked& a = asked(token);
  if (const auto read = gets_[token]->Next())
    return reads_.Post(a.client, a.server / static_cast<uint32_t>(p_.processes), token, read->rkey,
                       read->address, read->bytes);
  const auto value = gets_[token]->Value();
  torn_ += gets_[token]->torn();
  const bool right = !tables_->real() || TakeValue(token, value);
  (value ? hits_ : misses_) += 1;
  gets_[token].reset();
  Proceed(token, right);
}

void TableService::OnRead(uint32_t token, std::span<const uint8_t> data, bool right) {
  OperationRecord& o = ground_.operations[token];
  if (o.times.posted == kNever) o.times.posted = reads_.sent();
  if (!right) {
    gets_[token].reset();
    return End(token, OperationStatus::failed);
  }
  gets_[token]->Take(data);
  ReadNext(token);
}

int TableService::AccessesOf(uint32_t, std::span<const uint8_t>) { return 0; }

SlotExchangeAnswer TableService::Execute(uint32_t, std::span<const uint8_t> request,
                                         std::span<uint8_t> answer) {
  const Item item = ItemIn(request);
  answer[0] = tables_->Put(PartOf(item.key), item.key, item.value);
  return {1, CheckOf(item.key)};
}

uint32_t TableService::Encode(uint32_t token, std::span<uint8_t> request) {
  const Asked& a = asked(token);
  return EncodeItem(a.key, NextVersion(token), a.bytes, request);
}

std::optional<uint32_t> TableService::Mark(uint32_t token) {
  if (p_.system != KeyValueSystem::pilaf) return std::nullopt;
  return CheckOf(asked(token).key);
}

/// A WRITE shows only that it arrived.
bool TableService::OnAnswer(uint32_t token, std::span<const uint8_t> answer, uint32_t says) {
  if (p_.system == KeyValueSystem::pilaf && says != CheckOf(asked(token).key)) return false;
  Account(token);
  TakeDone(token, answer[0] != 0);
  Proceed(token, true);
  return true;
}

void TableService::AddTo(KeyValueRecord& record) {
  record.hits = hits_;
  record.misses = misses_;
  record.torn = torn_;
  record.refused = tables_->refused();
  record.reads = reads_.posted();
}

static const ServiceType kPilaf{"pilaf", &MakeAs<TableService, KeyValueParameters>};
static const ServiceType kFarm{"farm", &MakeAs<TableService, KeyValueParameters>};
static const ServiceType kFarmVar{"farm_var", &MakeAs<TableService, KeyValueParameters>};

}  // namespace headroom
