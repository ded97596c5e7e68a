#include "protocol/keyvalue/tables/emulated_tables.h"

#include <fmt/format.h>

#include "protocol/keyvalue/stores/cuckoo_entry.h"
#include "protocol/keyvalue/stores/hopscotch_layout.h"

namespace headroom {

namespace {

/// A number of READs of one size, then perhaps one of another size.
class EmulatedGet final : public TableGet {
 public:
  EmulatedGet(uint32_t rkey, uint32_t first, uint32_t first_bytes, uint32_t last_bytes)
      : rkey_(rkey), first_(first), first_bytes_(first_bytes), last_bytes_(last_bytes) {}
  std::optional<TableRead> Next() override {
    if (done_ < first_) return TableRead{rkey_, 0, first_bytes_};
    if (done_ == first_ && last_bytes_ > 0) return TableRead{rkey_, 0, last_bytes_};
    return std::nullopt;
  }
  void Take(std::span<const uint8_t>) override { ++done_; }
  std::optional<std::span<const uint8_t>> Value() const override { return std::span<const uint8_t>(); }
  uint32_t torn() const override { return 0; }

 private:
  uint32_t rkey_, first_, first_bytes_, last_bytes_, done_ = 0;
};

/// The mean is 1.6 (HERD, section 5.1). The shares of one, two and three are ours, close to those of real
/// tables.
uint32_t Probes(RandomStream& random) {
  constexpr double kOne = 0.56, kTwo = 0.28;
  const double u = random.Uniform();
  return u < kOne ? 1 : u < kOne + kTwo ? 2 : 3;
}

}  // namespace

EmulatedTables::EmulatedTables(const KeyValueParameters& p, const ServiceGround& ground)
    : system_(p.system),
      key_(static_cast<uint32_t>(ground.load.key.v)),
      value_(static_cast<uint32_t>(ground.load.largest.v)),
      pointer_(static_cast<uint32_t>(p.pointer.v)),
      processes_(static_cast<uint32_t>(p.processes)) {
  for (const NodeId client : p.clients) {
    for (int i = 0; i < p.client_processes; ++i)
      probes_.emplace_back(fmt::format("{}/{}/probes/{}", ground.topology.nodes[client].name, p.name, i));
  }
  for (const NodeId server : p.servers) {
    const uint64_t most = uint64_t{HopscotchLayout::kNeighbourhood} * (key_ + value_ + pointer_);
    rkeys_.push_back(ground.hosts[server].verbs->RegMr(0, most, kRemoteRead)->rkey);
  }
}

std::unique_ptr<TableGet> EmulatedTables::Get(uint32_t client, uint32_t process, const Key&) {
  const uint32_t rkey = rkeys_[process / processes_];
  constexpr uint32_t kItems = HopscotchLayout::kNeighbourhood;
  switch (system_) {
    case KeyValueSystem::farm:
      return std::make_unique<EmulatedGet>(rkey, 1, kItems * (key_ + value_), 0);
    case KeyValueSystem::farm_var:
      return std::make_unique<EmulatedGet>(rkey, 1, kItems * (key_ + pointer_), value_);
    default:
      return std::make_unique<EmulatedGet>(rkey, Probes(probes_[client]), CuckooEntry::kBytes, value_);
  }
}

}  // namespace headroom
