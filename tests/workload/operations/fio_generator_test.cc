// The loop of fio's jobs: depth, rate, think time, ends. An I/O takes 10 µs.
#include "workload/operations/fio_generator.h"
#include "workload/io_arrivals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "workload/operation_offers.h"

namespace headroom::fio_generator_test {
namespace {

constexpr Time kTakes = Microseconds(10);

IoJob Job() {
  IoJob job;
  job.name = "job";
  job.size = job.total = Bytes(int64_t{1} << 30);
  return job;
}

WorkloadParameters WorkloadOfJob(const IoJob& job, std::vector<NodeId> from = {0}, Time ramp = {}) {
  IoArrivals io;
  io.from = std::move(from);
  io.blocks = {{Bytes(4096), 1}};
  io.ramp = ramp;
  io.job = std::make_shared<const IoJob>(job);
  WorkloadParameters w;
  w.name = job.name;
  w.type = "fio";
  w.arrivals = io;
  return w;
}

AskedIos Ask(const IoJob& job, Time duration = Milliseconds(1), int hosts = 1, Time ramp = {}) {
  std::vector<NodeId> from;
  for (int i = 0; i < hosts; ++i) from.push_back(static_cast<NodeId>(i));
  return AskedIos({WorkloadOfJob(job, from, ramp)}, hosts, duration, kTakes);
}

TEST(FioGenerator, keeps_its_depth_open) {
  IoJob job = Job();
  job.depth = 4;
  const AskedIos asked = Ask(job);
  EXPECT_EQ(asked.ios.size(), 400u);  // 100 rounds of four
  for (const auto& io : asked.ios) EXPECT_LE(io.open, 4u);
  EXPECT_EQ(asked.exhausted, 1);
}

TEST(FioGenerator, clones_have_each_their_depth_region_and_draws) {
  IoJob job = Job();
  job.clones = 3;
  job.size = Bytes(1 << 20);
  job.offset = Bytes(1 << 20);
  job.increment = Bytes(4 << 20);
  const AskedIos asked = Ask(job);
  EXPECT_EQ(asked.ios.size(), 300u);
  std::map<uint32_t, std::set<uint64_t>> places;
  for (const auto& io : asked.ios) {
    const uint64_t begin = (1 << 20) + io.request.thread * (4 << 20);
    EXPECT_GE(io.request.target, begin);
    EXPECT_LT(io.request.target, begin + (1 << 20));
    places[io.request.thread].insert(io.request.target - begin);
  }
  ASSERT_EQ(places.size(), 3u);
  EXPECT_NE(places[0], places[1]);
}

TEST(FioGenerator, ends_with_its_bytes_and_before_with_its_count_or_runtime) {
  IoJob job = Job();
  job.total = Bytes(10 * 4096);
  const AskedIos asked = Ask(job);
  EXPECT_EQ(asked.ios.size(), 10u);
  EXPECT_EQ(asked.exhausted_at, Microseconds(100));
  job.number_ios = 7;
  EXPECT_EQ(Ask(job).ios.size(), 7u);
  job.runtime = Microseconds(35);
  EXPECT_EQ(Ask(job).ios.size(), 4u);
  job.runtime = Microseconds(35);
  job.time_based = true;
  job.number_ios = 0;
  EXPECT_EQ(Ask(job, Milliseconds(1), 1, Microseconds(20)).ios.size(), 6u);  // the ramp is added
}

/// A region of eight blocks is read once, or again and again until the time ends.
TEST(FioGenerator, a_pass_is_over_at_the_end_of_the_region) {
  IoJob job = Job();
  job.addresses.order = IoAddresses::Order::sequential;
  job.size = job.total = Bytes(8 * 4096 + 100);
  EXPECT_EQ(Ask(job).ios.size(), 8u);
  job.addresses.order = IoAddresses::Order::uniform;
  job.addresses.once = true;
  EXPECT_EQ(Ask(job).ios.size(), 8u);
  for (const auto order : {IoAddresses::Order::sequential, IoAddresses::Order::uniform}) {
    job.addresses.order = order;
    job.addresses.once = order == IoAddresses::Order::uniform;
    job.time_based = true;
    job.runtime = Milliseconds(1);
    const AskedIos asked = Ask(job);
    ASSERT_EQ(asked.ios.size(), 100u);
    for (size_t pass = 0; pass < 12; ++pass) {
      std::set<uint64_t> seen;
      for (size_t i = 0; i < 8; ++i) seen.insert(asked.ios[pass * 8 + i].request.target);
      EXPECT_EQ(seen.size(), 8u);
    }
  }
}

TEST(FioGenerator, io_size_beyond_size_and_loops_begin_again) {
  IoJob job = Job();
  job.addresses.order = IoAddresses::Order::sequential;
  job.size = Bytes(8 * 4096);
  job.total = Bytes(20 * 4096);
  job.again = true;
  EXPECT_EQ(Ask(job).ios.size(), 20u);
}

/// 20 000 I/Os a second make one each 50 µs, by bytes or by count.
TEST(FioGenerator, waits_for_its_rate) {
  IoJob job = Job();
  job.depth = 8;
  job.sides[0].rate_iops = 20'000;
  IoJob bytes = job;
  bytes.sides[0].rate_iops = 0;
  bytes.sides[0].rate = Bytes(20'000 * 4096);
  for (const IoJob& one : {job, bytes}) {
    const AskedIos asked = Ask(one);
    ASSERT_EQ(asked.ios.size(), 20u);
    for (size_t i = 0; i < 20; ++i) EXPECT_EQ(asked.ios[i].at, Microseconds(50) * static_cast<int64_t>(i));
  }
}

/// At 1 MB/s with blocks of 4 KiB an I/O that takes 10 ms would fall behind if it were alone. With inline,
/// fio waits for open I/Os before it sleeps, so that one is open at a time; offload continues.
TEST(FioGenerator, inline_is_no_open_loop) {
  IoJob job = Job();
  job.depth = 16;
  job.sides[0].rate_iops = 200'000;  // one each 5 µs, which takes 10
  const AskedIos inlined = Ask(job);
  job.offload = true;
  const AskedIos offloaded = Ask(job);
  EXPECT_EQ(offloaded.ios.size(), 200u);
  // The first waits for 5 µs, but ends after 10; then two are due at once.
  EXPECT_LT(inlined.ios.size(), 200u);
  for (const auto& io : offloaded.ios) EXPECT_LE(io.open, 3u);
}

/// Reads are behind their rate, but no write takes their place; each direction has its own rate.
TEST(FioGenerator, reads_and_writes_have_each_their_rate) {
  IoJob job = Job();
  job.reads = 50;
  job.depth = 4;
  job.sides[0].rate_iops = 10'000;
  job.sides[1].rate_iops = 1'000;
  const AskedIos asked = Ask(job, Milliseconds(20));
  const auto writes = std::ranges::count_if(
      asked.ios, [](const auto& io) { return io.request.kind == OperationKind::write; });
  EXPECT_NEAR(static_cast<double>(writes), 20, 1);
  EXPECT_NEAR(static_cast<double>(asked.ios.size()) - static_cast<double>(writes), 200, 2);
}

TEST(FioGenerator, poisson_gaps_are_whole_microseconds) {
  IoJob job = Job();
  job.depth = 64;
  job.offload = true;
  job.poisson = true;
  job.sides[0].rate_iops = 10'000;
  const AskedIos asked = Ask(job, Milliseconds(200));
  EXPECT_NEAR(static_cast<double>(asked.ios.size()), 2010, 150);  // the mean is 99.5 µs
  for (const auto& io : asked.ios) EXPECT_EQ(io.at.v % Microseconds(1).v, 0);
}

/// Four start, four end, and 30 µs pass.
TEST(FioGenerator, thinks_when_all_have_ended) {
  IoJob job = Job();
  job.depth = 4;
  job.think = Microseconds(30);
  const AskedIos asked = Ask(job);
  ASSERT_EQ(asked.ios.size(), 100u);
  for (size_t i = 0; i < 100; ++i) EXPECT_EQ(asked.ios[i].at, Microseconds(40) * static_cast<int64_t>(i / 4));
  job.depth = 1;
  job.think_blocks = 5;  // five in 50 µs, then 30 µs of thinking
  EXPECT_EQ(Ask(job, Microseconds(800)).ios.size(), 50u);
  job.think_by_blocks = false;
  job.think_every = Microseconds(70);  // seven, then 30 µs of thinking
  EXPECT_EQ(Ask(job).ios.size(), 70u);
}

TEST(FioGenerator, mixes_and_sizes_are_drawn_by_their_shares) {
  IoJob job = Job();
  job.reads = 70;
  job.depth = 100;
  job.addresses.once = false;
  IoJobSide& reads = job.sides[0];
  reads.split = {{Bytes(65'536), 0.2}, {Bytes(4096), 0.8}};
  reads.most = Bytes(65'536);
  job.sides[1].least = Bytes(4096);
  job.sides[1].most = Bytes(16'384);
  const AskedIos asked = Ask(job);
  ASSERT_EQ(asked.ios.size(), 10'000u);
  std::map<std::pair<bool, uint32_t>, double> n;
  for (const auto& io : asked.ios) n[{io.request.kind == OperationKind::read, io.request.bytes}] += 1;
  EXPECT_NEAR((n[{true, 4096}]), 5600, 150);
  EXPECT_NEAR((n[{true, 65'536}]), 1400, 110);
  // least + most × u, rounded down: four equally likely sizes
  for (const uint32_t bytes : {4096u, 8192u, 12'288u, 16'384u}) EXPECT_NEAR((n[{false, bytes}]), 750, 90);
  EXPECT_EQ(n.size(), 6u);
}

/// fio: `4k/50:6k/50` issues only 4k, because sizes are multiples of the smallest.
TEST(FioGenerator, sizes_are_rounded_to_the_smallest_unless_unaligned) {
  IoJob job = Job();
  job.sides[0].split = {{Bytes(4096), 0.5}, {Bytes(6144), 0.5}};
  job.sides[0].most = Bytes(6144);
  for (const auto& io : Ask(job).ios) EXPECT_EQ(io.request.bytes, 4096u);
  job.unaligned = true;
  const auto ios = Ask(job).ios;
  EXPECT_NEAR(static_cast<double>(
                  std::ranges::count_if(ios, [](const auto& io) { return io.request.bytes == 6144; })),
              50, 20);
}

/// The second begins at each host when the first has ended there, the third begins with the second.
TEST(FioGenerator, stonewall_waits_for_the_jobs_before) {
  IoJob first = Job(), second = Job(), third = Job();
  first.total = Bytes(10 * 4096);
  second.name = "second";
  third.name = "third";
  second.total = third.total = Bytes(5 * 4096);
  second.wall_back = 1;
  third.wall_back = 2;
  second.walled = third.walled = 1;
  const AskedIos asked({WorkloadOfJob(first), WorkloadOfJob(second), WorkloadOfJob(third)}, 1,
                       Milliseconds(1), kTakes);
  std::map<uint32_t, std::vector<Time>> at;
  for (const auto& io : asked.ios) at[io.workload].push_back(io.at);
  ASSERT_EQ(at.size(), 3u);
  EXPECT_EQ(at[0].size(), 10u);
  EXPECT_EQ(at[1].front(), Microseconds(100));
  EXPECT_EQ(at[2].front(), Microseconds(100));
  EXPECT_EQ(asked.exhausted, 3);
}

TEST(FioGenerator, what_begins_in_the_ramp_is_of_it) {
  IoJob job = Job();
  const AskedIos asked = Ask(job, Milliseconds(1), 1, Microseconds(95));
  EXPECT_EQ(std::ranges::count(asked.ios, true, &AskedIos::Io::ramp), 10);
}

TEST(FioGenerator, another_host_changes_nothing) {
  IoJob job = Job();
  job.reads = 50;
  job.clones = 2;
  job.addresses.order = IoAddresses::Order::zipf;
  job.addresses.parameter = 1.1;
  const auto one = Ask(job).From(0), of_two = Ask(job, Milliseconds(1), 2).From(0);
  ASSERT_EQ(one.size(), of_two.size());
  for (size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].at, of_two[i].at);
    EXPECT_EQ(one[i].request.target, of_two[i].request.target);
    EXPECT_EQ(one[i].request.kind, of_two[i].request.kind);
  }
}

}  // namespace
}  // namespace headroom::fio_generator_test
