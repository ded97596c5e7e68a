// One end of an SMC-R link: a reliable queue pair that the connections of two hosts share, by role. It
// carries their WRITEs, their CDC messages, and LLC messages about the link and its memory.
//
// A CDC or LLC message needs a slot, of which a link has few, until its SEND is complete. A connection
// without a free slot waits behind all others, so the connections of a link block each other.
//
// LLC requests of this end are sent one at a time, each after the previous one's response. The kernel handles
// the NIC's events: here they cost a program's threads nothing (docs/models/smc-r.md).
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "protocol/process.h"
#include "protocol/smc/smc_messages.h"
#include "protocol/smc/smc_parameters.h"
#include "sim/deque.h"

namespace headroom {

/// A connection on a link. Its functions are called in events of the kernel.
class SmcConnection {
 public:
  virtual ~SmcConnection() = default;
  /// A message with the connection's token arrived.
  virtual void OnCdc(const smc::MessageBytes& bytes) = 0;
  /// The connection's oldest CDC message is complete.
  virtual void OnCdcSent() = 0;
  /// A slot that it waited for is free.
  virtual void OnSlot() = 0;
  /// The link has failed.
  virtual void OnLinkLost() = 0;
};

struct SmcLinkCounters {
  uint64_t writes = 0, cdcs = 0, llcs = 0;  ///< messages that this end has posted
  uint64_t written = 0;                     ///< bytes of the WRITEs
  uint64_t waits_for_slots = 0;             ///< number of waits for a slot
};

class SmcLink final : public Endpoint {
 public:
  /// Makes a queue pair in state init, with its RECVs posted. `kernel` must outlive this object.
  SmcLink(Process& kernel, const SmcParameters& parameters, uint32_t first_psn);

  uint32_t qp() const { return Verbs::NumberOf(qp_); }
  uint32_t first_psn() const { return first_psn_; }
  /// Sets the other end's queue pair.
  void ReadyToReceive(NodeId peer, uint32_t qp, uint32_t psn);
  void ReadyToSend();
  bool lost() const { return lost_; }

  /// Returns a token for messages to this connection, which must outlive the run.
  uint32_t Join(SmcConnection& connection);
  void Leave(uint32_t token) { connections_.erase(token); }
  size_t connections() const { return connections_.size(); }

  /// Sends a request. `answered` is called with its response, unless the link is lost before.
  void Ask(const smc::Llc& request, std::function<void()> answered);
  /// Sets the function that is called for the peer's requests. Each request is answered immediately after
  /// `heard`.
  void SetHeard(std::function<void(const smc::Llc&)> heard) { heard_ = std::move(heard); }

  /// Whether a slot is free for this connection's next CDC message. If not, the connection waits, and OnSlot
  /// is called.
  bool HasSlotFor(SmcConnection& connection);
  struct Write {
    uint64_t to = 0;  ///< position in the peer's RMB
    uint32_t rkey = 0;
    Sge from;
  };
  /// REQUIRES: a CDC message follows one or two WRITEs.
  void PostWrite(const Write& write, uint64_t cause);
  /// REQUIRES: HasSlotFor returned true.
  void PostCdc(SmcConnection& connection, const smc::MessageBytes& bytes, uint64_t cause);

  const SmcLinkCounters& counters() const { return counters_; }

  void OnCompletion(const Wc& wc) override;
  void OnTurn() override {}
  int64_t BytesOf(const Wc&) const override { return 0; }
  int64_t BytesOfTurn() const override { return 0; }

 private:
  /// A request, or, if `answered` is empty, a response.
  struct Asking {
    smc::Llc message;
    std::function<void()> answered;
  };
  static constexpr uint32_t kReceives = 1u << 16;  ///< work requests with numbers from here on are RECVs
  bool HasSlot() const { return sent_.size() < static_cast<size_t>(parameters_.slots) && !lost_; }
  void PostReceive(uint32_t number);
  void Post(const smc::MessageBytes& bytes, SmcConnection* of, uint64_t cause);
  void AskNext();
  void Answer(const smc::Llc& request);
  void OnSent();
  void OnMessage(const smc::MessageBytes& bytes);
  void Lose();

  Process& kernel_;
  const SmcParameters parameters_;
  const uint64_t base_;
  const uint32_t first_psn_;
  QueuePair* qp_;
  bool lost_ = false;

  std::vector<uint8_t> outgoing_, incoming_;  ///< messages, indexed by slot and by RECV
  MemoryRegion *outgoing_region_, *incoming_region_;
  uint32_t next_slot_ = 0;
  Deque<SmcConnection*> sent_;       ///< connections that occupy slots, in order; null: an LLC message
  Deque<SmcConnection*> waiting_;    ///< connections that wait for a slot
  SmcConnection* served_ = nullptr;  ///< the connection that gets the next slot
  Deque<Asking> responses_;          ///< responses that wait for a slot
  Deque<Asking> requests_;           ///< the first is in progress, if `asked_`
  bool asked_ = false;

  std::map<uint32_t, SmcConnection*> connections_;  ///< keyed by token
  uint32_t next_token_ = 1;
  std::function<void(const smc::Llc&)> heard_;
  SmcLinkCounters counters_;
};

}  // namespace headroom
