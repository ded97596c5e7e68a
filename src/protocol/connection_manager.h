// Connects programs at two hosts, and reconnects them when their queue pair has failed: requests and answers
// are datagrams, each repeated until it is answered.
//
//   REQ ->   a queue pair, its first PSN, and the program's words
//       <- REP   the same of the other end
//   RTU ->   both are ready
//       <- LOST  the queue pair at this end has failed: begin again
//   DREQ ->, <- DREP   the end, from either side
//
// While a NIC restarts its datagrams are lost; afterwards, messages that wait for an answer are sent
// immediately.
//
// A session outlives its queue pairs. Each connection of a session is an incarnation. The side that opened
// the session counts the incarnations, so late messages of an earlier incarnation are recognised.
//
// The last four bytes of a message are a CRC-32C of the others; a message with a wrong CRC counts as lost.
//
// Source: InfiniBand Architecture Specification 12 (communication management): the messages REQ, REP, RTU,
// DREQ, DREP, datagrams of 256 bytes. Departures: only the necessary messages; LOST (the specification uses a
// DREQ and a new REQ).
#pragma once

#include <array>
#include <map>
#include <vector>

#include "nic/verbs/verbs.h"
#include "protocol/process.h"

namespace headroom {

/// The data that one end sends to the other.
struct CmOffer {
  uint32_t qp = 0;                 ///< number of its queue pair
  uint32_t psn = 0;                ///< PSN of the first packet that it sends
  std::array<uint64_t, 8> said{};  ///< words of the program
};

/// One end of a session.
class CmParty {
 public:
  virtual ~CmParty() = default;
  /// Starts a new incarnation: its queue pair is made anew.
  virtual CmOffer Offer() = 0;
  /// The core's time for Offer, before the offer leaves.
  virtual Time CostOfOffer() const { return Time(0); }
  /// The other end's offer has arrived. From now on the queue pair may receive.
  virtual void OnOffer(const CmOffer& offer) = 0;
  /// The other end may receive.
  virtual void OnJoined() = 0;
  /// The other end's queue pair has failed. The side that opened the session must reopen it.
  virtual void OnLost() = 0;
  /// The other end has ended the session, or does not answer.
  virtual void OnEnded(bool answered) = 0;
};

/// Accepts sessions for a program.
class CmListener {
 public:
  virtual ~CmListener() = default;
  virtual CmParty* OnRequest(uint64_t session, NodeId from) = 0;
};

struct CmParameters {
  Time timeout = Milliseconds(10);  ///< time until a message is repeated
  int tries = 15;
  uint8_t priority = 3;
};

class ConnectionManager final : public Endpoint, public EventTarget {
 public:
  /// `context`: the host's ns-3 node. `process` must outlive this object.
  ConnectionManager(Process& process, uint32_t context, const CmParameters& parameters);
  uint32_t qp() const { return Verbs::NumberOf(qp_); }
  /// Sets the address of another host.
  void Know(NodeId host, uint32_t qp) { peers_[host] = qp; }

  void Listen(uint16_t service, CmListener& listener) { listeners_[service] = &listener; }
  /// Opens a session. Returns its number, unique in the network.
  uint64_t Open(CmParty& party, NodeId host, uint16_t service);
  /// Called by the side that opened the session: connects anew.
  void Reopen(uint64_t session);
  /// Called by the other side: requests a new connection.
  void TellLost(uint64_t session);
  void End(uint64_t session);

  void OnCompletion(const Wc& wc) override;
  void OnTurn() override {}
  int64_t BytesOf(const Wc&) const override { return 0; }
  int64_t BytesOfTurn() const override { return 0; }
  void OnEvent(uint64_t session) override;

 private:
  static constexpr uint32_t kBytes = 256;
  enum class Type : uint8_t { req, rep, rtu, lost, dreq, drep };
  struct Message {
    Type type = Type::req;
    uint16_t service = 0;
    uint32_t incarnation = 0;
    uint64_t session = 0;
    CmOffer offer;
  };
  enum class State : uint8_t { requested, replied, joined, lost, ending, ended };
  struct Session {
    CmParty* party = nullptr;
    NodeId peer = 0;
    bool opener = false;
    uint16_t service = 0;
    uint32_t incarnation = 0;
    State state = State::requested;
    Message last;  ///< the message that waits for an answer
    int tries = 0;
    uint32_t timer = 0;  ///< number of the current timer; earlier incarnations are void
  };
  void Send(NodeId to, const Message& message);
  void SendUntilAnswered(uint64_t number, Type type, const CmOffer& offer = {});
  /// `then` is called once its party has worked for its offer.
  void PrepareOffer(uint64_t number, std::function<void()> then);
  /// Makes its queue pair anew: at the beginning, and when the NIC returns after a restart.
  void BringUp();
  void OnRestarted();
  void Answered(Session& session) { ++session.timer; }
  void OnMessage(NodeId from, const Message& message);
  void OnRequest(NodeId from, const Message& message);
  void PostReceive(uint32_t slot);

  Process& process_;
  CmParameters parameters_;
  uint64_t base_;
  EntityId entity_;
  QueuePair* qp_;
  BufferContents contents_;  ///< messages that have arrived
  MemoryRegion* region_;
  std::map<NodeId, uint32_t> peers_;
  std::map<uint16_t, CmListener*> listeners_;
  std::map<uint64_t, Session> sessions_;
  uint32_t opened_ = 0;
};

}  // namespace headroom
