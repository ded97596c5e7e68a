// The common parts of all services of keys: open operations, values that identify their PUT, and the history
// by which they are judged.
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
    uint32_t client = 0, server = 0;  ///< processes of client and server
    uint32_t bytes = 0;               ///< bytes of the value
    bool puts = false;                ///< its current request is a PUT
    bool modifies = false;            ///< a PUT follows
    uint32_t noted = 0;               ///< its number in the history
    uint32_t step = 0;                ///< the current one of several READs
  };

 public:
  /// Bytes of this process's memory for each open operation.
  static constexpr size_t kOpenBytes = sizeof(Asked);

 protected:
  /// `most`: the largest number of open operations of a client's process; others wait before they begin.
  KeyService(const KeyValueParameters& parameters, const ServiceGround& ground, uint32_t most);

  /// Begins the operation, or its PUT.
  virtual void Begin(uint32_t token) = 0;
  virtual NodeId HostOfServer(uint32_t process) const = 0;
  /// Adds the results of this kind of service.
  virtual void AddTo(KeyValueRecord& /*record*/) {}

  /// A request is done: the PUT of a read-modify-write begins, or the operation is over.
  void Proceed(uint32_t token, bool right);
  /// The operation is over, and a waiting one begins.
  void End(uint32_t token, OperationStatus status);

  /// The process whose partition contains the key.
  uint32_t PartOf(const Key& key) const { return headroom::PartOf(key, p_.server_processes()); }
  Asked& asked(uint32_t token) { return asked_[token]; }
  /// The version of the PUT that is being sent: no other PUT of the service has
  /// it.
  uint64_t NextVersion(uint32_t token);
  /// Takes the value of a GET; none is a miss. Returns whether it is correct, as far as the value itself
  /// shows.
  bool TakeValue(uint32_t token, std::optional<std::span<const uint8_t>> value);
  /// The answer to a PUT has arrived. `done`: there was room; `once`: it was requested a single time.
  void TakeDone(uint32_t token, bool done, bool once);
  /// GETs that returned no version of their key.
  uint64_t wrong() const { return wrong_; }

  const KeyValueParameters p_;
  const ServiceGround ground_;
  std::unique_ptr<KeyHistory> history_;  ///< null if operations are not judged

 private:
  /// The places of a client's process.
  struct Places {
    uint32_t open = 0;
    Ring<uint32_t> waiting;
  };
  void Ask(uint32_t token);

  const uint32_t most_;
  std::vector<Places> places_;
  std::vector<uint32_t> client_of_;  ///< indexed by host: number of its first process
  std::vector<Asked> asked_;         ///< indexed by operation
  std::vector<uint64_t> puts_;       ///< indexed by process of the clients: number of its PUTs
  uint64_t wrong_ = 0;
};

}  // namespace headroom
