#include "protocol/keyvalue/herd_service.h"

#include <algorithm>
#include <bit>

#include "protocol/keyvalue/call_parts.h"
#include "protocol/keyvalue/exchange_parts.h"
#include "protocol/keyvalue/versioned_value.h"
#include "protocol/little_endian.h"

namespace headroom {

namespace {

constexpr uint32_t kLen = 2;
/// What an answer says: whether there is a value, and bits of the key that it is of.
constexpr uint32_t kHit = 1, kCheckBits = 21;

uint32_t CheckOf(const Key& key) { return static_cast<uint32_t>(key.high) & ((1u << kCheckBits) - 1); }

Key KeyhashIn(std::span<const uint8_t> request) {
  Key key;
  GetNumber(GetNumber(request.data() + request.size() - kKeyhash, key.low), key.high);
  return key;
}

ExchangeParameters ExchangeOf(const KeyValueParameters& p, const KeyValueLoad& load) {
  ExchangeParameters e;
  e.name = p.name;
  e.servers = p.servers;
  e.clients = p.clients;
  e.processes = static_cast<uint32_t>(p.processes);
  e.client_processes = static_cast<uint32_t>(p.client_processes);
  e.window = static_cast<uint32_t>(p.window);
  e.priority = p.priority;
  constexpr Bytes kMostInline{257};
  constexpr int kSignalRequests = 512;  // the authors' code
  e.request = {{Operation::write, Transport::uc, true, kSignalRequests}, kMostInline};
  e.reply = {{Operation::send, Transport::ud, true, p.signal_every}, p.inline_below};
  e.longest_answer = std::max(1u, static_cast<uint32_t>(load.value.v));
  e.costs = p.costs;
  e.prefetch = p.prefetch;
  e.empty_polls = p.empty_polls;
  e.timeout = p.timeout;
  e.retries = p.retries;
  return e;
}

LoadedCache::Parameters CacheOf(const KeyValueParameters& p, const KeyValueLoad& load) {
  LoadedCache::Parameters c;
  const auto buckets = static_cast<uint64_t>(p.index_keys) / MicaBucket::kSlots;
  c.cache.buckets = std::bit_ceil(std::max<uint64_t>(buckets, 1));
  c.cache.log = static_cast<uint64_t>(p.log.v) / 8 * 8;
  c.cache.largest_value = static_cast<uint32_t>(std::max<int64_t>(load.value.v, 1));
  c.records = static_cast<uint64_t>(load.keys);
  c.partitions = p.server_processes();
  c.value = static_cast<uint32_t>(load.value.v);
  return c;
}

}  // namespace

HerdService::HerdService(const KeyValueParameters& parameters, const KeyValueGround& ground)
    : p_(parameters), ground_(ground), client_of_(ground.hosts.size()), exchange_(ExchangeOf(p_, ground.load), ground_, *this, *this) {
  for (size_t i = 0; i < p_.clients.size(); ++i)
    client_of_[p_.clients[i]] = static_cast<uint32_t>(i) * static_cast<uint32_t>(p_.client_processes);
  for (uint32_t s = 0; s < p_.server_processes(); ++s) caches_.emplace_back(CacheOf(p_, ground.load));
}

void HerdService::Submit(const OperationRequest& request) {
  if (request.operation >= asked_.size()) asked_.resize(request.operation + 1);
  Asked& a = asked_[request.operation];
  a = {};
  a.key = KeyOfRecord(request.address);
  a.client = client_of_[request.client] + request.stream;
  a.server = static_cast<uint32_t>(a.key.high % p_.server_processes());
  a.bytes = request.bytes;
  a.modifies = request.kind == OperationKind::read_modify_write;
  a.puts = request.kind != OperationKind::get && !a.modifies;
  ground_.operations[request.operation].server = exchange_.HostOfServer(a.server);
  exchange_.Ask(a.client, a.server, request.operation);
}

uint32_t HerdService::Encode(uint32_t token, std::span<uint8_t> request) {
  Asked& a = asked_[token];
  uint8_t* const end = request.data() + request.size();
  PutNumber(end - kKeyhash, a.key.low);
  PutNumber(end - kKeyhash / 2, a.key.high);
  if (!a.puts) return kKeyhash;
  a.version = ++versions_;
  PutNumber(end - kKeyhash - kLen, static_cast<uint16_t>(a.bytes));
  FillVersion(a.key, a.version, {end - kKeyhash - kLen - a.bytes, a.bytes});
  return kKeyhash + kLen + a.bytes;
}

/// Those of its cache are in ProcessCosts::request, where they are prefetched.
int HerdService::AccessesOf(uint32_t, std::span<const uint8_t> request) {
  if (p_.prefetch) return 0;
  constexpr int kOfGet = 2, kOfPut = 1;
  return request.size() == kKeyhash ? kOfGet : kOfPut;
}

ExchangeAnswer HerdService::Execute(uint32_t process, std::span<const uint8_t> request, std::span<uint8_t> answer) {
  const Key key = KeyhashIn(request);
  const uint32_t check = CheckOf(key) << 1;
  if (request.size() == kKeyhash) {
    const auto length = caches_[process].Get(key, answer);
    if (length) return {*length, check | kHit};
  } else {
    caches_[process].Put(key, request.first(request.size() - kKeyhash - kLen));
  }
  answer[0] = 0;
  return {1, check};
}

bool HerdService::OnAnswer(uint32_t token, std::span<const uint8_t> answer, uint32_t says) {
  Asked& a = asked_[token];
  if (says >> 1 != CheckOf(a.key)) return false;
  OperationRecord& o = ground_.operations[token];
  const ExchangeTimes& t = exchange_.times();
  o.retries += t.retries;
  o.qp = t.qp;
  if (o.times.posted == kNever) o.times.posted = t.sent;
  if (ground_.operations.follows()) AddParts(t, a.parts);
  const bool wrong = (says & kHit) != 0 && !IsVersionOf(a.key, answer);
  wrong_ += wrong;
  if (a.modifies && !wrong) {
    a.modifies = false;
    a.puts = true;
    exchange_.Ask(a.client, a.server, token);
    return true;
  }
  ground_.operations.Complete(token, wrong ? OperationStatus::corrupt : OperationStatus::ok, a.parts);
  return true;
}

void HerdService::OnGivenUp(uint32_t token) {
  OperationRecord& o = ground_.operations[token];
  const ExchangeTimes& t = exchange_.times();
  o.retries += t.retries;
  if (ground_.operations.follows()) AddParts(t, asked_[token].parts);
  ground_.operations.Complete(token, OperationStatus::failed, asked_[token].parts);
}

KeyValueRecord HerdService::Record() {
  KeyValueRecord record;
  exchange_.Collect(record);
  record.wrong = wrong_;
  for (const LoadedCache& cache : caches_) {
    record.hits += cache.hits();
    record.misses += cache.misses();
    record.evicted += cache.counters().evicted;
    record.overwritten += cache.counters().overwritten;
  }
  return record;
}

}  // namespace headroom
