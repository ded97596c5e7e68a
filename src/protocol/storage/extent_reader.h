// Reads bytes of an extent for a partition server: from one of its replicas, or from the fragment that has
// them.
//
// If a node refuses, the next replica is asked, or the bytes are reconstructed from other fragments: of the
// local group, or as many as there are data fragments. A hedged read does the same when an answer takes long,
// and the first answer counts.
//
// Source: Calder et al., SOSP 2011, section 4.5 (any replica; for a coded extent the first sufficient
// fragments). Huang et al., ATC 2012 (reads of a reconstruction, cost of decoding).
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "protocol/process.h"
#include "protocol/storage/ask_node.h"
#include "protocol/storage/delayed_calls.h"
#include "protocol/storage/extent_map.h"
#include "protocol/storage/extents/erasure.h"
#include "protocol/storage/storage_parameters.h"
#include "sim/random.h"

namespace headroom {

class ExtentReader {
 public:
  using Done = std::function<void(OperationStatus, std::vector<uint8_t>)>;
  struct Counters {
    uint64_t refused = 0;        ///< answers of extent nodes that they cannot
    uint64_t hedges = 0;         ///< others asked because one took long
    uint64_t reconstructed = 0;  ///< pieces put together from other fragments
  };

  /// `name`: of its random numbers; `process`: pays for decoding. All but that outlive this.
  ExtentReader(const StorageParameters& parameters, const ExtentMap& extents, const std::string& name,
               Process& process, DelayedCalls& delayed_calls, const AskNode& ask);

  /// `done` hears failed where too many nodes refuse.
  void Read(const StoragePlace& place, uint32_t length, const RequestName& request, Done done);
  const Counters& counters() const { return counters_; }

 private:
  struct Reading;
  struct Piece;
  void ReadWhole(const std::shared_ptr<Reading>& reading);
  void ReadFragments(const std::shared_ptr<Reading>& reading);
  void AskReplica(const std::shared_ptr<Piece>& piece);
  void AskFragments(const std::shared_ptr<Piece>& piece);
  void AskFragment(const std::shared_ptr<Piece>& piece, int fragment);
  void OnReplica(const std::shared_ptr<Piece>& piece, StorageAnswer answer);
  void OnFragment(const std::shared_ptr<Piece>& piece, int fragment, StorageAnswer answer);
  void Decode(const std::shared_ptr<Piece>& piece);
  void Finish(const std::shared_ptr<Piece>& piece, OperationStatus status, std::vector<uint8_t> bytes);
  /// If there is no answer by then: `f`.
  void Hedge(const std::shared_ptr<Piece>& piece, std::function<void()> f);

  const StorageParameters& parameters_;
  const ExtentMap& extents_;
  RandomStream replicas_;
  Process& process_;
  DelayedCalls& delayed_calls_;
  const AskNode& ask_;
  std::optional<ErasureCode> code_;
  Counters counters_;
};

}  // namespace headroom
