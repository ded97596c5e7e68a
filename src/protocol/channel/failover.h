// Moves the connections of a service between RDMA and its standby, some at a time.
//
// Once in a period it looks at all of them. One is broken where its queue pair has failed and is not joined
// again, or where a call waits too long; its calls are asked again by the other way. One that a schedule
// wants elsewhere moves when the other way is joined, and drains. One that was broken comes back once its
// queue pair has been up for a while. All together move no more in a period than the fraction allows, in the
// order in which they were added, broken ones first.
//
// Source: Bai et al., NSDI 2023, sections 3.3 and 7: a small fraction of connections at a time, TCP as the
// last resort, back as soon as possible. The numbers are ours.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "protocol/channel/failover_parameters.h"
#include "protocol/channel/migrating_channel.h"
#include "sim/event.h"

namespace headroom {

class Failover final : public EventTarget {
 public:
  /// A host's connections that are to move: how many, whether back to the main leg, and why.
  struct Change {
    Time at;
    NodeId host = 0;
    bool back = false;
    std::string why;
    size_t connections = 0;
  };
  using OnChange = std::function<void(const Change&)>;

  Failover(const FailoverParameters& parameters, OnChange on_change);

  /// A connection that `host` calls by. It outlives this.
  void Add(MigratingChannel& channel, NodeId host) { connections_.push_back({&channel, host}); }
  void Start();
  void OnEvent(uint64_t) override;

 private:
  using Way = MigratingChannel::Way;
  struct Connection {
    MigratingChannel* channel = nullptr;
    NodeId host = 0;
    bool broken = false;
    Time works_since = kNever;
  };
  const char* WhyBroken(const Connection& c) const;
  void LeaveBroken();
  void LookAfterBroken();
  void FollowSchedule();
  bool Wanted(size_t place) const;
  void Note(const Connection& c, bool back, const char* why);

  const FailoverParameters parameters_;
  OnChange on_change_;
  EntityId entity_;
  std::vector<Connection> connections_;
  size_t left_ = 0;  ///< that may still move in this period
  std::vector<Change> changes_;
};

}  // namespace headroom
