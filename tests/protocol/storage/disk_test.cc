// A disk of an extent node: the time of a lone I/O, and the effect of overload.
#include "protocol/storage/disk.h"

#include <gtest/gtest.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <vector>

#include "protocol/trail.h"
#include "sim/simulator.h"
#include "support/in_child.h"

namespace headroom::disk_test {
namespace {

constexpr int64_t kMB = 1'000'000;

DiskParameters With(TimeLaw read, TimeLaw write) {
  DiskParameters p;
  p.read = read, p.write = write;
  return p;
}

/// The time of each of these I/Os if all start at once.
std::vector<Time> Ends(const DiskParameters& parameters, OperationKind kind,
                       const std::vector<uint32_t>& lengths, const std::string& name = "e0/disk") {
  std::vector<Time> ends(lengths.size());
  const Time start = EventQueue::Get().now();
  Disk disk(parameters, 0, nullptr, name);
  for (size_t i = 0; i < lengths.size(); ++i) {
    StorageCall call;
    call.kind = kind;
    call.length = lengths[i];
    disk.Execute(std::move(call), [&ends, i, start](OperationStatus status, const std::vector<uint8_t>&) {
      EXPECT_EQ(status, OperationStatus::ok);
      ends[i] = EventQueue::Get().now() - start;
    });
  }
  ns3::Simulator::Run();
  EXPECT_EQ(disk.executed(), lengths.size());
  return ends;
}

TEST(Disk, takes_its_time_for_each_however_many_there_are) {
  InChild([] {
    StartSimulator(1);
    const DiskParameters p = With(Microseconds(90), Microseconds(20));
    EXPECT_EQ(Ends(p, OperationKind::read, {1, 1'000'000, 1}), std::vector<Time>(3, Microseconds(90)));
  });
}

/// 100,000 a second: each begins 10 us after the previous one.
TEST(Disk, begins_so_many_a_second) {
  InChild([] {
    StartSimulator(1);
    DiskParameters p = With(Microseconds(90), Microseconds(20));
    p.iops = 100'000;
    EXPECT_EQ(Ends(p, OperationKind::write, {1, 1, 1}),
              (std::vector<Time>{Microseconds(20), Microseconds(30), Microseconds(40)}));
  });
}

/// 1 MB at 8 Gbit/s takes 1 ms; then comes the time of a read, for which the next I/O does not wait.
TEST(Disk, reads_take_the_bandwidth_in_turn) {
  InChild([] {
    StartSimulator(1);
    DiskParameters p = With(Microseconds(90), {});
    p.read_bandwidth = GigabitsPerSecond(8);
    EXPECT_EQ(Ends(p, OperationKind::read, {kMB, kMB, 1000}),
              (std::vector<Time>{Microseconds(1090), Microseconds(2090), Microseconds(2091)}));
    EXPECT_EQ(p.Alone(true, Bytes(kMB)), Microseconds(1090));
  });
}

/// The cache has 2.5 MB and 8 Gbit/s. The third write waits until half a megabyte has drained, the fourth for
/// one megabyte more.
TEST(Disk, writes_are_fast_until_the_cache_is_full) {
  InChild([] {
    StartSimulator(1);
    DiskParameters p = With({}, Microseconds(20));
    p.write_bandwidth = GigabitsPerSecond(8);
    p.cache = Bytes(2'500'000);
    EXPECT_EQ(Ends(p, OperationKind::write, {kMB, kMB, kMB, kMB}),
              (std::vector<Time>{Microseconds(20), Microseconds(20), Microseconds(520), Microseconds(1520)}));
    // A lone write that is larger than the cache waits for the rest.
    EXPECT_EQ(p.Alone(false, Bytes(kMB)), Microseconds(20));
    EXPECT_EQ(p.Alone(false, Bytes(3 * kMB)), Microseconds(520));
    EXPECT_EQ(Ends(p, OperationKind::write, {3 * kMB}), std::vector<Time>{Microseconds(520)});
  });
}

/// If twice the possible load is offered, I/Os take longer and longer: the last of n waits for n gaps.
TEST(Disk, under_overload_its_queue_grows) {
  InChild([] {
    StartSimulator(1);
    DiskParameters p = With(Microseconds(90), {});
    p.iops = 1'000'000;
    const std::vector<Time> ends = Ends(p, OperationKind::read, std::vector<uint32_t>(1000, 4096));
    EXPECT_EQ(ends.back(), Microseconds(999 + 90));
  });
}

/// Percentile by nearest rank.
Time Percentile(std::vector<Time> times, double share) {
  std::ranges::sort(times);
  return times[static_cast<size_t>(share * static_cast<double>(times.size()))];
}

TEST(Disk, draws_from_its_law) {
  InChild([] {
    StartSimulator(1);
    const TimeLaw law(Microseconds(85), Microseconds(106), 0.01, Microseconds(300), Milliseconds(3));
    const std::vector<Time> ends =
        Ends(With(law, {}), OperationKind::read, std::vector<uint32_t>(20'000, 4096));
    // For the percentile q of n draws the rank has a deviation of sqrt(q (1 - q) n): here less than 1 % of
    // the time.
    EXPECT_NEAR(InMicroseconds(Percentile(ends, 0.495)), 85, 0.85);
    const auto rare =
        static_cast<double>(std::ranges::count_if(ends, [](Time t) { return t >= Microseconds(300); }));
    EXPECT_NEAR(rare, 200, 60);  // four deviations
    EXPECT_LE(*std::ranges::max_element(ends), Milliseconds(3));
    std::vector<Time> others;
    std::ranges::copy_if(ends, std::back_inserter(others), [](Time t) { return t < Microseconds(300); });
    EXPECT_NEAR(InMicroseconds(Percentile(others, 0.99)), 106, 1);
    double mean = 0;
    for (const Time t : ends) mean += InMicroseconds(t) / static_cast<double>(ends.size());
    EXPECT_NEAR(mean, InMicroseconds(law.Mean()), 4);
    // The last disk does not draw its neighbour's numbers.
    EXPECT_NE(Ends(With(law, {}), OperationKind::read, std::vector<uint32_t>(20, 1), "e1/disk"),
              std::vector<Time>(ends.begin(), ends.begin() + 20));
  });
}

TEST(Disk, has_other_numbers_with_another_seed_and_the_same_with_the_same) {
  const TimeLaw law(Microseconds(85), Microseconds(106));
  std::vector<std::string> texts;
  for (const uint64_t seed : {1u, 2u, 1u}) {
    texts.push_back(TextFromChild([&] {
      StartSimulator(seed);
      std::string text;
      for (const Time t : Ends(With(law, {}), OperationKind::read, {1, 1, 1, 1}))
        text += std::to_string(t.v) + ' ';
      return text;
    }));
  }
  EXPECT_NE(texts[0], texts[1]);
  EXPECT_EQ(texts[0], texts[2]);
}

/// Published values of the named disks: medians, p99 and p99.999 of reads.
TEST(Disk, named_ones_have_their_published_percentiles) {
  InChild([] {
    StartSimulator(1);
    for (const std::string& name : DeviceNames()) {
      const DiskParameters p = FindDevice(name);
      EXPECT_EQ(p.device, name);
      if (name == "none") continue;
      EXPECT_GT(p.write.median.v, 0);
      EXPECT_GT(p.read_bandwidth.v, p.write_bandwidth.v);
    }
    EXPECT_EQ(FindDevice("none"), DiskParameters{});
    const TimeLaw optane = FindDevice("optane").read;
    EXPECT_EQ(optane.median, Microseconds(9));
    // Half of two in 100,000 is beyond the middle of the tail.
    EXPECT_EQ((optane.tail_from + optane.tail_to) / 2, Microseconds(37));
    const TimeLaw mlc = FindDevice("nvme-mlc").read;
    EXPECT_EQ((mlc.tail_from + mlc.tail_to) / 2, Microseconds(2'768));
  });
}

/// Time in its queue also belongs to the device's part of an operation.
TEST(Disk, a_wait_for_it_is_the_devices_part) {
  InChild([] {
    StartSimulator(1);
    Trail trail;
    DiskParameters p = With(Microseconds(90), {});
    p.iops = 100'000;
    Disk disk(p, 0, &trail, "e0/disk");
    Time waited;
    trail.SetCurrent(trail.Add(0, OperationPart::other, Time(), Time()));
    for (int i = 0; i < 3; ++i) {
      disk.Execute({}, [&](OperationStatus, const std::vector<uint8_t>&) {
        waited = trail.Split(trail.current(), Time())[static_cast<size_t>(OperationPart::device)];
      });
    }
    trail.SetCurrent(0);
    ns3::Simulator::Run();
    EXPECT_EQ(waited, Microseconds(110));
  });
}

}  // namespace
}  // namespace headroom::disk_test
