// The cost of a packet-hop in a bare event loop. Ratios to it make speeds of different machines comparable.
//
// The loop is a binary heap (std::priority_queue) with two events per hop. 64 hosts are in four racks. Each
// host sends 1106-byte frames back to back to a host in the next rack. A frame takes four transmissions and
// causes one ACK. Links have 1 us. Queues are FIFOs with RED on their length, and share one byte counter.
// There is no DCQCN, PFC or pacing, and there are no statistics or results.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <queue>
#include <vector>

namespace {

struct Packet {
  uint32_t bytes;
  uint16_t destination;
  bool ack;
  bool marked;
};

struct Event {
  int64_t time;
  uint64_t order;
  uint32_t port;
  bool arrival;
  Packet packet;
  bool operator>(const Event& o) const { return time != o.time ? time > o.time : order > o.order; }
};

struct Fifo {
  std::vector<Packet> ring = std::vector<Packet>(1 << 12);
  uint32_t head = 0, tail = 0;
  int64_t bytes = 0;
  bool busy = false;
};

class BareLoop {
 public:
  explicit BareLoop(uint32_t hosts) : hosts_(hosts), ports_(kStages * hosts) {}

  /// Returns the number of transmissions completed within the span.
  uint64_t Run(int64_t until_ps) {
    for (uint32_t h = 0; h < hosts_; ++h) SendData(h);
    while (!heap_.empty() && heap_.top().time < until_ps) {
      const Event e = heap_.top();
      heap_.pop();
      now_ = e.time;
      if (e.arrival) {
        Arrive(e.port, e.packet);
      } else {
        ++hops_;
        Done(e.port);
      }
    }
    return hops_;
  }
  uint64_t marks() const { return marks_; }

 private:
  // Four ports per host: its own, one up from the rack, one down from the spine, one down to the host.
  static constexpr uint32_t kStages = 4, kRack = 16;
  static constexpr int64_t kPsPerByte = 80, kDelay = 1'000'000;
  static constexpr int64_t kKmin = 400'000, kKmax = 1'600'000;

  void SendData(uint32_t host) {
    Send(host, {1106, static_cast<uint16_t>((host + kRack) % hosts_), false, false});
  }
  void Send(uint32_t port, Packet p) {
    Fifo& f = ports_[port];
    f.ring[f.tail++ & 4095] = p;
    f.bytes += p.bytes;
    shared_ += p.bytes;
    if (!f.busy) Start(port);
  }
  void Start(uint32_t port) {
    Fifo& f = ports_[port];
    Packet p = f.ring[f.head++ & 4095];
    f.bytes -= p.bytes;
    shared_ -= p.bytes;
    f.busy = true;
    if (f.bytes > kKmin) {
      random_ = random_ * 6364136223846793005u + 1442695040888963407u;
      p.marked = static_cast<int64_t>(random_ >> 44) * (kKmax - kKmin) / (1 << 20) < f.bytes - kKmin;
      marks_ += p.marked;
    }
    const int64_t done = now_ + (p.bytes + 20) * kPsPerByte;
    heap_.push({done, order_++, port, false, {}});
    heap_.push({done + kDelay, order_++, port, true, p});
  }
  void Done(uint32_t port) {
    Fifo& f = ports_[port];
    f.busy = false;
    if (port < hosts_ && f.head == f.tail) SendData(port);
    if (!f.busy && f.head != f.tail) Start(port);
  }
  void Arrive(uint32_t from, Packet p) {
    const uint32_t stage = from / hosts_, lane = from % hosts_;
    if (stage == 0) return Send(hosts_ + lane, p);
    if (stage < kStages - 1) return Send((stage + 1) * hosts_ + p.destination, p);
    if (!p.ack) Send(lane, {66, static_cast<uint16_t>((lane + hosts_ - kRack) % hosts_), true, false});
  }

  uint32_t hosts_;
  std::vector<Fifo> ports_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> heap_;
  int64_t now_ = 0, shared_ = 0;
  uint64_t order_ = 0, hops_ = 0, marks_ = 0, random_ = 1;
};

}  // namespace

int main() {
  BareLoop loop(64);
  const uint64_t hops = loop.Run(2'000'000'000);
  const double cpu_s = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  std::printf("%llu %.6f %llu\n", static_cast<unsigned long long>(hops), cpu_s,
              static_cast<unsigned long long>(loop.marks()));
}
