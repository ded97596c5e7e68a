#include "switch/buffer/group_contents.h"

#include <gtest/gtest.h>
#include <ns3/simulator.h>

#include <map>
#include <random>
#include <tuple>

#include "sim/simulator.h"
#include "support/in_child.h"

namespace headroom::group_contents_test {
namespace {

using Place = SharedBuffer::Place;
using Weights = std::map<std::tuple<uint32_t, int, int>, double>;  ///< weights by egress, queue, tag

/// Three ports; group 2 and queues 3 and 5 are counted, with tags 0 to 2.
struct Bench {
  Bench() {
    StartSimulator(1);
    contents.Setup(3, 1u << 2, 1u << 3 | 1u << 5, 3);
    contents.Allocate();
  }
  ~Bench() { ns3::Simulator::Destroy(); }
  template <class Do>
  void At(int64_t ps, Do what) {
    ns3::Simulator::Schedule(ns3::TimeStep(static_cast<uint64_t>(ps)), what);
  }
  Weights Settle(uint32_t in = 0) {
    Weights w;
    contents.Settle(in, 2, [&](const GroupContents::Part& p, double weight) {
      w[{p.out, p.queue, p.tag}] += weight;
    });
    return w;
  }
  GroupContents contents;
};

TEST(GroupContents, knows_a_groups_bytes_by_queue_and_tag) {
  InChild([] {
    Bench b;
    b.contents.Add({0, 1, 2, 3}, 1, 1000);
    b.contents.Add({0, 1, 2, 3}, 2, 500);
    b.contents.Add({0, 2, 2, 5}, 1, 300);
    b.contents.Add({1, 1, 2, 3}, 1, 70);  // another port's frame
    b.contents.Remove({0, 1, 2, 3}, 1, 400);
    EXPECT_EQ(b.contents.bytes(0, 2, {1, 3, 1}), 600);
    EXPECT_EQ(b.contents.bytes(0, 2, {1, 3, 2}), 500);
    EXPECT_EQ(b.contents.bytes(0, 2, {2, 5, 1}), 300);
    EXPECT_EQ(b.contents.bytes(1, 2, {1, 3, 1}), 70);
    EXPECT_EQ(b.contents.bytes(0, 2, {2, 3, 1}), 0);
  });
}

TEST(GroupContents, leaves_groups_alone_that_do_not_count) {
  InChild([] {
    Bench b;
    b.contents.Add({0, 1, 7, 3}, 1, 1000);
    b.contents.Add({0, 1, 2, 0}, 1, 1000);
    EXPECT_FALSE(b.contents.Counts(0, 7));
    EXPECT_TRUE(b.contents.Counts(0, 2));
    EXPECT_EQ(b.contents.bytes(0, 7, {1, 3, 1}), 0);
    EXPECT_EQ(b.contents.bytes(0, 2, {1, 0, 1}), 0);
  });
}

TEST(GroupContents, weighs_bytes_by_how_long_they_were_there) {
  // From 100 ps to 200 ps inclusive there are 101 instants. 10 B were there before and leave at 150 ps: 10
  // · 51. 4 B arrive at 120 ps and stay: 4 · 80.
  InChild([] {
    Bench b;
    Weights w;
    b.contents.Add({0, 1, 2, 3}, 1, 10);
    b.At(100, [&] { b.contents.Begin(0, 2); });
    b.At(120, [&] { b.contents.Add({0, 2, 2, 5}, 2, 4); });
    b.At(150, [&] { b.contents.Remove({0, 1, 2, 3}, 1, 10); });
    b.At(200, [&] {
      w = b.Settle();
      b.contents.End(0, 2);
    });
    ns3::Simulator::Run();
    EXPECT_EQ(w, (Weights{{{1, 3, 1}, 510.0}, {{2, 5, 2}, 320.0}}));
  });
}

TEST(GroupContents, a_span_of_no_length_has_the_bytes_of_its_instant) {
  InChild([] {
    Bench b;
    Weights w;
    b.contents.Add({0, 1, 2, 3}, 1, 10);
    b.At(100, [&] {
      b.contents.Begin(0, 2);
      w = b.Settle();
      b.contents.End(0, 2);
    });
    ns3::Simulator::Run();
    EXPECT_EQ(w, (Weights{{{1, 3, 1}, 10.0}}));
  });
}

TEST(GroupContents, a_second_span_has_nothing_of_the_first) {
  InChild([] {
    Bench b;
    Weights w;
    b.At(100, [&] {
      b.contents.Add({0, 1, 2, 3}, 1, 10);
      b.contents.Begin(0, 2);
    });
    b.At(110, [&] { b.contents.Remove({0, 1, 2, 3}, 1, 10); });
    b.At(120, [&] { b.contents.End(0, 2); });  // and no one reads the result
    b.At(130, [&] { b.contents.Add({0, 2, 2, 3}, 2, 7); });
    b.At(140, [&] { b.contents.Begin(0, 2); });
    b.At(141, [&] {
      w = b.Settle();
      b.contents.End(0, 2);
    });
    ns3::Simulator::Run();
    EXPECT_EQ(w, (Weights{{{2, 3, 2}, 14.0}}));
  });
}

TEST(GroupContents, one_queue_can_be_settled_alone) {
  InChild([] {
    Bench b;
    double one = 0;
    Weights rest;
    b.contents.Add({0, 1, 2, 3}, 1, 10);
    b.contents.Add({0, 2, 2, 3}, 1, 10);
    b.At(100, [&] { b.contents.Begin(0, 2); });
    b.At(109, [&] {
      b.contents.Settle(0, 2, 1, 3, [&](const GroupContents::Part& p, double weight) {
        EXPECT_EQ(p.out, 1u);
        one += weight;
      });
    });
    b.At(119, [&] { rest = b.Settle(); });
    ns3::Simulator::Run();
    EXPECT_EQ(one, 100);
    EXPECT_EQ(rest, (Weights{{{1, 3, 1}, 100.0}, {{2, 3, 1}, 200.0}}));
  });
}

TEST(GroupContents, agrees_with_a_walk_through_all_frames_at_every_picosecond) {
  InChild([] {
    Bench b;
    struct One {
      Place at;
      uint8_t tag;
      uint32_t bytes;
    };
    std::vector<One> frames;
    Weights slow[3], fast[3];
    bool open[3] = {};
    std::mt19937 random(2);
    for (int64_t t = 1; t <= 4000; ++t) {
      b.At(t, [&] {
        for (uint32_t in = 0; in < 3; ++in) {
          if (random() % 50 == 0) {
            if (open[in]) {
              for (const auto& [part, w] : b.Settle(in)) fast[in][part] += w;
              b.contents.End(in, 2);
            } else {
              b.contents.Begin(in, 2);
              // The first instant counts completely, with its contents.
              for (const One& f : frames) {
                if (f.at.in == in) slow[in][{f.at.out, f.at.queue, f.tag}] += f.bytes;
              }
            }
            open[in] = !open[in];
          }
        }
        if (frames.empty() || random() % 2 == 0) {
          const One f{{static_cast<uint32_t>(random() % 3), static_cast<uint32_t>(random() % 3), 2,
                       static_cast<uint8_t>(random() % 2 == 0 ? 3 : 5)},
                      static_cast<uint8_t>(random() % 3),
                      1 + static_cast<uint32_t>(random() % 9000)};
          frames.push_back(f);
          b.contents.Add(f.at, f.tag, f.bytes);
        } else {
          const size_t which = random() % frames.size();
          b.contents.Remove(frames[which].at, frames[which].tag, frames[which].bytes);
          frames.erase(frames.begin() + static_cast<std::ptrdiff_t>(which));
        }
        // The current contents count up to the next picosecond.
        for (const One& f : frames) {
          if (open[f.at.in]) slow[f.at.in][{f.at.out, f.at.queue, f.tag}] += f.bytes;
        }
      });
    }
    b.At(4001, [&] {
      for (uint32_t in = 0; in < 3; ++in) {
        if (!open[in]) continue;
        for (const auto& [part, w] : b.Settle(in)) fast[in][part] += w;
      }
    });
    ns3::Simulator::Run();
    for (int in = 0; in < 3; ++in) EXPECT_EQ(fast[in], slow[in]) << in;
  });
}

}  // namespace
}  // namespace headroom::group_contents_test
