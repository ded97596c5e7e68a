// Part of read_tables.h: real tables, loaded with all records before the run.
#pragma once

#include <deque>

#include "protocol/keyvalue/stores/cuckoo_table.h"
#include "protocol/keyvalue/stores/hopscotch_table.h"
#include "protocol/keyvalue/tables/read_tables.h"
#include "sim/footprint.h"

namespace headroom {

/// Tables of one kind, one per process.
template <class Table>
class RealTables final : public ReadTables {
 public:
  RealTables(const KeyValueParameters& parameters, const ServiceGround& ground);
  bool real() const override { return true; }
  std::unique_ptr<TableGet> Get(uint32_t client, uint32_t process, const Key& key) override;
  bool Put(uint32_t process, const Key& key, std::span<const uint8_t> value) override;
  uint64_t refused() const override { return refused_; }

 private:
  std::deque<Table> tables_;  ///< indexed by process
  std::vector<uint32_t> tables_keys_, extents_keys_;
  std::vector<bool> here_;  ///< indexed by process: this rank (sim/parts.h) runs its host
  uint64_t refused_ = 0;    ///< of these
};

/// Pilaf's tables, 75 % full when loaded.
using CuckooTables = RealTables<CuckooTable>;
/// FaRM's tables, a quarter full when loaded: beyond that, PUTs are refused.
using HopscotchTables = RealTables<HopscotchTable>;

/// This process's memory for the tables of all processes.
Forecast RealTablesFootprint(const KeyValueParameters& parameters, const ServiceLoad& load);

}  // namespace headroom
