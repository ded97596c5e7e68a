// A trace is replayed at its times, however long its I/Os take.
#include "workload/operations/trace_generator.h"
#include "workload/io_arrivals.h"

#include <gtest/gtest.h>

#include "workload/operation_offers.h"

namespace headroom::trace_generator_test {
namespace {

WorkloadParameters WorkloadOfTrace(BlockTrace trace, Time ramp = {}) {
  IoArrivals io;
  for (const BlockTrace::Disk& disk : trace.disks) io.from.push_back(disk.host);
  io.ramp = ramp;
  io.trace = std::make_shared<const BlockTrace>(std::move(trace));
  WorkloadParameters w;
  w.name = "replay";
  w.type = "trace";
  w.arrivals = io;
  return w;
}

BlockTrace Trace() {
  return {{{0,
            {{Microseconds(1), 4096, 512, false},
             {Microseconds(1), 0, 100, true},
             {Microseconds(30), 8192, 8192, false}}},
           {2, {{Microseconds(20), 0, 4096, true}}}}};
}

TEST(TraceGenerator, asks_at_the_times_of_the_trace) {
  const AskedIos asked({WorkloadOfTrace(Trace(), Microseconds(10))}, 3, Milliseconds(1), Milliseconds(5));
  ASSERT_EQ(asked.ios.size(), 4u);
  EXPECT_EQ(asked.ios[0].at, Microseconds(1));
  EXPECT_EQ(asked.ios[0].request.target, 4096u);
  EXPECT_EQ(asked.ios[0].request.bytes, 512u);
  EXPECT_EQ(asked.ios[0].request.kind, OperationKind::read);
  EXPECT_TRUE(asked.ios[0].ramp);
  EXPECT_EQ(asked.ios[1].at, Microseconds(1));
  EXPECT_EQ(asked.ios[1].request.kind, OperationKind::write);
  EXPECT_EQ(asked.ios[2].request.client, 2u);
  EXPECT_FALSE(asked.ios[2].ramp);
  EXPECT_EQ(asked.ios[3].at, Microseconds(30));
  EXPECT_EQ(asked.exhausted, 1);
}

TEST(TraceGenerator, nothing_begins_behind_the_end_of_arrivals) {
  const AskedIos asked({WorkloadOfTrace(Trace())}, 3, Microseconds(20), Microseconds(5));
  EXPECT_EQ(asked.ios.size(), 2u);
  EXPECT_EQ(asked.exhausted, 1);
}

}  // namespace
}  // namespace headroom::trace_generator_test
