// The contents of a switch's priority groups: bytes by egress queue and by the tag of their frames. Over a
// span of time, the bytes are weighted by how long they stayed.
//
// Counting costs each frame the same, regardless of the number of waiting frames. Spans are used for pauses.
// While a span is open at a group, each of the group's parts accumulates bytes × picoseconds, from the first
// to the last instant, both included. So a span of length zero has the bytes of its instant.
//
// Identity: the bytes of a group here are those that the shared buffer has charged to it, while the switch
// counts them (Switch::BeginSpan).
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "net/traffic_class.h"
#include "sim/event_queue.h"
#include "switch/buffer/shared_buffer.h"

namespace headroom {

class GroupContents {
 public:
  /// Bytes of a group whose frames leave by `queue` of port `out` and carry `tag`.
  struct Part {
    uint32_t out = 0;
    uint8_t queue = 0, tag = 0;
  };

  /// `groups` and `queues`: those that are counted, one bit each. Other frames are ignored. `tags`: one more
  /// than the largest tag.
  void Setup(uint32_t ports, uint8_t groups, uint8_t queues, int tags);
  /// Takes the memory of the counts: most switches of a large network never pause. REQUIRES: before Add and
  /// Begin.
  void Allocate();

  /// A frame was charged, or released.
  void Add(const SharedBuffer::Place& at, uint8_t tag, uint32_t charge) { Change(at, tag, charge); }
  void Remove(const SharedBuffer::Place& at, uint8_t tag, uint32_t charge) {
    Change(at, tag, -int64_t{charge});
  }
  /// Whether a span is open at any group.
  bool InSpan() const { return spans_ > 0; }
  bool Counts(uint32_t in, int group) const { return in < ports_ && group_slot_[group] != kNone; }
  int64_t bytes(uint32_t in, int group, const Part& part) const;

  /// A span begins now at a group; each Begin needs its own End. REQUIRES: Counts(in, group).
  void Begin(uint32_t in, int group);
  void End(uint32_t in, int group);
  /// Passes on the amounts that the group's parts have accumulated since the span began, or since the last
  /// call: use(part, bytes × ps). REQUIRES: a span is open at the group.
  template <class Use>
  void Settle(uint32_t in, int group, Use use) {
    Row& row = rows_[RowOf(in, group)];
    for (uint32_t out = 0; out < ports_; ++out) SettleColumns(row, out, 0, queues_, use);
  }
  /// The contents of one queue only.
  template <class Use>
  void Settle(uint32_t in, int group, uint32_t out, int queue, Use use) {
    if (queue_slot_[queue] == kNone) return;
    SettleColumns(rows_[RowOf(in, group)], out, queue_slot_[queue], queue_slot_[queue] + 1u, use);
  }

 private:
  static constexpr uint8_t kNone = 0xff;
  struct Weight {
    Time since;         ///< counted up to this time
    double bytes_ps{};  ///< counted, and not passed on
  };
  struct Row {
    int64_t* bytes = nullptr;
    int spans = 0;
    std::vector<Weight> weights;
  };
  struct Free {
    size_t mapped;  ///< size of a mapping of its own; 0: memory of the heap
    Free() : mapped(0) {}
    explicit Free(size_t size) : mapped(size) {}
    void operator()(int64_t* p) const;
  };
  static constexpr size_t kSparse = 64 << 20;  ///< from this size on, the counts have their own mapping

  size_t RowOf(uint32_t in, int group) const { return size_t{in} * groups_ + group_slot_[group]; }
  size_t ColumnOf(uint32_t out, uint32_t slot, uint32_t tag) const {
    return (size_t{out} * queues_ + slot) * tags_ + tag;
  }
  void Change(const SharedBuffer::Place& at, uint8_t tag, int64_t bytes) {
    const int64_t of_group = group_at_[at.group], of_queue = queue_at_[at.queue];
    if ((of_group | of_queue) < 0) return;
    const auto index = static_cast<size_t>(of_group + of_queue) + at.in * per_in_ + at.out * per_out_ + tag;
    if (spans_ > 0) [[unlikely]]
      Gather(RowOf(at.in, at.group), index);
    bytes_[index] += bytes;
  }
  /// Accumulates a part up to now, before it changes.
  void Gather(size_t row, size_t index);
  void Weigh(Row& row, size_t column, Time now);
  template <class Use>
  void SettleColumns(Row& row, uint32_t out, uint32_t from, uint32_t to, Use use) {
    const Time now = EventQueue::Get().now();
    for (uint32_t slot = from; slot < to; ++slot) {
      for (uint32_t tag = 0; tag < tags_; ++tag) {
        const size_t column = ColumnOf(out, slot, tag);
        Weigh(row, column, now);
        Weight& w = row.weights[column];
        if (w.bytes_ps <= 0) continue;
        use(Part{out, queue_of_[slot], static_cast<uint8_t>(tag)}, w.bytes_ps);
        w.bytes_ps = 0;
      }
    }
  }

  // The members that every frame touches come first.
  std::unique_ptr<int64_t[], Free>
      bytes_;  ///< indexed by group, queue and tag; touched only where bytes were counted
  size_t per_in_ = 0, per_out_ = 0;  ///< distance in memory from one port to the next
  int spans_ = 0;                    ///< number of open spans, over all groups
  std::array<int32_t, kPriorities> group_at_ = Nowhere(),
                                   queue_at_ = Nowhere();  ///< index in bytes_; negative: not counted
  size_t columns_ = 0;                                     ///< number of columns per group
  uint32_t ports_ = 0, tags_ = 0, groups_ = 0, queues_ = 0;
  std::array<uint8_t, kPriorities> group_slot_ = None(), queue_slot_ = None();
  std::array<uint8_t, kPriorities> queue_of_{};  ///< indexed by slot
  std::vector<Row> rows_;

  static constexpr std::array<uint8_t, kPriorities> None() {
    std::array<uint8_t, kPriorities> none{};
    none.fill(kNone);
    return none;
  }
  static constexpr std::array<int32_t, kPriorities> Nowhere() {
    std::array<int32_t, kPriorities> nowhere{};
    nowhere.fill(-1);
    return nowhere;
  }
};

}  // namespace headroom
