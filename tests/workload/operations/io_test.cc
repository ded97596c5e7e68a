// Workloads of type io whose addresses are not uniform.
#include "workload/operations/io.h"
#include "workload/io_arrivals.h"

#include <gtest/gtest.h>

#include <set>

#include "workload/operation_offers.h"

namespace headroom::io_test {
namespace {

WorkloadParameters WorkloadOfIo(const IoAddresses& addresses, std::vector<IoBlock> blocks) {
  IoArrivals io;
  io.from = {0};
  io.blocks = std::move(blocks);
  io.addresses = addresses;
  WorkloadParameters w;
  w.name = "disks";
  w.type = "io";
  w.arrivals = io;
  return w;
}

TEST(Io, sequential_ios_follow_each_other_and_begin_again) {
  IoAddresses a;
  a.order = IoAddresses::Order::sequential;
  const AskedIos asked({WorkloadOfIo(a, {{Bytes(4096), 1}})}, 1, Microseconds(100), Microseconds(10),
                       Bytes(4 * 4096 + 10));
  ASSERT_EQ(asked.ios.size(), 10u);
  for (size_t i = 0; i < 10; ++i) EXPECT_EQ(asked.ios[i].request.target, i % 4 * 4096);
}

TEST(Io, a_pass_of_once_has_each_block_and_begins_again) {
  IoAddresses a;
  a.once = true;
  const AskedIos asked({WorkloadOfIo(a, {{Bytes(4096), 1}})}, 1, Microseconds(80), Microseconds(10),
                       Bytes(4 * 4096));
  ASSERT_EQ(asked.ios.size(), 8u);
  for (const size_t pass : {0, 4}) {
    std::set<uint64_t> seen;
    for (size_t i = 0; i < 4; ++i) seen.insert(asked.ios[pass + i].request.target);
    EXPECT_EQ(seen.size(), 4u);
  }
}

TEST(Io, uneven_addresses_stay_on_the_disk) {
  IoAddresses a;
  a.order = IoAddresses::Order::zipf;
  a.parameter = 0.99;
  const AskedIos asked({WorkloadOfIo(a, {{Bytes(4096), 0.5}, {Bytes(16'384), 0.5}})}, 1, Milliseconds(1),
                       Microseconds(1), Bytes(8 * 4096));
  EXPECT_EQ(asked.ios.size(), 1000u);
  for (const auto& io : asked.ios) {
    EXPECT_EQ(io.request.target % 4096, 0u);
    EXPECT_LE(io.request.target + io.request.bytes, 8u * 4096);
  }
}

}  // namespace
}  // namespace headroom::io_test
