#include "workload/operations/fio_generator.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

constexpr uint64_t kEndOfJob = UINT64_MAX;

/// The size of an I/O that begins at `offset`; 0 if none fits before the end of the region. Source: io_u.c,
/// get_next_buflen.
int64_t DrawnSize(const IoJobSide& side, bool unaligned, int64_t room, RandomStream& sizes) {
  const int64_t least = side.least.v, most = side.most.v;
  if (least > room) return 0;
  if (least == most) return least;
  const auto rounded = [&](int64_t bytes) {
    return std::min(unaligned ? bytes : bytes / least * least, most);
  };
  if (side.split.empty()) {
    for (;;) {
      const double drawn = static_cast<double>(most) * sizes.Uniform();
      const int64_t bytes = rounded(least + static_cast<int64_t>(drawn));
      if (bytes <= room) return bytes;
    }
  }
  const auto fits = [&](const IoBlock& b) { return rounded(b.size.v) <= room; };
  if (std::ranges::none_of(side.split, fits)) return 0;
  for (;;) {
    const double drawn = sizes.Uniform();
    double below = 0;
    const auto block = std::ranges::find_if(
        side.split, [&](const IoBlock& b) { return drawn < (below += b.share) && fits(b); });
    const int64_t bytes = rounded((block == side.split.end() ? side.split.back() : *block).size.v);
    if (bytes <= room) return bytes;
  }
}

}  // namespace

FioGenerator::FioGenerator(const IoArrivals& arrivals, const WorkloadParameters& workload, uint32_t index,
                           const HostView& hosts, OperationOffers& offers)
    : arrivals_(arrivals),
      job_(*arrivals_.job),
      index_(index),
      stop_(std::min(arrivals_.stop.value_or(hosts.duration), hosts.duration)),
      offers_(offers),
      entity_(EventQueue::Get().AddEntity(UINT32_MAX)),
      hosts_(arrivals_.from.size()),
      host_of_(hosts.contexts.size()) {
  std::array<Bytes, 2> aligned{job_.sides[0].least, job_.sides[1].least};
  if (!job_.Reads()) aligned[0] = aligned[1];
  if (!job_.Writes()) aligned[1] = aligned[0];
  const auto distribution =
      std::make_shared<const AddressDistribution>(job_.addresses, IoOffsets::BlocksOf(job_.size, aligned));
  const bool wraps = job_.time_based || job_.again;
  for (size_t h = 0; h < hosts_.size(); ++h) {
    Host& host = hosts_[h];
    host.id = arrivals_.from[h];
    host_of_[host.id] = static_cast<uint32_t>(h + 1);
    host.entity = EventQueue::Get().AddEntity(hosts.contexts[host.id]);
    host.before = job_.walled;
    host.clones.resize(static_cast<size_t>(job_.clones));
    host.active = host.clones.size();
    for (uint32_t i = 0; i < host.clones.size(); ++i) {
      Clone& c = host.clones[i];
      c.host = &host;
      c.number = i;
      c.base = job_.offset.v + int64_t{i} * job_.increment.v;
      const std::string name =
          hosts.topology->nodes[host.id].name + "/" + workload.name + "/" + std::to_string(i);
      c.kinds = RandomStream(name + "/kinds");
      c.sizes = RandomStream(name + "/sizes");
      c.gaps = RandomStream(name + "/gaps");
      c.offsets = std::make_unique<IoOffsets>(job_.addresses, job_.size, aligned, wraps, distribution, name);
    }
    active_ += host.clones.size();
  }
}

void FioGenerator::Start() {
  EventQueue::Get().PushTarget(stop_, TimedEvent::Order(EventClass::workload, entity_), this, kEndOfJob);
}

void FioGenerator::OnAttached(NodeId host) {
  if (host_of_[host] == 0) return;
  Host& h = hosts_[host_of_[host] - 1];
  h.attached = true;
  TryToBegin(h);
}

void FioGenerator::OnOtherOver(uint32_t workload, NodeId host) {
  if (host_of_[host] == 0 || job_.walled == 0) return;
  const auto first = static_cast<int64_t>(index_) - job_.wall_back;
  if (workload < first || workload >= first + job_.walled) return;
  Host& h = hosts_[host_of_[host] - 1];
  --h.before;
  TryToBegin(h);
}

void FioGenerator::TryToBegin(Host& host) {
  if (!host.attached || host.before > 0) return;
  const Time now = EventQueue::Get().now();
  for (Clone& c : host.clones) {
    if (c.state != State::waiting) continue;
    Time start = arrivals_.start;
    if (job_.delay_spread.v > 0)
      start += Time(std::llround(c.gaps.Uniform() * static_cast<double>(job_.delay_spread.v)));
    Schedule(c, std::max(start, now));
  }
}

void FioGenerator::Schedule(Clone& c, Time at) {
  c.awaits = true;
  c.wake = std::min(at, stop_);
  EventQueue::Get().PushTarget(c.wake,
                               TimedEvent::Order(EventClass::workload, c.host->entity, c.host->events++),
                               this, uint64_t{c.host->id} << 32 | c.number);
}

void FioGenerator::OnEvent(uint64_t arg) {
  if (arg == kEndOfJob) {
    for (Host& host : hosts_)
      for (Clone& c : host.clones) End(c);
    return;
  }
  Clone& c = hosts_[host_of_[arg >> 32] - 1].clones[static_cast<uint32_t>(arg)];
  c.awaits = false;
  if (c.state == State::waiting) {
    const Time now = EventQueue::Get().now();
    c.begun = c.thought_at = now;
    c.next = {now, now};
    c.ends = job_.runtime.v > 0 ? std::min(stop_, now + arrivals_.ramp + job_.runtime) : stop_;
    c.state = State::choosing;
  }
  Run(c);
}

void FioGenerator::OnEnded(const OperationRecord& ended) {
  Clone& c = hosts_[host_of_[ended.client] - 1].clones[ended.thread];
  --c.open;
  ++c.ended;
  if (c.state != State::over) return Run(c);
  if (c.open == 0 && --c.host->active == 0) offers_.OnOver(index_, c.host->id);
}

void FioGenerator::End(Clone& c) {
  if (c.state == State::over) return;
  c.state = State::over;
  const bool last = --active_ == 0;
  if (c.open == 0 && --c.host->active == 0) offers_.OnOver(index_, c.host->id);
  if (last) offers_.OnExhausted();
}

void FioGenerator::Run(Clone& c) {
  while (Step(c)) {
  }
}

bool FioGenerator::Step(Clone& c) {
  switch (c.state) {
    case State::waiting:
    case State::over:
      return false;
    case State::choosing:
      if (Done(c)) {
        End(c);
        return false;
      }
      Choose(c);
      return true;
    case State::rate:
      if (!SleepUntilWake(c, job_.offload || c.open == 0)) return false;
      c.state = EventQueue::Get().now() >= c.ends ? State::choosing : State::issuing;
      return true;
    case State::issuing:
      return Issue(c);
    case State::full:
      if (c.open == job_.depth) return false;
      c.state = State::issued;
      return true;
    case State::issued:
      if (!MustThink(c)) {
        c.state = State::choosing;
        return true;
      }
      c.state = State::thinking;
      c.wake = kNever;
      return true;
    case State::thinking:
      if (c.open > 0) return false;
      if (c.wake == kNever) c.wake = EventQueue::Get().now() + job_.think;
      if (!SleepUntilWake(c, true)) return false;
      c.thought = job_.think_issued ? c.issued : c.ended;
      c.thought_at = EventQueue::Get().now();
      c.state = State::choosing;
      return true;
  }
  return false;
}

/// Returns true if the clone may sleep (`drained`) and its time to wake has come; before that time, schedules
/// the wake-up.
bool FioGenerator::SleepUntilWake(Clone& c, bool drained) {
  if (!drained || c.awaits) return false;
  const Time wake = std::min(c.wake, c.ends);
  if (EventQueue::Get().now() >= wake) return true;
  Schedule(c, wake);
  return false;
}

bool FioGenerator::Done(const Clone& c) const {
  if (EventQueue::Get().now() >= c.ends) return true;
  if (job_.number_ios > 0 && c.issued >= job_.number_ios) return true;
  return !job_.time_based && c.bytes >= job_.total.v;
}

bool FioGenerator::MustThink(const Clone& c) const {
  if (job_.think.v == 0) return false;
  if (job_.think_every.v > 0 && EventQueue::Get().now() - c.thought_at >= job_.think_every) return true;
  return job_.think_by_blocks && (job_.think_issued ? c.issued : c.ended) >= c.thought + job_.think_blocks;
}

/// Chooses between read and write by the mix, unless that side is ahead of its rate and the other is not.
void FioGenerator::Choose(Clone& c) {
  const bool mixed = job_.Reads() && job_.Writes();
  c.writes = mixed ? c.kinds.Uniform() * 100 >= job_.reads : job_.Writes();
  c.state = State::issuing;
  if (c.next[c.writes] <= EventQueue::Get().now()) return;
  if (mixed && c.next[!c.writes] < c.next[c.writes]) c.writes = !c.writes;
  if (c.next[c.writes] <= EventQueue::Get().now()) return;
  c.wake = c.next[c.writes];
  c.state = State::rate;
}

/// The earliest time of the next I/O at the job's rate, in whole microseconds after the clone's start, as in
/// fio.
Time FioGenerator::NextByRate(Clone& c, bool writes) {
  const IoJobSide& side = job_.sides[writes];
  const int64_t rate = side.rate.v > 0 ? side.rate.v : side.rate_iops * side.least.v;
  if (rate == 0) return c.begun;
  constexpr int64_t kSecond = 1'000'000;
  int64_t us = 0;
  if (job_.poisson || (side.rate.v == 0 && !side.split.empty())) {
    const int64_t gap = kSecond / (rate / side.least.v);
    c.last_us[writes] +=
        job_.poisson ? static_cast<int64_t>(c.gaps.Exponential(static_cast<double>(gap))) : gap;
    us = c.last_us[writes];
  } else {
    const int64_t bytes = c.side_bytes[writes];
    us = bytes % rate * kSecond / rate + bytes / rate * kSecond;
  }
  return c.begun + Microseconds(us);
}

bool FioGenerator::Issue(Clone& c) {
  const IoJobSide& side = job_.sides[c.writes];
  std::optional<int64_t> offset;
  int64_t bytes = 0;
  for (const bool again : {false, true}) {
    if (again) {
      const bool more = job_.time_based || (job_.again && job_.total.v - c.bytes >= side.most.v);
      if (!more) break;
      c.offsets->Restart();
    }
    offset = c.offsets->Next(c.writes);
    if (offset) bytes = DrawnSize(side, job_.unaligned, job_.size.v - *offset, c.sizes);
    if (bytes > 0) break;
  }
  if (bytes == 0) {
    End(c);
    return false;
  }
  bytes = c.offsets->Take(c.writes, *offset, bytes);
  ++c.issued;
  ++c.open;
  c.bytes += bytes;
  c.side_bytes[c.writes] += bytes;
  c.next[c.writes] = NextByRate(c, c.writes);
  c.state = c.open == job_.depth ? State::full : State::issued;
  OperationRequest request;
  request.client = c.host->id;
  request.kind = c.writes ? OperationKind::write : OperationKind::read;
  request.target = static_cast<uint64_t>(c.base + *offset);
  request.bytes = static_cast<uint32_t>(bytes);
  request.thread = c.number;
  offers_.Offer(index_, request, EventQueue::Get().now() < c.begun + arrivals_.ramp);
  return true;
}

}  // namespace headroom
