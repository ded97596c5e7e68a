#include "nic/verbs/memory.h"

namespace headroom {
namespace {

constexpr uint32_t kVariantBits = 8;

/// What ibv_reg_mr takes: known rights, remote writing only with local, a range that does not wrap around.
bool CanRegister(uint64_t addr, uint64_t length, unsigned access) {
  if ((access & ~unsigned{kLocalWrite | kRemoteWrite | kRemoteRead}) != 0) return false;
  if ((access & kRemoteWrite) != 0 && (access & kLocalWrite) == 0) return false;
  return length <= UINT64_MAX - addr;
}

}  // namespace

MemoryRegion* Memory::Allocate() {
  MemoryRegion& region = regions_.emplace_back();
  region.lkey = region.rkey = static_cast<uint32_t>(regions_.size()) << kVariantBits;  // key 0 stays free
  return &region;
}

MemoryRegion* Memory::Register(uint64_t addr, uint64_t length, unsigned access, std::span<uint8_t> bytes) {
  if (!CanRegister(addr, length, access) || (!bytes.empty() && bytes.size() != length)) return nullptr;
  MemoryRegion* region = Allocate();
  region->addr = addr;
  region->length = length;
  region->access = access;
  region->bytes = bytes;
  region->valid = true;
  return region;
}

const MemoryRegion* Memory::RegionOf(uint32_t key) const {
  const uint32_t place = key >> kVariantBits;
  return place == 0 || place > regions_.size() ? nullptr : &regions_[place - 1];
}

MemoryRegion* Memory::RegionOf(uint32_t key) {
  return const_cast<MemoryRegion*>(static_cast<const Memory*>(this)->RegionOf(key));
}

MemoryRange Memory::Find(uint32_t key, uint64_t addr, uint64_t size, unsigned access) const {
  if (size == 0) return {true, nullptr, nullptr};
  const MemoryRegion* region = RegionOf(key);
  if (region == nullptr || !region->valid || region->rkey != key) return {};
  if ((region->access & access) != access || !region->Covers(addr, size)) return {};
  return {true, region->bytes.empty() ? nullptr : region->bytes.data() + (addr - region->addr),
          region->watch};
}

MemoryRange Memory::FindLocal(const Sge& sge, unsigned access) const {
  if (sge.lkey == 0) return {true, nullptr, nullptr};
  return Find(sge.lkey, sge.addr, sge.length, access);
}

bool Memory::Bind(const SendWr& wr) {
  MemoryRegion* region = RegionOf(wr.key);
  if (region == nullptr || region != wr.mr || region->valid) return false;
  if (!CanRegister(wr.sge.addr, wr.sge.length, wr.access)) return false;
  region->lkey = region->rkey = wr.key;
  region->addr = wr.sge.addr;
  region->length = wr.sge.length;
  region->access = wr.access;
  region->bytes = wr.content == nullptr ? std::span<uint8_t>() : std::span(wr.content, wr.sge.length);
  region->valid = true;
  return true;
}

bool Memory::Invalidate(uint32_t key) {
  MemoryRegion* region = RegionOf(key);
  if (region == nullptr || !region->valid || region->rkey != key) return false;
  region->valid = false;
  return true;
}

}  // namespace headroom
