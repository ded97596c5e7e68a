#include "protocol/keyvalue/tables/real_tables.h"

#include <algorithm>

#include "protocol/keyvalue/stores/cuckoo_reader.h"
#include "protocol/keyvalue/versioned_value.h"
#include "sim/parts.h"

namespace headroom {

namespace {

/// Keeps the bytes that it has read until the value is taken.
class RealGet : public TableGet {
 public:
  std::optional<std::span<const uint8_t>> Value() const final {
    return found_ ? std::optional(std::span<const uint8_t>(value_)) : std::nullopt;
  }

 protected:
  void Keep(std::span<const uint8_t> value) {
    found_ = true;
    value_.assign(value.begin(), value.end());
  }

 private:
  bool found_ = false;
  std::vector<uint8_t> value_;
};

class CuckooGet final : public RealGet {
 public:
  CuckooGet(const Key& key, uint32_t buckets, uint32_t table, uint32_t extents)
      : reader_(key, buckets), table_(table), extents_(extents) {}
  std::optional<TableRead> Next() override {
    using State = CuckooReader::State;
    if (reader_.state() == State::kFound || reader_.state() == State::kAbsent) return std::nullopt;
    const CuckooReader::Read read = reader_.Next();
    return TableRead{reader_.state() == State::kBucket ? table_ : extents_, read.address, read.bytes};
  }
  void Take(std::span<const uint8_t> data) override {
    reader_.Take(data);
    if (reader_.state() == CuckooReader::State::kFound) Keep(data);
  }
  uint32_t torn() const override { return reader_.torn(); }

 private:
  CuckooReader reader_;
  uint32_t table_, extents_;
};

/// A value that is no version of its key was half written: everything is read again, as FaRM's versions would
/// require. A bucket that fails every time is damaged in the server's memory, and is used as it is.
class HopscotchGet final : public RealGet {
 public:
  HopscotchGet(const Key& key, const HopscotchLayout& layout, uint32_t table, uint32_t extents)
      : key_(key), layout_(layout), table_(table), extents_(extents) {}
  std::optional<TableRead> Next() override {
    if (over_) return std::nullopt;
    if (second_.bytes > 0) return TableRead{extents_, second_.address, second_.bytes};
    const HopscotchLayout::Range range = layout_.Neighbourhood(key_);
    return TableRead{table_, range.address, range.bytes};
  }
  void Take(std::span<const uint8_t> data) override {
    if (second_.bytes > 0) return Judge(data);
    const auto item = layout_.Find(data, key_);
    over_ = !item;
    if (!item) return;
    if (layout_.inlined) return Judge(*item);
    second_ = HopscotchValueAt(*item);
  }
  uint32_t torn() const override { return torn_; }

 private:
  void Judge(std::span<const uint8_t> value) {
    second_ = {};
    const bool right = IsVersionOf(key_, value);
    torn_ += !right;
    over_ = right || torn_ == kMostTorn;
    if (over_) Keep(value);
  }
  Key key_;
  HopscotchLayout layout_;
  static constexpr uint32_t kMostTorn = 16;  // ours
  uint32_t table_, extents_;
  HopscotchLayout::Range second_{};
  uint32_t torn_ = 0;
  bool over_ = false;
};

uint64_t RecordsOfEach(const KeyValueParameters& p, const ServiceLoad& load) {
  const uint64_t all = p.server_processes();
  return std::max<uint64_t>(1, (static_cast<uint64_t>(load.keys) + all - 1) / all);
}

/// Adds half, for random differences between partitions and for new versions.
uint64_t ExtentBytes(uint64_t records, const ServiceLoad& load) {
  constexpr uint64_t kItemAlignment = 8;
  const uint64_t each =
      (static_cast<uint64_t>(load.largest.v) + kItemAlignment - 1) / kItemAlignment * kItemAlignment;
  return (records + records / 2 + 1024) * each;
}

uint32_t Register(Verbs& verbs, std::span<uint8_t> memory) {
  return memory.empty() ? 0 : verbs.RegMr(0, memory.size(), kRemoteRead, memory)->rkey;
}

template <class Table>
Table MakeTable(const KeyValueParameters& p, const ServiceLoad& load);

template <>
CuckooTable MakeTable(const KeyValueParameters& p, const ServiceLoad& load) {
  const uint64_t records = RecordsOfEach(p, load);
  return CuckooTable(static_cast<uint32_t>(records * 4 / 3 + 8), ExtentBytes(records, load));
}

template <>
HopscotchTable MakeTable(const KeyValueParameters& p, const ServiceLoad& load) {
  const uint64_t records = RecordsOfEach(p, load);
  HopscotchLayout layout;
  layout.homes = static_cast<uint32_t>(records * 4 + 64);
  layout.value = static_cast<uint16_t>(load.largest.v);
  layout.inlined = p.system == KeyValueSystem::farm;
  return HopscotchTable(layout, layout.inlined ? 0 : ExtentBytes(records, load));
}

std::unique_ptr<TableGet> GetFrom(const CuckooTable& of, const Key& key, uint32_t table, uint32_t extents) {
  return std::make_unique<CuckooGet>(key, of.buckets(), table, extents);
}

std::unique_ptr<TableGet> GetFrom(const HopscotchTable& of, const Key& key, uint32_t table,
                                  uint32_t extents) {
  return std::make_unique<HopscotchGet>(key, of.layout(), table, extents);
}

}  // namespace

template <class Table>
RealTables<Table>::RealTables(const KeyValueParameters& p, const ServiceGround& ground) {
  for (uint32_t process = 0; process < p.server_processes(); ++process) {
    const ServiceHost& host = ground.hosts[p.servers[process / static_cast<uint32_t>(p.processes)]];
    Verbs& verbs = *host.verbs;
    here_.push_back(Parts::Get().IsHere(host.context));
    Table& table = tables_.emplace_back(MakeTable<Table>(p, ground.load));
    tables_keys_.push_back(Register(verbs, table.memory()));
    extents_keys_.push_back(Register(verbs, table.extents().memory()));
  }
  std::vector<uint8_t> value(static_cast<size_t>(ground.load.largest.v));
  for (uint64_t record = 0; record < static_cast<uint64_t>(ground.load.keys); ++record) {
    const Key key = KeyOfRecord(record);
    FillVersion(key, 0, value);
    Put(PartOf(key, p.server_processes()), key, value);
  }
}

template <class Table>
std::unique_ptr<TableGet> RealTables<Table>::Get(uint32_t, uint32_t process, const Key& key) {
  return GetFrom(tables_[process], key, tables_keys_[process], extents_keys_[process]);
}

template <class Table>
bool RealTables<Table>::Put(uint32_t process, const Key& key, std::span<const uint8_t> value) {
  const bool put = tables_[process].Put(key, value);
  refused_ += !put && here_[process];
  return put;
}

template class RealTables<CuckooTable>;
template class RealTables<HopscotchTable>;

Forecast RealTablesFootprint(const KeyValueParameters& p, const ServiceLoad& load) {
  const auto records = static_cast<double>(RecordsOfEach(p, load)), processes = 1.0 * p.server_processes();
  const auto capacity = static_cast<double>(ExtentBytes(RecordsOfEach(p, load), load));
  constexpr double kWritten = 1 / 1.5;
  if (p.system == KeyValueSystem::pilaf) {
    const double buckets = (records * 4 / 3 + 8) * CuckooEntry::kBytes;
    return processes * Forecast{buckets + kWritten * capacity, buckets + capacity};
  }
  HopscotchLayout layout;
  layout.value = static_cast<uint16_t>(load.largest.v);
  layout.inlined = p.system == KeyValueSystem::farm;
  const double items = (records * 4 + 64 + HopscotchLayout::kNeighbourhood) * layout.item();
  return processes *
         (layout.inlined ? Exactly(items) : Forecast{items + kWritten * capacity, items + capacity});
}

}  // namespace headroom
