#include "workload/operations/key_value.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

ClientGenerator::Parameters ParametersOf(const KeyValueArrivals& a) {
  return {.clients = a.from,
          .start = a.start,
          .stop = a.stop,
          .rate = a.rate,
          .loops = static_cast<uint32_t>(a.processes)};
}

}  // namespace

int64_t ThreadsOf(const KeyValueArrivals& arrivals, size_t client, int process) {
  if (arrivals.threads == 0) return arrivals.window;
  const auto processes = static_cast<int64_t>(arrivals.from.size()) * arrivals.processes;
  const int64_t turn = process * static_cast<int64_t>(arrivals.from.size()) + static_cast<int64_t>(client);
  return arrivals.threads / processes + (turn < arrivals.threads % processes ? 1 : 0);
}

KeyValueGenerator::KeyValueGenerator(const KeyValueArrivals& arrivals, const WorkloadParameters& workload,
                                     uint32_t index, const OperationGround& ground)
    : ClientGenerator(ParametersOf(arrivals), workload, index, ground.hosts, ground.offers),
      arrivals_(arrivals),
      keys_(arrivals_) {
  for (const Client& c : clients()) {
    const std::string name = StreamsOf(c.id, workload, ground.hosts);
    Draws& draws =
        draws_.emplace_back(Draws{RandomStream(name + "/kinds"), RandomStream(name + "/keys"), {}, {}});
    if (arrivals_.target > 0) draws.paces.resize(static_cast<size_t>(arrivals_.processes));
    if (arrivals_.batch) draws.open.resize(static_cast<size_t>(arrivals_.processes));
  }
}

void KeyValueGenerator::Begin(Client& client, uint32_t process) {
  const int64_t threads = ThreadsOf(arrivals_, client.place, static_cast<int>(process));
  if (arrivals_.target > 0 && threads > 0) {
    const auto slots = static_cast<int64_t>(arrivals_.from.size()) * arrivals_.processes * arrivals_.window;
    const auto all = static_cast<double>(arrivals_.threads > 0 ? arrivals_.threads : slots);
    Pace& pace = draws_[client.place].paces[process];
    pace.gap = all / arrivals_.target / static_cast<double>(threads) * 1e12;
    // Otherwise all processes would begin at the same time, and again at each tick.
    pace.from = EventQueue::Get().now() + Time(std::llround(pace.gap * client.gaps.Uniform()));
  }
  Fill(client, process);
}

/// Starts as many operations as the process may have open.
void KeyValueGenerator::Fill(Client& client, uint32_t process) {
  const int64_t threads = ThreadsOf(arrivals_, client.place, static_cast<int>(process));
  if (arrivals_.batch) draws_[client.place].open[process] = threads;
  for (int64_t i = 0; i < threads; ++i) Next(client, process);
}

/// Starts the next operation of a closed loop.
void KeyValueGenerator::Next(Client& client, uint32_t process) {
  if (arrivals_.target == 0) return Offer(client, process);
  Pace& pace = draws_[client.place].paces[process];
  const double after = pace.gap * static_cast<double>(pace.begun++);
  if (after >= static_cast<double>((stop() - std::min(stop(), pace.from)).v)) return;
  const Time due = pace.from + Time(std::llround(after));
  if (due <= EventQueue::Get().now()) return Offer(client, process);
  OfferAt(client, due, process);
}

void KeyValueGenerator::OnEnded(const OperationRecord& ended) {
  if (ended.kind == OperationKind::insert) keys_.Acknowledge(ended.target);
  if (IsOpen() || IsOver()) return;
  Client& client = *Find(ended.client);
  if (!arrivals_.batch) return Next(client, ended.thread);
  if (--draws_[client.place].open[ended.thread] == 0) Fill(client, ended.thread);
}

OperationKind KeyValueGenerator::Kind(Client& client) {
  const double puts = arrivals_.puts, inserts = puts + arrivals_.inserts;
  const double u = draws_[client.place].kinds.Uniform();
  if (u < puts) return OperationKind::put;
  if (u < inserts) return OperationKind::insert;
  return u < inserts + arrivals_.modifies ? OperationKind::read_modify_write : OperationKind::get;
}

void KeyValueGenerator::Offer(Client& client, uint32_t process) {
  if (arrivals_.operations > 0 && offered_ >= arrivals_.operations) return;
  ++offered_;
  OperationRequest request;
  request.client = client.id;
  request.kind = Kind(client);
  request.target =
      request.kind == OperationKind::insert ? keys_.Insert() : keys_.Draw(draws_[client.place].keys);
  request.bytes = static_cast<uint32_t>(arrivals_.value.v);
  request.thread = process;
  Put(request, false);
  if (offered_ == arrivals_.operations) Exhaust();
}

}  // namespace headroom
