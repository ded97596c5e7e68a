#include "protocol/posting/posting_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "nic/verbs/qp_type.h"
#include "sim/parts.h"
#include "workload/frame_tag.h"
#include "workload/source_port.h"

namespace headroom {
namespace {

constexpr uint32_t kNone = UINT32_MAX;
constexpr uint32_t kGrh = Verbs::kGrhBytes;

size_t ProcessesOf(const PostingArrivals& a) {
  return a.from.size() * static_cast<size_t>(a.processes_from) +
         a.to.size() * static_cast<size_t>(a.processes_to);
}

}  // namespace

PostingLoops::PostingLoops(const PostingArrivals& arrivals, const WorkloadParameters& workload,
                           uint32_t index, const GeneratorGround& ground)
    : arrivals_(arrivals),
      name_(workload.name),
      verb_(workload.verb),
      index_(index),
      priority_(workload.priority),
      stop_(std::min(arrivals_.stop.value_or(ground.hosts.duration), ground.hosts.duration)),
      hosts_(ground.hosts),
      nics_(*ground.nics),
      offers_(ground.offers),
      sink_(*ground.sink),
      entity_(EventQueue::Get().AddEntity(UINT32_MAX)),
      first_process_(EventQueue::Get().AddEntities(ProcessesOf(arrivals_))) {}

PostingLoops::Process::Process(PostingLoops& of, uint32_t its_number, NodeId at)
    : CoreThread(of.first_process_ + its_number, of.hosts_.warmup,
                 EventQueue::Get().StreamFor(EventClass::workload, kPosting)),
      loops(of),
      number(its_number),
      host(at) {}

void PostingLoops::Process::Hear() {
  if (core().until() < EventQueue::Get().now()) return Wake();
  if (state() == State::idle) WakeWhenFree();
}

void PostingLoops::Start() {
  if (arrivals_.start >= stop_) return offers_.OnExhausted();
  const auto from = [this] { MakeProcesses(arrivals_.from, arrivals_.processes_from); };
  const auto to = [this] { MakeProcesses(arrivals_.to, arrivals_.processes_to); };
  reads() ? to() : from();
  posters_ = static_cast<uint32_t>(processes_.size());
  reads() ? from() : to();
  for (uint32_t p = 0; p < posters_; ++p) {
    for (auto a = posters_; a < processes_.size(); ++a) {
      if (processes_[p].host != processes_[a].host) MakeLane(p, a);
    }
  }
  EventQueue& events = EventQueue::Get();
  events.PushTarget(arrivals_.start, TimedEvent::Order(EventClass::workload, entity_, 0), this, kBegin);
  events.PushTarget(stop_, TimedEvent::Order(EventClass::workload, entity_, 1), this, kEnd);
}

void PostingLoops::MakeProcesses(const std::vector<NodeId>& hosts, int each) {
  constexpr uint32_t kCompletions = 1u << 20;
  for (const NodeId host : hosts) {
    for (int i = 0; i < each; ++i) {
      const auto number = static_cast<uint32_t>(processes_.size());
      EventQueue::Get().SetContext(first_process_ + number, hosts_.contexts[host]);
      const Parts::Within part(hosts_.contexts[host]);
      Process& process = processes_.emplace_back(*this, number, host);
      process.picks =
          RandomStream(fmt::format("{}/{}/picks/{}", hosts_.topology->nodes[host].name, name_, i));
      process.cq = nics_[host]->verbs().CreateCq(kCompletions);
      process.cq->SetHandler([this, number] { Poll(number); });
      process.cq->RequestNotify();
    }
  }
}

void PostingLoops::MakeLane(uint32_t poster, uint32_t answerer) {
  const auto number = static_cast<uint32_t>(lanes_.size());
  Lane& lane = lanes_.emplace_back();
  lane.poster = poster;
  lane.answerer = answerer;
  processes_[poster].lanes.push_back(number);
  const auto& nodes = hosts_.topology->nodes;
  const std::string& posters = nodes[processes_[poster].host].name;
  const std::string& answerers = nodes[processes_[answerer].host].name;
  lane.request_port = SourcePort(name_, posters, answerers, poster);
  lane.answer_port = SourcePort(name_, answerers, posters, answerer);
  const auto [there, back] = Connect(arrivals_.transport, number);
  lane.requests = there;
  lane.request_end = back->qp;
  if (verb_ == Operation::send) {
    PostReceive(answerer, lane.request_end, number);
  } else {
    lane.request_key = Watched(answerer, reads() ? kRemoteRead : kLocalWrite | kRemoteWrite,
                               &PostingLoops::OnRequest, number);
  }
  if (!arrivals_.reply) return;
  const bool same = arrivals_.reply->transport == arrivals_.transport;
  const auto [end, answers] = same ? std::pair(there, back) : Connect(arrivals_.reply->transport, number);
  lane.answers = answers;
  lane.answer_end = end->qp;
  if (arrivals_.reply->verb == Operation::send) {
    PostReceive(poster, lane.answer_end, number);
  } else {
    lane.answer_key = Watched(poster, kLocalWrite | kRemoteWrite, &PostingLoops::OnAnswer, number);
  }
}

/// Makes a region of a message's size; its process notices data that arrive there.
uint32_t PostingLoops::Watched(uint32_t process, unsigned access,
                               void (PostingLoops::*landed)(uint32_t, uint64_t), uint32_t lane) {
  MemoryRegion* region = verbs(process).RegMr(0, static_cast<uint64_t>(arrivals_.message.v), access);
  if ((access & kRemoteWrite) != 0)
    verbs(process).WatchMr(region, [this, landed, lane](const MemoryWatch::Written& written) {
      (this->*landed)(lane, written.cause);
    });
  return region->rkey;
}

PostingLoops::SendQueue* PostingLoops::DatagramsOf(uint32_t number) {
  Process& process = processes_[number];
  if (process.datagram_queue == nullptr) {
    QpInitAttr attr;
    attr.type = QpType::ud;
    attr.send_cq = attr.recv_cq = process.cq;
    attr.priority = priority_;
    attr.tag = FrameTag(index_);
    attr.cap.max_send_wr = attr.cap.max_recv_wr = 1u << 20;
    process.datagrams = verbs(number).CreateQp(attr);
    for (const QpState state : {QpState::init, QpState::rtr, QpState::rts}) {
      QpAttr step;
      step.state = state;
      verbs(number).ModifyQp(process.datagrams, step);
    }
    process.datagram_queue = &queues_.emplace_back();
    process.datagram_queue->qp = process.datagrams;
    if (process.host >= process_of_.size()) process_of_.resize(process.host + 1);
    std::vector<uint32_t>& here = process_of_[process.host];
    const uint32_t qp = Verbs::NumberOf(process.datagrams);
    if (qp >= here.size()) here.resize(qp + 1);
    here[qp] = number;
  }
  return process.datagram_queue;
}

/// Both ends' send queues: of a new queue pair, or, for datagrams, of the processes.
std::pair<PostingLoops::SendQueue*, PostingLoops::SendQueue*> PostingLoops::Connect(Transport transport,
                                                                                    uint32_t number) {
  const Lane& lane = lanes_[number];
  std::pair<SendQueue*, SendQueue*> ends;
  if (transport == Transport::ud) {
    ends = {DatagramsOf(lane.poster), DatagramsOf(lane.answerer)};
  } else {
    QpInitAttr attr;
    attr.type = TypeOf(transport);
    attr.priority = priority_;
    attr.tag = FrameTag(index_);
    const auto most = static_cast<uint32_t>(std::max(
        {arrivals_.window, arrivals_.signal_every, arrivals_.reply ? arrivals_.reply->signal_every : 1}));
    attr.cap.max_send_wr = 2 * most + 1;
    attr.cap.max_recv_wr = most + kReceivesBeyond;
    const auto make = [&](uint32_t process) {
      attr.send_cq = attr.recv_cq = processes_[process].cq;
      SendQueue* queue = &queues_.emplace_back();
      queue->qp = verbs(process).CreateQp(attr);
      return queue;
    };
    ends.first = make(lane.poster);
    ends.second = make(lane.answerer);
    const auto& nodes = hosts_.topology->nodes;
    const NodeId from = processes_[lane.poster].host, to = processes_[lane.answerer].host;
    ConnectQps(verbs(lane.poster), ends.first->qp, verbs(lane.answerer), ends.second->qp,
               SourcePort(name_, nodes[from].name, nodes[to].name, number));
  }
  ends.first->lane = ends.second->lane = number;
  return ends;
}

/// Posts RECVs for a window of messages on this queue pair.
void PostingLoops::PostReceive(uint32_t process, QueuePair* qp, uint32_t lane) {
  const bool datagrams = qp == processes_[process].datagrams;
  const uint32_t n = static_cast<uint32_t>(arrivals_.window) + kReceivesBeyond;
  ReceiveWr wr;
  wr.wr_id = datagrams ? kNone : lane;
  wr.sge.length = static_cast<uint32_t>(arrivals_.message.v) + kGrh;
  for (uint32_t i = 0; i < n; ++i) verbs(process).PostRecv(qp, wr);
}

void PostingLoops::OnEvent(uint64_t arg) {
  if (arg == kBegin) {
    for (uint32_t p = 0; p < posters_; ++p) {
      const Parts::Within part(ContextOf(processes_[p]));
      if (part.here()) processes_[p].Hear();
    }
  } else {
    Flush();
    NoteCores();
    offers_.OnExhausted();
  }
}

/// The process's next step: an answer, or else its own message. REQUIRES: its processor is free.
void PostingLoops::Work(Process& process) {
  if (!(process.number < posters_ ? PostNext(process) : Answer(process))) return;
  process.Occupy(arrivals_.cpu, CoreWork::rdma);
  if (MayGoOn(process)) process.WakeWhenFree();
}

/// Whether the process can continue as soon as its processor is free.
bool PostingLoops::MayGoOn(const Process& process) const {
  if (process.number >= posters_) return !process.to_answer.Empty();
  if (arrivals_.random) return true;  // each attempt draws a target
  return std::ranges::any_of(process.lanes, [&](uint32_t lane) { return HasRoom(process, lanes_[lane]); });
}

bool PostingLoops::HasRoom(const Process& process, const Lane& lane) const {
  if (lane.poster_failed) return false;
  if (arrivals_.random) return process.open < static_cast<uint32_t>(arrivals_.window);
  const uint32_t open = arrivals_.reply ? lane.open.Size() : lane.requests->open.Size();
  return open < static_cast<uint32_t>(arrivals_.window);
}

/// The next lane to post on: the first with room, from a round-robin or random start; kNone if no lane has
/// room.
uint32_t PostingLoops::Pick(Process& process) {
  const auto n = static_cast<uint32_t>(process.lanes.size());
  const uint32_t first =
      arrivals_.random && n > 1 ? static_cast<uint32_t>(process.picks.Below(n)) : process.turn;
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t at = (first + i) % n;
    if (!HasRoom(process, lanes_[process.lanes[at]])) continue;
    process.turn = (at + 1) % n;
    return process.lanes[at];
  }
  return kNone;
}

bool PostingLoops::PostNext(Process& process) {
  if (EventQueue::Get().now() >= stop_) return false;
  const uint32_t lane = Pick(process);
  if (lane == kNone) return false;
  SendQueue& queue = *lanes_[lane].requests;
  // Lanes signal different requests: otherwise queue pairs that start together would all complete together.
  const bool signaled = (queue.posted + queue.lane) % static_cast<uint64_t>(arrivals_.signal_every) == 0;
  return Post(process, lane, signaled);
}

bool PostingLoops::Answer(Process& process) {
  while (!process.to_answer.Empty() && lanes_[process.to_answer.Front()].answerer_failed)
    process.to_answer.PopFront();
  if (process.to_answer.Empty()) return false;
  const uint32_t lane = process.to_answer.Front();
  SendQueue& queue = *lanes_[lane].answers;
  const bool signaled =
      (queue.posted + queue.lane) % static_cast<uint64_t>(arrivals_.reply->signal_every) == 0;
  if (!PostAnswer(process, lane, signaled)) return false;
  process.to_answer.PopFront();
  return true;
}

SendWr PostingLoops::WorkRequest(const Process& process, const SendQueue& queue, uint32_t number, bool answer,
                                 bool signaled) const {
  const Lane& lane = lanes_[number];
  const Process& peer = processes_[answer ? lane.poster : lane.answerer];
  const Operation verb = answer ? arrivals_.reply->verb : verb_;
  SendWr wr;
  wr.wr_id = (uint64_t{number} << 32) | (queue.posted & 0xffffffffu);
  wr.opcode = verb == Operation::send    ? WrOpcode::send
              : verb == Operation::write ? WrOpcode::rdma_write
                                         : WrOpcode::rdma_read;
  wr.signaled = signaled;
  wr.inline_data = answer ? arrivals_.reply->inlined : arrivals_.inlined;
  wr.sge.length = static_cast<uint32_t>(arrivals_.message.v);
  wr.rkey = answer ? lane.answer_key : lane.request_key;
  if (&queue == process.datagram_queue) {
    wr.ah = {peer.host, answer ? lane.answer_port : lane.request_port};
    wr.remote_qpn = Verbs::NumberOf(peer.datagrams);
  }
  return wr;
}

/// Posts a message, whose frames carry its number. False if the send queue is full.
bool PostingLoops::Post(Process& process, uint32_t number, bool signaled) {
  Lane& lane = lanes_[number];
  SendQueue& queue = *lane.requests;
  if (Verbs::IsFull(queue.qp)) return false;
  const NodeId here = process.host, there = processes_[lane.answerer].host;
  const uint32_t id =
      offers_.Begin(index_, reads() ? there : here, reads() ? here : there, arrivals_.message, priority_);
  SendWr wr = WorkRequest(process, queue, number, false, signaled);
  wr.cause = uint64_t{id} + 1;
  wr.timed = false;
  verbs(process.number).PostSend(queue.qp, wr);
  queue.last_signaled = signaled;
  ++process.open;
  (arrivals_.reply ? lane.open : queue.open).PushBack({id, queue.posted++});
  return true;
}

/// The same for an answer.
bool PostingLoops::PostAnswer(Process& process, uint32_t number, bool signaled) {
  SendQueue& queue = *lanes_[number].answers;
  if (verbs(process.number).PostSend(queue.qp, WorkRequest(process, queue, number, true, signaled)) != 0)
    return false;
  queue.last_signaled = signaled;
  ++queue.posted;
  return true;
}

void PostingLoops::Poll(uint32_t number) {
  Process& process = processes_[number];
  for (Wc wc; process.cq->Poll(wc);) {
    if (wc.IsReceive()) {
      if (wc.status == WcStatus::success) OnArrived(number, wc);
      continue;
    }
    Lane& lane = lanes_[wc.wr_id >> 32];
    SendQueue& queue = number < posters_ ? *lane.requests : *lane.answers;
    if (wc.status == WcStatus::success) {
      OnSent(queue, wc.wr_id & 0xffffffffu);
    } else if (number < posters_) {
      OnFailed(lane, wc);
    } else {
      lane.answerer_failed = true;
    }
  }
  process.cq->RequestNotify();
  process.Hear();
}

/// All work requests up to this one are complete.
void PostingLoops::OnSent(SendQueue& queue, uint64_t number) {
  while (!queue.open.Empty() && static_cast<int32_t>(static_cast<uint32_t>(queue.open.Front().number) -
                                                     static_cast<uint32_t>(number)) <= 0) {
    const uint32_t id = queue.open.Front().id;
    queue.open.PopFront();
    --processes_[lanes_[queue.lane].poster].open;
    if (reads()) sink_.OnDelivered(id, EventQueue::Get().now());
    sink_.OnCompleted(id, EventQueue::Get().now());
  }
}

/// A message of the lane's poster failed; those behind it follow.
void PostingLoops::OnFailed(Lane& lane, const Wc& wc) {
  const Time now = EventQueue::Get().now();
  Process& poster = processes_[lane.poster];
  lane.poster_failed = true;
  if (arrivals_.reply) {  // no answer will arrive
    for (; !lane.open.Empty(); lane.open.PopFront(), --poster.open)
      sink_.OnFailed(lane.open.Front().id, now, wc.status);
    return;
  }
  SendQueue& queue = *lane.requests;
  OnSent(queue, (wc.wr_id & 0xffffffffu) - 1);  // earlier messages arrived, signalled or not
  if (queue.open.Empty()) return;
  sink_.OnFailed(queue.open.Front().id, now, wc.status);
  queue.open.PopFront();
  --poster.open;
}

void PostingLoops::OnArrived(uint32_t number, const Wc& wc) {
  const bool poster = number < posters_;
  auto lane = static_cast<uint32_t>(wc.wr_id);
  if (wc.grh) {  // one queue pair serves all lanes: the sender identifies the lane
    const uint32_t peer = process_of_[wc.src][wc.src_qp];
    const Process& owner = processes_[poster ? number : peer];
    const uint32_t other = poster ? peer : number;
    for (const uint32_t l : owner.lanes) {
      if (lanes_[l].answerer == other) lane = l;
    }
  }
  ReceiveWr wr;
  wr.wr_id = wc.wr_id;
  wr.sge.length = static_cast<uint32_t>(arrivals_.message.v) + kGrh;
  verbs(number).PostRecv(poster ? lanes_[lane].answer_end : lanes_[lane].request_end, wr);
  poster ? OnAnswer(lane, wc.cause) : OnRequest(lane, wc.cause);
}

/// A message has arrived at the process that may answer it. `cause`: its number plus one.
void PostingLoops::OnRequest(uint32_t number, uint64_t cause) {
  sink_.OnDelivered(static_cast<uint32_t>(cause - 1), EventQueue::Get().now());
  const Lane& lane = lanes_[number];
  if (!arrivals_.reply || lane.answerer_failed) return;
  processes_[lane.answerer].to_answer.PushBack(number);
  processes_[lane.answerer].Hear();
}

void PostingLoops::OnAnswer(uint32_t number, uint64_t) {
  Lane& lane = lanes_[number];
  if (lane.open.Empty()) return;  // the other direction has failed in the meantime
  const uint32_t id = lane.open.Front().id;
  lane.open.PopFront();
  --processes_[lane.poster].open;
  sink_.OnCompleted(id, EventQueue::Get().now());
  processes_[lane.poster].Hear();
}

/// Records the cores of the processes that post or answer.
void PostingLoops::NoteCores() {
  std::map<NodeId, int> numbers;
  for (const Process& process : processes_) {
    if (process.number < posters_ || arrivals_.reply)
      busy_.push_back({process.use(), process.host, numbers[process.host]++, static_cast<int>(index_)});
  }
}

void PostingLoops::AddCores(std::vector<CoreRecord>& all) {
  if (busy_.empty()) NoteCores();
  all.insert(all.end(), busy_.begin(), busy_.end());
}

/// At the end: adds a completion for requests that only a later completion would report as complete.
void PostingLoops::Flush() {
  if (arrivals_.reply) return;
  for (SendQueue& queue : queues_) {
    if (queue.open.Empty() || queue.last_signaled) continue;
    Process& poster = processes_[lanes_[queue.lane].poster];
    const Parts::Within part(ContextOf(poster));
    if (part.here()) Post(poster, queue.lane, true);
  }
}

}  // namespace headroom
