#include "net/port_statistics.h"

#include "sim/event_queue.h"

namespace headroom {

namespace {
void Count(std::array<uint64_t, kPriorities>& counts, uint8_t priorities) {
  for (int p = 0; p < kPriorities; ++p) counts[p] += (priorities >> p) & 1u;
}
}  // namespace

void PortStatistics::CountMark(int queue) {
  Seldom& counts = seldom_.Make();
  if (counts.marked[queue]++ == 0) counts.first_mark[queue] = EventQueue::Get().now();
}

void PortStatistics::CountDrop(DropReason reason, int priority, uint32_t bytes) {
  PriorityDrops& d = drops_.Make()[priority];
  ++d.packets[static_cast<int>(reason)];
  d.bytes[static_cast<int>(reason)] += bytes;
  NoteFirstDrop(priority, reason);
}

void PortStatistics::CountCorruptPfc(uint8_t priorities) {
  for (int p = 0; p < kPriorities; ++p) {
    if (((priorities >> p) & 1) == 0) continue;
    ++drops_.Make()[p].packets[static_cast<int>(DropReason::corrupt)];
    NoteFirstDrop(p, DropReason::corrupt);
  }
}

void PortStatistics::NoteFirstDrop(int priority, DropReason reason) {
  Seldom::FirstDrop& first = seldom_.Make().first_drop[priority];
  if (first.at == kNever) first = {EventQueue::Get().now(), reason};
}

void PortStatistics::CountPfcSent(uint8_t xoff, uint8_t xon) {
  Seldom& counts = seldom_.Make();
  Count(counts.pause_frames, xoff);
  Count(counts.resume_frames, xon);
}

void PortStatistics::CountPfcReceived(uint8_t priorities) {
  Count(seldom_.Make().pfc_frames_received, priorities);
}

}  // namespace headroom
