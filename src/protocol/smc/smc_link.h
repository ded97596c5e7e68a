// One end of a link of SMC-R: a reliable queue pair that the connections of two hosts share, by role. It
// carries their WRITEs, their CDC messages, and LLC messages about the link and its memory.
//
// A CDC or LLC message needs a slot, of which a link has few, until its SEND is complete. A connection
// without a free slot waits behind all others, so connections of a link block each other.
//
// LLC requests of this end go one at a time, each when the one before has its response. The NIC's events are
// handled in the kernel: they cost no thread of a program anything here (docs/models/smc-r.md).
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

/// A connection on a link. It is called in events of the kernel.
class SmcConnection {
 public:
  virtual ~SmcConnection() = default;
  /// A message with the connection's token.
  virtual void OnCdc(const smc::MessageBytes& bytes) = 0;
  /// Its oldest CDC message is complete.
  virtual void OnCdcSent() = 0;
  /// A slot is free, which it waited for.
  virtual void OnSlot() = 0;
  /// The link has failed.
  virtual void OnLinkLost() = 0;
};

struct SmcLinkCounters {
  uint64_t writes = 0, cdcs = 0, llcs = 0;  ///< that this end has posted
  uint64_t written = 0;                     ///< bytes of the WRITEs
  uint64_t waits_for_slots = 0;             ///< times that something waited for one
};

class SmcLink final : public Endpoint {
 public:
  /// A queue pair in state init, its RECVs posted. `kernel` outlives this.
  SmcLink(Process& kernel, const SmcParameters& parameters, uint32_t first_psn);

  uint32_t qp() const { return Verbs::NumberOf(qp_); }
  uint32_t first_psn() const { return first_psn_; }
  /// With the other end's queue pair.
  void ReadyToReceive(NodeId peer, uint32_t qp, uint32_t psn);
  void ReadyToSend();
  bool lost() const { return lost_; }

  /// A token for what comes for this connection, which outlives the run.
  uint32_t Join(SmcConnection& connection);
  void Leave(uint32_t token) { connections_.erase(token); }
  size_t connections() const { return connections_.size(); }

  /// Sends a request. `answered` hears of its response, unless the link is lost before.
  void Ask(const smc::Llc& request, std::function<void()> answered);
  /// Who hears of the peer's requests. Each is answered at once, behind `heard`.
  void SetHeard(std::function<void(const smc::Llc&)> heard) { heard_ = std::move(heard); }

  /// Whether a slot is free for this connection's next CDC message. False: it waits, and hears OnSlot.
  bool HasSlotFor(SmcConnection& connection);
  struct Write {
    uint64_t to = 0;  ///< in the peer's RMB
    uint32_t rkey = 0;
    Sge from;
  };
  /// REQUIRES: a CDC message goes behind one or two of these.
  void PostWrite(const Write& write, uint64_t cause);
  /// REQUIRES: HasSlotFor.
  void PostCdc(SmcConnection& connection, const smc::MessageBytes& bytes, uint64_t cause);

  const SmcLinkCounters& counters() const { return counters_; }

  void OnCompletion(const Wc& wc) override;
  void OnTurn() override {}
  int64_t BytesOf(const Wc&) const override { return 0; }
  int64_t BytesOfTurn() const override { return 0; }

 private:
  /// A request, or a response: `answered` is empty.
  struct Asking {
    smc::Llc message;
    std::function<void()> answered;
  };
  static constexpr uint32_t kReceives = 1u << 16;  ///< from here on numbers of work requests are RECVs
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

  std::vector<uint8_t> outgoing_, incoming_;  ///< messages, by slot and by RECV
  MemoryRegion *outgoing_region_, *incoming_region_;
  uint32_t next_slot_ = 0;
  Deque<SmcConnection*> sent_;       ///< that occupy slots, in order; null: an LLC message
  Deque<SmcConnection*> waiting_;    ///< for a slot
  SmcConnection* served_ = nullptr;  ///< who gets the next one
  Deque<Asking> responses_;          ///< that wait for a slot
  Deque<Asking> requests_;           ///< the first is under way, once `asked_`
  bool asked_ = false;

  std::map<uint32_t, SmcConnection*> connections_;  ///< by token
  uint32_t next_token_ = 1;
  std::function<void(const smc::Llc&)> heard_;
  SmcLinkCounters counters_;
};

}  // namespace headroom
