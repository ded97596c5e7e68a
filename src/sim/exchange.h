// How the processes of one run reach each other. Each process is a rank and has parts of the network
// (sim/parts.h). All ranks make the same calls in the same order.
#pragma once

#include <vector>

#include "sim/event.h"
#include "sim/packing.h"

namespace headroom {

class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Sends out[r] to each other rank r, and returns once in[r] is the packet of each other rank r. The own
  /// entries are unused. REQUIRES: both have size() entries.
  virtual void Swap(std::vector<Packet>& out, std::vector<Packet>& in) = 0;
};

/// How events cross from rank to rank: as values, without a pointer.
class EventCarrier {
 public:
  /// The event leaves this process, with all that belongs to it.
  virtual void Pack(const TimedEvent& event, Packer& to) = 0;
  /// An event arrives in this process.
  virtual TimedEvent Unpack(Unpacker& from) = 0;

 protected:
  ~EventCarrier() = default;
};

/// Further data that ranks send each other after each window, before they run the next.
class Freight {
 public:
  virtual void Pack(int to_rank, Packer& to) = 0;
  /// REQUIRES: takes everything that Pack put there.
  virtual void Unpack(int from_rank, Unpacker& from) = 0;
  /// All packets of this round are made.
  virtual void Sent() {}

 protected:
  ~Freight() = default;
};

}  // namespace headroom
