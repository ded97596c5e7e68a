#include "nic/verbs/memory.h"

namespace headroom {
namespace {

constexpr uint32_t kVariantBits = 8;

/// The conditions of ibv_reg_mr: known rights, remote writing only with local, a range that does not wrap
/// around.
bool CanRegister(uint64_t addr, uint64_t length, unsigned access) {
  if ((access & ~unsigned{kLocalWrite | kRemoteWrite | kRemoteRead}) != 0) return false;
  if ((access & kRemoteWrite) != 0 && (access & kLocalWrite) == 0) return false;
  return length <= UINT64_MAX - addr;
}

/// Whether the content has the length of the range, or of all its prefixes.
bool Fits(std::span<const uint8_t> bytes, uint64_t length, const MemoryPrefix& prefix) {
  if (bytes.empty()) return true;
  if (prefix.stride == 0) return bytes.size() == length;
  return prefix.kept <= prefix.stride && length % prefix.stride == 0 &&
         bytes.size() == length / prefix.stride * prefix.kept;
}

}  // namespace

uint32_t Memory::PlaceOf(uint32_t key) { return key >> kVariantBits; }

MemoryRegion* Memory::Allocate() {
  MemoryRegion& region = regions_.emplace_back();
  region.lkey = region.rkey = static_cast<uint32_t>(regions_.size()) << kVariantBits;  // key 0 is never used
  return &region;
}

MemoryRegion* Memory::Register(uint64_t addr, uint64_t length, unsigned access, std::span<uint8_t> bytes,
                               const MemoryPrefix& prefix) {
  if (!CanRegister(addr, length, access) || !Fits(bytes, length, prefix)) return nullptr;
  MemoryRegion* region = Allocate();
  region->addr = addr;
  region->length = length;
  region->access = access;
  region->bytes = bytes;
  region->prefix = prefix;
  region->valid = true;
  return region;
}

MemoryRegion* Memory::Register(uint64_t addr, uint64_t stride, unsigned access, BufferContents& contents) {
  if (contents.bytes() > stride) return nullptr;
  MemoryRegion* region = Register(addr, stride * contents.buffers(), access, {});
  if (region == nullptr) return nullptr;
  region->prefix = {stride, contents.bytes()};
  region->contents = &contents;
  return region;
}

const MemoryRegion* Memory::RegionOf(uint32_t key) const {
  const uint32_t place = PlaceOf(key);
  return place == 0 || place > regions_.size() ? nullptr : &regions_[place - 1];
}

MemoryRegion* Memory::RegionOf(uint32_t key) {
  return const_cast<MemoryRegion*>(static_cast<const Memory*>(this)->RegionOf(key));
}

MemoryRange Memory::Find(uint32_t key, uint64_t addr, uint64_t size, unsigned access) const {
  if (size == 0) return {.ok = true};
  const MemoryRegion* region = RegionOf(key);
  if (region == nullptr || !region->valid || region->rkey != key) return {};
  if ((region->access & access) != access || !region->Covers(addr, size)) return {};
  if (region->bytes.empty() && region->contents == nullptr) return {true, nullptr, 0, region, addr};
  const uint64_t offset = addr - region->addr;
  const auto& [stride, kept] = region->prefix;
  if (stride == 0) return {true, region->bytes.data() + offset, size, region, addr};
  const uint64_t in = offset % stride;
  if (in >= kept) return {true, nullptr, 0, region, addr};
  const uint64_t buffer = offset / stride;
  uint8_t* const content = region->contents != nullptr ? region->contents->At(static_cast<uint32_t>(buffer))
                                                       : region->bytes.data() + buffer * kept;
  return {true, content + in, std::min(size, kept - in), region, addr};
}

MemoryRange Memory::FindLocal(const Sge& sge, unsigned access) const {
  if (sge.lkey == 0) return {.ok = true};
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
  region->prefix = {};
  region->contents = nullptr;
  region->valid = true;
  Forget(*region);
  return true;
}

void Memory::Deregister(MemoryRegion& region) {
  region.valid = false;
  Forget(region);
}

/// Forgets the region's damage, because other memory replaces it.
void Memory::Forget(const MemoryRegion& region) {
  if (!damage.empty()) damage.Clear(PlaceOf(region.rkey), 0, UINT64_MAX);
}

/// Arriving payload may already be damaged, or the fault may damage it now.
bool Memory::Break(const MemoryRange& range, uint64_t offset, uint64_t length, const FrameExtension* e) {
  const uint32_t place = PlaceOf(range.region->rkey);
  const uint64_t addr = range.addr + offset;
  damage.Clear(place, addr, length);
  if (e != nullptr && e->damaged != 0) damage.Note(place, addr + e->damaged - 1);
  const auto hit = damage.Strike(length);
  if (!hit) return false;
  if (offset + hit->at < range.carried) {
    range.content[offset + hit->at] ^= hit->flip;
  } else {
    damage.Note(place, addr + hit->at);
  }
  return true;
}

bool Memory::Invalidate(uint32_t key) {
  MemoryRegion* region = RegionOf(key);
  if (region == nullptr || !region->valid || region->rkey != key) return false;
  region->valid = false;
  return true;
}

}  // namespace headroom
