// What the software of an application costs on the thread that runs it: work requests, copies, registrations,
// system calls, waking up. Times of a core of no particular clock.
//
// Kalia et al., HERD, SIGCOMM 2014 give 150 ns to post a work request. No source gives the others for these
// programs (docs/applications.md); they are ours, or calibrated where that page says so.
#pragma once

#include "protocol/core_costs.h"
#include "protocol/process.h"

namespace headroom {

/// A stack of TCP beside the work of the application's thread.
struct TcpStackCosts {
  Time call;   ///< of a thread, for each call that sends or receives (at most TcpCosts::kAggregate bytes)
  Time delay;  ///< of a segment, at either end, that no thread of the application works for
  bool operator==(const TcpStackCosts&) const = default;
};

struct ApplicationCosts {
  Time post = Nanoseconds(150);                            ///< a work request
  Time completion = Nanoseconds(150);                      ///< a completion, with its RECV posted again
  Rate copy = GigabitsPerSecond(80);                       ///< of data
  Time registration = Microseconds(5);                     ///< to register memory, or undo it
  Time queue_pair = Microseconds(100);                     ///< to make a queue pair with its completion queue
  Time wake = Microseconds(1);                             ///< from an event until a sleeping thread runs
  Time turn = Nanoseconds(500);                            ///< of a turn of an event loop
  TcpStackCosts kernel{Microseconds(2), Microseconds(2)};  ///< TCP in the kernel
  TcpStackCosts user_space{Nanoseconds(300), Nanoseconds(300)};  ///< libvma's
  TcpStackCosts smc_r{Microseconds(1),
                      Microseconds(1)};  ///< sockets of SMC-R; the delay at the receiver alone

  /// For a Process: completions, turns that post, and the bytes that they copy.
  CoreCosts OfCores() const;
  EventLoop Sleeping() const { return {wake, turn, Time(0)}; }
  /// As libvma's epoll_wait, which polls for 100 ms (VMA_SELECT_POLL) before it sleeps.
  EventLoop Polling() const { return {wake, user_space.call, Milliseconds(100)}; }
  Time OfCopy(int64_t bytes) const { return SerializationTime(Bytes(bytes), copy); }
  bool operator==(const ApplicationCosts&) const = default;
};

}  // namespace headroom
