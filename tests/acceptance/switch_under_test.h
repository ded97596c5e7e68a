// The two switches of the acceptance suite, and counted packets for them, as in sonic-mgmt's sai_qos_tests.
// The egress is closed, every frame has a known number of cells, and the senders ignore pauses.
//
// tomahawk2: SONiC's templates (pools, profiles) for the Arista 7260CX3 as T0, and its lookup table (100
// Gb/s, 40 m). spectrum3: Mellanox SN4600C-C64 as T1, 100 Gb/s, 40 m. Each of them uses 16 of its ports.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "support/in_child.h"
#include "switch/buffer/asic_families.h"
#include "switch/switch_bench.h"

namespace headroom {

struct Dut {
  std::string name;
  BufferParameters buffer;
  uint32_t frame = 0;    ///< bytes of every frame: whole cells
  int64_t reserved = 0;  ///< reserved bytes of a lossless group
  int64_t shared = 0;    ///< pool of one slice
  int64_t xoff = 0;      ///< headroom of a lossless group
  int64_t xon = 0;       ///< a group resumes at max(xon, limit − xon_offset)
  int64_t xon_offset = 0;
  int64_t headroom_pool = 0;   ///< headroom pool of one slice
  int64_t lossy_reserved = 0;  ///< reserved bytes of a lossy queue
  double lossy_alpha = 0;
  int64_t lossy_pool = 0;  ///< lossy pool of one slice
  int ports_per_slice = 16;

  /// With α = 1 a lone group is at its limit when its shared bytes equal the free ones: its reservation and
  /// half of the pool.
  int64_t XoffFrames() const { return UpTo(reserved + (shared + 1) / 2); }
  /// Whether that frame itself is in headroom: its shared part must fit into the room that was left before
  /// it.
  bool XoffFrameInHeadroom() const { return 2 * (XoffFrames() * frame - reserved) - int64_t{frame} > shared; }
  /// Frames that a group shares and has in its reserve when it is paused.
  int64_t BelowXoff() const { return XoffFrames() - XoffFrameInHeadroom(); }
  /// Frames that fit into a group's headroom, and the frames for which it has room after the pause.
  int64_t HeadroomFrames() const { return xoff / frame; }
  int64_t AfterXoff() const { return HeadroomFrames() - XoffFrameInHeadroom(); }
  int64_t UpTo(int64_t bytes) const { return (bytes + frame - 1) / frame; }
};

inline Dut Tomahawk2() {
  const AsicFamily& family = *FindAsicFamily("th2");
  using Pool = BufferPool;
  Dut d;
  d.name = "tomahawk2";
  d.buffer.size = Bytes(43'481'152);
  d.buffer.cell = family.cell;
  d.buffer.slices = family.slices;
  d.buffer.rules = family.rules;
  d.buffer.pools = {
      {"ingress_lossless_pool", Pool::Type::ingress, Pool::Mode::dynamic, Bytes(33'329'088),
       Bytes(7'827'456)},
      {"egress_lossy_pool", Pool::Type::egress, Pool::Mode::dynamic, Bytes(26'663'272), Bytes()},
      {"egress_lossless_pool", Pool::Type::egress, Pool::Mode::fixed, Bytes(42'349'632), Bytes()}};
  d.buffer.profiles = {
      {"pg_lossless", "ingress_lossless_pool", Bytes(1248), 0, {}, Bytes(59'696), Bytes(1248), Bytes(2496)},
      {"ingress_lossy", "ingress_lossless_pool", Bytes(), {}, Bytes(44'302'336), {}, Bytes(), Bytes()},
      {"egress_lossless", "egress_lossless_pool", Bytes(), {}, Bytes(42'349'632), {}, Bytes(), Bytes()},
      {"egress_lossy", "egress_lossy_pool", Bytes(1664), -1, {}, {}, Bytes(), Bytes()}};
  d.frame = 208 * 8;
  d.reserved = 1248;
  d.shared = 33'329'088 / 4;
  d.xoff = 59'696;
  d.xon = 1248;
  d.xon_offset = 2496;
  d.headroom_pool = 7'827'456 / 4;
  d.lossy_reserved = 1664;
  d.lossy_alpha = 0.5;
  d.lossy_pool = 26'663'272 / 4;
  d.ports_per_slice = 4;
  return d;
}

inline Dut Spectrum3() {
  const AsicFamily& family = *FindAsicFamily("spectrum3");
  using Pool = BufferPool;
  Dut d;
  d.name = "spectrum3";
  d.buffer.size = Bytes(60'817'392);
  d.buffer.cell = family.cell;
  d.buffer.slices = family.slices;
  d.buffer.rules = family.rules;
  d.buffer.pools = {
      {"ingress_lossless_pool", Pool::Type::ingress, Pool::Mode::dynamic, Bytes(48'332'800),
       Bytes(5'275'648)},
      {"egress_lossy_pool", Pool::Type::egress, Pool::Mode::dynamic, Bytes(48'332'800), Bytes()},
      {"egress_lossless_pool", Pool::Type::egress, Pool::Mode::dynamic, Bytes(60'817'392), Bytes()}};
  d.buffer.profiles = {
      {"pg_lossless", "ingress_lossless_pool", Bytes(19'456), 0, {}, Bytes(66'560), Bytes(19'456), Bytes()},
      {"ingress_lossy", "ingress_lossless_pool", Bytes(), 3, {}, {}, Bytes(), Bytes()},
      {"egress_lossless", "egress_lossless_pool", Bytes(), 7, {}, {}, Bytes(), Bytes()},
      {"egress_lossy", "egress_lossy_pool", Bytes(), 3, {}, {}, Bytes(), Bytes()}};
  d.frame = 144 * 16;
  d.reserved = 19'456;
  d.shared = 48'332'800;
  d.xoff = 66'560;
  d.xon = 19'456;
  d.headroom_pool = 5'275'648;
  d.lossy_alpha = 8;
  d.lossy_pool = 48'332'800;
  return d;
}

/// The switch with 16 ports, in its own process.
class SwitchUnderTest {
 public:
  static constexpr uint32_t kPorts = 16;

  explicit SwitchUnderTest(const Dut& dut, const SwitchConfig& config = Config(),
                           const TrafficClasses& classes = Classes())
      : dut_(dut), bench_(kPorts, config, WithDefaults(dut.buffer), classes, kLink) {}

  static BufferParameters WithDefaults(BufferParameters b) {
    b.lossless_group = "pg_lossless";
    b.lossy_group = "ingress_lossy";
    b.lossless_queue = "egress_lossless";
    b.lossy_queue = "egress_lossy";
    return b;
  }
  static SwitchConfig Config() {
    SwitchConfig c;
    c.name = "dut";
    c.latency = Nanoseconds(500);
    return c;
  }
  /// SONiC's AZURE maps: 3 and 4 are lossless, 0 is lossy, CNPs have priority 6.
  static TrafficClasses Classes() {
    TrafficClasses classes;
    classes[0] = {"lossy", 0, 0, false, 14, false};
    classes[1] = {"other", 1, 8, false, 14, false};
    classes[3] = {"three", 3, 3, true, 15, false};
    classes[4] = {"four", 4, 4, true, 15, false};
    return classes;
  }

  SwitchBench& operator*() { return bench_; }
  SwitchBench* operator->() { return &bench_; }

  /// Closes a port to data, or opens it; pauses still go out.
  void Close(uint32_t port, bool closed = true) {
    for (int q = 0; q < kPriorities; ++q) bench_.node->port(port).SetPaused(q, closed);
  }
  /// Sends frames and waits until the switch has them.
  void Send(uint32_t from, uint32_t to, int priority, int64_t frames) {
    for (int64_t i = 0; i < frames; ++i) bench_.Send(from, to, priority, dut_.frame);
    Wait(SerializationTime(Bytes((dut_.frame + 20) * frames), kLink.rate) + Microseconds(2));
  }
  void Wait(Time span) { RunUntil(EventQueue::Get().now() + span); }
  /// Lets exactly this many frames leave a port: it opens the port for the time that they take.
  void Drain(uint32_t port, int64_t frames) {
    Close(port, false);
    Wait(SerializationTime(Bytes((dut_.frame + 20) * frames), kLink.rate) - Nanoseconds(1));
    Close(port);
    Wait(Microseconds(2));
  }

  bool Paused(uint32_t port, int group) { return bench_.buffer().xoff(port, group); }
  uint64_t PauseFrames(uint32_t port, int priority) {
    return bench_.node->port(port).statistics().pause_frames(priority);
  }
  uint64_t Drops(uint32_t port, int priority) {
    uint64_t sum = 0;
    for (int r = 0; r < kDropReasons; ++r) sum += bench_.Dropped(port, priority, static_cast<DropReason>(r));
    return sum;
  }
  uint64_t AllDrops() {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < kPorts; ++i) {
      for (int p = 0; p < kPriorities; ++p) sum += Drops(i, p);
    }
    return sum;
  }
  int64_t Watermark(SharedBuffer::Measure measure, uint32_t port, int group) {
    return bench_.buffer().watermark(headroom::Watermark::user, measure, port, group);
  }

 private:
  static constexpr LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(200), Time{}, 0.0};
  Dut dut_;
  SwitchBench bench_;
};

/// A test of this suite, which runs on each switch.
class Acceptance : public testing::TestWithParam<Dut> {
 protected:
  const Dut& dut() const { return GetParam(); }
};

inline void PrintTo(const Dut& dut, std::ostream* out) { *out << dut.name; }
inline std::string DutName(const testing::TestParamInfo<Dut>& info) { return info.param.name; }

}  // namespace headroom
