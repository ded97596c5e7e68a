#include "switch/buffer/group_contents.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace headroom {

void GroupContents::Setup(uint32_t ports, uint8_t groups, uint8_t queues, int tags) {
  ports_ = ports;
  tags_ = static_cast<uint32_t>(tags);
  groups_ = queues_ = 0;
  group_slot_ = queue_slot_ = None();
  for (uint8_t n = 0; n < kPriorities; ++n) {
    if ((groups >> n) & 1) group_slot_[n] = static_cast<uint8_t>(groups_++);
    if (((queues >> n) & 1) == 0) continue;
    queue_of_[queues_] = n;
    queue_slot_[n] = static_cast<uint8_t>(queues_++);
  }
  columns_ = size_t{ports_} * queues_ * tags_;
  per_in_ = columns_ * groups_;
  per_out_ = size_t{queues_} * tags_;
  group_at_ = queue_at_ = Nowhere();
  for (uint8_t n = 0; n < kPriorities; ++n) {
    if (group_slot_[n] != kNone) group_at_[n] = static_cast<int32_t>(group_slot_[n] * columns_);
    if (queue_slot_[n] != kNone) queue_at_[n] = static_cast<int32_t>(queue_slot_[n] * tags_);
  }
  bytes_.reset();
  rows_.clear();
}

void GroupContents::Free::operator()(int64_t* p) const {
  if (mapped > 0) {
    munmap(p, mapped);
  } else {
    std::free(p);
  }
}

void GroupContents::Allocate() {
  if (bytes_ != nullptr) return;
  const size_t rows = size_t{ports_} * groups_;
  // Most pairs of ports exchange no traffic: zeroed memory costs nothing until it is touched. A switch of
  // thousands of ports has a table beyond the machine's memory, of which only a part is ever used.
  const size_t size = std::max<size_t>(1, rows * columns_) * sizeof(int64_t);
  if (size < kSparse) {
    bytes_ = {static_cast<int64_t*>(std::calloc(1, size)), Free{}};
    if (bytes_ == nullptr) throw std::bad_alloc();
  } else {
    constexpr int kPrivate = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* const at = mmap(nullptr, size, PROT_READ | PROT_WRITE, kPrivate, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    madvise(at, size, MADV_NOHUGEPAGE);  // a huge page for each row is too much
    bytes_ = {static_cast<int64_t*>(at), Free{size}};
  }
  rows_.resize(rows);
  for (size_t row = 0; row < rows; ++row) rows_[row].bytes = &bytes_[row * columns_];
}

int64_t GroupContents::bytes(uint32_t in, int group, const Part& part) const {
  if (bytes_ == nullptr || !Counts(in, group) || queue_slot_[part.queue] == kNone) return 0;
  return rows_[RowOf(in, group)].bytes[ColumnOf(part.out, queue_slot_[part.queue], part.tag)];
}

void GroupContents::Begin(uint32_t in, int group) {
  Row& row = rows_[RowOf(in, group)];
  ++spans_;
  if (row.spans++ > 0) return;
  row.weights.assign(columns_, Weight{EventQueue::Get().now() - Picoseconds(1), 0});
}

void GroupContents::End(uint32_t in, int group) {
  --spans_;
  --rows_[RowOf(in, group)].spans;
}

void GroupContents::Gather(size_t row, size_t index) {
  if (rows_[row].spans > 0) Weigh(rows_[row], index - row * columns_, EventQueue::Get().now());
}

void GroupContents::Weigh(Row& row, size_t column, Time now) {
  Weight& w = row.weights[column];
  w.bytes_ps += static_cast<double>(row.bytes[column]) * static_cast<double>((now - w.since).v);
  w.since = now;
}

}  // namespace headroom
