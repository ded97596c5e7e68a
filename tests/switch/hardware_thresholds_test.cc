// The packet counts at which sonic-mgmt's hardware tests expect a pause, a drop and a full headroom pool,
// against a buffer that is filled packet by packet. Every packet is one cell.
//
// The rows are of real ASICs. What their README calls unexplained is printed with its deviation and held to
// the arithmetic of its family only.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/shared_data.h"
#include "switch/asic_families.h"
#include "switch/shared_buffer.h"

namespace headroom::hardware_thresholds_test {
namespace {

using Row = std::map<std::string, std::string>;
using Pool = BufferPool;

int64_t Number(const Row& row, const char* column) { return std::stoll(row.at(column)); }
double Real(const Row& row, const char* column) { return std::stod(row.at(column)); }

/// "TH2 100G(any)" and "th2" are Tomahawk 2.
const AsicFamily& FamilyOf(std::string text) {
  text = text.substr(0, text.find(' '));
  for (char& c : text) c = static_cast<char>(std::tolower(c));
  return *FindAsicFamily(text);
}

/// Lossless in groups and queues 3 and 4, as on a SONiC switch.
TrafficClasses Classes() {
  TrafficClasses classes;
  classes[0] = {"lossy", 0, 0, false, 1, false};
  classes[3] = {"three", 3, 3, true, 1, false};
  classes[4] = {"four", 4, 4, true, 1, false};
  return classes;
}

/// A switch of the family: an ingress pool, and for queues one that nothing fills. Lossless groups have the
/// profile "pg".
BufferParameters Parameters(const AsicFamily& family, int64_t pool, int64_t pool_xoff,
                            const BufferProfile& pg) {
  const Bytes plenty(1'000'000'000);
  BufferParameters b;
  b.size = plenty * 4;
  b.cell = family.cell;
  b.slices = family.slices;
  b.rules = family.rules;
  b.pools = {{"in", Pool::Type::ingress, Pool::Mode::dynamic, Bytes(pool), Bytes(pool_xoff)},
             {"out", Pool::Type::egress, Pool::Mode::fixed, plenty * 4, Bytes()}};
  b.profiles = {pg,
                {"lossy", "in", Bytes(), {}, Bytes(1), {}, Bytes(), Bytes()},
                {"queue", "out", Bytes(), {}, plenty, {}, Bytes(), Bytes()}};
  b.lossless_group = "pg";
  b.lossy_group = "lossy";
  b.lossless_queue = b.lossy_queue = "queue";
  return b;
}

ns3::Ptr<SharedBuffer> Buffer(const BufferParameters& b, int64_t ports) {
  std::vector<BufferPort> all;
  for (int64_t i = 0; i < ports; ++i)
    all.push_back({"Ethernet" + std::to_string(i), GigabitsPerSecond(100), Nanoseconds(25)});
  const auto buffer = ns3::CreateObject<SharedBuffer>();
  buffer->Setup(b, all, Classes());
  return buffer;
}

/// Cells until the group says XOFF, that one included. Checks that all of its headroom can be filled then.
int64_t CellsToXoff(const Row& row) {
  const AsicFamily& family = FamilyOf(row.at("case"));
  EXPECT_EQ(family.cell.v, Number(row, "cell_bytes"));
  EXPECT_EQ(family.slices, Number(row, "mmu_slices_inferred"));
  const int64_t cell = family.cell.v, reserve = Number(row, "reserved_bytes_of_object");
  // The other groups' reserve is that of two on each port; on Trident II it has the headroom, 55 120 B, in
  // it.
  const int64_t xoff = family.name == "td2" ? 55'120 : 100 * cell;
  const int64_t size = reserve + (family.rules.xoff_in_profile_size ? xoff : 0);
  const int64_t others = Number(row, "other_reserved_cells");
  const int64_t ports = others > 0 ? others * cell / (2 * size) : 8;
  EXPECT_TRUE(others == 0 || ports * 2 * size == others * cell) << row.at("case");

  BufferProfile pg{"pg", "in",        Bytes(size), static_cast<int>(Number(row, "dynamic_th")),
                   {},   Bytes(xoff), Bytes(),     Bytes()};
  const auto buffer =
      Buffer(Parameters(family, Number(row, "pool_size_bytes"), Number(row, "pool_xoff_bytes"), pg), ports);
  const SharedBuffer::Place at{0, 1, 3, 3};
  int64_t cells = 1;
  while (buffer->Admit(at, static_cast<uint32_t>(cell)).signal != SharedBuffer::Signal::xoff) ++cells;
  while (buffer->Admit(at, static_cast<uint32_t>(cell)).admitted) {
  }
  EXPECT_EQ(buffer->group_headroom(0, 3), xoff / cell * cell) << row.at("case");
  EXPECT_TRUE(buffer->Consistent());
  return cells;
}

/// Cells until a lossy queue drops one, that one included.
int64_t CellsToDrop(const Row& row) {
  const AsicFamily& family = FamilyOf(row.at("case"));
  BufferParameters b = Parameters(family, 1'000'000'000, 100'000,
                                  {"pg", "in", Bytes(), 0, {}, Bytes(1'000), Bytes(), Bytes()});
  b.pools.push_back(
      {"lossy", Pool::Type::egress, Pool::Mode::dynamic, Bytes(Number(row, "pool_size_bytes")), Bytes()});
  b.profiles[1].static_th = Bytes(1'000'000'000);
  b.profiles.push_back({"q",
                        "lossy",
                        Bytes(Number(row, "reserved_bytes_of_object")),
                        static_cast<int>(Number(row, "dynamic_th")),
                        {},
                        {},
                        Bytes(),
                        Bytes()});
  b.lossy_queue = "q";
  const auto buffer = Buffer(b, 8);
  int64_t cells = 1;
  SharedBuffer::Admission last;
  while ((last = buffer->Admit({0, 1, 0, 0}, static_cast<uint32_t>(family.cell.v))).admitted) ++cells;
  EXPECT_EQ(last.reason, DropReason::egress_limit);
  return cells;
}

TEST(HardwareThresholds, OfGroupsAndQueues) {
  const auto path = SharedData("sonic/golden/pg_queue_thresholds_hwtest.csv");
  if (path.empty()) return;
  const std::vector<Row> rows = ReadCsv(path);
  ASSERT_EQ(rows.size(), 14u);
  int exact = 0, close = 0, unexplained = 0;
  for (const Row& row : rows) {
    const bool group = row.at("object").starts_with("PG");
    const int64_t cells = group ? CellsToXoff(row) : CellsToDrop(row);
    // The closed form is reserved + alpha / (1 + alpha) × B. The group pauses with the first whole cell at or
    // above it. The queue's next cell is compared with what is free before it comes: up to one cell more.
    const double above = static_cast<double>(cells) - Real(row, "formula_cells");
    EXPECT_GE(above, -0.051) << row.at("case");
    EXPECT_LE(above, group ? 1.05 : 2.05) << row.at("case");

    const int64_t hardware = Number(row, "hwtest_param_cells");
    const double deviation = 100.0 * static_cast<double>(cells - hardware) / static_cast<double>(hardware);
    const std::string line = fmt::format("{}, {}: {} cells, in the hardware test {}: {:+.3f} %",
                                         row.at("case"), row.at("object"), cells, hardware, deviation);
    if (row.at("note").find("not explained") != std::string::npos) {
      ++unexplained;
      fmt::print("unexplained in the data: {}\n", line);
    } else {
      ++close;
      exact += cells == hardware;
      EXPECT_LE(std::abs(deviation), 0.04) << line;
      // Where the closed form is a whole number of cells, so is the count.
      if (group && Real(row, "error_pct") == 0.0) {
        EXPECT_EQ(cells, hardware) << line;
      }
    }
  }
  fmt::print("{} rows within 0.04 %, {} of them exact; {} unexplained in the data\n", close, exact,
             unexplained);
  EXPECT_EQ(unexplained, 3);
}

TEST(HardwareThresholds, OfHeadroomPools) {
  const auto path = SharedData("sonic/golden/headroom_pool_hwtest.csv");
  if (path.empty()) return;
  const std::vector<Row> rows = ReadCsv(path);
  ASSERT_EQ(rows.size(), 37u);
  int exact = 0, unexplained = 0;
  for (const Row& row : rows) {
    const std::string name = row.at("asic") + " " + row.at("topology_key") + " " + row.at("speed_cable");
    const int64_t expected = Number(row, "hwtest_total_cells");
    if (row.at("matching_pool_xoff_bytes").empty()) {
      ++unexplained;
      fmt::print("unexplained in the data: {}: no pool of {} cells a slice is known\n", name, expected);
      continue;
    }
    const AsicFamily& family = FamilyOf(row.at("asic"));
    const auto cell = static_cast<uint32_t>(family.cell.v);
    const int64_t groups = Number(row, "n_pgs"), each = Number(row, "cells_per_full_pg");
    const int64_t pool_xoff = Number(row, "matching_pool_xoff_bytes");
    // All groups in the first slice, two on a port, each brought to XOFF. Then headroom, group after group.
    const auto ports = static_cast<uint32_t>((groups + 1) / 2);
    const auto buffer = Buffer(Parameters(family, 4 * pool_xoff, pool_xoff,
                                          {"pg", "in", Bytes(), 0, {}, Bytes(each * cell), Bytes(), Bytes()}),
                               ports * family.slices);
    const auto at = [](int64_t group) {
      const auto number = static_cast<uint8_t>(3 + group % 2);
      return SharedBuffer::Place{static_cast<uint32_t>(group / 2), 0, number, number};
    };
    for (int64_t g = 0; g < groups; ++g) {
      while (buffer->Admit(at(g), cell).signal != SharedBuffer::Signal::xoff) {
      }
    }
    DropReason reason = DropReason::group_cap;
    int64_t in_group = 0;
    for (int64_t g = 0; g < groups && reason == DropReason::group_cap; ++g) {
      SharedBuffer::Admission last;
      while ((last = buffer->Admit(at(g), cell)).admitted) {
      }
      reason = last.reason;
      in_group = buffer->group_headroom(at(g).in, at(g).group) / cell;
    }
    const int64_t cells = buffer->peak_headroom_total() / cell;
    EXPECT_EQ(reason, DropReason::headroom_full) << name;
    EXPECT_EQ(cells, pool_xoff / cell / family.slices) << name;
    EXPECT_TRUE(buffer->Consistent());
    // What the operator sees: the pool of the one slice is full, the others are empty.
    for (const auto& w : buffer->pool_watermarks(SharedBuffer::Watermark::persistent)) {
      if (w.pool == "in") {
        EXPECT_EQ(w.headroom, cells * cell) << name;
      }
    }
    if (row.at("status") == "exact") {
      ++exact;
      EXPECT_EQ(cells, expected) << name;
      EXPECT_EQ(in_group, Number(row, "cells_last_pg")) << name;
    } else {
      ++unexplained;
      fmt::print("unexplained in the data: {}: {} cells, in the hardware test {}\n", name, cells, expected);
      EXPECT_EQ(cells - expected, -Number(row, "difference_cells")) << name;
    }
  }
  EXPECT_EQ(exact, 30);
  EXPECT_EQ(unexplained, 7);
}

}  // namespace
}  // namespace headroom::hardware_thresholds_test
