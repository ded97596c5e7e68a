// The module headroom_mpi.so: ranks joined by MPI. The program loads it (rank_world.h).
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>

#include "sim/exchange.h"

namespace headroom {

namespace {

/// Packets travel in messages of at most this size, because MPI counts in int. A shorter message, maybe an
/// empty one, is a packet's last.
constexpr size_t kMost = size_t{1} << 30;
constexpr int kTag = 1;

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
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

 private:
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
      MPI_Mprobe(from, kTag, MPI_COMM_WORLD, &message, &status);
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
  static headroom::MpiExchange exchange;
  return &exchange;
}

void HeadroomLeaveRanks() { MPI_Finalize(); }

void HeadroomAbortRanks(int code) { MPI_Abort(MPI_COMM_WORLD, code); }
}
