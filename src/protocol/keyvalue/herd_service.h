// HERD (Kalia et al., SIGCOMM 2014, section 4): a GET is a WRITE of 16 B, a PUT one of key, length and value; a
// process of the server answers by a datagram, a GET with the value, a PUT or a miss with 1 B.
#pragma once

#include <deque>

#include "protocol/keyvalue/exchange.h"
#include "protocol/keyvalue/loaded_cache.h"

namespace headroom {

class HerdService final : public KeyValueService, ExchangeProgram, ExchangeUser {
 public:
  HerdService(const KeyValueParameters& parameters, const KeyValueGround& ground);

  void Submit(const OperationRequest& request) override;
  void NoteProcesses() override { exchange_.NoteProcesses(); }
  KeyValueRecord Record() override;
  void ForEachQueuePair(const std::function<void(NodeId, uint32_t)>& use) const override {
    exchange_.ForEachQueuePair(use);
  }

 private:
  struct Asked {
    Key key;
    uint32_t client = 0, server = 0, bytes = 0;
    uint64_t version = 0;
    bool puts = false;      ///< what is asked for now
    bool modifies = false;  ///< a PUT follows
    Trail::Parts parts{};   ///< of what is over
  };
  int AccessesOf(uint32_t process, std::span<const uint8_t> request) override;
  ExchangeAnswer Execute(uint32_t process, std::span<const uint8_t> request, std::span<uint8_t> answer) override;
  uint32_t Encode(uint32_t token, std::span<uint8_t> request) override;
  bool OnAnswer(uint32_t token, std::span<const uint8_t> answer, uint32_t says) override;
  void OnGivenUp(uint32_t token) override;

  const KeyValueParameters p_;
  const KeyValueGround ground_;
  std::vector<uint32_t> client_of_;  ///< by host: its first process's number
  std::deque<LoadedCache> caches_;   ///< by process of the servers
  std::vector<Asked> asked_;         ///< by operation
  uint64_t versions_ = 0;
  uint64_t wrong_ = 0;
  Exchange exchange_;
};

}  // namespace headroom
