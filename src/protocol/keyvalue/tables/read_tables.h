// Clients' view of a server's memory with Pilaf and FaRM: the READs of a GET, one after the other.
//
// Tables are emulated as Kalia et al. (HERD, SIGCOMM 2014, section 5.1) do for both: READs of the same number
// and sizes, from memory without meaning. Or they are real tables, one per process, whose bytes are read and
// judged.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "nic/verbs/verbs.h"
#include "protocol/keyvalue/key_value_parameters.h"
#include "protocol/keyvalue/stores/key.h"
#include "protocol/service.h"

namespace headroom {

struct TableRead {
  uint32_t rkey = 0;
  uint64_t address = 0;
  uint32_t bytes = 0;
};

/// A GET in progress.
class TableGet {
 public:
  virtual ~TableGet() = default;
  /// Returns the next READ, or none if the GET is over.
  virtual std::optional<TableRead> Next() = 0;
  virtual void Take(std::span<const uint8_t> data) = 0;
  /// At the end: the value, or none if the key is absent. An emulated GET has no value.
  virtual std::optional<std::span<const uint8_t>> Value() const = 0;
  virtual uint32_t torn() const = 0;
};

class ReadTables {
 public:
  virtual ~ReadTables() = default;
  virtual bool real() const = 0;
  /// `client`: the process that asks. `process`: among all servers' processes,
  /// the one with the key's partition.
  virtual std::unique_ptr<TableGet> Get(uint32_t client, uint32_t process, const Key& key) = 0;
  /// Returns false if there is no room. An emulated table accepts every PUT.
  virtual bool Put(uint32_t process, const Key& key, std::span<const uint8_t> value) = 0;
  virtual uint64_t refused() const = 0;
};

/// REQUIRES: the service is pilaf, farm or farm_var.
std::unique_ptr<ReadTables> MakeReadTables(const KeyValueParameters& parameters, const ServiceGround& ground);

}  // namespace headroom
