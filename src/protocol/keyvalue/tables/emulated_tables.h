// Part of read_tables.h: emulated tables.
#pragma once

#include "protocol/keyvalue/tables/read_tables.h"
#include "sim/random.h"

namespace headroom {

class EmulatedTables final : public ReadTables {
 public:
  EmulatedTables(const KeyValueParameters& parameters, const ServiceGround& ground);
  bool real() const override { return false; }
  std::unique_ptr<TableGet> Get(uint32_t client, uint32_t process, const Key& key) override;
  bool Put(uint32_t, const Key&, std::span<const uint8_t>) override { return true; }
  uint64_t refused() const override { return 0; }

 private:
  const KeyValueSystem system_;
  const uint32_t key_, value_, pointer_, processes_;  ///< in bytes, except the number of processes per server
  std::vector<uint32_t> rkeys_;                       ///< indexed by server
  std::vector<RandomStream> probes_;                  ///< indexed by process of the clients
};

}  // namespace headroom
