// A workload at work: it offers messages when its time comes.
#pragma once

#include <memory>
#include <vector>

#include "sim/event_queue.h"
#include "workload/parameters.h"

namespace headroom {

class MessageSink;
class Nic;

/// Where generators put their messages.
class Offers {
 public:
  virtual void Offer(uint32_t workload, NodeId src, NodeId dst, Bytes size, uint8_t priority) = 0;
  /// The generator sends this one itself. Returns the number under which to tell what becomes of it.
  virtual uint32_t Begin(uint32_t workload, NodeId src, NodeId dst, Bytes size, uint8_t priority) = 0;
  /// A generator has no more to offer of its own accord.
  virtual void OnExhausted() = 0;

 protected:
  ~Offers() = default;
};

/// Where a generator works.
struct GeneratorGround {
  const HostView& hosts;
  Offers& offers;
  // Of a program on verbs (Arrivals::OnVerbs).
  const std::vector<Nic*>* nics = nullptr;  ///< by host
  MessageSink* sink = nullptr;              ///< hears what becomes of its messages
};

class Generator : public EventTarget {
 public:
  virtual ~Generator() = default;
  /// Schedules the first arrivals.
  virtual void Start() = 0;
  /// One of its messages completed.
  virtual void OnCompleted(NodeId /*src*/, NodeId /*dst*/) {}
};

/// The hosts of `candidates` that share `host`'s rack, cluster, datacenter or region.
class Neighbourhoods {
 public:
  Neighbourhoods(const Topology& topology, const std::vector<NodeId>& candidates, Scope scope);
  const std::vector<NodeId>& Of(NodeId host) const;

 private:
  std::vector<int> group_of_;  ///< by host; −1: no candidate shares its place
  std::vector<std::vector<NodeId>> groups_;
  std::vector<NodeId> none_;
};

}  // namespace headroom
