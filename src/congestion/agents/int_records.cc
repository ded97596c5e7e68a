#include "congestion/agents/int_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "net/port.h"

namespace headroom {

const uint8_t IntTelemetry::kKind = Feedback::NewKind();

namespace {

/// Counts the frames in a queue that may leave; the others are still on their way through the node.
int64_t ReadyBytes(const FrameFifo& queue, Time now) {
  if (queue.Empty() || queue.tail->ready <= now) return queue.bytes;
  int64_t sum = 0;
  Time ready = queue.head_ready;
  for (const Frame* f = queue.head; ready <= now; f = f->next) {
    sum += f->charge;
    ready = f->ready_behind;
  }
  return sum;
}

/// The code of a link's rate in four bits: 1 to 8 for the usual rates, 0 for others.
uint64_t RateCode(Rate rate) {
  constexpr std::array<int, 8> kGigabits = {10, 25, 40, 50, 100, 200, 400, 800};
  const auto at = std::ranges::find_if(kGigabits, [&](int g) { return GigabitsPerSecond(g) == rate; });
  return at == kGigabits.end() ? 0 : static_cast<uint64_t>(at - kGigabits.begin()) + 1;
}

/// The highest byte first.
void Put(uint64_t value, int size, std::vector<uint8_t>& bytes) {
  while (size-- > 0) bytes.push_back(static_cast<uint8_t>(value >> (8 * size)));
}

}  // namespace

class IntTelemetry::Agent final : public PortAgent {
 public:
  explicit Agent(uint8_t queues) : queues_(queues) {}

  void OnSent(const Port& port, const Frame& frame, Feedback& feedback) override {
    if (feedback.kind != kKind || feedback.count == feedback.room) return;
    const Time now = EventQueue::Get().now();
    IntRecord record{port.entity(), now, port.rate_now(), 0, port.WaitsElsewhere()};
    // The sent counters include this frame.
    uint64_t bytes = 0, packets = 0;
    for (unsigned in_use = queues_; in_use != 0; in_use &= in_use - 1) {
      const int queue = std::countr_zero(in_use);
      bytes += port.sent_bytes(queue);
      packets += port.sent_packets(queue);
      record.queued += ReadyBytes(port.queue(queue), now);
    }
    record.sent = bytes - frame.bytes + (packets - 1) * static_cast<uint64_t>(port.timing().gap());
    feedback.Append(record);
  }

 private:
  uint8_t queues_;
};

std::unique_ptr<PortAgent> IntTelemetry::MakeAgent(uint8_t queues) const {
  return std::make_unique<Agent>(queues);
}

void IntTelemetry::Write(const Feedback& feedback, std::vector<uint8_t>& bytes) const {
  uint64_t path = 0;
  for (int i = 0; i < feedback.count; ++i) path ^= feedback.record<IntRecord>(i).port;
  Put(static_cast<uint64_t>(feedback.count) << 12 | (path & 0xFFF), 2, bytes);
  for (int i = 0; i < feedback.count; ++i) {
    const auto record = feedback.record<IntRecord>(i);
    const auto queued = static_cast<uint64_t>(std::min<int64_t>(record.queued / queue_unit_, 0xFFFF));
    const uint64_t sent = record.sent / static_cast<uint64_t>(sent_unit_) & 0xFFFFF;
    const auto ns = static_cast<uint64_t>(record.at.v / 1000) & 0xFFFFFF;
    Put(RateCode(record.rate) << 60 | ns << 36 | sent << 16 | queued, 8, bytes);
  }
}

std::string IntTelemetry::Describe() const {
  return fmt::format("telemetry (INT): time, rate, bytes sent and bytes queued, in data of up to {} switches",
                     records());
}

}  // namespace headroom
