#include "nic/estats.h"

#include <ns3/callback.h>

#include <algorithm>

#include "nic/nic.h"

namespace headroom {

void Estats::Watch(Nic& nic) {
  nic.TraceConnectWithoutContext("Completion", ns3::MakeCallback(&Estats::OnCompletion, this));
}

void Estats::OnCompletion(const Nic& nic, NodeId peer, const Wc& wc) {
  Add({0, nic.host(), peer, wc.qp_num, wc.opcode, wc.status}, wc.times.posted, wc.times.completed,
      wc.times.polled, nic.clock());
}

void Estats::Add(Key key, Time t1, Time t5, Time t6, const ClockParameters& clock) {
  if (t1 < from_) return;
  key.interval = std::max<int64_t>(1, (t6.v + every_.v - 1) / every_.v);
  Spans& spans = spans_[key];
  spans.t5_t1.Add(clock.Read(t5) - t1);
  spans.t6_t1.Add(t6 - t1);
}

void Estats::PackShare(Packer& pack) {
  uint64_t entries = spans_.size();
  pack(entries);
  for (auto& [key, spans] : spans_) {
    Key copy = key;
    pack(copy, spans.t5_t1, spans.t6_t1);
  }
}

void Estats::Join(Unpacker& share) {
  uint64_t entries = 0;
  share(entries);
  for (; entries > 0; --entries) {
    Key key;
    Spans there;
    share(key, there.t5_t1, there.t6_t1);
    Spans& spans = spans_[key];
    spans.t5_t1.Merge(there.t5_t1);
    spans.t6_t1.Merge(there.t6_t1);
  }
}

}  // namespace headroom
