#include "protocol/storage/storage_host.h"

#include <utility>

namespace headroom {

void StorageHost::Ask(NodeId node, StorageCall call, StorageChannel::Done done) {
  if (node != id_) return others_(node, std::move(call), std::move(done));
  back_.Execute(std::move(call),
                [done = std::move(done)](OperationStatus status, std::vector<uint8_t> bytes) {
                  done({status, std::move(bytes), {}, 0, 0});
                });
}

void StorageHost::Front::Execute(StorageCall call, Reply reply) {
  const NodeId owner = (*host.owners_)[call.place.object];
  host.Ask(owner, std::move(call), [reply = std::move(reply)](StorageAnswer answer) {
    reply(answer.status, std::move(answer.bytes));
  });
}

void StorageHost::Back::Execute(StorageCall call, Reply reply) {
  const bool disk = call.place.object < kFirstExtent;
  StorageServer* const at = disk ? static_cast<StorageServer*>(host.duplicates.get())
                                 : static_cast<StorageServer*>(host.extent_node.get());
  if (at == nullptr || (!disk && host.away_ > 0)) return reply(OperationStatus::failed, {});
  at->Execute(std::move(call), std::move(reply));
}

void StorageHost::Count(StorageRecord& record) const {
  if (!record.system) record.system.emplace();
  StorageSystemRecord& of = *record.system;
  if (extent_node != nullptr) {
    record.executed += extent_node->executed();
    record.uses.push_back(extent_node->disk().Use(id_));
    of.repeated_appends += extent_node->counters().repeated;
    of.conflicts += extent_node->counters().conflicts;
    of.missing += extent_node->counters().missing;
  }
  if (background != nullptr) {
    if (!of.background) of.background.emplace();
    *of.background += background->counters();
  }
  if (partition_server == nullptr) return;
  const PartitionServer::Counters& counted = partition_server->counters();
  const ExtentReader::Counters& reads = partition_server->reads();
  of.appends += counted.appends;
  of.appended_bytes += counted.appended_bytes;
  of.filled += counted.filled;
  of.seals += counted.seals;
  of.refused += counted.refused + reads.refused;
  of.hedges += reads.hedges;
  of.reconstructed += reads.reconstructed;
  record.repeated += duplicates->repeated();
}

}  // namespace headroom
