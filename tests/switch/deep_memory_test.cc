#include "switch/deep_memory.h"

#include <gtest/gtest.h>

namespace headroom::deep_memory_test {
namespace {

// 8 Gb/s are 1 byte in 1 ns: a frame of 1000 bytes takes 1 µs to write or to read.
constexpr Rate kBytePerNs = GigabitsPerSecond(8);

TEST(DeepMemory, AQueueStaysOnTheChipUpToSpill) {
  DeepMemory memory(Bytes(10'000), Bytes(2'000), kBytePerNs);
  QueueParts queue;
  EXPECT_EQ(memory.Write(queue, 1000, Time(5)), Time(5));
  EXPECT_EQ(memory.Write(queue, 1000, Time(5)), Time(5));
  EXPECT_EQ(queue.frames_deep, 0u);
  // The third frame would make 3000 bytes: it is written to the deep memory.
  EXPECT_EQ(memory.Write(queue, 1000, Time(5)), Time(5) + Microseconds(1));
  EXPECT_EQ(queue.frames_deep, 1u);
  EXPECT_EQ(memory.deep_bytes(), 1000u);
}

TEST(DeepMemory, AQueueInTheDeepMemoryGoesOnThereUntilThatPartIsEmpty) {
  DeepMemory memory(Bytes(10'000), Bytes(1'000), kBytePerNs);
  QueueParts queue;
  const Time later = Microseconds(10);
  memory.Write(queue, 1000, Time{});
  const Time written = memory.Write(queue, 1000, Time{});
  EXPECT_EQ(memory.Read(queue, 1000, Time{}, later), later);
  // The chip has room again, but order is kept: frames behind a deep frame also go to the deep memory.
  memory.Write(queue, 1000, later);
  EXPECT_EQ(queue.frames_deep, 2u);
  const Time first = memory.Read(queue, 1000, written, later);
  const Time second = memory.Read(queue, 1000, later + Microseconds(1), later);
  EXPECT_EQ(first, later + Microseconds(1));
  EXPECT_EQ(second, later + Microseconds(2));
  memory.Write(queue, 1000, second);
  EXPECT_EQ(queue.frames_on_chip, 1u);
}

TEST(DeepMemory, WhatWaitsToBeWrittenTakesRoomOnTheChip) {
  DeepMemory memory(Bytes(3'000), Bytes(0), kBytePerNs);
  QueueParts queue;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(memory.HasRoom(1000, Time{}));
    memory.Write(queue, 1000, Time{});
  }
  EXPECT_FALSE(memory.HasRoom(1, Time{}));
  EXPECT_EQ(memory.on_chip(Time{}), 3000);
  // After 1 µs one of three frames is written.
  EXPECT_EQ(memory.on_chip(Microseconds(1)), 2000);
  EXPECT_TRUE(memory.HasRoom(1000, Microseconds(1)));
  EXPECT_FALSE(memory.HasRoom(1001, Microseconds(1)));
  EXPECT_EQ(memory.peak_on_chip(), 3000);
}

TEST(DeepMemory, NothingIsReadBeforeItIsWritten) {
  DeepMemory memory(Bytes(10'000), Bytes(0), kBytePerNs);
  QueueParts queue;
  const Time written = memory.Write(queue, 1000, Time{});
  EXPECT_EQ(memory.Read(queue, 1000, written, Nanoseconds(10)), Microseconds(2));
}

TEST(DeepMemory, QueuesShareTheBandwidthOfReading) {
  DeepMemory memory(Bytes(10'000), Bytes(0), kBytePerNs);
  QueueParts a, b;
  memory.Write(a, 1000, Time{});
  memory.Write(b, 1000, Time{});
  const Time now = Microseconds(10);
  EXPECT_EQ(memory.Read(a, 1000, Time{}, now), now + Microseconds(1));
  EXPECT_EQ(memory.Read(b, 1000, Time{}, now), now + Microseconds(2));
}

}  // namespace
}  // namespace headroom::deep_memory_test
