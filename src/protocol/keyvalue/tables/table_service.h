// Pilaf and FaRM. A client's GET is a series of READs of a server's tables. Its PUT goes to a process of the
// server. Pilaf's PUT and its answer are SENDs, FaRM's are WRITEs.
//
// Source: Kalia et al., HERD, SIGCOMM 2014, section 5.1: Pilaf-em-OPT, FaRM-em and FaRM-em-VAR, with all
// optimisations: over unreliable connections, unsignalled and inlined.
#pragma once

#include "protocol/keyvalue/called_service.h"
#include "protocol/keyvalue/tables/read_tables.h"
#include "protocol/keyvalue/tables/reads.h"

namespace headroom {

class TableService final : public CalledService, ReadUser {
 public:
  TableService(const KeyValueParameters& parameters, const ServiceGround& ground);
  static SlotExchangeParameters ParametersOf(const KeyValueParameters& parameters, const ServiceLoad& load);
  /// `content`: true for real tables.
  static Reads::Parameters ReadsOf(const KeyValueParameters& parameters, const ServiceLoad& load,
                                   bool content);
  void ForEachQueuePair(const UseQueuePair& use) const override;

 private:
  void Begin(uint32_t token) override;
  uint32_t ProcessFor(const Asked& asked) const;
  void ReadNext(uint32_t token);
  void OnRead(uint32_t token, std::span<const uint8_t> data, bool right) override;
  int AccessesOf(uint32_t, std::span<const uint8_t>) override;
  SlotExchangeAnswer Execute(uint32_t process, std::span<const uint8_t> request,
                             std::span<uint8_t> answer) override;
  uint32_t Encode(uint32_t token, std::span<uint8_t> request) override;
  std::optional<uint32_t> Mark(uint32_t token) override;
  bool OnAnswer(uint32_t token, std::span<const uint8_t> answer, uint32_t says) override;
  void AddTo(KeyValueRecord& record) override;

  std::unique_ptr<ReadTables> tables_;
  std::vector<std::unique_ptr<TableGet>> gets_;  ///< indexed by operation, while it reads
  uint64_t hits_ = 0, misses_ = 0, torn_ = 0;
  Reads reads_;
};

}  // namespace headroom
