#include "protocol/keyvalue/herd_service.h"

#include <algorithm>
#include <bit>

#include "protocol/keyvalue/item.h"

namespace headroom {

namespace {

/// An answer's flags: whether it has a value, and the key's mark.
constexpr uint32_t kHit = 1;

LoadedCache::Parameters CacheOf(const KeyValueParameters& p, const ServiceLoad& load) {
  LoadedCache::Parameters c;
  const auto buckets = static_cast<uint64_t>(p.index_keys) / MicaBucket::kSlots;
  c.cache.buckets = std::bit_ceil(std::max<uint64_t>(buckets, 1));
  c.cache.log = static_cast<uint64_t>(p.log.v) / 8 * 8;
  c.cache.largest_value = static_cast<uint32_t>(std::max<int64_t>(load.largest.v, 1));
  c.records = static_cast<uint64_t>(load.keys);
  c.partitions = p.server_processes();
  c.value = static_cast<uint32_t>(load.largest.v);
  return c;
}

}  // namespace

SlotExchangeParameters HerdService::ParametersOf(const KeyValueParameters& p, const ServiceLoad& load) {
  constexpr Bytes kMostInline{257};
  constexpr int kSignalRequests = 512;  // the authors' code
  SlotExchangeParameters e;
  e.request = {{Operation::write, Transport::uc, true, kSignalRequests}, kMostInline};
  e.reply = {{Operation::send, Transport::ud, true, p.signal_every}, p.inline_below};
  e.longest_answer = std::max(1u, static_cast<uint32_t>(load.largest.v));
  return e;
}

HerdService::HerdService(const KeyValueParameters& parameters, const ServiceGround& ground)
    : CalledService(parameters, ground, ParametersOf(parameters, ground.load)) {
  for (uint32_t s = 0; s < p_.server_processes(); ++s) caches_.emplace_back(CacheOf(p_, ground.load));
}

uint32_t HerdService::Encode(uint32_t token, std::span<uint8_t> request) {
  const Asked& a = asked(token);
  if (!a.puts) return EncodeKey(a.key, request);
  return EncodeItem(a.key, NextVersion(token), a.bytes, request);
}

/// ProcessCosts::request includes accesses to its cache, which prefetches them.
int HerdService::AccessesOf(uint32_t, std::span<const uint8_t> request) {
  if (p_.prefetch) return 0;
  constexpr int kOfGet = 2, kOfPut = 1;
  return ItemIn(request).puts ? kOfPut : kOfGet;
}

SlotExchangeAnswer HerdService::Execute(uint32_t process, std::span<const uint8_t> request,
                                        std::span<uint8_t> answer) {
  const Item item = ItemIn(request);
  const uint32_t check = CheckOf(item.key) << 1;
  if (item.puts) {
    caches_[process].Put(item.key, item.value);
  } else if (const auto length = caches_[process].Get(item.key, answer)) {
    return {*length, check | kHit};
  }
  answer[0] = 0;
  return {1, check};
}

std::optional<uint32_t> HerdService::Mark(uint32_t token) { return CheckOf(asked(token).key); }

bool HerdService::OnAnswer(uint32_t token, std::span<const uint8_t> answer, uint32_t says) {
  const Asked& a = asked(token);
  if (says >> 1 != CheckOf(a.key)) return false;
  Account(token);
  const bool puts = a.puts;
  if (puts) TakeDone(token, true);
  Proceed(token, puts || TakeValue(token, (says & kHit) == 0 ? std::nullopt : std::optional(answer)));
  return true;
}

void HerdService::AddTo(KeyValueRecord& record) {
  for (const LoadedCache& cache : caches_) {
    record.hits += cache.hits();
    record.misses += cache.misses();
    record.evicted += cache.counters().evicted;
    record.overwritten += cache.counters().overwritten;
  }
}

static const ServiceType kHerd{"herd", &MakeAs<HerdService, KeyValueParameters>};

}  // namespace headroom
