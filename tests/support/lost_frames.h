// Two messages, of which each frame is lost once.
#pragma once

#include <gtest/gtest.h>

#include "support/in_child.h"
#include "support/lab.h"

namespace headroom {

/// In each of `frames` runs of this scenario with two hosts, another frame of two messages of 5 packets is
/// lost. Expects that both messages end before `most`, and that there are that many frames.
inline void ExpectNothingIsLost(const Scenario& scenario, int frames, Time most) {
  for (int n = 0; n < frames; ++n) {
    InChild([&] {
      Lab lab(scenario);
      int seen = 0;
      lab.lose = [&](NodeId, const Frame&) { return seen++ == n; };
      const uint32_t qp = lab.Connect(0, 1);
      lab.Post(0, qp, 5 * 1024);
      lab.Post(0, qp, 5 * 1024);
      RunUntil(Milliseconds(2));
      for (const Lab::Message& m : lab.messages) {
        EXPECT_EQ(m.deliveries, 1) << n;
        EXPECT_EQ(m.completions, 1) << n;
      }
      EXPECT_GE(seen, frames);
      EXPECT_LT(lab.messages[1].completed, most) << n;
    });
  }
}

}  // namespace headroom
