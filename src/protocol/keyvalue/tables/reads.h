// READs of servers' memory by processes of clients, with a reliable connection from each process to each
// server.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "protocol/keyvalue/key_value_parameters.h"
#include "protocol/keyvalue/slot_exchange.h"
#include "protocol/service.h"
#include "sim/footprint.h"

namespace headroom {

/// The receiver of READ data.
class ReadUser {
 public:
  virtual ~ReadUser() = default;
  /// `data`: empty if memory has no content. `right` is false if the connection has failed.
  virtual void OnRead(uint32_t token, std::span<const uint8_t> data, bool right) = 0;
};

class Reads final {
 public:
  struct Parameters {
    uint32_t client_processes = 1;
    uint32_t window = 1;   ///< per process
    uint32_t longest = 0;  ///< in bytes
    bool content = false;  ///< the memory that is read has content
  };
  /// All must outlive this object. Clients' processes also use `exchange`, on the same cores.
  Reads(const Parameters& parameters, const KeyValueParameters& service, const ServiceGround& ground,
        ReadUser& user, SlotExchange& exchange);

  /// Posts a READ from the memory of one of the service's servers, during the run. The user gets one call of
  /// OnRead for it, whether it succeeds or fails. REQUIRES: this client has at most a window of open READs.
  void Post(uint32_t client, size_t server, uint32_t token, uint32_t rkey, uint64_t address, uint32_t bytes);
  uint64_t posted() const { return posted_; }
  /// The start of the READ that has just ended.
  Time sent() const { return sent_; }
  void ForEachQueuePair(const std::function<void(NodeId, uint32_t)>& use) const;

  /// The share of READs in this process's memory.
  static Forecast FootprintOf(const Parameters& parameters, double clients, double servers);

 private:
  struct Read {
    size_t server = 0;
    uint32_t token = 0, rkey = 0, bytes = 0, buffer = 0;
    uint64_t address = 0;
    uint64_t step = 0;  ///< the step that requested it
    Time sent;
  };
  struct Client final : CoreThread {
    Client(Reads& all, const ServiceHost& at, CoreThread& beside)
        : CoreThread(EventQueue::Get().AddEntity(at.context), beside),
          reads_of(all),
          host(at.verbs->host()),
          verbs(at.verbs) {}
    void Next() override { reads_of.Work(*this); }
    using CoreThread::Occupy, CoreThread::Taken, CoreThread::Wake, CoreThread::WakeWhenFree;

    Reads& reads_of;
    const NodeId host;
    Verbs* const verbs;
    CompletionQueue* cq = nullptr;
    std::vector<QueuePair*> to;  ///< indexed by server
    std::vector<uint8_t> bytes;  ///< bytes of the buffers
    MemoryRegion* region = nullptr;
    Ring<uint32_t> waiting;
    std::vector<Read> reads;  ///< indexed by buffer
    std::vector<uint32_t> free;
  };
  void Work(Client& client);
  void Poll(uint32_t client);

  const Parameters p_;
  const KeyValueParameters& service_;
  ReadUser& user_;
  Trail* const trail_;  ///< null: times are not split
  std::deque<Client> clients_;
  uint64_t posted_ = 0;
  Time sent_;
};

}  // namespace headroom
