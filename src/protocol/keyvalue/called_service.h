// What services of keys have in common whose clients call processes of servers.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "history/key_history.h"
#include "protocol/keyvalue/slot_exchange.h"
#include "protocol/keyvalue/stores/key.h"
#include "protocol/trail.h"
#include "sim/ring.h"

namespace headroom {

class CalledService : public Service, protected SlotExchangeProgram, protected SlotExchangeUser {
 public:
  /// All clients are attached at once.
  void Start(const Attached& attached) final;
  void Submit(const OperationRequest& request) final;
  void Stop() final { exchange_.NoteProcesses(); }
  std::shared_ptr<const ServiceRecord> Record() final;
  void ForEachQueuePair(const UseQueuePair& use) const override { exchange_.ForEachQueuePair(use); }
  bool Judge(HistoryJudgement& all) final;

 protected:
  /// An operation that is open.
  struct Asked {
    Key key;
    uint32_t client = 0, server = 0;  ///< processes
    uint32_t bytes = 0;               ///< of the value
    bool puts = false;                ///< what it does now
    bool modifies = false;            ///< a PUT follows
    uint32_t noted = 0;               ///< its number in the history
    uint32_t step = 0;                ///< of several READs
  };

 public:
  /// With what all kinds of these services have in common.
  static SlotExchangeParameters Complete(SlotExchangeParameters exchange,
                                         const KeyValueParameters& parameters);
  /// Of this process's memory, of each operation that is open.
  static constexpr size_t kOpenBytes = sizeof(Asked);

 protected:
  /// `exchange`: of what only this kind of service has, the ways and the answers' length.
  CalledService(const KeyValueParameters& parameters, const ServiceGround& ground,
                SlotExchangeParameters exchange);

  /// It has begun, or its PUT has: by default its server is called.
  virtual void Begin(uint32_t token) { exchange_.Ask(asked_[token].client, asked_[token].server, token); }
  /// What the kind of service adds.
  virtual void AddTo(KeyValueRecord& /*record*/) {}

  /// Where an answer belongs to the call: how the call went is of its operation. To be followed by Proceed.
  void Account(uint32_t token);
  /// What it asked for is there: the PUT of a read-modify-write begins, or it is over.
  void Proceed(uint32_t token, bool right);
  /// It is over, and one that has waited begins.
  void End(uint32_t token, OperationStatus status);
  void OnGivenUp(uint32_t token) final;

  /// The process in whose part of the keys this is.
  uint32_t PartOf(const Key& key) const { return headroom::PartOf(key, p_.server_processes()); }
  Asked& asked(uint32_t token) { return asked_[token]; }
  /// Of a PUT that goes out.
  uint64_t NextVersion(uint32_t token);
  /// What a GET gave, none being a miss: whether that is right, as far as it says so itself.
  bool TakeValue(uint32_t token, std::optional<std::span<const uint8_t>> value);
  /// The answer to a PUT has come. `done`: there was room.
  void TakeDone(uint32_t token, bool done);

  const KeyValueParameters p_;
  const ServiceGround ground_;
  std::unique_ptr<KeyHistory> history_;  ///< null: nobody judges

 private:
  /// Of a client's process.
  struct Places {
    uint32_t open = 0;
    Ring<uint32_t> waiting;
  };
  void Ask(uint32_t token);

  const uint32_t most_;  ///< operations that one has open; others wait before they begin
  std::vector<Places> places_;
  std::vector<uint32_t> client_of_;  ///< by host: its first process's number
  std::vector<Asked> asked_;         ///< by operation
  uint64_t versions_ = KeyHistory::kLoaded;
  uint64_t wrong_ = 0;

 protected:
  SlotExchange exchange_;
};

}  // namespace headroom
