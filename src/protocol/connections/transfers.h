// Connections of a service and the payloads on them: their owners, the payloads' places, and whether each
// reached its destination. A payload begins with a mark, which says so; data behind it are counted.
#pragma once

#include <vector>

#include "protocol/connections/connection_parameters.h"
#include "protocol/connections/connection_record.h"
#include "protocol/service.h"

namespace headroom {

/// The first bytes of each place in memory and of each message.
struct PayloadMark {
  enum class Kind : uint8_t { payload, connect, accept, fetch, fetched };
  static constexpr uint32_t kBytes = 24;

  Kind kind = Kind::payload;
  uint32_t connection = 0;
  uint64_t number = 0;  ///< of payloads of the connection; of a fetch: the slot
  uint32_t vqpn = 0;    ///< of the sender, where connections are made
  uint32_t bytes = 0;   ///< of a payload to fetch

  void Put(uint8_t* to) const;
  static PayloadMark At(const uint8_t* from);
};

enum class Side : uint8_t { client, server };

/// Memory with room for so many payloads; only their marks have content.
class PayloadMemory {
 public:
  void Make(Verbs& verbs, uint64_t count, uint32_t each);
  Sge Local(uint64_t place, uint32_t length) const { return {place * each_, length, region_->lkey}; }
  uint64_t Address(uint64_t place) const { return place * each_; }
  uint32_t key() const { return region_->rkey; }
  uint8_t* Mark(uint64_t place) { return marks_.data() + place * PayloadMark::kBytes; }

 private:
  std::vector<uint8_t> marks_;
  MemoryRegion* region_ = nullptr;
  uint32_t each_ = 0;
};

struct Connection {
  NodeId client = 0, server = 0;
  uint32_t thread = 0;          ///< of the client, and of the server
  uint64_t places[2] = {0, 0};  ///< in the memory of client and server
  std::vector<uint32_t> slots;  ///< that are free
  Ring<uint32_t> waiting;       ///< operations, for a slot
  uint64_t sent = 0;            ///< payloads by SEND
  uint64_t expected = 0;        ///< the number of the next that comes
  uint64_t stamped = 0;         ///< marks put under payloads
  bool failed = false;          ///< its queue pair did: its requests fail
};

/// A transfer that is not over.
struct Transfer {
  uint32_t operation = 0, connection = 0, bytes = 0, slot = 0;
  OperationKind kind = OperationKind::read;  ///< of what is posted
  uint64_t number = 0;                       ///< in its mark
  Time asked, posted, completed;
  Time worked;                    ///< by cores, since it was asked for or was posted
  uint64_t step = 0;              ///< that asked for it, then that posted it
  uint32_t message = kNoMessage;  ///< that carried it, where its time is split
};

class Transfers {
 public:
  Transfers(const ConnectionParameters& parameters, const ServiceGround& ground);

  std::vector<Connection>& connections() { return connections_; }
  const std::vector<Connection>& connections() const { return connections_; }
  /// A client's connection, by its number at the client.
  uint32_t ConnectionOf(NodeId client, uint32_t number) const { return first_[client] + number; }
  PayloadMemory& MemoryOf(const Connection& c, Side side) {
    return memories_[side == Side::client ? c.client : c.server];
  }
  Sge Local(const Transfer& t, Side side) {
    const Connection& c = connections_[t.connection];
    return MemoryOf(c, side).Local(c.places[static_cast<size_t>(side)] + t.slot, t.bytes);
  }
  /// Where it is at the other end of a one-sided verb.
  void Aim(const Transfer& t, Side side, SendWr& wr);
  uint8_t* Mark(const Transfer& t, Side side) {
    const Connection& c = connections_[t.connection];
    return MemoryOf(c, side).Mark(c.places[static_cast<size_t>(side)] + t.slot);
  }

  /// One begins, during the run. It ends with End, whether it succeeds or fails.
  Transfer& Begin(const OperationRequest& request);
  Transfer& operator[](uint32_t operation) { return open_[operation]; }
  /// It has a slot of its connection. False: it waits for one.
  bool TakeSlot(Transfer& transfer);
  /// It is posted now, after what cores have worked for it. Returns the step that did, for SendWr::cause.
  uint64_t Post(Transfer& transfer);
  /// Puts its mark where its payload lies before it goes out.
  void Stamp(Transfer& transfer, Side from);
  /// Whether the memory there has the stamped mark.
  bool HasMark(const Transfer& transfer, Side to);
  /// A payload has come by SEND to this connection: whether it is the one that was to come.
  bool TakeDelivered(uint32_t connection, const PayloadMark& mark);
  /// It is over. Returns the operation that its slot now is for; none: kNone.
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t End(uint32_t operation, bool right);

  /// Records a change of registered memory for payloads, and its maximum.
  void Register(int64_t bytes);
  ConnectionRecord record;

 private:
  Trail* trail() const { return ground_.operations.trail(); }

  const ServiceGround& ground_;
  std::vector<Connection> connections_;
  std::vector<uint32_t> first_;          ///< by host
  std::vector<PayloadMemory> memories_;  ///< by host
  std::vector<Transfer> open_;           ///< by operation
  int64_t registered_ = 0;
};

}  // namespace headroom
