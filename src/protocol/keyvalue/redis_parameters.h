// Parameters only of services of type redis: a Redis or Valkey server, and redis-benchmark at each client.
//
// No source gives the programs' costs per request. The defaults are calibrated: docs/models/redis.md.
#pragma once

#include <cstdint>

#include "protocol/application_costs.h"
#include "sim/units.h"

namespace headroom {

/// The carrier of its streams.
enum class RedisTransport : uint8_t { rdma, tcp, libvma, smc_r };
constexpr const char* RedisTransportName(RedisTransport transport) {
  constexpr const char* names[] = {"rdma", "tcp", "libvma", "smc_r"};
  return names[static_cast<size_t>(transport)];
}

struct RedisParameters {
  RedisTransport transport = RedisTransport::rdma;
  int client_threads = 1;           ///< per client
  int io_threads = 1;               ///< threads of the server, including its main thread
  Bytes buffer{1 << 20};            ///< the server's receive buffer per connection
  Time parse = Nanoseconds(150);    ///< cost of a request, for the thread that reads it
  Time command = Nanoseconds(150);  ///< cost to execute it and append its reply, for the main thread
  Time request = Nanoseconds(850);  ///< cost to a client's thread: to make a request and take its reply
  ApplicationCosts costs = Calibrated();

  static ApplicationCosts Calibrated() {
    ApplicationCosts costs;
    costs.turn = Nanoseconds(200);
    costs.kernel = {Nanoseconds(450), Nanoseconds(3700)};
    costs.smc_r = {Nanoseconds(200), Microseconds(1)};  // ours: less than the costs of TCP
    return costs;
  }

  /// Whether it uses TCP, at least to connect.
  bool on_tcp() const { return transport != RedisTransport::rdma; }
  bool on_queue_pairs() const {
    return transport == RedisTransport::rdma || transport == RedisTransport::smc_r;
  }
  /// How a thread of either program waits.
  EventLoop Loop() const { return transport == RedisTransport::libvma ? costs.Polling() : costs.Sleeping(); }
  /// The time from a sending call until the other host's thread has the data, without the network.
  Time StackDelay() const {
    if (transport == RedisTransport::smc_r) return costs.smc_r.delay;
    return on_queue_pairs() ? Time(0) : Stack().delay * 2;
  }
  /// Minimum time of a thread to write, and to read, some bytes at once; for sockets one call.
  Time Writes(int64_t bytes) const {
    if (transport == RedisTransport::smc_r) return costs.smc_r.call;
    return on_queue_pairs() ? costs.post + costs.OfCopy(bytes) : Stack().call;
  }
  Time Reads(int64_t copied) const {
    if (transport == RedisTransport::smc_r) return costs.smc_r.call;
    return on_queue_pairs() ? costs.completion + costs.OfCopy(copied) : Stack().call;
  }
  bool operator==(const RedisParameters&) const = default;

 private:
  const TcpStackCosts& Stack() const {
    return transport == RedisTransport::libvma ? costs.user_space : costs.kernel;
  }
};

}  // namespace headroom
