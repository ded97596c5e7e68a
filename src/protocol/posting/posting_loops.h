// Posting loops on verbs, as in microbenchmarks of NICs: each process posts whenever its processor is free
// and its window permits, and the process at the other end may answer.
//
// If a process's queue pair fails, its open messages stay unfinished; it goes on with others. A process that
// answers gives up a failed queue pair, and its poster finds out by its own messages. On unreliable
// transports a lost message goes unnoticed, and a message that waits for an answer stays open.
//
// A process takes `cpu` of its processor for each work request that it posts; polling takes none. It notices
// a WRITE when the data have arrived in memory, like a process that polls the last byte. The records show
// each message with the time at which its poster knows its result: the completion of its own or of a later
// work request, or the answer.
#pragma once

#include <deque>
#include <vector>

#include "nic/nic.h"
#include "protocol/core_thread.h"
#include "protocol/posting/posting_arrivals.h"
#include "sim/footprint.h"
#include "sim/random.h"
#include "sim/ring.h"
#include "workload/generator.h"

namespace headroom {

class PostingLoops final : public Generator {
 public:
  /// REQUIRES: the ground has NICs and a sink.
  PostingLoops(const PostingArrivals& arrivals, const WorkloadParameters& workload, uint32_t index,
               const GeneratorGround& ground);
  void Start() override;
  void AddCores(std::vector<CoreRecord>& all) override;
  void OnEvent(uint64_t arg) override;

  /// Memory of this process for the loops of a workload that posts this many messages.
  static Forecast FootprintOf(const PostingArrivals& arrivals, Operation requests, Forecast messages);

 private:
  static constexpr uint64_t kBegin = UINT64_MAX, kEnd = UINT64_MAX - 1;
  /// RECVs in addition to the window, for messages that arrive while a RECV is posted again.
  static constexpr uint32_t kReceivesBeyond = 256;
  struct Message {
    uint32_t id = 0;
    uint64_t number = 0;  ///< number in its send queue
  };
  /// The sending side of a queue pair.
  struct SendQueue {
    QueuePair* qp = nullptr;
    uint64_t posted = 0;
    bool last_signaled = true;
    Ring<Message> open;  ///< without answers: messages not known to be complete
    uint32_t lane = 0;   ///< one of the lanes that use it
  };
  struct Process final : CoreThread {
    Process(PostingLoops& of, uint32_t its_number, NodeId at);
    void Next() override { loops.Work(*this); }
    /// Called when the process may have something to do. If the processor becomes free at this instant, its
    /// own event comes first.
    void Hear();
    using CoreThread::Occupy, CoreThread::WakeWhenFree;

    PostingLoops& loops;
    const uint32_t number;
    const NodeId host;
    CompletionQueue* cq = nullptr;
    QueuePair* datagrams = nullptr;
    SendQueue* datagram_queue = nullptr;
    std::vector<uint32_t> lanes;
    uint32_t turn = 0;
    uint32_t open = 0;         ///< its own messages that are not complete
    Ring<uint32_t> to_answer;  ///< lanes with requests to answer
    RandomStream picks;
  };
  /// The connection of a posting process with one at the other end. Set-up makes it. In the run, each process
  /// changes only its own end.
  struct Lane {
    uint32_t poster = 0, answerer = 0;  ///< numbers of the processes
    SendQueue* requests = nullptr;
    SendQueue* answers = nullptr;
    QueuePair* request_end = nullptr;  ///< the end at which requests arrive
    QueuePair* answer_end = nullptr;
    uint32_t request_key = 0, answer_key = 0;    ///< keys of the regions that are written or read
    uint16_t request_port = 0, answer_port = 0;  ///< source ports of datagrams
    Ring<Message> open;                          ///< the poster's messages that wait for an answer
    bool poster_failed = false;                  ///< a queue pair of the poster has failed: it posts no more
    bool answerer_failed = false;                ///< the same for the answerer
  };

  void MakeProcesses(const std::vector<NodeId>& hosts, int each);
  void MakeLane(uint32_t poster, uint32_t answerer);
  std::pair<SendQueue*, SendQueue*> Connect(Transport transport, uint32_t lane);
  SendQueue* DatagramsOf(uint32_t process);
  void PostReceive(uint32_t process, QueuePair* qp, uint32_t lane);
  uint32_t Watched(uint32_t process, unsigned access, void (PostingLoops::*landed)(uint32_t, uint64_t),
                   uint32_t lane);
  bool Post(Process& process, uint32_t lane, bool signaled);
  bool PostAnswer(Process& process, uint32_t lane, bool signaled);
  SendWr WorkRequest(const Process& process, const SendQueue& queue, uint32_t lane, bool answer,
                     bool signaled) const;
  bool HasRoom(const Process& process, const Lane& lane) const;
  bool MayGoOn(const Process& process) const;
  uint32_t Pick(Process& process);
  void Work(Process& process);
  bool Answer(Process& process);
  bool PostNext(Process& process);
  void Poll(uint32_t process);
  void OnSent(SendQueue& queue, uint64_t number);
  void OnFailed(Lane& lane, const Wc& wc);
  void OnArrived(uint32_t process, const Wc& wc);
  void OnRequest(uint32_t lane, uint64_t cause);
  void OnAnswer(uint32_t lane, uint64_t cause);
  void Flush();
  void NoteCores();
  uint32_t ContextOf(const Process& process) const { return hosts_.contexts[process.host]; }
  Verbs& verbs(uint32_t process) { return nics_[processes_[process].host]->verbs(); }
  bool reads() const { return verb_ == Operation::read_request; }

  const PostingArrivals arrivals_;
  std::string name_;
  Operation verb_;
  uint32_t index_;
  uint8_t priority_;
  Time stop_;
  const HostView& hosts_;
  const std::vector<Nic*>& nics_;
  Offers& offers_;
  MessageSink& sink_;
  EntityId entity_ = 0;
  EntityId first_process_ = 0;     ///< the first of consecutive entities
  std::deque<Process> processes_;  ///< posting processes come first
  uint32_t posters_ = 0;
  std::vector<Lane> lanes_;
  std::deque<SendQueue> queues_;
  std::vector<CoreRecord> busy_;  ///< set once no more is posted
  std::vector<std::vector<uint32_t>>
      process_of_;  ///< indexed by host and number of its datagrams' queue pair
};

}  // namespace headroom
