#include "protocol/storage/extent_node.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "protocol/storage/extent_map.h"

namespace headroom {

ExtentNode::ExtentNode(const StorageParameters& parameters, NodeId id, const std::string& name,
                       uint32_t context, Trail* trail, AppendLog* log)
    : parameters_(parameters), id_(id), log_(log), disk_(parameters.disk, context, trail, name + "/disk") {}

/// Initial contents of disks exist from the beginning.
ExtentNode::Extent& ExtentNode::Find(uint32_t number) {
  const auto [at, added] = extents_.try_emplace(number);
  if (added && number < FirstNewExtent(parameters_))
    at->second.written[0] = static_cast<uint64_t>(parameters_.extent.v);
  return at->second;
}

void ExtentNode::Execute(StorageCall call, Reply reply) {
  if (call.kind == OperationKind::read) {
    Read(std::move(call), std::move(reply));
  } else {
    Append(std::move(call), std::move(reply));
  }
}

bool ExtentNode::Has(const Extent& extent, uint64_t begin, uint64_t end) const {
  const auto next = extent.written.upper_bound(begin);
  return next != extent.written.begin() && std::prev(next)->second >= end;
}

/// Whether any byte of the range is written or being written.
bool ExtentNode::Touches(const Extent& extent, uint64_t begin, uint64_t end) {
  const auto written = extent.written.lower_bound(end);
  if (written != extent.written.begin() && std::prev(written)->second > begin) return true;
  const auto coming = extent.open_appends.lower_bound(end);
  return coming != extent.open_appends.begin() && std::prev(coming)->second.end > begin;
}

void ExtentNode::Append(StorageCall call, Reply reply) {
  const uint64_t begin = call.place.offset, end = begin + call.length;
  Extent& extent = Find(call.place.object);
  if (Touches(extent, begin, end)) {
    const auto coming = extent.open_appends.find(begin);
    if (coming != extent.open_appends.end() && coming->second.end == end &&
        coming->second.bytes == call.bytes) {
      ++counters_.repeated;
      coming->second.asked.push_back(std::move(reply));
      return;
    }
    const bool same = Has(extent, begin, end) && extent.bytes.Read(begin, call.bytes.size()) == call.bytes;
    ++(same ? counters_.repeated : counters_.conflicts);
    return reply(same ? OperationStatus::ok : OperationStatus::failed, {});
  }
  OpenAppend& append = extent.open_appends[begin];
  append.end = end;
  append.bytes = std::move(call.bytes);
  append.asked.push_back(std::move(reply));
  const uint32_t number = call.place.object;
  disk_.Execute(std::move(call), [this, number, begin](OperationStatus, const std::vector<uint8_t>&) {
    OnAppended(number, begin);
  });
}

void ExtentNode::OnAppended(uint32_t number, uint64_t offset) {
  Extent& extent = extents_.at(number);
  auto coming = extent.open_appends.extract(offset);
  OpenAppend& append = coming.mapped();
  ++counters_.appends;
  extent.bytes.Write(offset, append.bytes);
  auto here = extent.written.emplace(offset, append.end).first;
  if (const auto next = std::next(here); next != extent.written.end() && next->first == here->second) {
    here->second = next->second;
    extent.written.erase(next);
  }
  if (here != extent.written.begin() && std::prev(here)->second == offset) {
    std::prev(here)->second = here->second;
    extent.written.erase(here);
  }
  if (log_ != nullptr)
    log_->Execute(id_, number, offset, static_cast<uint32_t>(append.end - offset), EventQueue::Get().now());
  for (const Reply& reply : append.asked) reply(OperationStatus::ok, {});
}

void ExtentNode::Read(StorageCall call, Reply reply) {
  const Extent& extent = Find(call.place.object);
  if (!Has(extent, call.place.offset, call.place.offset + call.length)) {
    ++counters_.missing;
    return reply(OperationStatus::failed, {});
  }
  std::vector<uint8_t> bytes;
  if (log_ != nullptr) bytes = extent.bytes.Read(call.place.offset, call.length);
  disk_.Execute(std::move(call), [reply = std::move(reply), bytes = std::move(bytes)](
                                     OperationStatus status, const std::vector<uint8_t>&) mutable {
    reply(status, std::move(bytes));
  });
}

}  // namespace headroom
