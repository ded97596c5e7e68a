#include "support/rank_processes.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <vector>

#include "support/in_child.h"

namespace headroom {

namespace {

/// Each packet crosses with its size ahead. Both directions advance together, so no rank waits for another to
/// read.
class SocketExchange final : public Exchange {
 public:
  /// `sockets`: by rank; the own is unused.
  SocketExchange(int rank, std::vector<int> sockets) : rank_(rank), sockets_(std::move(sockets)) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(sockets_.size()); }

  void Swap(std::vector<Packet>& out, std::vector<Packet>& in) override {
    std::vector<Transfer> transfers;
    for (int r = 0; r < size(); ++r) {
      if (r != rank_) transfers.emplace_back(r, out[static_cast<size_t>(r)], in[static_cast<size_t>(r)]);
    }
    for (;;) {
      std::vector<pollfd> waiting;
      for (Transfer& t : transfers) {
        const int socket = sockets_[static_cast<size_t>(t.rank)];
        t.Advance(socket);
        const auto wants = static_cast<short>((t.Sent() ? 0 : POLLOUT) | (t.Received() ? 0 : POLLIN));
        if (wants != 0) waiting.push_back({socket, wants, 0});
      }
      if (waiting.empty()) return;
      poll(waiting.data(), waiting.size(), -1);
    }
  }

 private:
  struct Transfer {
    Transfer(int to, const Packet& sends, Packet& takes) : rank(to), out(sizeof(uint64_t)), in(takes) {
      const uint64_t bytes = sends.size();
      std::memcpy(out.data(), &bytes, sizeof bytes);
      out.insert(out.end(), sends.begin(), sends.end());
      in.clear();
    }
    bool Sent() const { return sent == out.size(); }
    bool Received() const { return got_head == sizeof size && got == size; }
    void Advance(int socket) {
      while (!Sent()) {
        const ssize_t n = send(socket, out.data() + sent, out.size() - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (!Moved(n)) break;
        sent += static_cast<size_t>(n);
      }
      while (got_head < sizeof size) {
        const ssize_t n =
            recv(socket, reinterpret_cast<char*>(&size) + got_head, sizeof size - got_head, MSG_DONTWAIT);
        if (!Moved(n)) return;
        got_head += static_cast<size_t>(n);
        if (got_head == sizeof size) in.resize(size);
      }
      while (!Received()) {
        const ssize_t n = recv(socket, in.data() + got, size - got, MSG_DONTWAIT);
        if (!Moved(n)) return;
        got += static_cast<size_t>(n);
      }
    }
    static bool Moved(ssize_t n) {
      if (n > 0) return true;
      if (n < 0 && (errno == EAGAIN || errno == EINTR)) return false;
      throw std::runtime_error("another rank is gone");
    }
    int rank;
    Packet out;
    Packet& in;
    size_t sent = 0, got_head = 0, got = 0;
    uint64_t size = 0;
  };

  int rank_;
  std::vector<int> sockets_;
};

}  // namespace

std::string TextFromRanks(int ranks, const std::function<std::string(Exchange&)>& body) {
  const auto n = static_cast<size_t>(ranks);
  std::vector<std::vector<int>> sockets(n, std::vector<int>(n, -1));
  for (size_t a = 0; a < n; ++a) {
    for (size_t b = a + 1; b < n; ++b) {
      int pair[2];
      if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) throw std::runtime_error("no socket pair");
      sockets[a][b] = pair[0];
      sockets[b][a] = pair[1];
    }
  }
  // A rank closes the ends of the others, and so notices when one of them is gone.
  const auto close_all_but = [&sockets](size_t rank) {
    for (size_t r = 0; r < sockets.size(); ++r) {
      for (const int socket : sockets[r]) {
        if (r != rank && socket >= 0) close(socket);
      }
    }
  };
  const auto run = [&](size_t rank) {
    close_all_but(rank);
    SocketExchange exchange(static_cast<int>(rank), sockets[rank]);
    return body(exchange);
  };
  std::fflush(nullptr);
  std::vector<pid_t> others;
  for (size_t r = 1; r < n; ++r) {
    others.push_back(fork());
    if (others.back() != 0) continue;
    bool failed = testing::Test::HasFailure();
    try {
      run(r);
      failed = testing::Test::HasFailure() != failed;
    } catch (const std::exception& e) {
      std::fprintf(stderr, "exception in rank %zu: %s\n", r, e.what());
      failed = true;
    }
    std::exit(failed ? EXIT_FAILURE : EXIT_SUCCESS);
  }
  const std::string text = TextFromChild([&] { return run(0); });
  close_all_but(n);
  for (const pid_t other : others) {
    int status = 0;
    if (waitpid(other, &status, 0) != other || !WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS)
      ADD_FAILURE() << "a rank failed, status " << status;
  }
  return text;
}

}  // namespace headroom
