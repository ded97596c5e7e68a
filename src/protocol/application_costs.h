// The costs of an application's software on its thread: work requests, copies, registrations, system calls,
// wake-ups. Times on a core without a particular clock.
//
// Kalia et al., HERD, SIGCOMM 2014 give 150 ns to post a work request. No source gives the other costs for
// these programs (docs/applications.md). They are ours, or calibrated where that page says so.
#pragma once

#include "protocol/core_costs.h"

namespace headroom {

/// The costs of a TCP stack in addition to the work of the application's thread.
struct TcpStackCosts {
  Time call;  ///< cost to a thread, for each call that sends or receives (at most TcpCosts::kAggregate bytes)
  Time delay;  ///< delay of a segment, at either end, without work of the application's threads
  bool operator==(const TcpStackCosts&) const = default;
};

struct ApplicationCosts {
  Time post = Nanoseconds(150);         ///< cost of a work request
  Time completion = Nanoseconds(150);   ///< cost of a completion, including the repost of its RECV
  Rate copy = GigabitsPerSecond(80);    ///< speed of copying data
  Time registration = Microseconds(5);  ///< cost to register or deregister memory
  Time queue_pair = Microseconds(100);  ///< cost to make a queue pair with its completion queue
  Time wake = Microseconds(1);          ///< from an event until a sleeping thread runs
  Time turn = Nanoseconds(500);         ///< cost of a turn of an event loop
  TcpStackCosts kernel{Microseconds(2), Microseconds(2)};        ///< TCP in the kernel
  TcpStackCosts user_space{Nanoseconds(300), Nanoseconds(300)};  ///< libvma's stack
  TcpStackCosts smc_r{Microseconds(1),
                      Microseconds(1)};  ///< sockets of SMC-R; the delay is at the receiver only

  /// Costs for a Process: completions, turns that post, and the bytes that they copy.
  CoreCosts OfCores() const;
  EventLoop Sleeping() const { return {wake, turn, Time(0)}; }
  /// Like libvma's epoll_wait, which polls for 100 ms (VMA_SELECT_POLL) before it sleeps.
  EventLoop Polling() const { return {wake, user_space.call, Milliseconds(100)}; }
  Time OfCopy(int64_t bytes) const { return SerializationTime(Bytes(bytes), copy); }
  bool operator==(const ApplicationCosts&) const = default;
};

}  // namespace headroom
