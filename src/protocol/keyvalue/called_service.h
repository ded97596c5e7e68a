// What services of keys have in common whose clients call processes of servers.
#pragma once

#include <vector>

#include "protocol/keyvalue/exchange.h"
#include "protocol/keyvalue/stores/key.h"
#include "protocol/trail.h"

namespace headroom {

class CalledService : public KeyValueService, protected ExchangeProgram, protected ExchangeUser {
 public:
  void Submit(const OperationRequest& request) final;
  void NoteProcesses() final { exchange_.NoteProcesses(); }
  KeyValueRecord Record() final;
  void ForEachQueuePair(const std::function<void(NodeId, uint32_t)>& use) const override {
    exchange_.ForEachQueuePair(use);
  }

 protected:
  /// An operation that is open.
  struct Asked {
    Key key;
    uint32_t client = 0, server = 0;  ///< processes
    uint32_t bytes = 0;               ///< of the value
    uint64_t version = 0;             ///< of what is PUT
    bool puts = false;                ///< what it does now
    bool modifies = false;            ///< a PUT follows
    uint32_t step = 0;                ///< of several READs
    Trail::Parts parts{};             ///< of what is over
  };

  /// `exchange`: of what only this kind of service has, the ways and the answers' length.
  CalledService(const KeyValueParameters& parameters, const KeyValueGround& ground,
                ExchangeParameters exchange);

  /// It has begun, or its PUT has: by default its server is called.
  virtual void Begin(uint32_t token) { exchange_.Ask(asked_[token].client, asked_[token].server, token); }
  /// What the kind of service adds.
  virtual void AddTo(KeyValueRecord& /*record*/) {}

  /// Where an answer belongs to the call: what the call took is of its operation. To be followed by Proceed.
  void Account(uint32_t token);
  /// What it asked for is there: the PUT of a read-modify-write begins, or it is over.
  void Proceed(uint32_t token, bool right);
  void OnGivenUp(uint32_t token) final;

  /// The process in whose part of the keys this is.
  uint32_t PartOf(const Key& key) const { return headroom::PartOf(key, p_.server_processes()); }
  Asked& asked(uint32_t token) { return asked_[token]; }
  uint64_t NextVersion() { return ++versions_; }

  const KeyValueParameters p_;
  const KeyValueGround ground_;
  std::vector<Time> busy_until_;  ///< processors of clients' processes

 private:
  std::vector<uint32_t> client_of_;  ///< by host: its first process's number
  std::vector<Asked> asked_;         ///< by operation
  uint64_t versions_ = 0;
  uint64_t wrong_ = 0;

 protected:
  Exchange exchange_;
};

}  // namespace headroom
