// Part of read_tables.h: real ones, loaded with all records before the run.
#pragma once

#include <deque>

#include "protocol/keyvalue/stores/cuckoo_table.h"
#include "protocol/keyvalue/stores/hopscotch_table.h"
#include "protocol/keyvalue/tables/read_tables.h"
#include "sim/footprint.h"

namespace headroom {

/// Tables of one kind, one for each process.
template <class Table>
class RealTables final : public ReadTables {
 public:
  RealTables(const KeyValueParameters& parameters, const ServiceGround& ground);
  bool real() const override { return true; }
  std::unique_ptr<TableGet> Get(uint32_t process, const Key& key) override;
  bool Put(uint32_t process, const Key& key, std::span<const uint8_t> value) override;
  uint64_t refused() const override { return refused_; }

 private:
  std::deque<Table> tables_;  ///< by process
  std::vector<uint32_t> tables_keys_, extents_keys_;
  uint64_t refused_ = 0;
};

/// Pilaf's, 75 % full when they are loaded.
using CuckooTables = RealTables<CuckooTable>;
/// FaRM's: a quarter full, from where on PUTs are refused.
using HopscotchTables = RealTables<HopscotchTable>;

/// Memory of this process for these of all processes.
Forecast RealTablesFootprint(const KeyValueParameters& parameters, const ServiceLoad& load);

}  // namespace headroom
