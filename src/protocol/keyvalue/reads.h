// READs of servers' memory by processes of clients, on a reliable connection from each of these to each
// server.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "protocol/core_time.h"
#include "protocol/keyvalue/key_value_parameters.h"
#include "protocol/service.h"
#include "sim/footprint.h"

namespace headroom {

/// What a READ brought.
class ReadUser {
 public:
  virtual ~ReadUser() = default;
  /// `data`: empty where memory has no content. Not right: the connection has failed.
  virtual void OnRead(uint32_t token, std::span<const uint8_t> data, bool right) = 0;
};

class Reads final : public EventTarget {
 public:
  struct Parameters {
    uint32_t client_processes = 1;
    uint32_t window = 1;   ///< of a process
    uint32_t longest = 0;  ///< bytes
    bool content = false;  ///< what is read has
  };
  /// All outlive this. `cores`: by client process.
  Reads(const Parameters& parameters, const KeyValueParameters& service, const ServiceGround& ground,
        ReadUser& user, std::vector<CoreTime>& cores);

  /// Of memory of one of the service's servers, during the run. The user hears of it once, by OnRead, whether
  /// it succeeds or fails. REQUIRES: no more than a window of them of this client.
  void Post(uint32_t client, size_t server, uint32_t token, uint32_t rkey, uint64_t address, uint32_t bytes);
  uint64_t posted() const { return posted_; }
  /// Since when the READ that has just ended was on its way.
  Time sent() const { return sent_; }
  void ForEachQueuePair(const std::function<void(NodeId, uint32_t)>& use) const;
  void OnEvent(uint64_t client) override;

  /// What they take of this process's memory.
  static Forecast FootprintOf(const Parameters& parameters, double clients, double servers);

 private:
  struct Read {
    size_t server = 0;
    uint32_t token = 0, rkey = 0, bytes = 0, buffer = 0;
    uint64_t address = 0;
    uint64_t step = 0;  ///< that asked for it
    Time sent;
  };
  struct Client {
    NodeId host = 0;
    Verbs* verbs = nullptr;
    CompletionQueue* cq = nullptr;
    EntityId entity = 0;
    uint64_t events = 0;
    std::vector<QueuePair*> to;  ///< by server
    std::vector<uint8_t> bytes;  ///< buffers
    MemoryRegion* region = nullptr;
    Ring<uint32_t> waiting;
    std::vector<Read> reads;  ///< by buffer
    std::vector<uint32_t> free;
    bool armed = false;
  };
  void Work(uint32_t client);
  void Poll(uint32_t client);

  const Parameters p_;
  const KeyValueParameters& service_;
  ReadUser& user_;
  std::vector<CoreTime>& cores_;
  Trail* const trail_;  ///< null: times are not split
  std::deque<Client> clients_;
  uint64_t posted_ = 0;
  Time sent_;
};

}  // namespace headroom
