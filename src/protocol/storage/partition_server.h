// A partition server. Only the partition server of a disk changes that disk. It knows the place of each
// block, appends writes to its own extents, and reads from any replica.
//
// A write is appended to the disk's active extent, on all of its extent nodes at once. When all nodes have
// answered it and all earlier appends, the write is answered, and reads find it. An extent is sealed if one
// of its nodes refuses or does not answer in time (seal_timeout.h). Its unacknowledged writes are then
// appended to another extent, elsewhere. The sealed extent may contain some of these bytes as well, where no
// read finds them.
//
// Source: Calder et al., SOSP 2011, sections 4.1 to 4.5 (append, order of acknowledgements, sealing at about
// 20 ms, reads from any replica); Bai et al., NSDI 2023, section 2.2 (answered when all three have answered).
// Departure: the partition server calls the three nodes itself; in Calder et al. the first node calls the
// others.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "history/append_log.h"
#include "protocol/process.h"
#include "protocol/storage/ask_node.h"
#include "protocol/storage/delayed_calls.h"
#include "protocol/storage/extent_map.h"
#include "protocol/storage/extent_reader.h"
#include "protocol/storage/extents/extent_index.h"
#include "protocol/storage/seal_timeout.h"
#include "protocol/storage/storage_parameters.h"

namespace headroom {

class PartitionServer final : public StorageServer {
 public:
  struct Counters {
    uint64_t appends = 0, appended_bytes = 0;  ///< acknowledged appends
    uint64_t filled = 0;                       ///< full extents
    uint64_t seals = 0;                        ///< seals of extents before they were full
    uint64_t refused = 0;                      ///< appends refused by extent nodes
  };

  /// `extents`: those of this server. `log`: null, or records its appends. `ask`: calls an extent node, also
  /// one on this host. All must outlive this object.
  PartitionServer(const StorageParameters& parameters, ExtentMap& extents, const std::string& name,
                  Process& process, DelayedCalls& delayed_calls, AppendLog* log, AskNode ask);

  /// REQUIRES: this server owns the disk.
  void Execute(StorageCall call, Reply reply) override;
  const Counters& counters() const { return counters_; }
  const ExtentReader::Counters& reads() const { return reader_.counters(); }

  // For background work (background.h):
  /// A closed extent, with this many acknowledged bytes.
  struct Sealed {
    uint32_t disk = 0, extent = 0;
    uint64_t length = 0;
  };
  /// In the order of sealing. The initial extents are not included.
  const std::vector<Sealed>& sealed() const { return sealed_; }
  void Forget(uint32_t extent);
  const ExtentIndex& IndexOf(uint32_t disk) { return DiskOf(disk).index; }
  void ReadExtent(const StoragePlace& place, uint32_t length, ExtentReader::Done done) {
    reader_.Read(place, length, {}, std::move(done));
  }
  /// Appends the data at `from` to the disk's active extent. Reads find these data in the new place unless
  /// they were overwritten; `done` gets the number of moved bytes.
  void Copy(uint32_t disk, uint64_t address, const StoragePlace& from, uint32_t length,
            std::vector<uint8_t> bytes, std::function<void(uint64_t moved)> done);

 private:
  static constexpr int kPlaces = 64;  ///< tries for an extent that avoids certain nodes
  struct Append {
    StorageCall call;
    Reply reply;
    uint64_t offset = 0;      ///< position in its extent
    uint32_t unanswered = 0;  ///< replicas that have not answered, one bit each
    bool whole = false;       ///< all counted replicas have answered
    uint64_t since = 0;       ///< the step that brought the last of these answers
    Time begun;               ///< time when its replicas were called
    uint32_t logged = 0;      ///< its number in the log
    // For a copy: its source.
    StoragePlace from;
    std::function<void(uint64_t)> copied;
  };
  /// An extent that receives appends, or that has unacknowledged ones.
  struct Extent {
    std::vector<NodeId> nodes;
    uint64_t length = 0;         ///< appended bytes, acknowledged or not
    std::deque<Append> appends;  ///< unacknowledged appends, in order
    uint64_t first = 0;          ///< number of the first of these
  };
  struct Disk {
    Disk(uint32_t of, ExtentIndex at_first, const SealParameters& seal)
        : number(of), index(std::move(at_first)), timeout(seal) {}
    uint32_t number;
    ExtentIndex index;
    std::map<uint32_t, Extent> open;  ///< keyed by number
    std::optional<uint32_t> active;   ///< the extent that receives writes
    bool sealing = false;
    std::deque<Append> waiting;   ///< appends that wait until the seal is complete
    std::vector<NodeId> avoided;  ///< nodes that refused
    SealTimeout timeout;
  };

  Disk& DiskOf(uint32_t number);
  void Write(Disk& disk, Append append);
  void Begin(Disk& disk);
  uint32_t Log(const Append& append, uint32_t extent, size_t replicas) const;
  void Replicate(Disk& disk, uint32_t extent, uint64_t place, size_t replica, NodeId node,
                 const StorageCall& call);
  void OnAppended(Disk& disk, uint32_t extent, uint64_t place, size_t replica, OperationStatus status);
  void Acknowledge(Disk& disk, uint32_t number, Extent& extent);
  enum class Why : uint8_t { refused, late };
  void Seal(Disk& disk, uint32_t extent, size_t replica, Why why);
  void Read(StorageCall call, Reply reply, int tries);

  const StorageParameters& parameters_;
  ExtentMap& extents_;
  Process& process_;
  DelayedCalls& delayed_calls_;
  AppendLog* const log_;
  AskNode ask_;
  ExtentReader reader_;
  std::map<uint32_t, Disk> disks_;
  std::vector<Sealed> sealed_;
  Counters counters_;
};

}  // namespace headroom
