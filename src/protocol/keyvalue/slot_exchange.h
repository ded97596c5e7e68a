// Requests and answers between processes of clients and of servers, by WRITE into slots or by SEND.
//
// The process of a client and that of a server affect each other only by messages. So their hosts may be in
// different parts of the network (sim/parts.h). What one end reads of the other is fixed at set-up.
//
// Slots (Kalia et al., HERD, SIGCOMM 2014, section 4.2): The request region of a server has NS · NC · W slots
// of 1 KiB. The slot of process s, client c and its r-th request to this process is
//
//   s · (W · NC) + c · W + (r mod W)
//
// A request lies at the end of its slot, where a NIC writes last. A client's request waits while the request
// W before it to the same process has no answer; other requests proceed. Only the client's timeout reveals a
// lost request or answer: it then repeats the request, in the same slot. Both may be answered, and the client
// cannot know which answer it received. So for one timeout afterwards, the slot takes no request that a
// second answer could match: those for the same key, or all if answers do not identify keys. Requests of a
// client to a process arrive in order. So a new request overwrites an earlier repetition in its slot, or is
// served behind it. If a reliable connection fails, its requests fail.
//
// A SEND carries its slot as immediate data, whereas the authors' code relies on order: 4 B more on the wire,
// none in the work request. An answer also carries its slot, with its program's own data.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "protocol/keyvalue/key_value_record.h"
#include "protocol/keyvalue/server_process.h"
#include "protocol/service.h"
#include "sim/footprint.h"

namespace headroom {

/// The maximum bytes of a message, whatever it carries.
inline constexpr uint32_t kRequestSlot = 1024;

/// The transport and verb of the messages in one direction.
struct SlotExchangeDirection {
  SendMethod method;
  Bytes inline_below{257};  ///< the NIC fetches messages of at least this length
};

struct SlotExchangeParameters {
  std::string name;  ///< name of the service
  std::vector<NodeId> servers, clients;
  uint32_t processes = 1, client_processes = 1;  ///< per server, and per client
  uint32_t window = 1;
  uint8_t priority = 0;
  SlotExchangeDirection request, reply;
  uint32_t longest_answer = kRequestSlot;  ///< in bytes
  ProcessCosts costs;
  bool prefetch = false;
  int empty_polls = 100;
  Time timeout;  ///< 0: no timeout
  int retries = 7;
};

/// An answer's data besides its bytes: 22 bits for the program.
struct SlotExchangeAnswer {
  uint32_t bytes = 0;
  uint32_t says = 0;
};

/// The work of servers' processes on requests.
class SlotExchangeProgram {
 public:
  virtual ~SlotExchangeProgram() = default;
  virtual int AccessesOf(uint32_t process, std::span<const uint8_t> request) = 0;
  /// Fills the answer's bytes.
  virtual SlotExchangeAnswer Execute(uint32_t process, std::span<const uint8_t> request,
                                     std::span<uint8_t> answer) = 0;
};

/// The source of requests.
class SlotExchangeUser {
 public:
  virtual ~SlotExchangeUser() = default;
  /// Fills the bytes of a request from their end, right before it leaves; returns their number.
  virtual uint32_t Encode(uint32_t token, std::span<uint8_t> request) = 0;
  /// A mark that distinguishes answers to this request from those to others, for OnAnswer; none: no mark.
  virtual std::optional<uint32_t> Mark(uint32_t /*token*/) { return std::nullopt; }
  /// Returns false if this is no answer to that request.
  virtual bool OnAnswer(uint32_t token, std::span<const uint8_t> answer, uint32_t says) = 0;
  virtual void OnGivenUp(uint32_t token) = 0;
};

/// The times and the queue pair of a request.
struct SlotExchangeTimes {
  Time sent;  ///< when the request was first sent
  uint32_t retries = 0;
  uint32_t qp = 0;  ///< queue pair of its last try
};

class SlotExchange final : public SlotServer, public EventTarget {
 public:
  /// All must outlive this object.
  SlotExchange(SlotExchangeParameters parameters, const ServiceGround& ground, SlotExchangeProgram& program,
               SlotExchangeUser& user);
  ~SlotExchange() override;

  /// The memory of this process that the exchange uses, for this many calls in total.
  static Forecast FootprintOf(const SlotExchangeParameters& parameters, Forecast asked);

  uint32_t server_processes() const;
  /// A process of a client calls a process of a server, during the run. `token`: the user's; one call returns
  /// it: OnAnswer, or OnGivenUp if no answer arrived in time or the connection has failed.
  void Ask(uint32_t client, uint32_t server, uint32_t token);
  /// Valid within OnAnswer and OnGivenUp.
  const SlotExchangeTimes& times() const { return times_; }
  NodeId HostOfServer(uint32_t server) const { return p_.servers[server / p_.processes]; }
  /// The thread of a client's process.
  CoreThread& thread(uint32_t client);

  void NoteProcesses();
  void Collect(KeyValueRecord& record);
  void ForEachQueuePair(const std::function<void(NodeId, uint32_t)>& use) const;

  int AccessesOf(uint32_t process, uint32_t slot) override;
  void Execute(uint32_t process, uint32_t slot) override;
  void OnEvent(uint64_t arg) override;

 private:
  struct Call;
  struct Client;
  /// The client and slot that a request came from.
  struct Origin {
    uint64_t cause = 0;
    uint32_t message = kNoMessage;
  };
  struct Server;
  struct SendQueue;
  static constexpr uint32_t kNone = UINT32_MAX;

  // Set-up.
  void MakeRegion(size_t host);
  void MakeServers();
  void MakeClients();
  void ConnectRequests(uint32_t client, uint32_t server);
  void ConnectAnswers(uint32_t client, uint32_t server);
  QueuePair* MakeQp(NodeId host, CompletionQueue* cq, Transport transport, uint32_t sends, uint32_t receives);
  uint16_t PortOf(NodeId from, NodeId to, uint32_t number) const;

  // Clients.
  uint32_t SlotOfClient(uint32_t server, uint32_t w) const { return server * p_.window + w; }
  /// The slot in a host's region for a request: `window` slots of each client for each process of the host,
  /// in the order of processes (Kalia et al., HERD, SIGCOMM 2014, section 4.2).
  uint64_t SlotOfRequest(uint32_t process_of_host, uint32_t client, uint32_t w) const;
  void Work(Client& client);
  void Post(Client& client, uint32_t call);
  void PollClient(uint32_t client);
  void GiveUpOn(uint32_t client, uint32_t qp);
  void TakeAnswer(uint32_t client, uint32_t server, uint32_t w, std::span<const uint8_t> answer,
                  uint32_t says, const Origin& origin);
  void GiveUp(Client& client, uint32_t call);
  void EndCall(Client& client, uint32_t call, bool answered, std::span<const uint8_t> answer, uint32_t says);
  bool IsFree(const Client& client, uint32_t slot, uint32_t token);
  void Unblock(Client& client, uint32_t server);
  void EndRest(Client& client);
  void WatchForTimeout(Client& client, uint32_t call);
  void OnTimer(uint32_t client);

  // Servers.
  void PollServer(uint32_t server);
  std::span<const uint8_t> RequestIn(uint32_t process, uint32_t slot) const;
  void ReadyAt(uint32_t process, uint32_t slot, const Origin& origin);
  void Send(Verbs& verbs, SendQueue& queue, SendWr& wr, const SlotExchangeDirection& direction);
  Trail* trail() const { return ground_.operations.trail(); }

  const SlotExchangeParameters p_;
  const ServiceGround& ground_;
  SlotExchangeProgram& program_;
  SlotExchangeUser& user_;
  std::deque<SendQueue> queues_;
  std::deque<Client> clients_;                 ///< indexed by process
  std::deque<Server> servers_;                 ///< indexed by process
  std::vector<std::vector<uint8_t>> regions_;  ///< the request region of each server host
  std::vector<MemoryRegion*> region_keys_;
  std::vector<uint32_t> lengths_;  ///< indexed by server process and slot: length of the request there
  std::vector<Call> calls_;
  std::vector<uint32_t> free_calls_;
  std::vector<std::unordered_map<uint64_t, uint32_t>> client_by_qp_;  ///< indexed by server process: clients
                                                                      ///< of datagrams
  SlotExchangeTimes times_;
  uint64_t retried_ = 0, stale_ = 0;
};

}  // namespace headroom
