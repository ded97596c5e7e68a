// Common to all services of keys: open operations, values that identify their PUT, and the history by which
// they are judged.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "history/key_history.h"
#include "protocol/keyvalue/key_value_parameters.h"
#include "protocol/keyvalue/key_value_record.h"
#include "protocol/keyvalue/stores/key.h"
#include "protocol/service.h"
#include "protocol/trail.h"
#include "sim/ring.h"

namespace headroom {

class KeyService : public Service {
 public:
  void Submit(const OperationRequest& request) final;
  bool Judge(HistoryJudgement& all) final;

 protected:
  /// An operation that is open.
  struct Asked {
    Key key;
    uint32_t client = 0, server = 0;  ///< processes
    uint32_t bytes = 0;               ///< of the value
    bool puts = false;                ///< it puts now
    bool modifies = false;            ///< a PUT follows
    uint32_t noted = 0;               ///< its number in the history
    uint32_t step = 0;                ///< of several READs
  };

 public:
  /// Bytes of this process's memory for each open operation.
  static constexpr size_t kOpenBytes = sizeof(Asked);

 protected:
  /// `most`: operations that a client's process has open; others wait before they begin.
  KeyService(const KeyValueParameters& parameters, const ServiceGround& ground, uint32_t most);

  /// It has begun, or its PUT has.
  virtual void Begin(uint32_t token) = 0;
  virtual NodeId HostOfServer(uint32_t process) const = 0;
  /// What the kind of service adds.
  virtual void AddTo(KeyValueRecord& /*record*/) {}

  /// Its request is done: the PUT of a read-modify-write begins, or it is over.
  void Proceed(uint32_t token, bool right);
  /// It is over, and a waiting one begins.
  void End(uint32_t token, OperationStatus status);

  /// The process that has the key's partition.
  uint32_t PartOf(const Key& key) const { return headroom::PartOf(key, p_.server_processes()); }
  Asked& asked(uint32_t token) { return asked_[token]; }
  /// The version of the PUT that is being sent.
  uint64_t NextVersion(uint32_t token);
  /// The value of a GET; none is a miss. Returns whether it is right, as far as the value itself shows.
  bool TakeValue(uint32_t token, std::optional<std::span<const uint8_t>> value);
  /// The answer to a PUT has come. `done`: there was room; `once`: it was asked for a single time.
  void TakeDone(uint32_t token, bool done, bool once);
  /// GETs that gave no version of their key.
  uint64_t wrong() const { return wrong_; }

  const KeyValueParameters p_;
  const ServiceGround ground_;
  std::unique_ptr<KeyHistory> history_;  ///< null: nobody judges

 private:
  /// The places of a client's process.
  struct Places {
    uint32_t open = 0;
    Ring<uint32_t> waiting;
  };
  void Ask(uint32_t token);

  const uint32_t most_;
  std::vector<Places> places_;
  std::vector<uint32_t> client_of_;  ///< by host: its first process's number
  std::vector<Asked> asked_;         ///< by operation
  uint64_t versions_ = KeyHistory::kLoaded;
  uint64_t wrong_ = 0;
};

}  // namespace headroom
