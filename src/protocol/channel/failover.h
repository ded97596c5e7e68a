// Moves the connections of a service between RDMA and its standby, a few at a time.
//
// Once per period it checks all connections. A connection is broken if its queue pair has failed and is not
// connected again, or if a call waits too long. Its calls are then repeated on the other leg. A connection
// that a schedule wants elsewhere moves when the other leg is connected, and drains. A broken connection
// returns once its queue pair has been up for a while. In one period at most the given fraction of all
// connections moves, in the order in which they were added, broken ones first.
//
// Source: Bai et al., NSDI 2023, sections 4.1 and 9: a small fraction of connections at a time, TCP as the
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
  /// A host's connections that are to move: their number, whether they return to the main leg, and the
  /// reason.
  struct Change {
    Time at;
    NodeId host = 0;
    bool back = false;
    std::string why;
    size_t connections = 0;
  };
  using OnChange = std::function<void(const Change&)>;

  Failover(const FailoverParameters& parameters, OnChange on_change);

  /// A connection for calls of `host`. It must outlive this object.
  void Add(MigratingChannel& channel, NodeId host) { connections_.push_back({&channel, host}); }
  void Start();
  void OnEvent(uint64_t) override;

 private:
  using Path = MigratingChannel::Path;
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
  size_t left_ = 0;  ///< connections that may still move in this period
  std::vector<Change> changes_;
};

}  // namespace headroom
