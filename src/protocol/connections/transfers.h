// Connections of a service and their payloads: owners, places, and whether each payload reached its
// destination. A payload begins with a mark, which identifies it; the data behind the mark are only counted.
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
  uint64_t number = 0;  ///< number of the payload on its connection; for a fetch: the slot
  uint32_t vqpn = 0;    ///< vQPN of the sender, when connections are made
  uint32_t bytes = 0;   ///< size of a payload to fetch

  void Put(uint8_t* to) const;
  static PayloadMark At(const uint8_t* from);
};

enum class Side : uint8_t { client, server };

/// Memory for a number of payloads; only their marks have content.
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
  uint32_t thread = 0;          ///< thread of the client, and of the server
  uint64_t places[2] = {0, 0};  ///< places in the memory of client and server
  std::vector<uint32_t> slots;  ///< free slots
  Ring<uint32_t> waiting;       ///< operations that wait for a slot
  uint64_t sent = 0;            ///< number of payloads sent by SEND
  uint64_t expected = 0;        ///< number of the next payload expected
  uint64_t stamped = 0;         ///< number of marks written before payloads
  bool failed = false;          ///< its queue pair failed: its requests fail
};

/// A transfer that is not over.
struct Transfer {
  uint32_t operation = 0, connection = 0, bytes = 0, slot = 0;
  OperationKind kind = OperationKind::read;  ///< kind of the posted verb
  uint64_t number = 0;                       ///< number in its mark
  Time asked, posted, completed;
  Time worked;                    ///< time that cores worked since it was requested or posted
  uint64_t step = 0;              ///< the step that requested it, then the step that posted it
  uint32_t message = kNoMessage;  ///< the message that carried it, if its time is split
};

class Transfers {
 public:
  Transfers(const ConnectionParameters& parameters, const ServiceGround& ground);

  std::vector<Connection>& connections() { return connections_; }
  const std::vector<Connection>& connections() const { return connections_; }
  /// Returns a client's connection by its number at the client.
  uint32_t ConnectionOf(NodeId client, uint32_t number) const { return first_[client] + number; }
  PayloadMemory& MemoryOf(const Connection& c, Side side) {
    return memories_[side == Side::client ? c.client : c.server];
  }
  Sge Local(const Transfer& t, Side side) {
    const Connection& c = connections_[t.connection];
    return MemoryOf(c, side).Local(c.places[static_cast<size_t>(side)] + t.slot, t.bytes);
  }
  /// Assigns a transfer its memory at the other end, for a one-sided verb.
  void Aim(const Transfer& t, Side side, SendWr& wr);
  uint8_t* Mark(const Transfer& t, Side side) {
    const Connection& c = connections_[t.connection];
    return MemoryOf(c, side).Mark(c.places[static_cast<size_t>(side)] + t.slot);
  }

  /// Begins a transfer during the run. It ends with End, whether it succeeds or fails.
  Transfer& Begin(const OperationRequest& request);
  Transfer& operator[](uint32_t operation) { return open_[operation]; }
  /// Takes a slot of its connection. Returns false if it must wait for one.
  bool TakeSlot(Transfer& transfer);
  /// The transfer is posted now, after cores have worked for it. Returns the step that posted it, for
  /// SendWr::cause.
  uint64_t Post(Transfer& transfer);
  /// Puts its mark at the place of its payload before it leaves.
  void Stamp(Transfer& transfer, Side from);
  /// Whether the memory there has the stamped mark.
  bool HasMark(const Transfer& transfer, Side to);
  /// A payload has arrived by SEND for this connection; returns whether it is the expected payload.
  bool TakeDelivered(uint32_t connection, const PayloadMark& mark);
  /// The transfer is over. Returns the operation that now gets its slot; kNone if there is none.
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t End(uint32_t operation, bool right);

  /// Records a change of registered memory for payloads, and its maximum.
  void Register(int64_t bytes);
  ConnectionRecord record;

 private:
  Trail* trail() const { return ground_.operations.trail(); }

  const ServiceGround& ground_;
  std::vector<Connection> connections_;
  std::vector<uint32_t> first_;          ///< indexed by host
  std::vector<PayloadMemory> memories_;  ///< indexed by host
  std::vector<Transfer> open_;           ///< indexed by operation
  int64_t registered_ = 0;
};

}  // namespace headroom
