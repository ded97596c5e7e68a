#include "protocol/storage/partition_server.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

namespace headroom {

namespace {

constexpr int kTries = 3;  ///< tries of a read whose bytes moved

}  // namespace

PartitionServer::PartitionServer(const StorageParameters& parameters, ExtentMap& extents,
                                 const std::string& name, Process& process, DelayedCalls& delayed_calls,
                                 AppendLog* log, AskNode ask)
    : parameters_(parameters),
      extents_(extents),
      process_(process),
      delayed_calls_(delayed_calls),
      log_(log),
      ask_(std::move(ask)),
      reader_(parameters, extents, name, process, delayed_calls, ask_) {}

void PartitionServer::Execute(StorageCall call, Reply reply) {
  if (call.kind == OperationKind::read) return Read(std::move(call), std::move(reply), kTries);
  Disk& disk = DiskOf(call.place.object);
  Append append;
  append.call = std::move(call);
  append.reply = std::move(reply);
  Write(disk, std::move(append));
}

PartitionServer::Disk& PartitionServer::DiskOf(uint32_t number) {
  const auto at = disks_.find(number);
  if (at != disks_.end()) return at->second;
  const ExtentIndex index(parameters_.disk_size, parameters_.extent, extents_.FirstOf(number));
  return disks_.try_emplace(number, number, index, parameters_.seal).first->second;
}

void PartitionServer::Write(Disk& disk, Append append) {
  if (disk.sealing) return disk.waiting.push_back(std::move(append));
  const uint32_t length = append.call.length;
  if (!disk.active ||
      disk.open.at(*disk.active).length + length > static_cast<uint64_t>(parameters_.extent.v))
    Begin(disk);
  const uint32_t number = *disk.active;
  Extent& extent = disk.open.at(number);
  append.offset = extent.length;
  append.begun = EventQueue::Get().now();
  append.unanswered = (1u << extent.nodes.size()) - 1;
  extent.length += length;
  if (log_ != nullptr) append.logged = Log(append, number, extent.nodes.size());
  const uint64_t place = extent.first + extent.appends.size();
  StorageCall call;
  call.kind = OperationKind::write;
  call.place = {number, append.offset};
  call.length = length;
  call.request = append.call.request;
  call.bytes = append.call.bytes;
  extent.appends.push_back(std::move(append));
  if (const Time timeout = disk.timeout.Begin(EventQueue::Get().now()); timeout > Time(0)) {
    delayed_calls_.After(timeout, [this, &disk, number, place] {
      const auto at = disk.open.find(number);
      if (at == disk.open.end() || place < at->second.first) return;
      const Append& late = at->second.appends[place - at->second.first];
      if (late.unanswered != 0) Seal(disk, number, std::countr_zero(late.unanswered), Why::late);
    });
  }
  const std::vector<NodeId> nodes = extent.nodes;  // an immediate answer may end the extent
  for (size_t i = 0; i < nodes.size(); ++i) Replicate(disk, number, place, i, nodes[i], call);
}

uint32_t PartitionServer::Log(const Append& append, uint32_t extent, size_t replicas) const {
  const uint64_t address = append.call.place.offset;
  const std::vector<WriteId> ids = WriteIdsIn(address, append.call.bytes);
  return log_->Place(extent, append.offset, append.call.length, static_cast<int>(replicas),
                     ids.empty() || append.copied ? 0 : ids.front(), address, EventQueue::Get().now());
}

void PartitionServer::Replicate(Disk& disk, uint32_t extent, uint64_t place, size_t replica, NodeId node,
                                const StorageCall& call) {
  ask_(node, call, [this, &disk, extent, place, replica, node, call](const StorageAnswer& answer) {
    if (answer.status == OperationStatus::corrupt)  // corrupted in transit
      return Replicate(disk, extent, place, replica, node, call);
    OnAppended(disk, extent, place, replica, answer.status);
  });
}

/// Begins the next extent, on nodes that have not refused.
void PartitionServer::Begin(Disk& disk) {
  if (disk.active) {
    ++counters_.filled;
    const auto full = disk.open.find(*disk.active);
    if (full->second.appends.empty()) {
      sealed_.push_back({disk.number, full->first, full->second.length});
      disk.open.erase(full);
    }
  }
  for (int tries = 0;; ++tries) {
    const uint32_t number = extents_.New();
    std::vector<NodeId> nodes = extents_.NodesOf(number);
    const bool refused = std::ranges::any_of(
        nodes, [&](NodeId node) { return std::ranges::find(disk.avoided, node) != disk.avoided.end(); });
    if (refused && tries < kPlaces) continue;
    if (refused) disk.avoided.clear();  // no other nodes are left
    disk.active = number;
    disk.open[number].nodes = std::move(nodes);
    return;
  }
}

void PartitionServer::OnAppended(Disk& disk, uint32_t number, uint64_t place, size_t replica,
                                 OperationStatus status) {
  const auto at = disk.open.find(number);
  if (at == disk.open.end() || place < at->second.first) return;  // sealed, or already answered
  if (status != OperationStatus::ok) {
    ++counters_.refused;
    return Seal(disk, number, replica, Why::refused);
  }
  Append& append = at->second.appends[place - at->second.first];
  append.unanswered &= ~(1u << replica);
  const bool early = parameters_.bugs.early_answer && std::popcount(append.unanswered) == 1;
  if (append.unanswered != 0 && !early) return;
  append.whole = true;
  append.since = process_.step();
  disk.timeout.OnAnswered(append.begun, EventQueue::Get().now());
  Acknowledge(disk, number, at->second);
}

/// Acknowledges all appends that may be acknowledged, in the order of the extent.
void PartitionServer::Acknowledge(Disk& disk, uint32_t number, Extent& extent) {
  std::vector<Append> done;
  while (!extent.appends.empty() && extent.appends.front().whole) {
    done.push_back(std::move(extent.appends.front()));
    extent.appends.pop_front();
    ++extent.first;
  }
  if (extent.appends.empty() && disk.active != number) {
    sealed_.push_back({disk.number, number, extent.length});
    disk.open.erase(number);
  }
  for (Append& append : done) {
    if (log_ != nullptr) log_->Acknowledge(append.logged, EventQueue::Get().now());
    if (append.copied) {
      append.copied(disk.index.Move(append.call.place.offset, append.call.length, append.from,
                                    {number, append.offset}));
      continue;
    }
    ++counters_.appends;
    counters_.appended_bytes += append.call.length;
    const auto found = [&disk, offset = append.call.place.offset, length = append.call.length, number,
                        at = append.offset] {
      disk.index.Put(offset, length, {number, at});
    };
    if (parameters_.bugs.stale_reads) {
      delayed_calls_.After(parameters_.seal.takes, found);
    } else {
      found();
    }
    const Trail::CurrentStep step(process_.trail(), process_.StepSince(append.since, OperationPart::order));
    append.reply(OperationStatus::ok, {});
  }
}

/// One of its nodes has refused, or has not answered in time. Appends without an acknowledgement are repeated
/// in another extent.
void PartitionServer::Seal(Disk& disk, uint32_t number, size_t replica, Why why) {
  const auto at = disk.open.find(number);
  ++counters_.seals;
  disk.avoided.push_back(at->second.nodes[replica]);
  const uint64_t acknowledged = at->second.appends.front().offset;
  if (acknowledged > 0) sealed_.push_back({disk.number, number, acknowledged});
  for (Append& append : at->second.appends) {
    append.whole = false;
    if (log_ != nullptr) log_->Abandon(append.logged);
    disk.waiting.push_back(std::move(append));
  }
  disk.open.erase(at);
  if (disk.active == number) disk.active.reset();
  if (std::exchange(disk.sealing, true)) return;
  delayed_calls_.After(parameters_.seal.takes, [this, &disk, why] {
    disk.sealing = false;
    if (why == Why::late) disk.timeout.OnSealed(EventQueue::Get().now());
    for (Append& append : std::exchange(disk.waiting, {})) Write(disk, std::move(append));
  });
}

void PartitionServer::Forget(uint32_t extent) {
  std::erase_if(sealed_, [&](const Sealed& sealed) { return sealed.extent == extent; });
}

void PartitionServer::Copy(uint32_t number, uint64_t address, const StoragePlace& from, uint32_t length,
                           std::vector<uint8_t> bytes, std::function<void(uint64_t)> done) {
  Append append;
  append.call = {OperationKind::write, {number, address}, length, {}, std::move(bytes)};
  append.from = from;
  append.copied = std::move(done);
  Write(DiskOf(number), std::move(append));
}

/// Reads the parts separately, and answers once all have arrived.
void PartitionServer::Read(StorageCall call, Reply reply, int tries) {
  struct Reading {
    StorageCall call;
    Reply reply;
    size_t open = 0;
    bool failed = false;
    std::vector<uint8_t> bytes;
  };
  const std::vector<ExtentIndex::Part> parts =
      DiskOf(call.place.object).index.Find(call.place.offset, call.length);
  const auto reading =
      std::make_shared<Reading>(Reading{std::move(call), std::move(reply), parts.size(), {}, {}});
  for (const ExtentIndex::Part& part : parts) {
    const uint64_t at = part.address - reading->call.place.offset;
    reader_.Read(part.place, static_cast<uint32_t>(part.length), reading->call.request,
                 [this, reading, at, tries](OperationStatus status, const std::vector<uint8_t>& bytes) {
                   Reading& r = *reading;
                   r.failed = r.failed || status != OperationStatus::ok;
                   if (!bytes.empty()) {
                     r.bytes.resize(r.call.length);
                     std::ranges::copy(bytes, r.bytes.begin() + static_cast<ptrdiff_t>(at));
                   }
                   if (--r.open > 0) return;
                   if (r.failed && tries > 1)  // the bytes may have moved
                     return Read(std::move(r.call), std::move(r.reply), tries - 1);
                   r.reply(r.failed ? OperationStatus::failed : OperationStatus::ok, std::move(r.bytes));
                 });
  }
}

}  // namespace headroom
