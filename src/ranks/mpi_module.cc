// The module headroom_mpi.so: ranks joined by MPI. The program loads it (rank_world.h).
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "sim/exchange.h"

namespace headroom {

namespace {

/// Packets travel in messages of at most this size, because MPI counts in int. A shorter message, maybe an
/// empty one, is a packet's last.
constexpr size_t kMost = size_t{1} << 30;
constexpr int kTag = 1;
/// A rank that waits spins for this long, because most waits are shorter and a wake-up costs more. Then it
/// sleeps between looks, which leaves its core to other processes.
constexpr std::chrono::microseconds kSpin(50), kSleep(10);

class MpiExchange final : public Exchange {
 public:
  MpiExchange() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void Swap(std::vector<Packet>& out, std::vector<Packet>& in) override {
    requests_.clear();
    for (int r = 0; r < size_; ++r) {
      if (r != rank_) Send(r, out[static_cast<size_t>(r)]);
    }
    for (int r = 0; r < size_; ++r) {
      if (r != rank_) Receive(r, in[static_cast<size_t>(r)]);
    }
    Wait([this] {
      int done = 0;
      MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE);
      return done != 0;
    });
  }

 private:
  template <class Done>
  static void Wait(const Done& done) {
    const auto begun = std::chrono::steady_clock::now();
    while (!done()) {
      if (std::chrono::steady_clock::now() - begun > kSpin) std::this_thread::sleep_for(kSleep);
    }
  }
  void Send(int to, const Packet& packet) {
    size_t at = 0, length = 0;
    do {
      length = std::min(kMost, packet.size() - at);
      MPI_Isend(packet.data() + at, static_cast<int>(length), MPI_BYTE, to, kTag, MPI_COMM_WORLD,
                &requests_.emplace_back());
      at += length;
    } while (length == kMost);
  }
  static void Receive(int from, Packet& packet) {
    packet.clear();
    for (;;) {
      MPI_Message message;
      MPI_Status status;
      int length = 0;
      Wait([&] {
        int found = 0;
        MPI_Improbe(from, kTag, MPI_COMM_WORLD, &found, &message, &status);
        return found != 0;
      });
      MPI_Get_count(&status, MPI_BYTE, &length);
      const size_t at = packet.size();
      packet.resize(at + static_cast<size_t>(length));
      MPI_Mrecv(packet.data() + at, length, MPI_BYTE, &message, MPI_STATUS_IGNORE);
      if (static_cast<size_t>(length) < kMost) return;
    }
  }

  int rank_ = 0, size_ = 1;
  std::vector<MPI_Request> requests_;
};

}  // namespace

}  // namespace headroom

extern "C" {

headroom::Exchange* HeadroomJoinRanks() {
  MPI_Init(nullptr, nullptr);
  prctl(PR_SET_TIMERSLACK, 1UL);  // the default of 50 µs would add to each sleep
  static headroom::MpiExchange exchange;
  return &exchange;
}

void HeadroomLeaveRanks() { MPI_Finalize(); }

void HeadroomAbortRanks(int code) { MPI_Abort(MPI_COMM_WORLD, code); }
}
