// Reads bytes of an extent for a partition server: from one of its replicas, or from the fragment that
// contains them.
//
// If a node refuses, the reader asks the next replica or reconstructs the bytes from other fragments: those
// of the local group, or as many as there are data fragments. A hedged read does the same when an answer
// takes too long, and the first answer counts.
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
    uint64_t refused = 0;        ///< refusals by extent nodes
    uint64_t hedges = 0;         ///< further requests because an answer took long
    uint64_t reconstructed = 0;  ///< pieces reconstructed from other fragments
  };

  /// `name`: name of its random numbers; `process`: does the decoding. All other arguments must outlive this
  /// object.
  ExtentReader(const StorageParameters& parameters, const ExtentMap& extents, const std::string& name,
               Process& process, DelayedCalls& delayed_calls, const AskNode& ask);

  /// `done` gets `failed` if too many nodes refuse.
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
  /// Calls `f` if there is no answer by then.
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
