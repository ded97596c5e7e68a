#include "workload/poisson.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "workload/distributions.h"

namespace headroom {

PoissonGenerator::PoissonGenerator(const WorkloadParameters& workload, uint32_t index, const HostView& hosts,
                                   Offers& offers)
    : arrivals_(std::get<PoissonArrivals>(workload.arrivals)),
      index_(index),
      priority_(workload.priority),
      duration_(hosts.duration),
      offers_(offers),
      neighbourhoods_(*hosts.topology, arrivals_.to, arrivals_.scope) {
  const double mean_bytes =
      arrivals_.sizes ? MeanBytes(*arrivals_.sizes) : static_cast<double>(arrivals_.size.v);
  for (const NodeId h : arrivals_.from) {
    Sender s;
    s.host = h;
    s.entity = EventQueue::Get().AddEntity(hosts.contexts[h]);
    const std::string name = hosts.topology->nodes[h].name + "/" + workload.name;
    s.gaps = RandomStream(name + "/gaps");
    s.sizes = RandomStream(name + "/sizes");
    s.targets = RandomStream(name + "/targets");
    s.mean_gap_ps = mean_bytes * 8e12 / (arrivals_.load * static_cast<double>(hosts.line_rates[h].v));
    s.reach = &neighbourhoods_.Of(h);
    if (std::all_of(s.reach->begin(), s.reach->end(), [h](NodeId t) { return t == h; })) {
      throw std::invalid_argument("workload " + workload.name + ": " + hosts.topology->nodes[h].name +
                                  " has nobody to send to within its scope");
    }
    senders_.push_back(std::move(s));
  }
}

void PoissonGenerator::Start() {
  active_ = senders_.size();
  for (uint64_t i = 0; i < senders_.size(); ++i) ScheduleNext(i, Time{});
}

void PoissonGenerator::ScheduleNext(uint64_t sender, Time after) {
  Sender& s = senders_[sender];
  const double gap = s.gaps.Exponential(s.mean_gap_ps);
  if (gap >= static_cast<double>((duration_ - after).v)) {
    if (--active_ == 0) offers_.OnExhausted();
    return;
  }
  EventQueue::Get().PushTarget(after + Time(std::llround(gap)),
                               TimedEvent::Order(EventClass::workload, s.entity), this, sender);
}

void PoissonGenerator::OnEvent(uint64_t sender) {
  Sender& s = senders_[sender];
  const Bytes size = arrivals_.sizes ? SampleSize(*arrivals_.sizes, s.sizes.Uniform()) : arrivals_.size;
  NodeId target = s.host;
  while (target == s.host) target = (*s.reach)[s.targets.Below(s.reach->size())];
  offers_.Offer(index_, s.host, target, size, priority_);
  ScheduleNext(sender, EventQueue::Get().now());
}

}  // namespace headroom
